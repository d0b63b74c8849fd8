"""A tool asks to connect: who it is, where the answer goes, what each scope would show, and the owner's answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response

from policies.errors import ConnectionGone, InvalidArgument
from policies.parameters import Parameters
from policies.terms import Grant, GrantId, Level
from service.console import fresh
from service.console.allowing import FIELDS, Allowance, allowance, days, mode_of
from service.console.clients import is_alike, mixes_alphabets, shown_name
from service.console.fresh import Chosen
from service.console.rendering import page_headers
from service.console.site import Page
from service.console.visit import Visit
from service.oauth.consent import PendingConsent
from service.oauth.redirects import is_private

PRESELECTED = "assistant-standard"
ANOTHER = "another"
"""The choice to replace no grant."""
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", re.IGNORECASE)
_LOOPBACK = ("http://localhost:*", "http://127.0.0.1:*")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
_HELD_MAX = 50


@dataclass(frozen=True, slots=True)
class Filled:
    """What the form holds when it is shown."""

    name: str
    scope: str
    domains: Sequence[str]
    limit: str
    mode: str
    days: str
    replaces: str


def consent(visit: Visit) -> Response:
    """The request, and the form that answers it.

    Raises:
        ConnectionGone: it was answered, expired, or never was.
    """
    pending = _pending(visit)
    house = visit.house
    chosen = fresh.posted(visit, FIELDS) if visit.failure else fresh.kept(visit)
    return visit.page(
        "consent.html",
        session=None,  # a page of its own: nothing leads away from the question
        pending=pending,
        client=shown_name(pending.client_name),
        is_mixed=mixes_alphabets(pending.client_name),
        alike=_alike(visit, pending),
        is_program=is_private(pending.redirect_uri),
        held=_held(pending),
        filled=_filled(pending, chosen, house.parameters),
        returned=chosen is not None and not visit.failure,
        is_fresh=visit.is_fresh,
        scopes=list(house.parameters.scopes.values()),
        holdings=house.tally.now(),
        domains=list(house.parameters.domains.values()),
        form_action=form_action(pending.redirect_uri, house.parameters.private_callbacks),
    )


def answered(visit: Visit) -> Response:
    """Carry out the answer and send the browser back to the client.

    Raises:
        ConnectionGone: the request was answered, expired, or never was.
        InvalidArgument, GrantNameTaken, DomainUnknown: what was chosen cannot be.
    """
    handle, answer = visit.path("handle"), visit.field("answer")
    if answer == "refuse":
        return _leave(visit.house.consent.deny(handle))
    if answer != "allow":
        raise InvalidArgument(field="answer", problem="choice", allowed=["allow", "refuse"])
    pending = _pending(visit)
    chosen = fresh.posted(visit, FIELDS)
    wanted, replaced = allowance(chosen, visit.house.parameters), _replaced(pending, chosen)
    until = days(chosen)
    scope = visit.house.parameters.scope(wanted.scope)
    if scope.level is Level.S3 and not visit.is_fresh:
        return fresh.sign_in_first(visit, visit.request.url.path, chosen)
    return _leave(
        visit.house.consent.approve(
            handle,
            name=_name(pending, wanted, replaced),
            scope=wanted.scope,
            domains=wanted.domains,
            mode=wanted.mode,
            days=until,
            replaces=replaced,
        )
    )


def form_action(redirect_uri: str, private_callbacks: Iterable[str]) -> str:
    """Where the form's answer may lead, for the policy of the page.

    Chromium holds every redirect that follows a form to it, those of the client's own callback too: one on https may
    go on to another host, or to the program that waits on this machine (w3c/webappsec-csp issue 8).
    """
    parts = urlsplit(redirect_uri)
    origin = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in ("http", "https"):
        own = [f"{parts.scheme}:"] if _SCHEME.fullmatch(parts.scheme) else []
    elif not _ORIGIN.fullmatch(origin):
        own = ["http:"]  # a policy cannot name an IPv6 address
    else:
        own = [origin, *(_LOOPBACK if parts.scheme == "http" else ())]
    schemes = {callback.partition(":")[0] for callback in private_callbacks}
    known = [f"{scheme}:" for scheme in sorted(schemes) if _SCHEME.fullmatch(scheme)]
    return " ".join(dict.fromkeys([*own, "https:", *known]))


def _pending(visit: Visit) -> PendingConsent:
    found = visit.house.consent.pending(visit.path("handle"))
    if found is None:
        raise ConnectionGone
    return found


def _leave(address: str) -> Response:
    """To the client, by GET whatever the form was sent by (RFC 9700 section 4.12)."""
    return RedirectResponse(address, 303, headers=page_headers())


def _held(pending: PendingConsent) -> list[Grant]:
    """What the new grant may replace, the newest first."""
    return sorted(pending.held, key=lambda grant: grant.created_at, reverse=True)[:_HELD_MAX]


def _replaced(pending: PendingConsent, chosen: Chosen) -> GrantId | None:
    wanted = chosen.one("replaces")
    if not wanted or wanted == ANOTHER:
        return None
    for grant in _held(pending):
        if grant.id == wanted:
            return grant.id
    raise InvalidArgument(field="replaces", problem="unknown")


def _name(pending: PendingConsent, wanted: Allowance, replaced: GrantId | None) -> str:
    """What to call it: a name that was only left as it stood beside the choice to replace is made free."""
    is_left = replaced is None and any(grant.name == wanted.name for grant in pending.held)
    return pending.suggested_name if is_left or not wanted.name else wanted.name


def _alike(visit: Visit, pending: PendingConsent) -> str | None:
    """The name of a living grant that this client looks like without being its client."""
    held = {grant.id for grant in pending.held}
    others = [grant for grant in visit.house.grants.listed() if grant.id not in held]
    clients = visit.house.store.oauth.clients_of({grant.client for grant in others})
    for grant in others:
        client = clients.get(grant.client)
        # Its client's own name too: the owner may have called it otherwise.
        names = (grant.name,) if client is None else (grant.name, client.name)
        if any(is_alike(name, pending.client_name) for name in names):
            return grant.name
    return None


def _filled(pending: PendingConsent, chosen: Chosen | None, parameters: Parameters) -> Filled:
    """What was chosen before; else what is best for most: never more than the grant that is replaced has."""
    if chosen is not None:
        return Filled(
            name=chosen.one("name"),
            scope=chosen.one("scope"),
            domains=chosen.every("domains"),
            limit=chosen.one("limit"),
            mode=chosen.one("mode"),
            days=chosen.one("days"),
            replaces=chosen.one("replaces"),
        )
    former = next(iter(_held(pending)), None)
    if former is None:
        return Filled(pending.suggested_name, PRESELECTED, (), "all", "both", "", ANOTHER)
    is_narrow = former.level < parameters.scopes[PRESELECTED].level
    return Filled(
        name=former.name,
        scope=former.scope if is_narrow else PRESELECTED,
        domains=former.domains or (),
        limit="all" if former.domains is None else "some",
        mode=mode_of(former),
        days="",
        replaces=former.id,
    )


PAGES = (Page("/consent/{handle}", get=consent, post=answered, keeps=True),)
