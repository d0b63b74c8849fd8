"""Settling one proposal: decided, kept, committed; put aside where it cannot be decided now; never lost."""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter

from curator.classify import Classifier
from curator.decide import decide
from curator.directives import direct
from curator.draft import Authority, Context
from curator.known import Known
from curator.last_entry import LastEntry
from curator.leadership import Leadership
from cypher.committer import CommitResult, Committer
from cypher.inbox import Inbox
from cypher.reader import Reader
from policies import kept
from policies.decision import Decision, Settlement
from policies.errors import (
    ClassifierUnavailable,
    CommitUncertain,
    DecisionStale,
    InvariantBroken,
    LedgerUnavailable,
    MnemoError,
    StaleLease,
)
from policies.lifecycle import retry_at
from policies.parameters import Parameters
from policies.ports import Clock, IdFactory
from policies.terms import MemoryId, Outcome, Proposal, ProposalId, RunId

DECISIONS_MAX = 5
"""How often a proposal is decided anew because the ledger moved under it, before it is put aside."""

log = logging.getLogger("mnemo.curator")

_DECISION = TypeAdapter(Decision)
_NOT_THE_PROPOSALS_FAULT = (LedgerUnavailable, CommitUncertain, StaleLease)


@dataclass(slots=True)
class RunReport:
    """What a run did."""

    run: RunId
    handle: str
    """The owner's: how ``needs_…`` is shown."""
    outcomes: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    findings: list[str] = field(default_factory=list[str])
    """What was found wrong with the ledger afterwards; empty when all is well."""

    def note(
        self, proposal: ProposalId, outcome: Outcome, reason: str, memories: tuple[MemoryId, ...] = ()
    ) -> None:
        """Note what became of a proposal."""
        self.outcomes.append(
            {
                "proposal": proposal,
                "outcome": outcome.shown(self.handle),
                "reason": reason,
                "memory": memories[-1] if memories else None,
            }
        )

    def note_all(self, settlements: tuple[Settlement, ...]) -> None:
        """Note everything that a decision settles."""
        for settled in settlements:
            self.note(settled.proposal, settled.outcome, settled.reason, settled.memories)

    def to_json(self) -> dict[str, object]:
        """``{run, counts, outcomes}``."""
        counts = Counter(str(outcome["outcome"]) for outcome in self.outcomes)
        return {"run": self.run, "counts": dict(sorted(counts.items())), "outcomes": self.outcomes}


@dataclass(frozen=True, slots=True)
class Settler:
    """Decides and commits, one proposal at a time."""

    committer: Committer
    last_entry: LastEntry
    reader: Reader
    inbox: Inbox
    classifier: Classifier
    known: Known
    parameters: Parameters
    zone: ZoneInfo
    authority: Authority
    clock: Clock
    ids: IdFactory

    def context(self) -> Context:
        """What is known at this moment, for one decision."""
        return Context(
            reader=self.reader,
            inbox=self.inbox,
            known=self.known,
            head=self.reader.head(),
            registry=self.reader.registry(),
            parameters=self.parameters,
            classifier=self.classifier,
            ids=self.ids,
            zone=self.zone,
            now=self.clock.now(),
            authority=self.authority,
        )

    def decide(self, proposal: Proposal) -> Decision:
        """What would become of a proposal now. Writes nothing.

        Raises:
            ClassifierUnavailable: the model cannot be asked.
            LedgerUnavailable: the graph does not answer.
        """
        context = self.context()
        return direct(proposal, context) if proposal.is_directive else decide(proposal, context)

    def settle(self, lead: Leadership, proposal: Proposal, report: RunReport) -> None:
        """Decide and commit a proposal, then at once those that it admits again.

        A fault of a proposal's own puts it aside with a back-off.

        Raises:
            LedgerUnavailable: the graph does not answer: nothing was decided.
            CommitUncertain: nor does it tell whether a commit was kept; the next attempt finds out.
            StaleLease: another curator took over.
        """
        waiting = [proposal]
        while waiting:
            one = waiting.pop(0)
            try:
                decision, result = self._commit(lead, one)
            except _NOT_THE_PROPOSALS_FAULT:
                raise
            except ClassifierUnavailable as fault:
                log.warning("%s waits: the model is unavailable (%s)", one.id, fault)
                self._put_aside(one, fault.code, report)
            except MnemoError as fault:
                log.exception("%s waits: %s", one.id, fault.code)
                self._put_aside(one, fault.code, report)
            except Exception as fault:  # noqa: BLE001  (the boundary: one proposal must not end the run)
                log.error("%s waits: unexpected %s", one.id, _without_words(fault))  # noqa: TRY400
                self._put_aside(one, MnemoError.code, report)
            else:
                if result.repeated:
                    former = result.outcome
                    report.note(former.proposal, former.outcome, former.reason, former.memories)
                else:
                    report.note_all(decision.settlements)
                waiting.extend(self._proposals(result.children))

    def _commit(self, lead: Leadership, proposal: Proposal) -> tuple[Decision, CommitResult]:
        """Decide, keep the decision, commit it; again while the ledger moves under it."""
        key = self.authority.machine_key
        decision = self._kept(key, proposal)
        for _ in range(DECISIONS_MAX):
            if decision is None:
                decision = self.decide(proposal)
                sealed = kept.seal(key, proposal.id, _DECISION.dump_json(decision).decode())
                self.committer.store_decision(proposal.id, sealed)
            try:
                result = self.committer.commit(lead.lease, decision, self.clock.now())
            except DecisionStale:
                decision = None
            else:
                self.last_entry.write(result.end)
                return decision, result
        raise DecisionStale(f"{DECISIONS_MAX} times")

    def _kept(self, key: bytes, proposal: Proposal) -> Decision | None:
        """What was decided before a crash. What the curator did not seal is nothing: others write where it waits."""
        stored = self.committer.stored_decision(proposal.id)
        if stored is None:
            return None
        decision = kept.unseal(key, proposal.id, stored)
        if decision is None:
            log.warning("%s: a decision that this store's curator did not make is ignored", proposal.id)
            return None
        return _DECISION.validate_json(decision)

    def _put_aside(self, proposal: Proposal, code: str, report: RunReport) -> None:
        now = self.clock.now()
        again = retry_at(proposal.attempts + 1, now, self.parameters)
        self.committer.postpone(proposal.id, code, again, now)
        report.note(proposal.id, Outcome.ERROR, code)

    def _proposals(self, ids: tuple[ProposalId, ...]) -> list[Proposal]:
        if not ids:
            return []
        found = {view.proposal.id: view.proposal for view in self.inbox.view(ids=ids, limit=len(ids))}
        if len(found) != len(ids):
            raise InvariantBroken("a child that was admitted is not in the inbox")
        return [found[one] for one in ids]


def _without_words(fault: Exception) -> str:
    """What happened and where. Not the message: that of an unexpected fault may quote what a proposal says."""
    frames = traceback.extract_tb(fault.__traceback__)
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-4:]))
    return f"{type(fault).__name__} at {where}"
