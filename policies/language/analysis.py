"""The analysis of one statement: everything the deterministic rules can tell about it."""

from __future__ import annotations

from dataclasses import dataclass

from policies.language.attributes import Attribute, Change
from policies.language.findings import Health, Importance, Instruction
from policies.language.names import Mention, MentionStatus
from policies.terms import Discretion, EntityId, Kind, Level, Moment, Relation


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the rules found in one statement (and in the owner's words that come with it)."""

    language: str
    """``fr``, ``en`` or ``und``."""
    kind: Kind
    level: Level | None
    """None where the rules cannot place it: its domain's floor, S1 without one."""
    domains: tuple[str, ...]
    """Life domains, sorted; those the proposer passed included."""
    discretion: Discretion
    """The strictest default of its domains."""
    health: Health
    importance: Importance
    instruction: Instruction
    valid_from: Moment | None
    valid_to: Moment | None
    """The exclusive end."""
    event_at: Moment | None
    """The day an event, a decision, a change or a failure is told to happen: its valid_from."""
    mentions: tuple[Mention, ...]
    negated: bool
    attribute: Attribute | None
    """The single-valued attribute (parameter) that the statement gives a value, if one."""
    change: Change | None
    """The old and the new value, where the statement tells both."""
    relation: Relation | None
    """The entity edge that the statement asserts, where its predicate is in the lexicon."""
    quoted: bool
    """The owner's words carry the statement's entities, numbers and negation."""
    unsure: tuple[str, ...] = ()
    """Why the rules cannot tell, as reason codes: for the owner, or for a model."""

    @property
    def anchors(self) -> tuple[EntityId, ...]:
        """The registered entities that the statement names, sorted."""
        found = {m.candidates[0] for m in self.mentions if m.status is MentionStatus.RESOLVED}
        return tuple(sorted(found))

    def named(self, status: MentionStatus) -> tuple[Mention, ...]:
        """The mentions of one status, in the order of the text."""
        return tuple(m for m in self.mentions if m.status is status)
