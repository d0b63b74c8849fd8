"""How a new statement meets a believed memory: says the same, contradicts it, says that it has ended, or neither.

A conflict is the negation of a current memory, or another value for the same anchors and a single-valued attribute
while valid times overlap or are unknown. A text that states the old value and a date names the old memory.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from policies.language.analysis import Analysis
from policies.language.attributes import Attribute
from policies.language.saying import Saying
from policies.terms import Kind, Moment, Version

_NEVER = frozenset({Kind.RULE, Kind.RETRACTION, Kind.FAILURE})
_NEARLY_SAME = 0.75


class Meeting(StrEnum):
    """What a new statement is to a believed memory."""

    NONE = "none"
    """They do not touch each other."""
    SAME = "same"
    """It says nothing that the memory does not say."""
    CONFLICT = "conflict"
    """It denies the memory, or gives another value to what has one."""
    SUCCESSION = "succession"
    """It names the memory's value and the date at which it ended."""


def meet(new: Analysis, version: Version, old: Analysis) -> Meeting:
    """How a new statement meets a believed memory.

    Args:
        new: the statement, analysed.
        version: the memory; its own valid times count, not those of its text.
        old: the memory's text, analysed under today's registry.
    """
    if version.memory.kind in _NEVER or new.kind in _NEVER:
        return Meeting.NONE
    if names_old_value(new, old):
        return Meeting.SUCCESSION if _tells_date(new) else Meeting.CONFLICT
    if conflict_with(new, version, old):
        return Meeting.CONFLICT
    return Meeting.SAME if says_the_same(new, version, old) else Meeting.NONE


def says_the_same(new: Analysis, version: Version, old: Analysis) -> bool:
    """Whether a statement adds nothing to a memory: the same matter, polarity, entities and times."""
    if new.saying.denied != old.saying.denied or not _same_times(new, version):
        return False
    if new.saying.words == old.saying.words:
        return True
    if new.saying.entities != old.saying.entities:
        return False
    if new.attribute is not None and new.attribute.value and _one_attribute(new.attribute, old.attribute):
        return len(new.saying.stems - old.saying.stems) <= 1
    return bool(new.saying.matter) and sorted(new.saying.matter) == sorted(old.saying.matter)


def _one_attribute(new: Attribute, old: Attribute | None) -> bool:
    """Whether two statements give one attribute one value, in whatever words."""
    return old is not None and replace(new, surface="") == replace(old, surface="")


def conflict_with(new: Analysis, version: Version, old: Analysis) -> bool:
    """Whether a statement contradicts a memory while both may be true at one time."""
    if not _may_overlap(new, version):
        return False
    return _other_value(new.attribute, old.attribute) or _denies(new, old)


def names_old_value(new: Analysis, old: Analysis) -> bool:
    """Whether a statement tells that the very value which a memory states has changed or ended."""
    change, stated = new.change, old.attribute
    if change is None or not change.old_value or stated is None or stated.negated or stated.ended:
        return False
    same_subject = change.subject == stated.subject
    return same_subject and change.key in (stated.key, "change") and _agree(change.old_value, stated.value)


def _tells_date(new: Analysis) -> bool:
    return new.event_at is not None or new.valid_from is not None or new.valid_to is not None


def _other_value(new: Attribute | None, old: Attribute | None) -> bool:
    """Another value for one attribute of one subject, or the denial of the same value."""
    if new is None or old is None or new.key != old.key or new.subject != old.subject:
        return False
    agree = _agree(new.value, old.value)
    if new.ended or old.ended:
        # "used to work at X": an end, of which only the same value is denied.
        return agree and new.ended != old.ended and not (old.ended and old.negated)
    if new.negated or old.negated:
        return agree and new.negated != old.negated
    return not agree


def _agree(one: str, two: str) -> bool:
    """Whether one value may be the other told more fully ("lyon", "lyon france")."""
    first, second = set(one.split()), set(two.split())
    return first <= second or second <= first


def _denies(new: Analysis, old: Analysis) -> bool:
    """Whether one denies what the other tells, nearly word by word, of the same entities."""
    if new.saying.denied == old.saying.denied or new.saying.entities != old.saying.entities:
        return False
    if set(new.anchors) != set(old.anchors):
        return False
    return _likeness(new.saying, old.saying) >= _NEARLY_SAME


def _likeness(one: Saying, two: Saying) -> float:
    union = one.stems | two.stems
    return len(one.stems & two.stems) / len(union) if union else 0.0


def _may_overlap(new: Analysis, version: Version) -> bool:
    """Whether the valid times overlap or are unknown. What happened at a date lasts as long as is known."""
    memory = version.memory
    return _not_after(new.valid_from, memory.valid_to) and _not_after(memory.valid_from, new.valid_to)


def _not_after(start: Moment | None, end: Moment | None) -> bool:
    return start is None or end is None or start.at < end.at


def _same_times(new: Analysis, version: Version) -> bool:
    """Whether a statement tells no time that the memory does not have."""
    memory = version.memory
    return _told_alike(new.valid_from, memory.valid_from) and _told_alike(new.valid_to, memory.valid_to)


def _told_alike(new: Moment | None, old: Moment | None) -> bool:
    return new is None or (old is not None and new.at == old.at)
