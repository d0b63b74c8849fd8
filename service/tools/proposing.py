"""What the three tools that propose share: checks at submit, redaction, the inbox, the receipt."""

from __future__ import annotations

from policies import moments, submission
from policies.terms import Proposal, ProposalId
from service.calls import Answer, Call, keyed_digest

_NOT_SAID = frozenset({"lang", "idempotency_key"})
"""Arguments of the call, not of what it proposes."""


def submit(call: Call, action: str) -> Answer:
    """Put the call's arguments into the inbox, once they pass what can be refused at once.

    Args:
        call: its arguments checked against the schema.
        action: ``remember``, ``correct`` or ``retract``.

    Returns:
        The receipt, which says the same whatever the memory holds.

    Raises:
        NothingSaid: the statement has no letter and no digit.
        NaiveDateTime: a date-time without its offset.
        InvalidDate: what should be a date is none.
        IntervalReversed: it ends before it begins.
        DomainUnknown: the owner has no such domain.
        EntityUnknown: an ``ent:`` id that nothing in scope answers to.
        KeyConflict: the idempotency key was used with another body.
        InboxFull: too many of the grant's proposals are pending.
    """
    said = {name: value for name, value in call.arguments.items() if name not in _NOT_SAID}
    submission.check(said, call.house.zone, call.house.parameters)
    if ids := submission.entity_ids(said):
        submission.check_ids(ids, call.reader.registry().within(call.view.level))
    payload, redacted = submission.without_secrets(said)
    proposal = Proposal(
        id=ProposalId(call.house.ids.new("prop")),
        action=action,
        payload=payload,
        submitted_at=call.house.clock.now(),
        grant=call.grant.id,
        grant_name=call.grant.name,
        grant_level=call.grant.level,
        grant_domains=call.grant.domains,
        language=call.language,
    )
    kept = call.inbox.submit(
        proposal,
        key=call.arguments.get("idempotency_key"),
        digest=keyed_digest(call.house.digest_key, said),
    )
    return _receipt(call, kept, redacted=redacted)


def _receipt(call: Call, proposal: ProposalId, *, redacted: bool) -> Answer:
    next_run = call.house.nightly.next_after(call.house.clock.now())
    shown = None if next_run is None else moments.show_recorded(next_run, call.house.zone)
    message = call.in_language(
        en="Proposed. It is not a memory yet: it awaits curation. mem_gates will say what became of it.",
        fr="Proposé. Ce n'est pas encore un souvenir : la proposition attend la curation. "
        "mem_gates dira ce qu'elle est devenue.",
    )
    if call.view.owner:
        message = call.in_language(
            en="Proposed. It is not a memory yet: it awaits curation, at night or by mnemo curate. "
            "mnemo gates says what became of it.",
            fr="Proposé. Ce n'est pas encore un souvenir : la proposition attend la curation, la nuit ou par "
            "mnemo curate. mnemo gates dit ce qu'elle est devenue.",
        )
    if redacted:
        message += call.in_language(
            en=" A secret was taken out of it before anything was kept.",
            fr=" Un secret en a été retiré avant que quoi que ce soit ne soit gardé.",
        )
    structured: dict[str, object] = {
        "proposal": proposal,
        "status": "proposed",
        "message": message,
        "next_run": shown,
    }
    lines = [message, f"proposal: {proposal}", *([] if shown is None else [f"next_run: {shown}"])]
    return Answer(structured, "\n".join(lines), verdict="proposed")
