"""Attributes that have one value at a time, negation, and changes of a value told in one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from policies.language.names import Mention
from policies.terms import EntityId


@dataclass(frozen=True, slots=True)
class Attribute:
    """A single-valued attribute that a statement gives (or denies) a value."""

    key: str
    """An id of ``parameters/attributes.toml``: ``employer``, ``residence``, ``birth_date``…; for things of which
    there are many, with what it is of: ``favourite:colour``, ``date:wedding``."""
    value: str
    """Folded, without articles: compared as it is. Empty where only the attribute is told to have ended."""
    subject: EntityId | None
    """Whose attribute it is, where that is a registered entity."""
    negated: bool = False
    """The statement denies the value, or says that it ended ("no longer works at")."""
    surface: str = ""
    """The value as the statement writes it."""
    ended: bool = False
    """Told as past: "used to", "no longer", "n'habite plus"."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value moved to another, in one sentence ("moved from X to Y in March")."""

    key: str
    old_value: str
    """Folded; empty where the statement does not tell it."""
    new_value: str
    """Folded; empty where it does not ("no longer works at X since May")."""
    subject: EntityId | None


def negated(text: str) -> bool:
    """Whether the main assertion of the text is a negation (not, never, no longer, ne… pas)."""
    del text
    return False


def read_attribute(
    text: str, mentions: tuple[Mention, ...], owner: EntityId | None = None
) -> Attribute | None:
    """The single-valued attribute that a statement is about, if one."""
    del text, mentions, owner
    return None


def read_change(text: str, mentions: tuple[Mention, ...], owner: EntityId | None = None) -> Change | None:
    """The change that a statement tells, if one."""
    del text, mentions, owner
    return None
