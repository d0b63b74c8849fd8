"""A ledger in memory, for what reads one: the same fold as the real projection, no engine."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from policies.chain import GENESIS, Head, head_after, link, vouch
from policies.decision import Reclassification, RegistryChange
from policies.entries import EntryType, StoredEntry, memory_body, sealed_memory
from policies.projection import Reclassified, Recorded, chain_states, chains_of
from policies.registry import Registry
from policies.terms import Discretion, EntityId, Instant, Level, Memory, MemoryId, Version
from tests.support.memories import EMPTY, MACHINE_KEY, at


@dataclass(frozen=True, slots=True)
class At:
    """Where a ledger ends."""

    seq: int
    registry_seq: int


class MemoryLedger:
    """Records memories, registry changes and reclassifications, and is read like ``cypher.reader.Reader``."""

    def __init__(self, *, starting: int = 0) -> None:
        """Make an empty one; entries are recorded a second apart from ``starting`` on."""
        self._registry = EMPTY
        self._head: Head = GENESIS
        self._seconds = starting
        self._recorded: list[Recorded] = []
        self._reclassified: list[Reclassified] = []
        self._entries: list[StoredEntry] = []
        self._versions: dict[MemoryId, Version] = {}
        self._lock = threading.Lock()
        self.reads: list[str] = []
        self.followed = 0
        """How many versions followers were given."""

    def record(self, *memories: Memory, at_second: int | None = None) -> None:
        """Commit memories, each with an entry of its own."""
        for memory in memories:
            stamped = replace(memory, recorded_at=self._tick(at_second))
            self._append(EntryType.MEMORY, memory.id, memory_body(stamped, "salt"), sealed_memory(stamped))
            self._recorded.append(Recorded(stamped, self._head.seq))
        self._project()

    def register(self, *changes: RegistryChange, at_second: int | None = None) -> None:
        """Record registry changes."""
        for change in changes:
            self._tick(at_second)
            self._append(EntryType.REGISTRY, change.entity, "{}", {})
            self._registry = self._registry.apply(change, self._head.seq)
        self._project()

    def reclassify(
        self,
        memory: MemoryId,
        *,
        level: Level | None = None,
        discretion: Discretion | None = None,
        at_second: int | None = None,
    ) -> None:
        """Record the owner's new level or discretion for a version."""
        self._tick(at_second)
        self._append(EntryType.RECLASSIFICATION, memory, "{}", {})
        self._reclassified.append(Reclassified(Reclassification(memory, level, discretion), self._head.seq))
        self._project()

    def head(self) -> At:
        self.reads.append("head")
        return At(self._head.seq, self._registry.seq)

    def changed_since(self, seq: int, limit: int) -> Sequence[Version]:
        self.reads.append("changed_since")
        with self._lock:
            changed = [v for v in self._versions.values() if v.state.changed_seq > seq]
        changed.sort(key=lambda v: (v.state.changed_seq, v.memory.id))
        if len(changed) > limit:
            changed = [v for v in changed if v.state.changed_seq <= changed[limit - 1].state.changed_seq]
        self.followed += len(changed)
        return changed

    def versions(self, ids: Sequence[MemoryId]) -> dict[MemoryId, Version]:
        self.reads.append("versions")
        return {one: self._versions[one] for one in ids if one in self._versions}

    def chain_of(self, memory: MemoryId) -> Sequence[Version]:
        found = self._versions.get(memory)
        if found is None:
            return []
        chain = [v for v in self._versions.values() if v.state.chain == found.state.chain]
        return sorted(chain, key=lambda v: v.state.position)

    def on_request_about(
        self, entities: Sequence[EntityId], domains: Sequence[str], *, level: Level, limit: int
    ) -> Sequence[Version]:
        found = [
            v
            for v in self._versions.values()
            if v.state.discretion is Discretion.ON_REQUEST_ONLY
            and v.state.level <= level
            and (set(entities) & set(v.state.anchors) or set(domains) & set(v.memory.domains))
        ]
        return sorted(found, key=lambda v: v.memory.id)[:limit]

    def registry(self) -> Registry:
        return self._registry

    def entries(self, after_seq: int, limit: int) -> Sequence[StoredEntry]:
        return self._entries[after_seq : after_seq + limit]

    def _tick(self, second: int | None) -> Instant:
        self._seconds = self._seconds + 1 if second is None else second
        return at(self._seconds)

    def _append(self, kind: EntryType, subject: str, body: str, sealed: dict[str, str]) -> None:
        entry = link(self._head, kind, subject, body, at(self._seconds))
        self._entries.append(vouch(MACHINE_KEY, entry, "salt", sealed))
        self._head = head_after(entry)

    def _project(self) -> None:
        known = dict[MemoryId, Version]()
        for chain in chains_of(self._recorded):
            states = chain_states(chain, self._reclassified, self._registry)
            known |= {r.memory.id: Version(r.memory, s) for r, s in zip(chain, states, strict=True)}
        with self._lock:
            self._versions = known
