"""Curation runs: what each did, what was found wrong, when the next is; and a run now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from starlette.responses import Response

from cypher.inbox import Run
from cypher.schedule import Nightly
from policies.errors import PageUnknown
from policies.lifecycle import InboxState
from policies.terms import Instant, ProposalId, RunId
from service.console.paging import numbered
from service.console.proposed import ProposalTelling
from service.console.site import Page
from service.console.visit import Visit

PAGE = 20
OUTCOMES_PAGE = 50
REFRESH_S = 2


def runs(visit: Visit) -> Response:
    """The list, newest first, and when the next is."""
    house, after = visit.house, visit.query("after")
    found = house.inbox.runs(after=RunId(after) if after else None, limit=PAGE + 1)
    return visit.page(
        "runs.html",
        rows=[(one, counts_of(visit, one), findings_of(one)) for one in found[:PAGE]],
        after=after,
        following=found[PAGE - 1].id if len(found) > PAGE else "",
        pending=house.inbox.count(InboxState.PENDING),
        next_at=next_run(visit),
        is_curated=is_curated(visit),
    )


def run(visit: Visit) -> Response:
    """One run; while it is not over, the page is loaded again by itself.

    Raises:
        PageUnknown: there is none.
    """
    house = visit.house
    found = house.inbox.run_state(RunId(visit.path("run")))
    if found is None:
        raise PageUnknown
    settled = cast("list[Mapping[str, object]]", found.summary.get("outcomes") or [])
    page = numbered(visit, settled, OUTCOMES_PAGE)
    told = ProposalTelling(visit)
    ids = [ProposalId(str(one["proposal"])) for one in page.rows]
    views = {view.proposal.id: view for view in house.inbox.view(ids=ids, limit=OUTCOMES_PAGE)} if ids else {}
    is_over, is_still = found.state == "finished", bool(visit.query("still"))
    response = visit.page(
        "run.html",
        this=found,
        counts=counts_of(visit, found),
        findings=findings_of(found),
        rows=[told.told(views[one]) for one in dict.fromkeys(ids) if one in views],
        settled=len(settled),
        page=page,
        is_over=is_over,
        is_still=is_still,
        is_curated=is_curated(visit),
        refresh_s=REFRESH_S,
    )
    if not is_over and not is_still:
        response.headers["Refresh"] = str(REFRESH_S)
    return response


def curate(visit: Visit) -> Response:
    """Ask for a run now, or join one that was asked for."""
    house = visit.house
    asked = house.inbox.request_run(RunId(house.ids.new("run")), house.clock.now())
    return visit.to(f"/runs/{asked.id}")


def counts_of(visit: Visit, run: Run) -> list[tuple[str, int]]:
    """How many proposals had each outcome: a key of ``terms.outcome``, and the number."""
    counts = cast("Mapping[str, int]", run.summary.get("counts") or {})
    handle = f"needs_{visit.house.settings.facts.handle}"
    return [("needs_owner" if name == handle else name, number) for name, number in counts.items()]


def findings_of(run: Run) -> list[str]:
    """What was found wrong with the ledger afterwards."""
    return [str(one) for one in cast("list[object]", run.summary.get("findings") or [])]


def next_run(visit: Visit) -> Instant | None:
    """When the next run begins by itself."""
    settings = visit.house.settings
    return Nightly(settings.nightly, settings.zone).next_after(visit.house.clock.now())


def is_curated(visit: Visit) -> bool:
    """Whether a curator is at work."""
    return visit.house.inbox.curator().alive_until > visit.house.clock.now()


PAGES = (
    Page("/runs", get=runs, post=curate),
    Page("/runs/{run}", get=run),
)
