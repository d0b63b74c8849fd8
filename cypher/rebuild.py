"""Dropping the projection and making it anew from the ledger; telling where the live one differs (G14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from cypher import records
from cypher.graph import Graph, Tx
from cypher.lease import Lease, hold
from cypher.projection import (
    Live,
    fold,
    pages,
    project_touched,
    projection_rules,
    read_live,
    read_recorded,
    write,
    write_entities,
)
from cypher.reader import PAGE, Reader, fold_registry
from cypher.records import Row
from cypher.statement import statement
from policies import entries
from policies.entries import EntryType, StoredEntry
from policies.parameters import Parameters
from policies.projection import Recorded
from policies.registry import Registry

T = TypeVar("T")

_SUCCESSORS = statement("list_successors")
_CHANGES = statement("list_changes")
_LIST_ENTITIES = statement("list_entities")
_DROP_STATES = statement("drop_states")
_DROP_ENTITIES = statement("drop_entities")
_READ_RULES = statement("read_projection_rules")
_MARK_RULES = statement("mark_projection_rules")
_READ_PROJECTED = statement("read_projected")
_MARK_PROJECTED = statement("mark_projected")


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the live projection is not what the ledger makes."""

    subject: str
    """Id of a memory or an entity."""
    problem: str
    """``missing``, ``extra``, ``state``, ``link`` or ``entity``."""


def is_current(graph: Graph, rules: Parameters) -> bool:
    """Whether the projection is complete and was made under these parameters.

    It is not after a rebuild was interrupted, or when the owner raised a domain's floor.
    """
    found = graph.read(_READ_RULES)
    return bool(found) and found[0]["rules"] == projection_rules(rules)


def mark_outdated(graph: Graph) -> None:
    """Have the projection made anew by the curator that leads, or by the next that will."""
    graph.write(_MARK_RULES, rules="")


def rebuild(graph: Graph, lease: Lease, rules: Parameters) -> None:
    """Drop the projection and make it anew. Meanwhile readers find less than there is.

    Safe to run again: what was interrupted is begun anew, and ``is_current`` tells that it was.

    Raises:
        StaleLease: another curator took the lease: it may be rebuilding.
    """
    step = partial(_under, graph, lease)
    step(lambda tx: _mark(tx, 0, ""))
    for drop in (_DROP_STATES, _DROP_ENTITIES):
        while step(lambda tx, drop=drop: tx.run(drop, limit=PAGE)[0]["dropped"]):
            pass
    registry = fold_registry(Registry(rules), graph.read)
    for page in pages(list(registry.entities.values())):
        step(lambda tx, page=page: write_entities(tx, page))
    for chains in _chain_pages(graph):
        rows = fold(graph.read, chains, registry)
        step(lambda tx, rows=rows: write(tx, rows, {}))
    step(lambda tx: _mark(tx, registry.seq, projection_rules(rules)))


def catch_up(graph: Graph, lease: Lease, known: Registry) -> Registry:
    """Project the memories that registry entries touched and no transaction has projected yet.

    Args:
        graph: the store's.
        lease: without which nothing is written.
        known: the registry as it was.

    Returns:
        The registry as it stands.

    Raises:
        StaleLease: another curator took the lease.
    """
    progress = graph.read(_READ_PROJECTED)[0]
    registry = known if known.seq >= progress["registry_seq"] else fold_registry(known, graph.read)
    since, after = progress["projected_seq"], ""
    if since >= registry.seq:
        return registry
    while after is not None:
        after = _under(
            graph, lease, lambda tx, after=after: project_touched(tx, registry, since=since, after=after)
        )
    _under(graph, lease, lambda tx: tx.run(_MARK_PROJECTED, projected_seq=registry.seq))
    return registry


def compare(graph: Graph, rules: Parameters) -> list[Difference]:
    """Where the live projection differs from what the ledger makes, sorted by subject; empty if nowhere.

    A commit meanwhile may show as a difference that is none: to be run by who holds the lease, or twice.
    """
    registry = fold_registry(Registry(rules), graph.read)
    found = [*_compare_entities(graph, registry)]
    for chains in _chain_pages(graph):
        rows = fold(graph.read, chains, registry)
        live = read_live(graph.read, [row["memory"] for row in rows])
        found += [one for row in rows if (one := _compare(row, live.get(row["memory"])))]
    return sorted([*found, *_extra_states(graph)], key=lambda one: (one.subject, one.problem))


def _under(graph: Graph, lease: Lease, work: Callable[[Tx], T]) -> T:
    """Do work in a transaction that holds the lease."""

    def held(tx: Tx) -> T:
        hold(tx, lease)
        return work(tx)

    return graph.transaction(held)


def _mark(tx: Tx, projected_seq: int, rules: str) -> None:
    tx.run(_MARK_PROJECTED, projected_seq=projected_seq)
    tx.run(_MARK_RULES, rules=rules)


def _chain_pages(graph: Graph) -> Iterator[list[Recorded]]:
    """Every memory once, in pages of whole chains; each page in the order of the ledger."""
    page: list[Recorded] = []
    for stored in Reader(graph).all_entries():
        if stored.entry.type is EntryType.MEMORY and _begins(one := _recorded(stored)):
            page.append(one)
            if len(page) == PAGE:
                yield _with_successors(graph, page)
                page = []
    if page:
        yield _with_successors(graph, page)


def _recorded(stored: StoredEntry) -> Recorded:
    return Recorded(entries.memory_of(stored), stored.entry.seq)


def _begins(one: Recorded) -> bool:
    return one.memory.supersedes is None


def _with_successors(graph: Graph, chains: list[Recorded]) -> list[Recorded]:
    whole, last = list(chains), chains
    while last:
        targets = [one.memory.id for one in last]
        last = [
            records.recorded(record["entry"], record["evidence"])
            for page in pages(targets)
            for record in graph.read(_SUCCESSORS, targets=page)
        ]
        whole += last
    return sorted(whole, key=lambda one: one.seq)


def _compare(row: Row, live: Live | None) -> Difference | None:
    if live is None:
        return Difference(row["memory"], "missing")
    if live.row != row:
        return Difference(row["memory"], "state")
    return None if live.is_linked else Difference(row["memory"], "link")


def _extra_states(graph: Graph) -> Iterator[Difference]:
    after, until = "", records.change_key(10**16 - 1)
    while page := graph.read(_CHANGES, after=after, until=until, limit=PAGE):
        after = page[-1]["change"]
        ids = [record["memory"] for record in page]
        known = {one.memory.id for one in read_recorded(graph.read, ids)}
        yield from (Difference(memory, "extra") for memory in ids if memory not in known)


def _compare_entities(graph: Graph, registry: Registry) -> Iterator[Difference]:
    wanted = {entity.id: records.entity_row(entity) for entity in registry.entities.values()}
    live: dict[str, Row] = {}
    after = ""
    while page := graph.read(_LIST_ENTITIES, after=after, limit=PAGE):
        live |= {record["entity"]["id"]: record["entity"] for record in page}
        after = page[-1]["entity"]["id"]
    yield from (Difference(entity, "extra") for entity in live.keys() - wanted.keys())
    for entity, row in wanted.items():
        if live.get(entity) != row:
            yield Difference(entity, "entity" if entity in live else "missing")
