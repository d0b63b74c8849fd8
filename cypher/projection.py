"""The projection: what the ledger makes of each memory, kept beside it and regenerable at any time (G14).

``policies.projection`` says what a state is; here it is written and read. A commit projects the chains it
touches, in its own transaction (``project``); ``cypher.rebuild`` projects all of them anew, and compares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from cypher import records
from cypher.graph import Record, Tx
from cypher.reader import PAGE
from cypher.records import Row
from cypher.statement import statement
from policies import entries
from policies.bitemporal import asserted_kind
from policies.entries import canonical
from policies.errors import InvariantBroken
from policies.parameters import Parameters
from policies.projection import Reclassified, Recorded, chain_states, chains_of
from policies.registry import Registry
from policies.terms import Entity, Kind, MemoryId, MemoryState

_CREATE = statement("create_states")
_REPLACE = statement("replace_states")
_LINK = statement("link_anchors")
_UNLINK = statement("unlink_anchors")
_DRAW = statement("draw_edges")
_ERASE = statement("erase_edges")
_ENTITIES = statement("project_entities")
_STATES = statement("read_states")
_SIBLINGS = statement("list_chains")
_ANCHORED = statement("list_anchored")
_RECORDED = statement("list_recorded")
_RULINGS = statement("list_reclassifications")

FORMAT = 1
"""To be raised when a state is made or stored differently: the projection is then made anew."""

Run = Callable[..., list[Record]]
"""Runs a statement with its parameters: a graph's ``read``, or a transaction's ``run``."""
T = TypeVar("T")

_VERSIONS_MAX = 20 * PAGE
"""Most versions of the chains of a page of memories."""
_DRAWING = frozenset({Kind.FACT, Kind.RELATION})
"""The kinds whose relation is drawn between the entities."""


@dataclass(frozen=True, slots=True)
class Projected:
    """One memory as it should stand in the projection."""

    row: Row
    """The properties of its state."""
    edge: Row | None
    """The relation it draws, if any, with its ends."""

    @property
    def memory(self) -> str:
        """Its id."""
        return self.row["memory"]


@dataclass(frozen=True, slots=True)
class Live:
    """One memory as it stands in the projection."""

    row: Row
    about: tuple[str, ...]
    """The entities its state is linked to, sorted."""
    memories: tuple[str, ...]
    """The memories its state is linked to: itself, if all is well."""


def projection_rules(using: Parameters) -> str:
    """A digest of what a state depends on besides the ledger: this code's format, and the domains' floors."""
    floors = {domain.id: domain.floor.name for domain in using.domains.values()}
    return hashlib.sha256(canonical({"format": FORMAT, "floors": floors}).encode()).hexdigest()


def project(tx: Tx, *, fresh: Sequence[Recorded], ruled: Collection[MemoryId], registry: Registry) -> None:
    """Project what a commit touches besides the registry, after its entries were appended.

    Args:
        tx: the commit's transaction.
        fresh: the memories it recorded, in the order of the chain.
        ruled: the memories it reclassified.
        registry: as it stands after the commit.
    """
    targets = {one.memory.supersedes for one in fresh if one.memory.supersedes is not None}
    _project_chains(tx, targets.union(ruled), fresh, registry)


def project_registry(tx: Tx, before: Registry, after: Registry) -> None:
    """Project what changes of the registry touch: entities, and every memory anchored on them."""
    changed = [one for one in after.entities.values() if before.entities.get(one.id) != one]
    write_entities(tx, changed)
    touched = sorted(entity for entity, seq in after.touched.items() if seq > before.seq)
    for entities in pages(touched):
        last = ""
        while found := tx.run(_ANCHORED, entities=entities, after=last, limit=PAGE):
            last = found[-1]["memory"]
            _project_chains(tx, {MemoryId(record["memory"]) for record in found}, (), after)


def _project_chains(
    tx: Tx, members: Collection[MemoryId], fresh: Sequence[Recorded], registry: Registry
) -> None:
    known = [r["memory"] for r in tx.run(_SIBLINGS, ids=sorted(members), limit=_VERSIONS_MAX)]
    if len(known) == _VERSIONS_MAX:
        raise InvariantBroken("chains of more versions than can be projected at once")
    whole = [*read_recorded(tx.run, known), *fresh]
    write(tx, fold(tx.run, whole, registry), read_live(tx.run, known))


def fold(run: Run, recorded: Iterable[Recorded], registry: Registry) -> list[Projected]:
    """What whole chains should be projected as.

    Args:
        run: reads the reclassifications.
        recorded: every version of each chain, in the order of the ledger.
        registry: as it stands.
    """
    chains = chains_of(recorded)
    ids = [one.memory.id for chain in chains for one in chain]
    rulings = [
        Reclassified(entries.reclassification_of(entry), entry.seq)
        for page in pages(ids)
        for entry in (records.stored_entry(r["entry"]).entry for r in run(_RULINGS, memories=page))
    ]
    by_memory: dict[MemoryId, list[Reclassified]] = {}
    for ruling in rulings:
        by_memory.setdefault(ruling.change.memory, []).append(ruling)
    return [
        _projected(one, state, registry)
        for chain in chains
        for one, state in zip(chain, _states(chain, by_memory, registry), strict=True)
    ]


def write(tx: Tx, wanted: Sequence[Projected], live: Mapping[str, Live]) -> None:
    """Make the projection of some memories what it should be, given what it is."""
    created = [one for one in wanted if one.memory not in live]
    replaced = [one for one in wanted if one.memory in live and live[one.memory].row != one.row]
    moved = [one for one in replaced if list(live[one.memory].about) != one.row["anchors"]]
    erased = [
        {"memory": one.memory, "source": old["edge_source"], "target": old["edge_target"]}
        for one in replaced
        if "edge_source" in (old := live[one.memory].row)
    ]
    links = [
        {"memory": one.memory, "entity": anchor}
        for one in (*created, *moved)
        for anchor in one.row["anchors"]
    ]
    drawn = [one.edge for one in (*created, *replaced) if one.edge is not None]
    for page in pages([one.row for one in created]):
        tx.run(_CREATE, states=page)
    for page in pages([one.row for one in replaced]):
        tx.run(_REPLACE, states=page)
    for page in pages([one.memory for one in moved]):
        tx.run(_UNLINK, memories=page)
    for page in pages(links):
        tx.run(_LINK, links=page)
    for page in pages(erased):
        tx.run(_ERASE, edges=page)
    for page in pages(drawn):
        tx.run(_DRAW, edges=page)


def write_entities(tx: Tx, entities: Iterable[Entity]) -> None:
    """Project entries of the registry."""
    for page in pages([records.entity_row(entity) for entity in entities]):
        tx.run(_ENTITIES, entities=page)


def read_live(run: Run, memories: Sequence[str]) -> dict[str, Live]:
    """How some memories stand in the projection; those that do not are left out."""
    return {
        record["state"]["memory"]: Live(
            row=record["state"],
            about=tuple(sorted(record["about"])),
            memories=tuple(sorted(record["memories"])),
        )
        for page in pages(memories)
        for record in run(_STATES, memories=page)
    }


def read_recorded(run: Run, ids: Sequence[str]) -> list[Recorded]:
    """Memories as they were recorded, in the order of the ledger."""
    found = [
        records.recorded(record["entry"], record["evidence"])
        for page in pages(ids)
        for record in run(_RECORDED, ids=page)
    ]
    return sorted(found, key=lambda one: one.seq)


def pages(items: Sequence[T]) -> Iterator[list[T]]:
    """The items in lists that one statement may take."""
    for start in range(0, len(items), PAGE):
        yield list(items[start : start + PAGE])


def _states(
    chain: Sequence[Recorded], rulings: Mapping[MemoryId, Sequence[Reclassified]], registry: Registry
) -> tuple[MemoryState, ...]:
    own = (ruling for one in chain for ruling in rulings.get(one.memory.id, ()))
    return chain_states(chain, sorted(own, key=lambda ruling: ruling.seq), registry)


def _projected(one: Recorded, state: MemoryState, registry: Registry) -> Projected:
    row, relation = records.state_row(one, state), one.memory.relation
    if relation is None or not row["believed"] or asserted_kind(one.memory) not in _DRAWING:
        return Projected(row, None)
    source, target = registry.canonical(relation.subject), registry.canonical(relation.object)
    ends = {"edge_source": source, "edge_target": target}
    return Projected(row | ends, records.edge_row(one, state, source, target))
