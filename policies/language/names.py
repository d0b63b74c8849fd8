"""Who and what a sentence names, and what the registry makes of it (G11).

A name is a run of capitalised words that are not merely the beginning of a sentence, or any name that the registry
knows, however it is written. Part of a registered name is a candidate unless something beside it contradicts it;
one candidate resolves, several are ambiguous. The rest is told apart by lexicons and by the words around it: an
unregistered person or organisation, a mere mention (place, product, work…), or unclear.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from policies.registry import Registry
from policies.terms import EntityId, EntityType


class MentionStatus(StrEnum):
    """What the registry and the rules make of a name."""

    RESOLVED = "resolved"
    """Exactly one registered entity: ``candidates[0]``."""
    AMBIGUOUS = "ambiguous"
    """Several registered entities, and nothing beside the name decides."""
    UNREGISTERED = "unregistered"
    """A person or an organisation that is not registered."""
    MERE = "mere"
    """A place, product, technology, work, event, language… that may stay a mere mention."""
    UNCLEAR = "unclear"
    """A name; whether a person's, an organisation's or a thing's, the rules cannot tell."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One name in a text, ``text[start:end] == surface``."""

    surface: str
    start: int
    end: int
    status: MentionStatus
    type: EntityType | None = None
    """The registered type if resolved, else what the rules take it for, if anything."""
    candidates: tuple[EntityId, ...] = ()
    """Canonical ids of registered entities, sorted."""


def mentions(text: str, registry: Registry, language: str = "und") -> tuple[Mention, ...]:
    """Every name in the text, in the order of the text, without overlap.

    First-person words ("je", "my", "the user") are mentions resolved to the owner.
    """
    del text, registry, language
    return ()
