"""A proposal while it is being decided, and what the decision may look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from zoneinfo import ZoneInfo

from curator.arguments import Arguments
from curator.classify import Classifier
from curator.known import Known
from cypher.inbox import Inbox
from cypher.reader import LedgerHead, Reader
from policies.gates import Verdict
from policies.language.analysis import Analysis
from policies.parameters import Parameters
from policies.ports import IdFactory
from policies.registry import Registry
from policies.terms import EntityId, Instant, Level, Moment, Proposal, Provenance, Relation, Version, View


@dataclass(frozen=True, slots=True)
class Context:
    """What one decision rests on and works with. Everything in it is as of ``head``."""

    reader: Reader
    inbox: Inbox
    known: Known
    head: LedgerHead
    registry: Registry
    parameters: Parameters
    classifier: Classifier
    ids: IdFactory
    zone: ZoneInfo
    now: Instant


@dataclass(frozen=True, slots=True)
class Terms:
    """The owner's ruling on an arbitration, for the decision that carries it out."""

    keep: Literal["new", "both"]
    level: Level
    """At least the level at which the owner was asked."""
    anchors: tuple[EntityId, ...] = ()
    """Who an ambiguous name means."""
    begins: Moment | None = None
    """Turns the conflict into a succession from this moment."""


@dataclass(slots=True)
class Draft:
    """What the stages of ``curator.decide`` make of one proposal, each adding its own."""

    proposal: Proposal
    arguments: Arguments
    view: View
    scope: Registry
    """The registry as the proposer knows it: what is above their level is as if it were not registered."""
    terms: Terms | None
    analysis: Analysis
    provenance: Provenance
    anchors: tuple[EntityId, ...] = ()
    domains: tuple[str, ...] = ()
    relation: Relation | None = None
    target: Version | None = None
    """The head of the chain that the proposal means."""
    target_moved: bool = False
    succeeds: Version | None = None
    """The memory whose old value and end the text itself states."""
    conflicts: tuple[Version, ...] = ()
    twin: Version | None = None
    """What is believed already and says the same."""
    verdict: Verdict | None = None
    dedup_keys: tuple[str, ...] = field(default=())

    @property
    def by_owner(self) -> bool:
        """Whether the owner speaks: by a directive of their own, not by ruling on a tool's proposal."""
        return self.proposal.is_directive
