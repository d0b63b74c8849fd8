"""The owner rules on an arbitration: what was left open is settled, in the same commit as the ruling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from curator.classify.rules import RulesClassifier
from curator.decide import decide, rests_on
from curator.draft import Context, Terms
from policies import moments
from policies.decision import Decision, Settlement
from policies.directives import Ruling, Verb
from policies.errors import DirectiveRefused
from policies.lifecycle import InboxState
from policies.reasons import NEEDS_PASSKEY
from policies.terms import EntityId, Level, MemoryId, Outcome, OutcomeRecord, Proposal, ProposalId


def rule(directive: Proposal, context: Context) -> Decision:
    """Decide a ruling. Health is not ruled on: only a declaration in the owner's own words records it (G10).

    Raises:
        DirectiveRefused: there is no such arbitration, or this ruling cannot settle it.
    """
    payload = directive.payload
    ruling = Ruling(str(payload["ruling"]))
    proposal, record = _arbitration(ProposalId(str(payload["proposal"])), context)
    if ruling in (Ruling.REJECT, Ruling.KEEP_OLD):
        reason = "ruled.keep_old" if ruling is Ruling.KEEP_OLD else "ruled.reject"
        settled = Settlement(proposal.id, Outcome.REJECTED, reason, level=record.level)
        done = Settlement(directive.id, Outcome.COMMITTED, "committed", level=Level.S3)
        return Decision(directive.id, directive.root_id, rests_on(context), (done, settled))
    if record.reason == NEEDS_PASSKEY:
        raise DirectiveRefused(problem="ruling.passkey")
    if record.reason.startswith("health."):
        raise DirectiveRefused(problem="ruling.health")
    begins = payload.get("from")
    if ruling is Ruling.KEEP_BOTH and proposal.action == Verb.RETRACT:
        raise DirectiveRefused(problem="ruling.both")
    terms = Terms(
        keep="new" if ruling is Ruling.KEEP_NEW else "both",
        level=record.level,
        anchors=_chosen(cast("list[str]", payload.get("anchors") or []), context),
        begins=moments.parse_turn(str(begins), context.zone, field="from") if begins else None,
        seen=_seen(payload, record),
    )
    # The owner has read it: no model is asked again, and what one saw in it is in the level.
    ruled = replace(context, classifier=RulesClassifier())
    return _carried_out(directive, decide(proposal, ruled, terms))


def _carried_out(directive: Proposal, decision: Decision) -> Decision:
    """The decision on the arbitration, made the directive's own."""
    settled = decision.settlements[0]
    if settled.outcome is Outcome.NEEDS_OWNER:
        # What the ruling leaves open (which of two Pauls?) is said, and the arbitration stays as it was.
        refused = DirectiveRefused(problem=f"unsettled.{settled.reason}")
        refused.details |= settled.details
        raise refused
    done = Settlement(directive.id, Outcome.COMMITTED, "committed", level=Level.S3, memories=settled.memories)
    return replace(decision, proposal=directive.id, settlements=(done, settled))


def _arbitration(proposal: ProposalId, context: Context) -> tuple[Proposal, OutcomeRecord]:
    found = context.inbox.view(ids=[proposal], limit=1)
    if not found:
        raise DirectiveRefused(problem="arbitration.unknown")
    # The ledger tells what was asked, not the inbox alone: there, others write.
    record = context.reader.outcome_of(proposal)
    is_open = found[0].state is InboxState.NEEDS_OWNER
    if not is_open or record is None or record.outcome is not Outcome.NEEDS_OWNER:
        raise DirectiveRefused(problem="arbitration.closed")
    return found[0].proposal, record


def _seen(payload: Mapping[str, object], record: OutcomeRecord) -> frozenset[MemoryId]:
    """What the owner was shown beside the proposal: what it was put off for, and what they say they saw since."""
    asked_for = cast("list[str]", record.details.get("conflicts") or [])
    given = cast("list[str]", payload.get("seen") or [])
    return frozenset(map(MemoryId, (*asked_for, *given)))


def _chosen(names: Sequence[str], context: Context) -> tuple[EntityId, ...]:
    chosen: list[EntityId] = []
    for name in names:
        candidates = context.registry.named(name)
        if len(candidates) != 1:
            raise DirectiveRefused(problem="entity.ambiguous" if candidates else "entity.unknown")
        chosen.append(candidates[0].id)
    return tuple(chosen)
