"""Passkeys: enrolling one, withdrawing one, and confirming with one what a directive weighs."""

from __future__ import annotations

import json
from typing import cast

from starlette.responses import Response

from cypher.console_urls import relying_party
from cypher.inbox import ProposalView
from policies.directives import Verb
from policies.errors import PageUnknown, PasskeyRefused
from policies.machine_links import bind
from policies.passkeys import (
    assertion_options,
    challenge_of,
    registration_options,
    verify_registration,
)
from policies.reasons import NEEDS_PASSKEY
from policies.terms import MemoryId, Outcome, ProposalId
from service.console.arguments import facts
from service.console.site import Page
from service.console.visit import Visit, known_path
from service.secrets import digest


def answer_of(visit: Visit) -> dict[str, object]:
    """What the browser's authenticator answered, as the form carries it.

    Raises:
        PasskeyRefused: nothing, or not JSON.
    """
    try:
        answer: object = json.loads(visit.field("passkey"))
    except ValueError as fault:
        raise PasskeyRefused("not JSON") from fault
    if not isinstance(answer, dict):
        raise PasskeyRefused("not an object")
    return cast("dict[str, object]", answer)


def new(visit: Visit) -> Response:
    """The form that enrols a passkey: the first, by a link made on the machine, or one more."""
    house, link = visit.house, visit.request.path_params.get("token")
    passkeys = house.reader.passkeys()
    if link is None and not passkeys.living:
        raise PageUnknown
    options = registration_options(
        passkeys,
        challenge=house.proofs.challenge("enrol", visit.secret),
        party=relying_party(house.settings),
        owner=house.settings.facts.owner,
        user=bytes.fromhex(digest(f"owner of {house.settings.store}"))[:16],
    )
    return visit.page("passkey_new.html", options=json.dumps(options), link=link)


def enrol(visit: Visit) -> Response:
    """Submit the new passkey: the curator checks the link, or asks an earlier passkey to confirm it.

    Raises:
        PasskeyRefused: the authenticator's answer proves nothing.
        Refused: the curator did not take it: the link is used up or expired.
    """
    house, answer = visit.house, answer_of(visit)
    made = verify_registration(
        answer,
        challenge=house.proofs.answered("enrol", visit.secret, answer),
        party=relying_party(house.settings),
    )
    token = visit.request.path_params.get("token")
    payload = {
        "credential": made.credential,
        "public_key": made.public_key,
        "name": visit.field("name"),
        # Bound to this passkey: the token itself would lie in the graph, good for anybody's.
        "link": None if token is None else bind(token, made.credential, made.public_key),
    }
    then = "/settings" if token is None else "/"
    return visit.direct(Verb.ENROL_PASSKEY, payload, then=then, done="passkey_enrolled")


def withdraw(visit: Visit) -> Response:
    """Ask that a passkey be good no more; a passkey confirms it."""
    payload = {"credential": visit.field("credential")}
    return visit.direct(Verb.WITHDRAW_PASSKEY, payload, then="/settings", done="passkey_withdrawn")


def confirm(visit: Visit) -> Response:
    """What a directive would do, and the form that confirms it with a passkey.

    Raises:
        PageUnknown: no directive waits here for a passkey.
    """
    view = _waiting(visit)
    waiting, house = view.proposal, visit.house
    options = assertion_options(
        house.reader.passkeys(), challenge=challenge_of(waiting), party=relying_party(house.settings)
    )
    return visit.page(
        "confirm.html",
        verb=waiting.action,
        asked_at=waiting.submitted_at,
        facts=_facts(visit, view),
        options=json.dumps(options),
        next=known_path(visit.query("next") or visit.field("next")),
    )


def confirmed(visit: Visit) -> Response:
    """Submit the passkey's answer: the curator checks it, and carries the directive out."""
    payload = {"proposal": _waiting(visit).proposal.id, "assertion": answer_of(visit)}
    return visit.direct(Verb.CONFIRM, payload, then=known_path(visit.field("next")), done="passkey_confirmed")


def drop(visit: Visit) -> Response:
    """Drop a directive that waits for a passkey: nothing of it is carried out."""
    payload = {"proposal": _waiting(visit).proposal.id, "ruling": "reject"}
    return visit.direct(Verb.RULE, payload, then="/", done="passkey_dropped")


def _waiting(visit: Visit) -> ProposalView:
    found = visit.house.inbox.view(ids=[ProposalId(visit.path("proposal"))], limit=1)
    outcome = found[0].outcome if found else None
    if outcome is None or outcome.outcome is not Outcome.NEEDS_OWNER or outcome.reason != NEEDS_PASSKEY:
        raise PageUnknown
    return found[0]


def _facts(visit: Visit, view: ProposalView) -> list[tuple[str, str]]:
    """What the directive says, and of the memory that it is about what it says now."""
    payload, t = view.proposal.payload, visit.t
    said = facts(visit, payload)
    subject = str(payload.get("memory") or payload.get("id") or "")
    known = visit.house.reader.versions([MemoryId(subject)]).get(MemoryId(subject)) if subject else None
    if known is not None:
        now = t(f"terms.level.{known.state.level.name}")
        return [(t("confirm.says_now"), known.memory.text), (t("confirm.level_now"), now), *said]
    if "level" not in payload and "text" in payload and view.outcome is not None:
        return [*said, (t("confirm.kept_at"), t(f"terms.level.{view.outcome.level.name}"))]
    return said


PAGES = (
    Page("/passkey/{token}", get=new, post=enrol),
    Page("/settings/passkeys", get=new, post=enrol),
    Page("/settings/passkeys/withdraw", post=withdraw),
    Page("/confirm/{proposal}", get=confirm, post=confirmed),
    Page("/confirm/{proposal}/drop", post=drop),
)
