"""What the three tools that propose share: checks at submit, redaction, the inbox, the receipt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from policies import moments
from policies.errors import DomainUnknown, EntityUnknown, NothingSaid
from policies.redaction import redact
from policies.terms import Proposal, ProposalId
from policies.text import says_nothing
from service.calls import Answer, Call, keyed_digest

_NOT_SAID = frozenset({"lang", "idempotency_key"})
"""Arguments of the call, not of what it proposes."""
_AS_IT_IS = frozenset({"id", "kind", "change", "said_at", "valid_from", "valid_to", "effective"})
"""Arguments of a known form: there is nothing to redact in them."""


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
    _check(call, said)
    payload, redacted = _redacted(said)
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


def _check(call: Call, said: Mapping[str, Any]) -> None:
    if "statement" in said and says_nothing(said["statement"]):
        raise NothingSaid(field="statement")
    zone = call.house.zone
    if "said_at" in said:
        moments.parse_said_at(said["said_at"], zone)
    if "effective" in said:
        moments.parse_start(said["effective"], zone, field="effective")
    begins = moments.parse_start(said["valid_from"], zone) if "valid_from" in said else None
    ends = moments.parse_end(said["valid_to"], zone) if "valid_to" in said else None
    moments.check_interval(begins, ends)
    for domain in said.get("domains", ()):
        if domain not in call.house.parameters.domains:
            raise DomainUnknown(field="domains", domain=domain)
    relation = cast("Mapping[str, str]", said.get("relation", {}))
    named = [("anchors", name) for name in said.get("anchors", ())]
    named += [(f"relation.{end}", relation[end]) for end in ("subject", "object") if end in relation]
    ids = [(field, name) for field, name in named if name.startswith("ent:")]
    if ids:
        # A name may be anybody's: the gates see to it. An id was served, or it is nobody's.
        registry = call.reader.registry()
        for field, name in ids:
            if not registry.named(name, level=call.view.level):
                raise EntityUnknown(field=field)


def _redacted(said: Mapping[str, Any]) -> tuple[dict[str, object], bool]:
    """What was said without its secrets, and whether there were any: nothing of them is kept anywhere."""
    found = False

    def clean(value: object) -> object:
        nonlocal found
        if isinstance(value, str):
            redaction = redact(value)
            found = found or bool(redaction.kinds)
            return redaction.text
        if isinstance(value, list):
            return [clean(element) for element in cast("list[object]", value)]
        if isinstance(value, dict):
            return {name: clean(part) for name, part in cast("dict[str, object]", value).items()}
        return value

    kept = {name: value if name in _AS_IT_IS else clean(value) for name, value in said.items()}
    return kept, found


def _receipt(call: Call, proposal: ProposalId, *, redacted: bool) -> Answer:
    next_run = call.house.nightly.next_after(call.house.clock.now())
    shown = None if next_run is None else moments.show_recorded(next_run, call.house.zone)
    message = call.in_language(
        en="Proposed. It is not a memory yet: it awaits curation. mem_gates will say what became of it.",
        fr="Proposé. Ce n'est pas encore un souvenir : la proposition attend la curation. "
        "mem_gates dira ce qu'elle est devenue.",
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
