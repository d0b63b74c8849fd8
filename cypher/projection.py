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
from policies.entries import canonical
from policies.errors import InvariantBroken
from policies.parameters import Parameters
from policies.projection import Reclassified, Recorded, chain_states, chains_of
from policies.registry import Registry
from policies.terms import Entity, EntityId, Memory, MemoryId, MemoryState

_CREATE = statement("create_states")
_REPLACE = statement("replace_states")
_LINK = statement("link_anchors")
_LINK_RELATIONS = statement("link_relations")
_UNLINK = statement("unlink_states")
_ENTITIES = statement("project_entities")
_STATES = statement("read_states")
_SIBLINGS = statement("list_chains")
_ANCHORED = statement("list_anchored")
_RECORDED = statement("list_recorded")
_RULINGS = statement("list_reclassifications")

FORMAT = 2
"""To be raised when a state is made or stored differently: the projection is then made anew."""

Run = Callable[..., list[Record]]
"""Runs a statement with its parameters: a graph's ``read``, or a transaction's ``run``."""
T = TypeVar("T")

TOUCHED_MAX = 500
"""Most memories projected anew in one transaction: the lease must be renewed between two."""
_VERSIONS_MAX = 20 * PAGE
"""Most versions of the chains of a page of memories."""


@dataclass(frozen=True, slots=True)
class Live:
    """One memory as it stands in the projection."""

    row: Row
    """The properties of its state."""
    memories: tuple[str, ...]
    """The memories its state is linked to: itself, if all is well."""
    links: tuple[tuple[str, ...], ...]
    """The entities its state is linked to: those it is about, its relation's subject, its object."""

    @property
    def is_linked(self) -> bool:
        """Whether the links are those that the row tells of."""
        return self.memories == (self.row["memory"],) and self.links == _links(self.row)


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


def project_entities(tx: Tx, before: Registry, after: Registry) -> None:
    """Project the entries of the registry that differ."""
    write_entities(tx, [one for one in after.entities.values() if before.entities.get(one.id) != one])


def project_touched(tx: Tx, registry: Registry, *, since: int, after: str = "") -> str | None:
    """Project some of the memories anchored on what registry entries touched: as many as one transaction bears.

    Args:
        tx: a transaction under the lease.
        registry: as it stands.
        since: what was touched by the entries after this sequence.
        after: what the call before answered.

    Returns:
        What to go on after; None when all of them are projected.
    """
    touched = sorted(entity for entity, seq in registry.touched.items() if seq > since)
    found = tx.run(_ANCHORED, entities=touched, after=after, limit=TOUCHED_MAX) if touched else []
    if found:
        _project_chains(tx, {MemoryId(record["memory"]) for record in found}, (), registry)
    return found[-1]["memory"] if len(found) == TOUCHED_MAX else None


def _project_chains(
    tx: Tx, members: Collection[MemoryId], fresh: Sequence[Recorded], registry: Registry
) -> None:
    siblings = tx.run(_SIBLINGS, ids=sorted(members), limit=_VERSIONS_MAX) if members else []
    known = [record["memory"] for record in siblings]
    if len(known) == _VERSIONS_MAX:
        raise InvariantBroken("chains of more versions than can be projected at once")
    whole = [*read_recorded(tx.run, known), *fresh]
    write(tx, fold(tx.run, whole, registry), read_live(tx.run, known))


def fold(run: Run, recorded: Iterable[Recorded], registry: Registry) -> list[Row]:
    """What the states of whole chains should be.

    Args:
        run: reads the reclassifications.
        recorded: every version of each chain, in the order of the ledger.
        registry: as it stands.
    """
    chains = chains_of(recorded)
    rulings = _rulings(run, [one.memory.id for chain in chains for one in chain])
    return [
        records.state_row(one, state, _ends(one.memory, state, registry))
        for chain in chains
        for one, state in zip(chain, _states(chain, rulings, registry), strict=True)
    ]


def write(tx: Tx, rows: Sequence[Row], live: Mapping[str, Live]) -> None:
    """Make the states of some memories what they should be, given what they are."""
    created = [row for row in rows if row["memory"] not in live]
    replaced = [row for row in rows if row["memory"] in live and live[row["memory"]].row != row]
    moved = [row for row in replaced if live[row["memory"]].links != _links(row)]
    linked = (*created, *moved)
    about = [{"memory": row["memory"], "entity": anchor} for row in linked for anchor in row["anchors"]]
    related = [{end: row[end] for end in ("memory", "source", "target")} for row in linked if "source" in row]
    for page in pages(created):
        tx.run(_CREATE, states=page)
    for page in pages(replaced):
        tx.run(_REPLACE, states=page)
    for page in pages([row["memory"] for row in moved]):
        tx.run(_UNLINK, memories=page)
    for page in pages(about):
        tx.run(_LINK, links=page)
    for page in pages(related):
        tx.run(_LINK_RELATIONS, links=page)


def write_entities(tx: Tx, entities: Iterable[Entity]) -> None:
    """Project entries of the registry."""
    for page in pages([records.entity_row(entity) for entity in entities]):
        tx.run(_ENTITIES, entities=page)


def read_live(run: Run, memories: Sequence[str]) -> dict[str, Live]:
    """How some memories stand in the projection; those that do not are left out."""
    return {
        record["state"]["memory"]: Live(
            row=record["state"],
            memories=tuple(sorted(record["memories"])),
            links=tuple(tuple(sorted(record[name])) for name in ("about", "subjects", "objects")),
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


def _links(row: Row) -> tuple[tuple[str, ...], ...]:
    """The entities that a state is to be linked to, as in ``Live``."""
    ends = [(row[end],) if end in row else () for end in ("source", "target")]
    return (tuple(row["anchors"]), *ends)


def _rulings(run: Run, memories: Sequence[str]) -> dict[MemoryId, list[Reclassified]]:
    rulings: dict[MemoryId, list[Reclassified]] = {}
    for page in pages(memories):
        for record in run(_RULINGS, memories=page):
            entry = records.stored_entry(record["entry"]).entry
            ruling = Reclassified(entries.reclassification_of(entry), entry.seq)
            rulings.setdefault(ruling.change.memory, []).append(ruling)
    return rulings


def _states(
    chain: Sequence[Recorded], rulings: Mapping[MemoryId, Sequence[Reclassified]], registry: Registry
) -> tuple[MemoryState, ...]:
    own = (ruling for one in chain for ruling in rulings.get(one.memory.id, ()))
    return chain_states(chain, sorted(own, key=lambda ruling: ruling.seq), registry)


def _ends(memory: Memory, state: MemoryState, registry: Registry) -> tuple[EntityId, EntityId] | None:
    """Between which entities a relation is drawn, if it is."""
    relation = memory.relation
    if relation is None or not records.relates(memory) or not records.is_asserted(memory, state):
        return None
    return registry.canonical(relation.subject), registry.canonical(relation.object)
