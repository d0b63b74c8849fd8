"""Looking through the memories of a store, page by page: what the owner's console lists, and nothing else uses.

Nothing here filters by view: the owner sees everything. Every list is bounded, the last recorded first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from cypher import records
from cypher.graph import Graph
from cypher.statement import statement
from policies import entries
from policies.bitemporal import HAPPENED, AsOf
from policies.terms import Discretion, EntityId, Instant, Kind, Level, MemoryId, Provenance, Status

_LIST = statement("list_memories")
_COUNT = statement("count_about")
_EXTENT = statement("read_extent")
_RULINGS = statement("list_reclassifications")

_END_OF_TIME = Instant(2**62)
"""After every instant and every sequence."""
_HAPPENED = sorted(HAPPENED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What memories are looked for; what is None or empty excludes none."""

    entities: tuple[EntityId, ...] = ()
    """Canonical: it is about one of these."""
    domain: str | None = None
    kind: Kind | None = None
    """What it is, or restates."""
    levels: tuple[Level, ...] = ()
    """Effective."""
    provenance: Provenance | None = None
    status: Status | None = None
    """As of the moment asked about (``policies.bitemporal.status``)."""
    everything: bool = False
    """Whatever was recorded by then. Otherwise, without a status: what a question of that moment finds."""
    relates: bool = False
    """Only what asserts a relation between two entities."""
    on_request: bool = False
    """Whether what is served on request only is among them."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One memory of a list."""

    memory: MemoryId
    seq: int
    """What the next page begins before."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Since when there is anything, on both time axes; None: nothing there tells."""

    valid_from: Instant | None
    recorded_at: Instant | None


@dataclass(frozen=True, slots=True)
class Reclassified:
    """The owner gave memories another level or discretion."""

    memories: tuple[MemoryId, ...]
    recorded_at: Instant
    level: Level | None
    discretion: Discretion | None


class Browsing:
    """One process's way through the memories. May be shared by threads."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._extent: tuple[int, Extent] | None = None

    def memories(self, wanted: Wanted, as_of: AsOf, *, before: int | None = None, limit: int) -> list[Listed]:
        """A page of the memories that are wanted, the last recorded first; retractions are never among them.

        Args:
            wanted: which.
            as_of: the moment that their status is of.
            before: sequence of the last one of the page before.
            limit: most memories.
        """
        found = self._graph.read(
            _LIST,
            before=_END_OF_TIME if before is None else before,
            entities=sorted(wanted.entities) or None,
            domain=wanted.domain,
            kinds=None if wanted.kind is None else [wanted.kind.value],
            levels=[int(level) for level in wanted.levels] or None,
            provenance=None if wanted.provenance is None else wanted.provenance.value,
            on_request=wanted.on_request,
            relates=wanted.relates,
            known=_END_OF_TIME if as_of.known_before is None else as_of.known_before,
            happened=_HAPPENED,
            limit=limit,
            **_when(wanted, as_of),
        )
        return [Listed(MemoryId(record["memory"]), record["seq"]) for record in found]

    def counts_about(self, entities: Collection[EntityId], now: Instant) -> dict[EntityId, int]:
        """How many memories that are believed, and not closed now, are about each of some entities.

        Takes time in proportion to what they have.
        """
        found = self._graph.read(_COUNT, entities=sorted(set(entities)), happened=_HAPPENED, now=now)
        counts = dict.fromkeys(entities, 0)
        return counts | {EntityId(record["entity"]): record["memories"] for record in found}

    def reclassifications(self, chain: Sequence[MemoryId]) -> list[Reclassified]:
        """What the owner reclassified of a chain, oldest first; what one directive did is told once.

        Args:
            chain: ids of its versions.
        """
        found: list[Reclassified] = []
        for record in self._graph.read(_RULINGS, memories=list(chain)):
            entry = records.stored_entry(record["entry"]).entry
            change = entries.reclassification_of(entry)
            last = found[-1] if found else None
            alike = last is not None and (last.level, last.discretion) == (change.level, change.discretion)
            if last is not None and alike and change.memory not in last.memories:
                found[-1] = replace(last, memories=(*last.memories, change.memory))
            else:
                one = Reclassified((change.memory,), entry.recorded_at, change.level, change.discretion)
                found.append(one)
        return found

    def extent(self, seq: int) -> Extent:
        """Since when there is anything. Looked for once for each state of the ledger.

        Args:
            seq: where the ledger stands.
        """
        known = self._extent
        if known is None or known[0] != seq:
            found = self._graph.read(_EXTENT)
            extent = Extent(found[0]["valid_from"], found[0]["recorded_at"]) if found else Extent(None, None)
            known = self._extent = (seq, extent)
        return known[1]


def _when(wanted: Wanted, as_of: AsOf) -> dict[str, object]:
    """What the status and the moment ask of a memory's times, as ``policies.bitemporal`` has it."""
    status, present, period = wanted.status, as_of.present, as_of.valid_at
    closes_after: list[int] = []
    opens_before: list[int] = []
    if period is not None and not wanted.everything:
        closes_after.append(period.start)
        opens_before.append(period.end)
    elif status is None and not wanted.everything:
        closes_after.append(present)
    if status is Status.CURRENT:
        closes_after.append(present)
    if status in (Status.CURRENT, Status.CLOSED):
        opens_before.append(present + 1)
    ended = status in (Status.SUPERSEDED, Status.RETRACTED)
    return {
        "erased": None if wanted.everything else status is Status.ERASED,
        "believed": None if wanted.everything or status is Status.ERASED else not ended,
        "retracted": status is Status.RETRACTED if ended else None,
        "closes_after": max(closes_after, default=None),
        "closed_by": present if status is Status.CLOSED else None,
        "opens_before": min(opens_before, default=None),
        "opens_after": present if status is Status.ANNOUNCED else None,
    }
