"""A name in a text, and what was made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


def resolved(text: str, start: int, end: int, entity: EntityId, kind: EntityType) -> Mention:
    """A mention of the one registered entity."""
    return Mention(text[start:end], start, end, MentionStatus.RESOLVED, kind, (entity,))
