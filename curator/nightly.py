"""A whole run, stage by stage: the inbox, then what must hold afterwards, then the signed checkpoint."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from curator.classify.careful import CarefulClassifier
from curator.leadership import Leadership
from curator.settle import RunReport, Settler
from curator.verify import Verified, verify
from curator.witnesses import Witnesses
from cypher.graph import Graph
from policies.lifecycle import InboxState, retry_at
from policies.terms import Instant, Proposal, ProposalId

BATCH_PROPOSALS = 50
LANE_BATCH = 20
LANE_US = 500_000
"""How long a run may leave the owner's directives waiting, besides the one decision under way."""

log = logging.getLogger("mnemo.curator")


@dataclass(slots=True)
class Pass:
    """A run under way: what its stages work with and add to."""

    settler: Settler
    lead: Leadership
    classifier: CarefulClassifier
    graph: Graph
    witnesses: Witnesses
    report: RunReport
    stop: threading.Event
    verified: Verified | None = None


Stage = Callable[[Pass], None]


def settle_inbox(run: Pass) -> None:
    """Everything that waited when the run began, in fair turns; directives in between."""
    began = run.settler.clock.now()
    run.classifier.refresh()
    seen: set[ProposalId] = set()
    lane_at = began
    while not run.stop.is_set():
        # Bounded: what is submitted meanwhile waits for the next run, what failed has its own delay.
        batch = [
            one for one in run.settler.committer.pending(began, BATCH_PROPOSALS) if _is_new(one, seen, began)
        ]
        if not batch:
            return
        for proposal in batch:
            if run.stop.is_set():
                return
            if run.settler.clock.now() - lane_at > LANE_US:
                serve_lane(run.settler, run.lead, run.stop, run.report)
                lane_at = run.settler.clock.now()
            seen.add(proposal.id)
            run.settler.settle(run.lead, proposal, run.report)


def check_ledger(run: Pass) -> None:
    """The chain, the invariants, the projection against the ledger."""
    if run.stop.is_set():
        return
    run.verified = verify(run.graph, run.witnesses, run.settler.parameters)
    if not run.verified.ok:
        log.error("the ledger does not verify at entry %s: %s", run.verified.first_bad, run.verified.reason)
        run.report.findings.append(run.verified.reason or "")


def export_checkpoint(run: Pass) -> None:
    """A signed statement of what the ledger is, outside the graph; none of a ledger that does not verify."""
    verified = run.verified
    if verified is None or not verified.ok:
        return
    last = run.witnesses.checkpoints.last()
    if last is not None and (last.size, last.root) == (verified.size, verified.root):
        return
    run.witnesses.checkpoints.export(
        size=verified.size,
        root=verified.root,
        head=verified.head,
        at=run.settler.clock.now(),
        key=run.witnesses.checkpoint_key,
    )


STAGES: tuple[Stage, ...] = (settle_inbox, check_ledger, export_checkpoint)


def serve_lane(settler: Settler, lead: Leadership, stop: threading.Event, report: RunReport) -> None:
    """The owner's directives, oldest first, and the proposals that they admit again."""
    while not stop.is_set():
        directives = settler.committer.pending_directives(settler.clock.now(), LANE_BATCH)
        if not directives:
            return
        for directive in directives:
            if stop.is_set():
                return
            settler.settle(lead, directive, report)


def retry_failed(settler: Settler, lead: Leadership, stop: threading.Event, report: RunReport) -> None:
    """What could not be decided, once its delay is over: it need not wait for the next night."""
    for view in settler.inbox.view(state=InboxState.RETRYING, limit=BATCH_PROPOSALS):
        failed_at = view.outcome.decided_at if view.outcome else Instant(0)
        again = retry_at(view.proposal.attempts, failed_at, settler.parameters)
        if stop.is_set():
            return
        if again <= settler.clock.now():
            settler.settle(lead, view.proposal, report)


def _is_new(proposal: Proposal, seen: set[ProposalId], began: Instant) -> bool:
    return proposal.id not in seen and proposal.submitted_at <= began
