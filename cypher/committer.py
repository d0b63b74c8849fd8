"""What only the curator may hold (G7): the lease, the queue, stored decisions, runs, and the commit itself.

No package but the curator imports this, and the statements that append to the ledger are loaded nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, islice, zip_longest

from cypher import lease as leases
from cypher import records
from cypher.commit import Commit
from cypher.commit import CommitResult as CommitResult
from cypher.graph import Graph, Tx
from cypher.inbox import LAST, Run, run_of
from cypher.lease import Lease as Lease
from cypher.rebuild import catch_up, is_current, rebuild
from cypher.statement import statement
from policies.decision import Decision
from policies.errors import CommitUncertain, StaleLease
from policies.lifecycle import InboxState
from policies.parameters import Parameters, parameters
from policies.ports import IdFactory
from policies.registry import Registry
from policies.terms import Instant, Proposal, ProposalId, RunId

_PUBLISH = statement("publish_head")
_LANES = statement("list_lanes")
_QUEUE = statement("list_queue")
_READ = statement("read_proposals")
_STORE_DECISION = statement("store_decision")
_READ_DECISION = statement("read_decision")
_POSTPONE = statement("postpone_proposal")
_FIND_RUN = statement("find_waiting_run")
_BEGIN_RUN = statement("begin_run")
_FINISH_RUN = statement("finish_run")
_LAST_RUN = statement("read_last_run")

LANES_MAX = 1_000
"""Most tools that take turns."""


class Committer:
    """The curator's hold on the ledger."""

    def __init__(
        self, graph: Graph, machine_key: bytes, ids: IdFactory, using: Parameters | None = None
    ) -> None:
        """Commit to a graph.

        Args:
            graph: the store's.
            machine_key: the store's, by which it vouches for each entry.
            ids: makes the salts of commitments.
            using: the owner's parameters, which states depend on; None: as shipped.
        """
        self._graph = graph
        self._machine_key = machine_key
        self._ids = ids
        self._rules = using or parameters()
        self._registry = Registry(self._rules)

    def acquire(self, holder: str, ttl_us: int, now: Instant) -> Lease | None:
        """Take the lease; None while another holder's has not expired.

        Whoever takes it first puts right what the holder before left unfinished: the head that followers see,
        and a projection whose rebuild was interrupted, or that was made under other rules.

        Args:
            holder: a name that no other living process bears; its own former lease it takes over at once.
            ttl_us: how long it is good without being renewed.
            now: the present.
        """
        lease = leases.acquire(self._graph, holder, ttl_us, now)
        if lease is None:
            return None
        try:
            if not is_current(self._graph, self._rules):
                rebuild(self._graph, lease, self._rules)
            self._finish(lease)
        except StaleLease:
            return None
        return lease

    def renew(self, lease: Lease, now: Instant) -> Lease:
        """The lease for as long again, from now.

        Raises:
            StaleLease: another curator took it.
        """
        return leases.renew(self._graph, lease, now)

    def release(self, lease: Lease) -> None:
        """Let anybody take it at once.

        Raises:
            StaleLease: another curator took it.
        """
        leases.release(self._graph, lease)

    def pending(self, now: Instant, limit: int) -> list[Proposal]:
        """What is to be decided now: directives first, then the tools in turn, the oldest first in each.

        The tool that was served longest ago begins, so that short batches are fair too.
        """
        lanes = [record["grant"] for record in self._graph.read(_LANES, limit=LANES_MAX)]
        share = limit // max(len(lanes), 1) + 1
        tools = [self._waiting(lane, now, share) for lane in lanes if lane != records.OWNER_LANE]
        turns = chain.from_iterable(zip_longest(*tools))
        waiting = chain(self._waiting(records.OWNER_LANE, now, limit), filter(None, turns))
        return self._proposals(list(islice(waiting, limit)))

    def pending_directives(self, now: Instant, limit: int) -> list[Proposal]:
        """The directives to be taken up now, oldest first: one cheap read while there are none."""
        return self._proposals(list(islice(self._waiting(records.OWNER_LANE, now, limit), limit)))

    def _proposals(self, ids: list[ProposalId]) -> list[Proposal]:
        if not ids:
            return []
        found = {r["proposal"]["id"]: r["proposal"] for r in self._graph.read(_READ, ids=ids)}
        return [records.proposal(found[one]) for one in ids if one in found]

    def _waiting(self, lane: str, now: Instant, size: int) -> Iterator[ProposalId]:
        """What waits in a lane, oldest first, read page by page as it is asked for."""
        after, until = f"{lane} ", f"{lane} {LAST}"
        while page := self._graph.read(_QUEUE, after=after, until=until, now=now, limit=size):
            yield from (ProposalId(record["id"]) for record in page)
            if len(page) < size:
                return
            after = page[-1]["queue"]

    def store_decision(self, proposal: ProposalId, decision: str) -> None:
        """Keep a decision with its proposal, so that after a crash it is not asked for again."""
        self._graph.write(_STORE_DECISION, id=proposal, decision=decision)

    def stored_decision(self, proposal: ProposalId) -> str | None:
        """The decision that was kept; None where there is none."""
        found = self._graph.read(_READ_DECISION, id=proposal)
        return found[0]["decision"] if found else None

    def commit(self, lease: Lease, decision: Decision, now: Instant) -> CommitResult:
        """Carry out a decision: all of it, or nothing. Doing it again gives the former result.

        Raises:
            StaleLease: another curator took the lease; nothing was committed.
            DecisionStale: what it rested on has changed; nothing was committed, decide again.
            DirectiveRefused: a change breaks a rule of the registry; nothing was committed.
            LedgerUnavailable: the engine does not answer. Whether it was committed is told by doing it again.
            LedgerConflict: something is recorded already under a key of it.
            InvariantBroken: the decision contradicts itself or the inbox.
        """

        def work(tx: Tx) -> CommitResult:
            return Commit(tx, self._machine_key, decision, self._ids, now).run(lease, self._registry)

        try:
            result = self._graph.transaction(work)
        except CommitUncertain:
            # Doing it again looks the proposal up first, under the lock: it is committed once either way.
            result = self._graph.transaction(work)
        self._finish(lease)
        return result

    def _finish(self, lease: Lease) -> None:
        """Project what one transaction could not, then tell followers. What crashes before, ``acquire`` does."""
        self._registry = catch_up(self._graph, lease, self._registry)
        self._graph.write(_PUBLISH)

    def postpone(self, proposal: ProposalId, code: str, not_before: Instant, now: Instant) -> None:
        """Note that a proposal could not be decided, to be tried again; nothing if it has been decided.

        An ``error`` is an open outcome of the inbox and no entry of the ledger: it says nothing about memory.

        Args:
            proposal: its id.
            code: why, a dotted code.
            not_before: when to try again (``policies.lifecycle.retry_at``).
            now: the present.
        """
        for record in self._graph.read(_READ, ids=[proposal]):
            place = record["proposal"]["place"]
            by_state = f"{InboxState.RETRYING.value} {place}"
            self._graph.write(
                _POSTPONE, id=proposal, reason=code, by_state=by_state, not_before=not_before, at=now
            )

    def next_run(self, now: Instant) -> Run | None:
        """Begin the oldest run that was asked for, or was begun and not finished; None when there is none.

        To be called between runs only: the curator is alone, so that a run under way then is a dead one's.
        """
        found = self._graph.read(_FIND_RUN, states=["waiting", "running"])
        return self.begin_run(RunId(found[0]["run"]["id"]), now) if found else None

    def begin_run(self, run: RunId, now: Instant) -> Run:
        """Begin a run: one that was asked for, or, under a new id, a nightly one."""
        place = records.place_key(now, run)
        return run_of(self._graph.write(_BEGIN_RUN, id=run, place=place, at=now)[0]["run"])

    def finish_run(self, run: RunId, summary: Mapping[str, object], now: Instant) -> None:
        """End a run, and leave to whoever waits for it what it did, as plain JSON."""
        self._graph.write(_FINISH_RUN, id=run, summary=json.dumps(summary, ensure_ascii=False), at=now)

    def last_nightly_run(self) -> Run | None:
        """The last nightly run that was finished: a later night without one was missed."""
        found = self._graph.read(_LAST_RUN, origin="nightly")
        return run_of(found[0]["run"]) if found else None
