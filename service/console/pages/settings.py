"""Settings: how the owner signs in, where they are signed in, and how the store is set up."""

from __future__ import annotations

import segno
from starlette.responses import Response

from policies.errors import InvalidArgument, LedgerUnavailable, PageUnknown
from policies.passkeys import Passkey
from service.console.fresh import sign_in_first
from service.console.site import Page
from service.console.visit import Visit
from service.stores.protocol import Credential

_SHOWN_CHARACTERS = 16
"""Of a session's digest: enough to tell sessions apart in a form."""


def settings(visit: Visit) -> Response:
    """Everything at a glance."""
    passkeys = _passkeys(visit)
    console, now = visit.house.store.console, visit.house.clock.now()
    return visit.page(
        "settings.html",
        passkeys=passkeys,
        ledger_open=passkeys is not None,
        credential=_credential(visit),
        sessions=console.sessions(now),
        facts=_facts(visit),
    )


def passphrase(visit: Visit) -> Response:
    """The form that changes it."""
    return visit.page("passphrase.html")


def change_passphrase(visit: Visit) -> Response:
    """Take a new passphrase from somebody who knows the present one; every other browser is signed out.

    Raises:
        SignInRefused: the present one is not right.
        InvalidArgument: the new one cannot be used.
        RateLimited: too many guesses.
    """
    house = visit.house
    chosen = visit.field("passphrase")
    if chosen != visit.field("again"):
        raise InvalidArgument(field="passphrase", problem="passphrase_twice")
    house.signing.check_choice(chosen)
    present = house.signing.check(visit.field("present"), visit.guesser)
    house.signing.choose(chosen, present)
    house.store.console.end_sessions(but=visit.session.digest if visit.session else None)
    return visit.to("/settings", done="passphrase_changed")


def code(visit: Visit) -> Response:
    """A new secret for an authenticator app, and the form that proves the app has it."""
    if not visit.is_fresh:
        return sign_in_first(visit, "/settings/code")
    house = visit.house
    sealed = visit.field("sealed") or house.proofs.new_totp()
    picture = segno.make(house.proofs.totp_uri(sealed, house.settings.facts.owner))
    return visit.page(
        "totp.html",
        sealed=sealed,
        secret=house.proofs.totp_secret(sealed),
        picture=picture.svg_data_uri(scale=5, border=3, dark="#111111", light="#ffffff"),
    )


def ask_for_code(visit: Visit) -> Response:
    """Ask for a code at each sign-in from now on.

    Raises:
        SignInRefused: the code is not that of the secret shown.
    """
    if not visit.is_fresh:
        return sign_in_first(visit, "/settings/code")
    house, sealed = visit.house, visit.field("sealed")
    house.signing.count(visit.guesser)
    house.proofs.check_totp(sealed, visit.field("code"))
    house.signing.ask_for_codes(_credential(visit), sealed)
    return visit.to("/settings", done="totp_on")


def forget_code(visit: Visit) -> Response:
    """Ask for no code any more."""
    if not visit.is_fresh:
        return sign_in_first(visit, "/settings")
    visit.house.signing.ask_for_codes(_credential(visit), None)
    return visit.to("/settings", done="totp_off")


def end_browser(visit: Visit) -> Response:
    """Sign another browser out, or all others.

    Raises:
        PageUnknown: that one is signed out already.
    """
    console, now, wanted = visit.house.store.console, visit.house.clock.now(), visit.field("browser")
    if wanted == "others":
        console.end_sessions(but=visit.session.digest if visit.session else None)
        return visit.to("/settings", done="browsers_ended")
    found = [one for one in console.sessions(now) if one.digest[:_SHOWN_CHARACTERS] == wanted]
    if not found:
        raise PageUnknown
    console.end_session(found[0].digest)
    return visit.to("/settings", done="browser_ended")


def _credential(visit: Visit) -> Credential:
    found = visit.house.store.console.credential()
    if found is None:  # reset a moment ago, and with it this session
        raise PageUnknown
    return found


def _passkeys(visit: Visit) -> tuple[Passkey, ...] | None:
    """None while the ledger cannot be read."""
    try:
        return visit.house.reader.passkeys().living
    except LedgerUnavailable:
        return None


def _facts(visit: Visit) -> list[tuple[str, str]]:
    """How the store is set up, as ``docs/operations.md`` calls it: changed there, not here."""
    known, t = visit.house.settings, visit.t
    return [
        ("owner", known.facts.owner),
        ("handle", f"needs_{known.facts.handle}"),
        ("zone", known.facts.timezone),
        ("language", t(f"settings.language_{known.facts.lang}")),
        ("address", visit.house.addresses.resource),
        ("graph", known.graph_url or t("settings.embedded")),
        ("kv", known.kv_url or t("settings.sqlite")),
        ("classifier", t(f"settings.classifier_{known.classifier}")),
        ("nightly", known.nightly),
        ("home", str(known.store_dir)),
    ]


PAGES = (
    Page("/settings", get=settings),
    Page("/settings/passphrase", get=passphrase, post=change_passphrase),
    Page("/settings/code", get=code, post=ask_for_code),
    Page("/settings/code/remove", post=forget_code),
    Page("/settings/browsers/end", post=end_browser),
)
