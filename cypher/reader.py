"""Reading the ledger and its projection: what the service and the curator share.

Nothing here filters by view: whoever asks for a service passes on only what ``policies.access`` allows. Every
read is bounded, every order total.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from cypher import records
from cypher.graph import Graph, Record
from cypher.records import Edge as Edge
from cypher.statement import statement
from policies import entries, registry
from policies.chain import GENESIS, Head
from policies.entries import StoredEntry
from policies.parameters import Parameters, parameters
from policies.passkeys import Passkeys, passkeys_of
from policies.registry import Registry
from policies.terms import Discretion, EntityId, Level, MemoryId, OutcomeRecord, ProposalId, Version

_HEAD = statement("read_head")
_CHAIN_END = statement("read_chain_end")
_ENTRIES = statement("list_entries")
_REGISTRY = statement("list_registry_entries")
_PASSKEYS = statement("list_passkey_entries")
_VERSIONS = statement("read_versions")
_CHANGES = statement("list_changes")
_CHAINS = statement("list_chains")
_ABOUT = statement("list_about")
_BY_KEY = statement("list_by_dedup_key")
_ON_REQUEST = statement("list_on_request")
_EDGES = statement("list_edges")
_OUTCOME = statement("read_outcome")
_TALLY = statement("tally_memories")

PAGE = 1_000
"""Most ids or rows of one statement."""
CHAIN_MAX = 10_000
"""Most versions of the chains that are read at once."""


@dataclass(frozen=True, slots=True)
class LedgerHead:
    """Where the ledger ends for those who follow it."""

    seq: int
    """Sequence of the last entry; 0 for an empty ledger."""
    registry_seq: int
    """Sequence of the last registry entry; 0 without any."""
    passkey_seq: int = 0
    """Sequence of the last passkey entry; 0 without any."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many believed memories are alike in what decides who may see them."""

    level: Level
    """Effective."""
    domains: tuple[str, ...]
    discretion: Discretion
    memories: int


class Reader:
    """One process's view of the ledger. May be shared by threads."""

    def __init__(self, graph: Graph, using: Parameters | None = None) -> None:
        """Read a graph.

        Args:
            graph: the store's.
            using: the owner's parameters, which the registry's levels need; None: as shipped.
        """
        self._graph = graph
        self._registry = Registry(using or parameters())
        self._passkeys = Passkeys()
        self._lock = threading.Lock()

    def head(self) -> LedgerHead:
        """Where the ledger ends: one cheap read. All that is up to there, every reader sees whole."""
        found = self._graph.read(_HEAD)
        if not found:
            return LedgerHead(0, 0)
        return LedgerHead(found[0]["seq"], found[0]["registry_seq"], found[0]["passkey_seq"])

    def chain_end(self) -> Head:
        """What the ledger itself says its last entry is, for ``policies.chain.check_chain``."""
        found = self._graph.read(_CHAIN_END)
        return Head(found[0]["seq"], found[0]["hash"], found[0]["recorded_at"]) if found else GENESIS

    def changed_since(self, seq: int, limit: int) -> list[Version]:
        """Versions whose state changed after a sequence, ordered by (``changed_seq``, memory id).

        A sequence is given whole or not at all, so that there may be more than ``limit``. Empty when nothing
        changed since.
        """
        until = records.change_key(self.head().seq + 1)
        while page := self._whole_sequences(records.change_key(seq + 1), until, limit):
            seq = page[-1]["seq"]
            found = self.versions([MemoryId(record["memory"]) for record in page])
            same = (found[record["memory"]] for record in page if record["memory"] in found)
            # What changed again since the page was read belongs to a later one.
            if given := [one for one in same if one.state.changed_seq <= seq]:
                return given
        return []

    def _whole_sequences(self, after: str, until: str, limit: int) -> list[Record]:
        changed = self._changes(after, until, limit)
        page = list(islice(changed, limit))
        return [*page, *takewhile(lambda more: more["seq"] == page[-1]["seq"], changed)]

    def _changes(self, after: str, until: str, size: int) -> Iterator[Record]:
        while page := self._graph.read(_CHANGES, after=after, until=until, limit=size):
            yield from page
            after = page[-1]["change"]

    def versions(self, ids: Collection[MemoryId]) -> dict[MemoryId, Version]:
        """The versions of some ids, sorted by id; unknown ones are left out."""
        wanted = sorted(set(ids))
        found: dict[MemoryId, Version] = {}
        for start in range(0, len(wanted), PAGE):
            for record in self._graph.read(_VERSIONS, ids=wanted[start : start + PAGE]):
                one = records.version(record)
                found[one.memory.id] = one
        return found

    def chain_of(self, memory: MemoryId) -> list[Version]:
        """Every version of the chain that a memory belongs to, oldest first; empty for an unknown id."""
        return self._in_order(self._graph.read(_CHAINS, ids=[memory], limit=CHAIN_MAX))

    def versions_about(
        self,
        anchors: Collection[EntityId],
        *,
        level: Level = Level.S3,
        domains: Collection[str] | None = None,
        known: Mapping[MemoryId, Version] | None = None,
        limit: int,
    ) -> list[Version]:
        """What is believed about any of some entities, retractions aside; the last recorded first.

        Takes time in proportion to all that the entities have, the owner's own being the most.

        Args:
            anchors: canonical ids.
            level: the highest effective level wanted.
            domains: all of a memory's domains must be among these, and it must have some. None: any.
            known: versions read before: those that have not changed since are not read again.
            limit: most versions.
        """
        about = self._graph.read(
            _ABOUT,
            entities=sorted(set(anchors)),
            level=int(level),
            domains=None if domains is None else sorted(domains),
            limit=limit,
        )
        found = {
            one.memory.id: one
            for record in about
            if (one := (known or {}).get(record["memory"])) is not None
            and one.state.changed_seq == record["changed_seq"]
        }
        found |= self.versions([record["memory"] for record in about if record["memory"] not in found])
        return [found[record["memory"]] for record in about if record["memory"] in found]

    def tally(self) -> list[Tally]:
        """How many memories are believed, retractions aside, by level, domains and discretion, in that order.

        Takes time in proportion to all that is believed.
        """
        return [
            Tally(
                Level(record["level"]),
                tuple(record["domains"]),
                Discretion(record["discretion"]),
                record["memories"],
            )
            for record in self._graph.read(_TALLY)
        ]

    def versions_by_dedup_key(self, keys: Collection[str], *, limit: int = PAGE) -> list[Version]:
        """What is believed and says the same as one of these keys, in the order it was recorded.

        A key is ``policies.text.dedup_key`` of a text, its canonical anchors and its domains.
        """
        return self._in_order(self._graph.read(_BY_KEY, keys=sorted(set(keys)), limit=limit))

    def on_request_about(
        self, entities: Collection[EntityId], domains: Collection[str], *, level: Level, limit: int
    ) -> list[Version]:
        """Versions of discretion ``on_request_only``, whether believed or not, ordered by memory id.

        Args:
            entities: canonical ids; anchored on any of these,
            domains: or in any of these.
            level: the highest effective level wanted.
            limit: most versions.
        """
        found = self._graph.read(
            _ON_REQUEST,
            entities=sorted(set(entities)),
            domains=sorted(set(domains)),
            level=int(level),
            limit=limit,
        )
        return self._in_order(found)

    def edges_of(
        self,
        entities: Collection[EntityId],
        *,
        level: Level,
        domains: Collection[str] | None = None,
        after: MemoryId | None = None,
        limit: int,
    ) -> list[Edge]:
        """The relations that begin or end at any of some entities, ordered by memory id.

        Args:
            entities: canonical ids.
            level: the highest effective level of the memory that asserts it.
            domains: as in ``versions_about``.
            after: the memory of the last relation of the page before.
            limit: most relations; fewer than that many: there are no more.
        """
        found = self._graph.read(
            _EDGES,
            entities=sorted(set(entities)),
            level=int(level),
            domains=None if domains is None else sorted(domains),
            after=after or "",
            limit=limit,
        )
        return [records.edge(record) for record in found]

    def registry(self) -> Registry:
        """The registry as of the ledger's head. Folded from its entries, and kept until there are more."""
        head = self.head()
        with self._lock:
            if head.registry_seq > self._registry.seq:
                self._registry = fold_registry(self._registry, self._graph.read)
            return self._registry

    def passkeys(self) -> Passkeys:
        """The owner's passkeys as of the ledger's head, folded and kept as the registry is."""
        head = self.head()
        with self._lock:
            if head.passkey_seq > self._passkeys.seq:
                self._passkeys = _fold_passkeys(self._passkeys, self._graph)
            return self._passkeys

    def entries(self, after_seq: int, limit: int) -> list[StoredEntry]:
        """The entries after a sequence, in the order of the chain, with their private content."""
        found = self._graph.read(_ENTRIES, after=after_seq, limit=limit)
        return [records.stored_entry(record["entry"], record["evidence"]) for record in found]

    def all_entries(self) -> Iterator[StoredEntry]:
        """The whole chain, read page by page."""
        last = 0
        while page := self.entries(last, PAGE):
            yield from page
            last = page[-1].entry.seq

    def outcome_of(self, proposal: ProposalId) -> OutcomeRecord | None:
        """The last outcome that the ledger records for a proposal; None while there is none."""
        found = self._graph.read(_OUTCOME, proposal=proposal)
        return entries.outcome_of(records.stored_entry(found[0]["entry"])) if found else None

    def _in_order(self, found: Sequence[Record]) -> list[Version]:
        ids = [MemoryId(record["memory"]) for record in found]
        versions = self.versions(ids)
        return [versions[memory] for memory in ids if memory in versions]


def fold_registry(known: Registry, run: Callable[..., list[Record]]) -> Registry:
    """A registry brought up to the ledger, as ``run`` (a graph's or a transaction's) sees it."""
    while page := run(_REGISTRY, after=known.seq, limit=PAGE):
        stored = (records.stored_entry(record["entry"]).entry for record in page)
        changes = [(entry.seq, entries.registry_of(entry)) for entry in stored]
        known = registry.registry_of(known.parameters, changes, after=known)
    return known


def _fold_passkeys(known: Passkeys, graph: Graph) -> Passkeys:
    while page := graph.read(_PASSKEYS, after=known.seq, limit=PAGE):
        stored = [records.stored_entry(record["entry"]).entry for record in page]
        changes = ((entry.seq, entry.recorded_at, entries.passkey_of(entry)) for entry in stored)
        known = passkeys_of(changes, after=known)
    return known
