"""The owner's passkeys: enrolled, withdrawn, all begun anew; and what one of them confirms is carried out.

What is weighty is decided like everything else, and only then held back: what it would write says that it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from curator.decide import rests_on
from curator.draft import Context
from policies.decision import Decision, PasskeyChange, PasskeyOp, Settlement
from policies.errors import DirectiveRefused
from policies.lifecycle import InboxState
from policies.machine_links import read_bound
from policies.passkeys import challenge_of, check_shape, verify_assertion
from policies.reasons import NEEDS_PASSKEY
from policies.terms import Level, MemoryId, Outcome, Proposal, ProposalId
from policies.weighty import weight


def unless_weighty(directive: Proposal, context: Context, decision: Decision) -> Decision:
    """The decision, or, where it is weighty and there is a passkey, that one must confirm it: nothing else is done."""
    if not context.reader.passkeys().living:
        return decision
    versions = context.reader.versions([change.memory for change in decision.reclassifications])
    levels = {memory: version.state.level for memory, version in versions.items()}
    why = weight(decision, levels, context.registry)
    if why is None:
        return decision
    return settle(directive, context, Outcome.NEEDS_OWNER, NEEDS_PASSKEY, details={"why": why})


def confirm(
    directive: Proposal, context: Context, carry_out: Callable[[Proposal, Context], Decision]
) -> Decision:
    """Carry out a directive that waits, if a passkey has signed it; both are settled in one commit.

    Args:
        directive: says which one, and carries the passkey's answer.
        context: what is known now.
        carry_out: decides the one that waits.

    Raises:
        DirectiveRefused: it does not wait for a passkey, or cannot be carried out as it stands; it stays as it was.
        PasskeyRefused: the answer does not confirm it; it stays as it was.
    """
    waiting = _waiting(ProposalId(str(directive.payload["proposal"])), context)
    asserted = verify_assertion(
        context.reader.passkeys(),
        cast("dict[str, object]", directive.payload["assertion"]),
        challenge=challenge_of(waiting),
        party=context.authority.party(),
    )
    decision = carry_out(waiting, context)
    settled = decision.settlements[0]
    if settled.outcome is Outcome.NEEDS_OWNER:
        raise DirectiveRefused(problem="confirmation.changed")
    signed = PasskeyChange(
        PasskeyOp.CONFIRM,
        asserted.passkey.credential,
        count=asserted.count,
        proposal=waiting.id,
        signed=asserted.signed,
    )
    done = Settlement(directive.id, Outcome.COMMITTED, "committed", level=Level.S3, memories=settled.memories)
    return replace(
        decision,
        proposal=directive.id,
        settlements=(done, *decision.settlements),
        passkeys=(signed, *decision.passkeys),
    )


def enrol_passkey(directive: Proposal, context: Context) -> Decision:
    """A new passkey: the first with a link that this machine printed; any other waits for an earlier one."""
    payload = directive.payload
    credential, public_key = str(payload["credential"]), str(payload["public_key"])
    check_shape(credential, public_key)
    enrolled = PasskeyChange(
        PasskeyOp.ENROL,
        credential,
        public_key=public_key,
        name=str(payload["name"]).strip(),
        rp_id=context.authority.party().id,
    )
    if not context.reader.passkeys().living:
        key, link = context.authority.machine_key, str(payload.get("link") or "")
        nonce = read_bound(key, link, credential, public_key, context.now)
        enrolled = replace(enrolled, link=nonce)
    return _changed(directive, context, enrolled)


def withdraw_passkey(directive: Proposal, context: Context) -> Decision:
    """A passkey that is good no more."""
    credential = str(directive.payload["credential"])
    return _changed(directive, context, PasskeyChange(PasskeyOp.WITHDRAW, credential))


def owner_reset(directive: Proposal, context: Context) -> Decision:
    """The owner begins anew at the machine, as the directive's proof shows: no passkey is good any more."""
    return _changed(directive, context, PasskeyChange(PasskeyOp.RESET, proposal=directive.id))


def settle(
    proposal: Proposal,
    context: Context,
    outcome: Outcome,
    reason: str,
    *,
    memories: tuple[MemoryId, ...] = (),
    details: Mapping[str, object] | None = None,
) -> Decision:
    """A decision that records nothing but a directive's outcome."""
    settlement = Settlement(
        proposal.id, outcome, reason, level=Level.S3, memories=memories, details=dict(details or {})
    )
    return Decision(proposal.id, proposal.root_id, rests_on(context), (settlement,))


def _changed(directive: Proposal, context: Context, change: PasskeyChange) -> Decision:
    """Record a change of the passkeys.

    Raises:
        DirectiveRefused: it breaks a rule.
    """
    passkeys = context.reader.passkeys()
    passkeys.apply(change, passkeys.seq + 1, context.now)
    return replace(settle(directive, context, Outcome.COMMITTED, "committed"), passkeys=(change,))


def _waiting(proposal: ProposalId, context: Context) -> Proposal:
    found = context.inbox.view(ids=[proposal], limit=1)
    if not found or not found[0].proposal.is_directive:
        raise DirectiveRefused(problem="confirmation.unknown")
    # The ledger tells, not the inbox alone: there, others write.
    record = context.reader.outcome_of(proposal)
    if (
        found[0].state is not InboxState.NEEDS_OWNER
        or record is None
        or record.outcome is not Outcome.NEEDS_OWNER
        or record.reason != NEEDS_PASSKEY
    ):
        raise DirectiveRefused(problem="confirmation.closed")
    return found[0].proposal
