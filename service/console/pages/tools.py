"""The connected tools: what each may see and do, how it uses it; changed, lowered and revoked here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from policies import moments
from policies.errors import GrantChanged, InvalidArgument, PageUnknown
from policies.folding import fold
from policies.terms import Grant, GrantId, Instant
from service.console import fresh
from service.console.allowing import FIELDS, Allowance, allowance, is_wider, mode_of
from service.console.clients import Shown, by_grant
from service.console.fresh import Chosen
from service.console.paging import numbered
from service.console.site import Page
from service.console.strings import LANGUAGES
from service.console.visit import Visit
from service.grants import UNCHANGED
from service.secrets import digest
from service.stores.records import ALLOWED, fields_of

ON_PAGE = 50
LIVING, REVOKED = "connected", "revoked"
ORDERS = ("name", "used", "new")
SEEN = "seen"
"""The field that tells which state of a tool a form was filled in for."""


@dataclass(frozen=True, slots=True)
class Filled:
    """What the form of one tool holds when it is shown."""

    name: str
    scope: str
    domains: Sequence[str]
    limit: str
    mode: str
    until: str
    language: str
    seen: str
    """Which state of the tool the form was filled in for."""


def tools(visit: Visit) -> Response:
    """The list: those that are connected, or those that were."""
    house = visit.house
    ever = house.grants.ever()
    by_state = {
        LIVING: [grant for grant in ever if grant.revoked_at is None],
        REVOKED: [grant for grant in ever if grant.revoked_at is not None],
    }
    state = REVOKED if visit.query("state") == REVOKED else LIVING
    clients = by_grant(by_state[state], house.store.oauth)
    order = visit.query("order") if visit.query("order") in ORDERS else ORDERS[0]
    found = _ordered(_matching(by_state[state], clients, visit.query("q"), visit.query("scope")), order)
    page = numbered(visit, found, ON_PAGE)
    return visit.page(
        "tools.html",
        tools=page.rows,
        found=len(found),
        counts={name: len(grants) for name, grants in by_state.items()},
        clients=clients,
        state=state,
        order=order,
        orders=ORDERS,
        q=visit.query("q"),
        scope=visit.query("scope"),
        scopes=list(house.parameters.scopes.values()),
        domains=house.parameters.domains,
        page=page,
        now=house.clock.now(),
        resource=house.addresses.resource,
    )


def tool(visit: Visit) -> Response:
    """One tool: what is known of it, and the form that changes what it may do.

    Raises:
        PageUnknown: there never was such a grant.
    """
    house, grant = visit.house, _grant(visit)
    chosen = fresh.posted(visit, FIELDS) if visit.failure else fresh.kept(visit)
    return visit.page(
        "tool.html",
        tool=grant,
        client=by_grant([grant], house.store.oauth).get(grant.client),
        filled=_filled(visit, grant, chosen),
        returned=chosen is not None and not visit.failure,
        scopes=list(house.parameters.scopes.values()),
        holdings=None if grant.revoked_at is not None else house.tally.now(),
        domains=list(house.parameters.domains.values()),
        labels=house.parameters.domains,
        is_fresh=visit.is_fresh,
        now=house.clock.now(),
        languages=LANGUAGES,
    )


def changed(visit: Visit) -> Response:
    """Take a change: at once if it allows no more than before, else after a fresh sign-in.

    Raises:
        PageUnknown: there never was such a grant.
        GrantChanged: it is not as it was when the form was shown.
        InvalidArgument, GrantNameTaken, DomainUnknown, InvalidDate: what was chosen cannot be.
    """
    house, grant = visit.house, _grant(visit)
    chosen = fresh.posted(visit, (*FIELDS, SEEN))
    if chosen.one(SEEN) != _seen(grant):
        raise GrantChanged(name=grant.name)
    wanted, until = allowance(chosen, house.parameters), _until(visit, grant, chosen.one("until"))
    language = chosen.one("language") or None
    if language not in (None, *LANGUAGES):
        raise InvalidArgument(field="language", problem="choice", allowed=list(LANGUAGES))
    if is_wider(grant, wanted, until, house.parameters) and not visit.is_fresh:
        return fresh.sign_in_first(visit, _path(grant), chosen)
    _change(visit, grant, wanted, until, language)
    return visit.to(_path(grant), done="tool_changed")


def revoking(visit: Visit) -> Response:
    """Ask whether one tool is to be revoked."""
    grant = _grant(visit)
    if grant.revoked_at is not None:
        return visit.to(_path(grant))
    return visit.page("tool_revoke.html", tool=grant)


def revoked(visit: Visit) -> Response:
    """Revoke one tool. Again is the same."""
    grant = _grant(visit)
    if grant.revoked_at is None:
        visit.house.grants.revoke_id(grant.id)
    return visit.to("/tools", done="tool_revoked")


def revoking_all(visit: Visit) -> Response:
    """Ask whether every tool is to be revoked."""
    return visit.page("tools_revoke.html", count=len(visit.house.grants.listed()))


def revoked_all(visit: Visit) -> Response:
    """Revoke every tool, in one step."""
    visit.house.grants.revoke_all()
    return visit.to("/tools", done="tools_revoked")


def _grant(visit: Visit) -> Grant:
    found = visit.house.store.grants.grant(GrantId(visit.path("grant")))
    if found is None:
        raise PageUnknown
    return found


def _seen(grant: Grant) -> str:
    """A mark of what the tool may do, which every change makes another."""
    allowed = fields_of(grant)
    return digest(repr([allowed[name] for name in ALLOWED]))


def _path(grant: Grant) -> str:
    return f"/tools/{grant.id}"


def _matching(grants: Sequence[Grant], clients: Mapping[str, Shown], words: str, scope: str) -> list[Grant]:
    """Those of a scope whose name, or that of their client, has the words."""
    wanted = fold(words)
    return [
        grant
        for grant in grants
        if (not scope or grant.scope == scope)
        and any(wanted in fold(name) for name in (grant.name, *_names(clients.get(grant.client))))
    ]


def _names(client: Shown | None) -> tuple[str, ...]:
    return () if client is None else (client.name, client.host or "")


def _ordered(grants: Sequence[Grant], order: str) -> list[Grant]:
    by_name = sorted(grants, key=lambda grant: (fold(grant.name), grant.created_at))
    if order == "used":
        return sorted(by_name, key=lambda grant: -(grant.last_used_at or 0))
    if order == "new":
        return sorted(by_name, key=lambda grant: -grant.created_at)
    return by_name


def _filled(visit: Visit, grant: Grant, chosen: Chosen | None) -> Filled:
    if chosen is not None:
        return Filled(
            name=chosen.one("name"),
            scope=chosen.one("scope"),
            domains=chosen.every("domains"),
            limit=chosen.one("limit"),
            mode=chosen.one("mode"),
            until=chosen.one("until"),
            language=chosen.one("language"),
            # Told that it changed, the owner sees it as it is now; back from a sign-in, as it was before.
            seen=_seen(grant) if visit.failure else chosen.one(SEEN),
        )
    return Filled(
        name=grant.name,
        scope=grant.scope,
        domains=grant.domains or (),
        limit="all" if grant.domains is None else "some",
        mode=mode_of(grant),
        until=_last_day(visit, grant),
        language=grant.language or "",
        seen=_seen(grant),
    )


def _last_day(visit: Visit, grant: Grant) -> str:
    """The last day on which it is good, as the form has it; empty without an end."""
    if grant.expires_at is None:
        return ""
    return moments.day_of(Instant(grant.expires_at - 1), visit.house.settings.zone).isoformat()


def _until(visit: Visit, grant: Grant, given: str) -> Instant | None:
    """The end that a form sets: that of the day; the very same one if the day was left as it stood."""
    if not given:
        return None
    if given == _last_day(visit, grant):
        return grant.expires_at
    return moments.parse(given, visit.house.settings.zone, field="until").period.end


def _change(
    visit: Visit, grant: Grant, wanted: Allowance, until: Instant | None, language: str | None
) -> None:
    visit.house.grants.change(
        grant,
        name=wanted.name,
        scope=wanted.scope,
        domains=wanted.domains,
        mode=wanted.mode,
        # An end that is left as it stood may be past: the rest can be changed all the same.
        expires_at=UNCHANGED if until == grant.expires_at else until,
        language=language,
    )


PAGES = (
    Page("/tools", get=tools),
    Page("/tools/revoke-all", get=revoking_all, post=revoked_all),
    Page("/tools/{grant}", get=tool, post=changed, keeps=True),
    Page("/tools/{grant}/revoke", get=revoking, post=revoked),
)
