"""A ledger whose every commit the test composes: proposals, decisions and what they rest on."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from cypher.committer import CommitResult, Committer, Lease
from cypher.graph import Graph
from cypher.inbox import Inbox
from cypher.reader import Reader
from policies.chain import Verification, check_chain
from policies.decision import Decision, RegistryChange, RestsOn, Settlement
from policies.ports import IdFactory
from policies.terms import GrantId, Instant, Memory, Outcome, Proposal, ProposalId
from tests.support.clocks import CountingIds
from tests.support.memories import MACHINE_KEY, at, memory

FOREVER_US = 10**15


class Ledger:
    """An inbox, a reader and a committer that holds the lease. A second passes with each submission and commit."""

    def __init__(self, graph: Graph, ids: IdFactory | None = None, holder: str = "tests") -> None:
        self.graph = graph
        self.reader = Reader(graph)
        self.inbox = Inbox(graph)
        self.committer = Committer(graph, MACHINE_KEY, ids or CountingIds())
        self.seconds = itertools.count(1)
        lease = self.committer.acquire(holder, FOREVER_US, at(0))
        if lease is None:
            raise AssertionError("another holds the lease")
        self.lease: Lease = lease

    def now(self) -> Instant:
        return at(next(self.seconds))

    def proposal(self, name: str, *, grant: str | None = "a", **more: Any) -> Proposal:
        """A proposal ``prop:<name>`` of ``grant:<grant>``, or a directive; not submitted."""
        whole: dict[str, Any] = {
            "id": ProposalId(f"prop:{name}"),
            "action": "remember",
            "payload": {"statement": f"Statement of {name}"},
            "submitted_at": self.now(),
            "grant": None if grant is None else GrantId(f"grant:{grant}"),
        }
        return Proposal(**(whole | more))

    def submit(self, name: str, *, key: str | None = None, digest: str = "", **more: Any) -> ProposalId:
        return self.inbox.submit(self.proposal(name, **more), key=key, digest=digest)

    def decision(
        self,
        proposal: ProposalId,
        outcome: Outcome = Outcome.COMMITTED,
        *memories: Memory,
        root: ProposalId | None = None,
        **more: Any,
    ) -> Decision:
        """What is decided about a proposal now. ``details`` and ``reason`` go to its settlement."""
        head = self.reader.head()
        root = root or proposal
        settlement = Settlement(
            proposal,
            outcome,
            more.pop("reason", outcome.value),
            memories=tuple(one.id for one in memories),
            details=more.pop("details", {}),
        )
        whole: dict[str, Any] = {
            "rests_on": RestsOn(head.registry_seq, head.seq, passkey_seq=head.passkey_seq),
            "settlements": (settlement,),
            "memories": tuple(replace(one, root=root) for one in memories),
        }
        return Decision(proposal, root, **(whole | more))

    def commit(
        self, decision: Decision, *, lease: Lease | None = None, now: Instant | None = None
    ) -> CommitResult:
        return self.committer.commit(lease or self.lease, decision, self.now() if now is None else now)

    def remember(self, name: str, *, grant: str | None = "a", **qualifications: Any) -> CommitResult:
        """Propose and commit ``mem:<name>``."""
        proposal = self.submit(name, grant=grant)
        return self.commit(self.decision(proposal, Outcome.COMMITTED, memory(name, **qualifications)))

    def settle(self, name: str, outcome: Outcome, *, grant: str | None = "a", **more: Any) -> CommitResult:
        """Propose, and commit an outcome alone."""
        proposal = self.submit(name, grant=grant)
        return self.commit(self.decision(proposal, outcome, **more))

    def direct(self, name: str, **more: Any) -> CommitResult:
        """Submit and carry out a directive of the owner's."""
        proposal = self.submit(name, grant=None)
        return self.commit(self.decision(proposal, **more))

    def register(self, *changes: RegistryChange) -> CommitResult:
        """Record registry changes in one commit."""
        return self.direct(f"registry{next(self.seconds)}", registry=changes)

    def verify(self) -> Verification:
        """The chain, checked entry by entry."""
        return check_chain(self.reader.all_entries(), head=self.reader.chain_end(), machine_key=MACHINE_KEY)
