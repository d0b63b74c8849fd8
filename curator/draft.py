"""A proposal while it is being decided, and what the decision may look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from zoneinfo import ZoneInfo

from curator.arguments import Arguments
from curator.classify import Classifier
from curator.known import Known
from cypher.inbox import Inbox
from cypher.reader import LedgerHead, Reader
from policies.access import in_view
from policies.bitemporal import HAPPENED
from policies.classification import Classification
from policies.directives import Verb
from policies.gates import Verdict
from policies.language.analysis import Analysis, Beside
from policies.parameters import Parameters
from policies.passkeys import RelyingParty
from policies.ports import IdFactory
from policies.registry import Registry
from policies.terms import (
    ContraRole,
    EntityId,
    Instant,
    Kind,
    Level,
    MemoryId,
    Moment,
    Proposal,
    Provenance,
    Relation,
    Version,
    View,
)


@dataclass(frozen=True, slots=True)
class Authority:
    """What the owner's proofs are checked with."""

    owner_key: bytes
    machine_key: bytes
    """Of links, resets and the decisions that are kept."""
    party: Callable[[], RelyingParty]
    """Whom passkeys answer to, where the console is today."""


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
    authority: Authority


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
    seen: frozenset[MemoryId] = frozenset()
    """What the owner ruled in view of: nothing else is contradicted."""


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
    answer: Classification | None = None
    """The classifier's, once it was asked."""
    anchors: tuple[EntityId, ...] = ()
    domains: tuple[str, ...] = ()
    relation: Relation | None = None
    target: Version | None = None
    """What stands today in place of the memory that the proposal names."""
    target_moved: bool = False
    succeeds: Version | None = None
    """The memory whose old value and end the text itself states."""
    conflicts: tuple[Version, ...] = ()
    same: tuple[Version, ...] = ()
    """What says all that the statement says, in other words."""
    twin: Version | None = None
    """What is believed already and says the same."""
    verdict: Verdict | None = None
    dedup_keys: tuple[str, ...] = field(default=())

    @property
    def by_owner(self) -> bool:
        """Whether the owner speaks: by a directive of their own, not by ruling on a tool's proposal."""
        return self.proposal.is_directive

    @property
    def beside(self) -> Beside:
        """What is served with the statement asks for. What a retraction says never is."""
        return Beside() if self.proposal.action == Verb.RETRACT else self.analysis.beside

    @property
    def role(self) -> ContraRole:
        """What it is to do to the memory that it names, if it names one."""
        if self.proposal.action == Verb.RETRACT:
            return ContraRole.RETRACTION
        since = self.arguments.change == "succession" or (
            self.terms is not None and self.terms.begins is not None
        )
        return ContraRole.SUCCESSION if since else ContraRole.CORRECTION

    def sees(self, version: Version) -> bool:
        """Whether the decision may tell the proposer of a memory: theirs to see, or the owner decides.

        A retraction is seen by who saw what it took back: levels never fall along a chain.
        """
        if self.by_owner or self.terms is not None:
            return True
        retracted = version.memory.kind is Kind.RETRACTION
        return version.state.level <= self.view.level if retracted else in_view(version, self.view)


def valid_times(draft: Draft) -> tuple[Moment | None, Moment | None]:
    """When the statement is true, as passed, else as its text says.

    A correction keeps the dates of what it corrects, where it tells none and they agree with those it tells.
    """
    arguments, analysis = draft.arguments, draft.analysis
    begins = arguments.valid_from or analysis.valid_from
    if begins is None and analysis.kind in HAPPENED:
        begins = analysis.event_at
    ends = arguments.valid_to or analysis.valid_to
    both = draft.terms is not None and draft.terms.keep == "both"
    if draft.target is None or draft.role is ContraRole.RETRACTION or both:
        return begins, ends
    if draft.role is ContraRole.SUCCESSION:
        ruled = draft.terms.begins if draft.terms else None
        return ruled or arguments.effective or begins, ends
    old = draft.target.memory
    kept = begins or old.valid_from, ends or old.valid_to
    disagree = kept[0] is not None and kept[1] is not None and kept[1].at <= kept[0].at
    return (begins, ends) if disagree else kept
