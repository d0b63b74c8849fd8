"""The nouns of Mnemo: what a memory is made of, and what qualifies it.

Source: docs/glossary.md. Times are integer microseconds since the Unix epoch, UTC (``Instant``), because
the engines disagree about date-times; intervals are half-open ``[from, to)`` and either end may be unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import NewType

Instant = NewType("Instant", int)
"""Microseconds since 1970-01-01T00:00:00Z."""

MemoryId = NewType("MemoryId", str)
"""``mem:`` and 128 random bits in base32, lower case, without padding."""
ProposalId = NewType("ProposalId", str)
"""``prop:`` and 128 random bits."""
EntityId = NewType("EntityId", str)
"""``ent:`` and 128 random bits."""
GrantId = NewType("GrantId", str)
"""``grant:`` and 128 random bits: one connected tool."""
RunId = NewType("RunId", str)
"""``run:`` and 128 random bits: one pass of the curator."""


class Level(IntEnum):
    """Sensitivity, from public to intimate. Compared as numbers: a view of level n may hold levels <= n."""

    S0 = 0
    S1 = 1
    S2 = 2
    S3 = 3


class Kind(StrEnum):
    """What sort of assertion a memory is. ``RETRACTION`` and ``CLOSURE`` are contra-entries only."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    CHANGE = "change"
    FAILURE = "failure"
    EVENT = "event"
    RULE = "rule"
    INSIGHT = "insight"
    RELATION = "relation"
    RETRACTION = "retraction"
    CLOSURE = "closure"


class Provenance(StrEnum):
    """Where an assertion comes from. ``rank`` 0 is the best; ``cap`` bounds its confidence."""

    ATTESTED = "attested"
    DOCUMENTED = "documented"
    QUOTED = "quoted"
    REPORTED = "reported"

    @property
    def rank(self) -> int:
        """0 for the best (attested), 3 for the weakest (reported)."""
        return list(Provenance).index(self)

    @property
    def cap(self) -> float:
        """The highest confidence this provenance allows."""
        return {"attested": 1.0, "documented": 0.9, "quoted": 0.8, "reported": 0.5}[self.value]


class Discretion(StrEnum):
    """Whether a memory surfaces by itself, and whether a topical question reaches it. Strictest last."""

    OPEN = "open"
    ON_DEMAND = "on_demand"
    ON_REQUEST_ONLY = "on_request_only"

    @property
    def rank(self) -> int:
        """0 open, 1 on_demand, 2 on_request_only: the strictest of a chain is its highest rank."""
        return list(Discretion).index(self)


class EntityType(StrEnum):
    """The types a registered entity may have."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    OBJECT = "object"
    PROJECT = "project"
    CONCEPT = "concept"
    ANIMAL = "animal"
    EVENT = "event"


class ContraRole(StrEnum):
    """How a contra-entry acts on the version it supersedes.

    ``CORRECTION``, ``CLOSURE`` and ``RETRACTION`` end the record time of their target. ``SUCCESSION`` does
    not: its target is the closure that restates the old assertion with its end, and stays true of the past.
    """

    CORRECTION = "correction"
    CLOSURE = "closure"
    SUCCESSION = "succession"
    RETRACTION = "retraction"


class Precision(StrEnum):
    """How much of a date was stated."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    INSTANT = "instant"


class Status(StrEnum):
    """What a version is at a moment, on both axes; derived, never stored."""

    CURRENT = "current"
    ANNOUNCED = "announced"
    CLOSED = "closed"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    ERASED = "erased"


class Outcome(StrEnum):
    """What became of a proposal. ``NEEDS_OWNER`` is shown as ``needs_<handle>``."""

    COMMITTED = "committed"
    DUPLICATE = "duplicate"
    REJECTED = "rejected"
    NEEDS_OWNER = "needs_owner"
    ERROR = "error"

    def shown(self, handle: str) -> str:
        """The outcome's public name, for the owner whose handle is given."""
        return f"needs_{handle}" if self is Outcome.NEEDS_OWNER else self.value


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant and how precisely it was stated. A ``valid_to`` moment is the exclusive end itself."""

    at: Instant
    precision: Precision


@dataclass(frozen=True, slots=True)
class Evidence:
    """The verbatim words behind one memory. Never shared between memories; blanked by an erasure."""

    words: str
    speaker: str
    """``owner`` for the owner's own words, else the connected tool's name."""
    source: str
    """Which tool or import carried the words."""
    said_at: Instant | None


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge between two registered entities, asserted by a memory."""

    subject: EntityId
    predicate: str
    object: EntityId


@dataclass(frozen=True, slots=True)
class Memory:
    """One committed assertion, immutable. Its own qualifications: what its chain makes of them is a state."""

    id: MemoryId
    text: str
    language: str
    """``fr``, ``en`` or ``und``."""
    kind: Kind
    provenance: Provenance
    confidence: float
    """In (0, 1], never above the provenance's cap."""
    level: Level
    discretion: Discretion
    recorded_at: Instant
    root: ProposalId
    """The root proposal (or directive) it was committed for: unique among commits, per part of a commit."""
    parameters: str
    """Digest of the parameters and lexicons it was decided under."""
    salience_declared: bool = False
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    event: str | None = None
    anchors: tuple[EntityId, ...] = ()
    """As resolved when it was committed, sorted; merges are applied by the projection."""
    domains: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    relation: Relation | None = None
    restates: Kind | None = None
    """For a closure: the kind of the assertion that it restates."""
    supersedes: MemoryId | None = None
    contra: ContraRole | None = None
    ruled: bool = False
    """The owner ruled it in an arbitration. A rule is served by packs and profile only if attested or ruled."""
    proposed_by: GrantId | None = None
    """The grant that proposed it; None for the owner."""
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class MemoryState:
    """What the projection knows of one version: everything its chain, the registry and rulings make of it."""

    memory: MemoryId
    chain: MemoryId
    """The first version of the chain."""
    head: MemoryId
    """The last version of its line: what superseded it, what superseded that, and so on; itself if nothing did."""
    position: int
    """0 for the first version, then in the order they were recorded."""
    superseded_at: Instant | None
    """When its record time ended: a successor that is not a succession was recorded. None: still believed."""
    ended_by: ContraRole | None
    level: Level
    """Effective: the highest of its own and of all its successors', and of its anchors today."""
    discretion: Discretion
    """The strictest of the chain."""
    anchors: tuple[EntityId, ...]
    """Canonical after merges, sorted."""
    erased: bool = False
    changed_seq: int = 0
    """Sequence of the entry that last changed this state: followers read in its order."""


@dataclass(frozen=True, slots=True)
class Version:
    """A memory with its state: what readers work on."""

    memory: Memory
    state: MemoryState


@dataclass(frozen=True, slots=True)
class Entity:
    """A registry entry as it stands today."""

    id: EntityId
    name: str
    type: EntityType
    level: Level
    aliases: tuple[str, ...] = ()
    owner: bool = False
    merged_into: EntityId | None = None
    never_merge: tuple[EntityId, ...] = ()
    registered_seq: int = 0


@dataclass(frozen=True, slots=True)
class Grant:
    """One connected tool: what the owner allows one assistant."""

    id: GrantId
    name: str
    scope: str
    level: Level
    client: str = "local"
    domains: tuple[str, ...] | None = None
    """None: every domain."""
    may_read: bool = True
    may_propose: bool = True
    language: str | None = None
    created_at: Instant = Instant(0)
    expires_at: Instant | None = None
    revoked_at: Instant | None = None
    last_used_at: Instant | None = None
    calls: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """What one caller may be served. Two equal views are served the same bytes."""

    level: Level
    domains: frozenset[str] | None = None
    """None: every domain. Otherwise a memory is in view when all its domains are in the set."""
    owner: bool = False
    """The owner's own view: what ``history`` allows, and the statuses ``superseded`` and ``retracted``."""
    history: bool = False
    """A scope that may ask what was believed at another time (``known_at``)."""
    grant: GrantId | None = None
    name: str = ""
    """How the owner calls the tool; one tool is told its own name and no other's."""
    language: str = "en"

    @property
    def looks_back(self) -> bool:
        """Whether it may ask what was believed at another time."""
        return self.owner or self.history

    @property
    def key(self) -> tuple[int, tuple[str, ...] | None]:
        """What distinguishes text indexes and statistics: level and domain limit."""
        return int(self.level), None if self.domains is None else tuple(sorted(self.domains))


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a tool submitted (or the owner, as a directive): waits in the inbox, is never served."""

    id: ProposalId
    action: str
    """``remember``, ``correct``, ``retract``, or a directive's verb (see ``policies.directives``)."""
    payload: dict[str, object]
    """The validated arguments, redacted, as plain JSON."""
    submitted_at: Instant
    grant: GrantId | None
    """None: a directive of the owner."""
    grant_name: str = ""
    grant_level: Level = Level.S0
    grant_domains: tuple[str, ...] | None = None
    language: str = "en"
    root: ProposalId | None = None
    """The first proposal of its line; itself when it has no parent."""
    parent: ProposalId | None = None
    attempts: int = 0
    proof: str | None = None
    """For a directive: the MAC of its canonical payload by the key in the home."""

    @property
    def is_directive(self) -> bool:
        """Whether the owner submitted it."""
        return self.grant is None

    @property
    def root_id(self) -> ProposalId:
        """The id that commits are unique under."""
        return self.root or self.id


@dataclass(frozen=True, slots=True)
class OutcomeRecord:
    """What became of a proposal, as its ledger entry says it."""

    proposal: ProposalId
    outcome: Outcome
    reason: str
    """A dotted code of ``policies.reasons``; ``committed`` when there is nothing to say."""
    decided_at: Instant
    memories: tuple[MemoryId, ...] = ()
    level: Level = Level.S0
    """The level the proposal was classified at: a tool below it sees only that it is settled."""
    details: dict[str, object] = field(default_factory=dict[str, object])
    """What explains the outcome: names, candidate ids, the prefilled declaration. Never shown below level."""
