"""The inbox: everything that assistants proposed and the owner directed, and what became of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast
from urllib.parse import urlencode

from starlette.responses import Response

from cypher.inbox import ProposalView
from policies.bitemporal import AsOf
from policies.directives import Verb
from policies.errors import PageUnknown
from policies.folding import fold
from policies.lifecycle import InboxState
from policies.terms import GrantId, MemoryId, Outcome, Proposal, ProposalId
from service.console import telling
from service.console.arguments import facts
from service.console.filters import chosen
from service.console.pages.reviews import path_of as review_path
from service.console.pages.runs import is_curated
from service.console.proposed import NAMED_SINCE, UNREGISTERED, ProposalTelling, Proposed, page_of, path_of
from service.console.site import Page
from service.console.visit import Visit

PAGE = 30
LINE_MAX = 50
YOURS = "you"
"""What the filter by assistant calls the owner's own directives."""
REFRESH_S = 3
_ADOPTABLE = frozenset({"remember", "correct", Verb.DECLARE})

_STATES: Mapping[str, InboxState] = {
    "pending": InboxState.PENDING,
    "error": InboxState.RETRYING,
    "needs_owner": InboxState.NEEDS_OWNER,
    **{
        outcome.value: InboxState.SETTLED
        for outcome in Outcome
        if outcome.value not in ("needs_owner", "error")
    },
}
"""By the name of an outcome: where what has it stands."""


def proposals(visit: Visit) -> Response:
    """The list, newest first: of everybody or of one, of every outcome or of one.

    Raises:
        InvalidArgument: a filter that does not exist.
    """
    outcome = chosen(visit, "outcome", Outcome) if visit.query("outcome") != "pending" else "pending"
    tool, after = visit.query("tool"), visit.query("after")
    found, following = page_of(
        visit.house.inbox,
        _wanted(outcome),
        grant=GrantId(tool) if tool not in ("", YOURS) else None,
        directives=tool == YOURS,
        state=_STATES[outcome] if outcome else None,
        after=ProposalId(after) if after else None,
        limit=PAGE,
    )
    told = ProposalTelling(visit)
    asked = {name: value for name, value in (("tool", tool), ("outcome", outcome or "")) if value}
    return visit.page(
        "proposals.html",
        rows=[told.told(view) for view in found],
        outcomes=["pending", *Outcome],
        outcome=outcome or "",
        tools=sorted(told.tools.items(), key=lambda one: one[1].casefold()),
        tool=tool,
        yours=YOURS,
        first=urlencode(asked),
        following=urlencode({**asked, "after": following}) if following else "",
        after=after,
    )


def proposal(visit: Visit) -> Response:
    """One proposal or directive, its line, and what the owner may do about it.

    Raises:
        PageUnknown: there is none.
    """
    house = visit.house
    found = house.inbox.view(ids=[ProposalId(visit.path("proposal"))], limit=1)
    if not found:
        raise PageUnknown
    view = found[0]
    told = ProposalTelling(visit)
    this = told.told(view)
    as_of = AsOf(house.clock.now())
    waits = view.state in (InboxState.PENDING, InboxState.RETRYING)
    curated = is_curated(visit)
    # A directive is taken up within seconds: the page that waits for it need not be reloaded by hand.
    refreshes = curated and view.state is InboxState.PENDING and view.proposal.is_directive
    response = visit.page(
        "proposal.html",
        this=this,
        where=path_of(view) if view.state is InboxState.NEEDS_OWNER else "",
        facts=facts(visit, view.proposal.payload, _SHOWN_ALREADY),
        memories=_memories(visit, this, as_of),
        target=_target(visit, view.proposal, as_of),
        line=[told.told(one) for one in house.inbox.line_of(view.proposal, limit=LINE_MAX)],
        adoptable=_is_adoptable(view),
        review="" if this.standing == NAMED_SINCE else _review(view),
        waits=waits,
        is_curated=curated,
        refreshes=refreshes,
        refresh_s=REFRESH_S,
    )
    if refreshes:
        response.headers["Refresh"] = str(REFRESH_S)
    return response


def _wanted(outcome: str | None) -> Callable[[ProposalView], bool] | None:
    """What is left to look for, where outcomes share a state."""
    if outcome is None or _STATES[outcome] is not InboxState.SETTLED:
        return None
    return lambda view: view.outcome is not None and view.outcome.outcome == outcome


def _is_adoptable(view: ProposalView) -> bool:
    """Whether the owner may say it themselves: what was refused, or waits for them."""
    outcome = view.outcome
    if outcome is None or view.proposal.action not in _ADOPTABLE:
        return False
    if outcome.reason == UNREGISTERED:
        return False  # said again, it would be refused again: the name is to be registered
    return outcome.outcome in (Outcome.REJECTED, Outcome.NEEDS_OWNER)


def _review(view: ProposalView) -> str:
    """The page where the name that it was refused for is registered; empty where it was not."""
    if view.outcome is None or view.outcome.reason != UNREGISTERED:
        return ""
    names = cast("list[str]", view.outcome.details.get("names") or [])
    return review_path(fold(names[0])) if names else "/reviews"


_SHOWN_ALREADY = frozenset({"statement", "text", "words", "said_at", "transcript", "conversation", "id"})


def _memories(visit: Visit, this: Proposed, as_of: AsOf) -> list[telling.Told]:
    versions = visit.house.reader.versions(this.memories)
    told = telling.Telling(visit, as_of)
    return [told.told(versions[memory]) for memory in this.memories if memory in versions]


def _target(visit: Visit, proposal: Proposal, as_of: AsOf) -> telling.Told | None:
    """The memory that it would change or did."""
    named = proposal.payload.get("id") or proposal.payload.get("memory")
    if named is None:
        return None
    version = visit.house.reader.versions([MemoryId(str(named))]).get(MemoryId(str(named)))
    return None if version is None else telling.Telling(visit, as_of).told(version)


PAGES = (
    Page("/proposals", get=proposals),
    Page("/proposals/{proposal}", get=proposal),
)
