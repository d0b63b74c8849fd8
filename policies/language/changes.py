"""Changes of a value told in one sentence: "moved from X to Y in March", "quitte X pour Y", "n'habite plus à X"."""

from __future__ import annotations

from dataclasses import dataclass

from policies.language import lexicon
from policies.language.attributes import attribute_noun, read_attribute
from policies.language.clauses import Clauses, Value
from policies.language.names import Mention
from policies.terms import EntityId, EntityType

_MOVED = lexicon.words("attributes", "words.moved")
_LEFT = lexicon.words("attributes", "words.left")
_REPLACED = lexicon.words("attributes", "words.replaced")
_WORK = lexicon.words("attributes", "words.work")
_HOUSEHOLD = lexicon.words("attributes", "words.relocated")
_FROM = lexicon.words("grammar", "from")
_TO = lexicon.words("grammar", "to")
_FOR = lexicon.words("grammar", "for")
_INSTEAD = (
    ("instead", "of"),
    ("au", "lieu", "de"),
    ("au", "lieu", "d"),
    ("rather", "than"),
    ("plutot", "que"),
)
_BUT = lexicon.words("grammar", "but")
_REACH = 8


@dataclass(frozen=True, slots=True)
class Change:
    """One value moved to another, in one sentence."""

    key: str
    """As an attribute's; ``change`` where the sentence does not tell which."""
    old_value: str
    """As an attribute's value; empty where the statement does not tell it."""
    new_value: str
    """As an attribute's value; empty where it does not ("left X in May")."""
    subject: EntityId | None


def read_change(text: str, mentions: tuple[Mention, ...], owner: EntityId | None = None) -> Change | None:
    """The change that a statement tells, if one. Each value is told or empty; one of them is told."""
    clauses = Clauses(text, mentions, owner)
    for index in range(len(clauses.context.words)):
        word = clauses.context.folded(index)
        found = None
        if word in _MOVED:
            found = _from_to(clauses, index)
        if found is None and word in _LEFT:
            found = _left(clauses, index)
        if found is None and word in _REPLACED:
            found = _pair(clauses, index + 1, _FOR)
        if found is not None:
            old, new = found
            whose = clauses.whose(index)
            key = _key(clauses, index, old, new)
            return Change(key, _told(old), _told(new), whose.entity if whose else None)
    return _of_attribute(clauses, text, mentions, owner)


_Pair = tuple[Value | None, Value | None]


def _from_to(clauses: Clauses, index: int) -> _Pair | None:
    """As in "from X to Y", "to Y from X", "to Y"."""
    old = new = None
    for place in range(index + 1, min(index + 1 + _REACH, len(clauses.context.words))):
        if any(mark in clauses.context.glue(place) for mark in ".;!?"):
            break
        word = clauses.context.folded(place)
        if place in clauses.resolved or place in clauses.dated:
            continue
        if word in _FROM and old is None:
            old = clauses.value_from(place + 1, until=_TO)
        elif word in _TO and new is None and (old is not None or _leads_on(clauses, index, place)):
            new = clauses.value_from(place + 1, until=_FROM)
    if new is None and old is None:
        return None
    if old is None and (new is None or not new.capital):
        return None
    return old, new


def _leads_on(clauses: Clauses, index: int, place: int) -> bool:
    """Whether "to" follows the verb closely: "moved (back) to Y"."""
    return place - index <= 2 or clauses.context.folded(index + 1) in _FROM


def _left(clauses: Clauses, index: int) -> _Pair | None:
    """As in "left X for Y", "a quitté X pour Y", "left X"."""
    found = _pair(clauses, index + 1, _FOR)
    if found is not None:
        return found
    start = index + 2 if clauses.context.folded(index + 1) in _FROM else index + 1
    old = clauses.value_from(start)
    return (old, None) if old is not None and old.capital else None


def _pair(clauses: Clauses, index: int, links: frozenset[str]) -> _Pair | None:
    old = clauses.value_from(index, until=links)
    if old is None:
        return None
    for place in range(index, min(index + _REACH, len(clauses.context.words))):
        if (
            clauses.context.folded(place) in links
            and place not in clauses.resolved
            and place not in clauses.dated
        ):
            new = clauses.value_from(place + 1)
            return (old, new) if new is not None and (old.capital or not new.capital) else None
    return None


def _key(clauses: Clauses, index: int, old: Value | None, new: Value | None) -> str:
    """What changed: by a noun ("rent"), by what the values are, by the verb."""
    folded = [word.folded for word in clauses.context.words]
    nouns = [key for word in folded if (key := attribute_noun(word)) is not None]
    types = {
        mention.type
        for mention in clauses.resolved.values()
        for value in (old, new)
        if value is not None and mention.candidates[0] == value.folded
    }
    if EntityType.ORGANISATION in types or any(word in _WORK for word in folded):
        return "employer"
    if folded[index] in _HOUSEHOLD or EntityType.PLACE in types:
        return "residence"
    return nouns[0] if nouns else "change"


def _of_attribute(
    clauses: Clauses, text: str, mentions: tuple[Mention, ...], owner: EntityId | None
) -> Change | None:
    """As in "no longer works at X (but at Y)", "now works at Y instead of X"."""
    attribute = read_attribute(text, mentions, owner)
    if attribute is None:
        return None
    folded = [word.folded for word in clauses.context.words]
    for index in range(len(folded)):
        if attribute.ended and attribute.negated and folded[index] in _BUT:
            start = (
                index + 2
                if folded[index + 1 : index + 2] and folded[index + 1] in _TO | {"at", "in", "for"}
                else index + 1
            )
            new = clauses.value_from(start)
            if new is not None and new.capital:
                return Change(attribute.key, attribute.value, new.folded, attribute.subject)
        for phrase in _INSTEAD:
            if tuple(folded[index : index + len(phrase)]) == phrase:
                old = clauses.value_from(index + len(phrase))
                return Change(attribute.key, _told(old), attribute.value, attribute.subject) if old else None
    if attribute.ended and attribute.negated:
        return Change(attribute.key, attribute.value, "", attribute.subject)
    return None


def _told(value: Value | None) -> str:
    return "" if value is None else value.folded
