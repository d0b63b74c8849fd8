"""A ledger on a real engine, filled through the committer as ``MemoryLedger`` is in memory."""

from __future__ import annotations

from dataclasses import replace

from cypher.committer import Committer
from cypher.graph import Graph
from cypher.inbox import Inbox
from cypher.reader import Reader
from policies.decision import Decision, Reclassification, RegistryChange, RestsOn, Settlement
from policies.terms import (
    Discretion,
    Instant,
    Level,
    Memory,
    MemoryId,
    Outcome,
    Proposal,
    ProposalId,
)
from tests.support.clocks import CountingIds
from tests.support.memories import MACHINE_KEY, at

_LEASE_US = 10**15


class EngineLedger(Reader):
    """Commits memories, registry changes and reclassifications, each as the directive of an owner."""

    def __init__(self, graph: Graph, seed: str = "") -> None:
        """Fill an empty graph."""
        super().__init__(graph)
        self._inbox = Inbox(graph)
        self._committer = Committer(graph, MACHINE_KEY, CountingIds(seed))
        self._seconds = 0
        lease = self._committer.acquire("tests", _LEASE_US, at(0))
        if lease is None:
            raise RuntimeError("another holds the lease")
        self._lease = lease

    def record(self, *memories: Memory, at_second: int | None = None) -> None:
        """Commit memories, each in a commit of its own, a second apart."""
        for memory in memories:
            self._commit(memory.id, at_second, memories=(memory,))

    def register(self, *changes: RegistryChange, at_second: int | None = None) -> None:
        """Record registry changes."""
        for change in changes:
            self._commit(f"{change.op}{change.entity}{change.other}", at_second, registry=(change,))

    def reclassify(
        self,
        memory: MemoryId,
        *,
        level: Level | None = None,
        discretion: Discretion | None = None,
        at_second: int | None = None,
    ) -> None:
        """Record the owner's new level or discretion for a version."""
        change = Reclassification(memory, level, discretion)
        self._commit(f"{memory}{level}{discretion}", at_second, reclassifications=(change,))

    def _commit(
        self,
        name: str,
        at_second: int | None,
        *,
        memories: tuple[Memory, ...] = (),
        registry: tuple[RegistryChange, ...] = (),
        reclassifications: tuple[Reclassification, ...] = (),
    ) -> None:
        self._seconds = self._seconds + 1 if at_second is None else at_second
        now = at(self._seconds)
        proposal = ProposalId(f"prop:{name}")
        self._inbox.submit(_directive(proposal, now), key=None, digest="")
        head = self.head()
        decision = Decision(
            proposal=proposal,
            root=proposal,
            rests_on=RestsOn(registry_seq=head.registry_seq, watermark=head.seq),
            settlements=(
                Settlement(proposal, Outcome.COMMITTED, "committed", memories=tuple(m.id for m in memories)),
            ),
            memories=tuple(replace(memory, root=proposal, recorded_at=now) for memory in memories),
            registry=registry,
            reclassifications=reclassifications,
        )
        self._committer.commit(self._lease, decision, now)


def _directive(proposal: ProposalId, now: Instant) -> Proposal:
    return Proposal(id=proposal, action="declare", payload={}, submitted_at=now, grant=None)
