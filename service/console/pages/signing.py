"""Set-up, sign-in, sign-out, and the switch of language."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from starlette.responses import Response

from cypher.console_urls import relying_party
from policies.errors import InvalidArgument, LedgerUnavailable, PageUnknown
from policies.passkeys import assertion_options, verify_assertion
from service.console import fresh
from service.console.pages.passkeys import answer_of
from service.console.site import LANGUAGE_COOKIE, Page
from service.console.strings import LANGUAGES
from service.console.visit import Visit, known_path
from service.secrets import digest

_YEAR_S = 31_536_000
SETUP = "setup"
"""The purpose of a link that lets its holder choose the passphrase."""


def sign_in(visit: Visit) -> Response:
    """The form; somebody who is signed in sees it only where a fresh sign-in is asked for."""
    wanted = known_path(visit.field("next") or visit.query("next"))
    if visit.session is not None and not visit.query("fresh") and visit.failure is None:
        return visit.to(wanted)
    credential = visit.house.store.console.credential()
    asked = {"next": wanted} if visit.session is None else {"next": wanted, "fresh": "1"}
    return visit.page(
        "sign_in.html",
        whole=f"/sign-in?{urlencode(asked)}",
        next=wanted,
        fresh=visit.session is not None,
        is_typed=fresh.holds_typed(wanted),
        is_set_up=credential is not None,
        totp=credential is not None and credential.totp is not None,
        passkeys=_passkey_options(visit),
    )


def signed_in(visit: Visit) -> Response:
    """Check the passphrase, and the code where one is asked for, and open a session.

    Raises:
        SignInRefused: either is wrong; which, is not said.
        RateLimited: too many guesses.
    """
    house = visit.house
    credential = house.signing.check(visit.field("passphrase"), visit.guesser)
    if credential.totp is not None:
        house.proofs.check_totp(credential.totp, visit.field("code"))
    house.signing.forgive(visit.guesser)
    method = "passphrase" if credential.totp is None else "passphrase+totp"
    return entered(visit, method, known_path(visit.field("next")))


def with_passkey(visit: Visit) -> Response:
    """Check a passkey's answer and open a session.

    Raises:
        PasskeyRefused: it proves nothing.
        LedgerUnavailable: the passkeys cannot be read now.
    """
    house, answer = visit.house, answer_of(visit)
    challenge = house.proofs.answered("sign-in", visit.secret, answer)
    verify_assertion(
        house.reader.passkeys(), answer, challenge=challenge, party=relying_party(house.settings)
    )
    return entered(visit, "passkey", known_path(visit.field("next")))


def entered(visit: Visit, method: str, path: str) -> Response:
    """Open a session for the owner, who has proved to be it, and go on."""
    response = visit.to(path)
    agent = visit.request.headers.get("user-agent", "")
    sessions = visit.house.sessions
    sessions.keep(response, sessions.open(method, agent, visit.session))
    sessions.keep_device(response, sessions.device(visit.request))
    return response


def sign_out(visit: Visit) -> Response:
    """End this session."""
    if visit.session is not None:
        visit.house.store.console.end_session(visit.session.digest)
    response = visit.to("/sign-in", done="signed_out")
    visit.house.sessions.forget(response)
    return response


def setup(visit: Visit) -> Response:
    """What a one-time link opens: the choice of a passphrase.

    Raises:
        PageUnknown: the link is not good, or no more.
    """
    if visit.house.store.console.link(digest(visit.path("token")), visit.house.clock.now()) != SETUP:
        raise PageUnknown
    return visit.page("setup.html")


def set_up(visit: Visit) -> Response:
    """Take the passphrase; the link is used up by it.

    Raises:
        PageUnknown: the link is not good, or no more.
        InvalidArgument: the passphrase cannot be used.
    """
    house = visit.house
    passphrase = visit.field("passphrase")
    if passphrase != visit.field("again"):
        raise InvalidArgument(field="passphrase", problem="passphrase_twice")
    house.signing.check_choice(passphrase)
    former = house.store.console.credential()
    if house.store.console.take_link(digest(visit.path("token")), house.clock.now()) != SETUP:
        raise PageUnknown
    house.signing.choose(passphrase, former)
    house.store.console.end_sessions()  # whoever entered before did not know it
    return entered(visit, "passphrase", f"/passkey/{visit.path('token')}?done=set_up")


def _passkey_options(visit: Visit) -> str | None:
    """What the browser is to ask a passkey for; None where there is none, or none can be read."""
    house = visit.house
    try:
        passkeys = house.reader.passkeys()
    except LedgerUnavailable:
        return None
    if not passkeys.living or house.store.console.credential() is None:
        return None
    challenge = house.proofs.challenge("sign-in", visit.secret)
    return json.dumps(assertion_options(passkeys, challenge=challenge, party=relying_party(house.settings)))


def language(visit: Visit) -> Response:
    """Remember which language this browser wants."""
    response = visit.to(known_path(visit.field("back")))
    chosen = visit.field("language")
    if chosen in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_YEAR_S, path="/", samesite="lax", httponly=True)
    return response


PAGES = (
    Page("/sign-in", get=sign_in, post=signed_in, is_open=True),
    Page("/sign-in/passkey", get=sign_in, post=with_passkey, is_open=True),
    Page("/sign-out", post=sign_out, is_open=True),
    Page("/setup/{token}", get=setup, post=set_up, is_open=True),
    Page("/language", post=language, is_open=True),
)
