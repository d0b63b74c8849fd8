"""Anchor reviews: people and organisations that proposals name and the registry does not have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote

from starlette.responses import Response

from cypher.inbox import AnchorReview, ProposalView
from policies.directives import Verb
from policies.errors import PageUnknown
from policies.folding import fold
from policies.terms import Entity, EntityType, Level, ProposalId
from service.console import filters
from service.console.proposed import ProposalTelling, Proposed
from service.console.site import Page
from service.console.visit import Visit

PAGE = 20
SAMPLES = 3
"""How many of the proposals that name somebody are quoted."""
PROPOSALS_MAX = 200
"""How many of them are looked at."""
LINES_MAX = 1_000
"""Most proposals of their lines: each was taken up again a few times at most."""
_SEPARATORS = re.compile(r"[,;\n]")


@dataclass(frozen=True, slots=True)
class Review:
    """A name, and what waits for it."""

    key: str
    name: str
    type: EntityType | None
    """What the texts make of it."""
    review: AnchorReview
    samples: tuple[Proposed, ...]
    lines: int
    """How many proposals wait, each counted once however often it was taken up."""
    tools: tuple[str, ...]
    entity: Entity | None
    others: tuple[str, ...]
    """What else the same proposals name and nobody answers to: it has to be registered too."""

    @property
    def path(self) -> str:
        """Its page."""
        return path_of(self.key)


@dataclass(frozen=True, slots=True)
class Line:
    """What named somebody, and what it came to."""

    first: Proposed
    last: Proposed


def reviews(visit: Visit) -> Response:
    """Those that wait for an answer, newest first; or those that have one."""
    answered, after = visit.query("show") == "answered", visit.query("after")
    inbox = visit.house.inbox
    found = inbox.anchor_reviews(is_open=not answered, after=after or None, limit=PAGE + 1)
    told = ProposalTelling(visit)
    return visit.page(
        "reviews.html",
        waiting=inbox.open_reviews(),
        answered=answered,
        rows=[_review(visit, told, one) for one in found[:PAGE]],
        after=after,
        following=found[PAGE - 1].key if len(found) > PAGE else "",
        types=list(EntityType),
        levels=list(Level),
        names=filters.names(told.registry),
        failed=visit.field("key"),
    )


def review(visit: Visit) -> Response:
    """What came of everything that named somebody.

    Raises:
        PageUnknown: nobody named them.
    """
    key = visit.path("key")
    found = visit.house.inbox.anchor_review(key)
    if found is None:
        raise PageUnknown
    told = ProposalTelling(visit)
    roots = dict.fromkeys(view.proposal.root_id for view in _views(visit, found))
    lines = visit.house.inbox.lines_of(roots, limit=LINES_MAX)
    return visit.page(
        "review.html",
        this=_review(visit, told, found),
        lines=[Line(told.told(lines[one][0]), told.told(lines[one][-1])) for one in roots if one in lines],
        types=list(EntityType),
        levels=list(Level),
        names=filters.names(told.registry),
        failed=visit.field("key"),
    )


def register(visit: Visit) -> Response:
    """Register the name, under the name and with the aliases that the owner wants.

    Raises:
        Refused: the registry does not take it.
        MnemoError: of category ``incorrect``: no name or no type.
    """
    key, name = visit.field("key"), visit.field("name")
    aliases = [alias.strip() for alias in _SEPARATORS.split(visit.field("aliases")) if alias.strip()]
    if key and fold(name) != key and key not in map(fold, aliases):
        # What waits under the name that was said is taken up, whatever it is registered as.
        aliases.append(visit.field("said") or key)
    payload = {
        "name": name or None,
        "type": visit.field("type") or None,
        "aliases": aliases or None,
        "level": visit.field("level") or None,
    }
    return visit.direct(Verb.REGISTER, payload, then=path_of(key), done="name_registered")


def alias(visit: Visit) -> Response:
    """Say that the name is another one of somebody registered.

    Raises:
        Refused: nobody, or several, answer to the name given.
        MnemoError: of category ``incorrect``: no name.
    """
    key = visit.field("key")
    payload = {"entity": visit.field("entity") or None, "alias": visit.field("said") or None}
    return visit.direct(Verb.ALIAS, payload, then=path_of(key), done="name_aliased")


def dismiss(visit: Visit) -> Response:
    """Say that nobody is to be registered under the name.

    Raises:
        Refused: it does not wait any more.
    """
    payload = {"name": visit.field("said") or None}
    return visit.direct(Verb.DISMISS, payload, then="/reviews", done="name_dismissed")


def path_of(key: str) -> str:
    """The page of a name's review."""
    return f"/reviews/{quote(key, safe='')}" if key else "/reviews"


def _views(visit: Visit, found: AnchorReview) -> list[ProposalView]:
    ids = [ProposalId(one) for one in found.proposals[:PROPOSALS_MAX]]
    views = visit.house.inbox.view(ids=ids, limit=PROPOSALS_MAX) if ids else []
    return views[::-1]


def _review(visit: Visit, told: ProposalTelling, found: AnchorReview) -> Review:
    views = _views(visit, found)
    roots = {view.proposal.root_id: view for view in reversed(views)}
    shown = [told.told(view) for view in roots.values()]
    return Review(
        key=found.key,
        name=found.name,
        type=found.type,
        review=found,
        samples=tuple(shown[:SAMPLES]),
        lines=len(roots),
        tools=tuple(sorted({one.by for one in shown if one.by})),
        entity=None if found.entity is None else told.registry.entity(found.entity),
        others=_others(told, found.key, list(roots.values())),
    )


def _others(told: ProposalTelling, key: str, views: list[ProposalView]) -> tuple[str, ...]:
    named = {
        fold(name): name
        for view in views
        for name in cast("list[str]", view.outcome.details.get("names") or [] if view.outcome else [])
    }
    return tuple(
        name for other, name in sorted(named.items()) if other != key and not told.registry.named(name)
    )


PAGES = (
    Page("/reviews", get=reviews),
    Page("/reviews/register", get=reviews, post=register, keeps=True),
    Page("/reviews/alias", get=reviews, post=alias, keeps=True),
    Page("/reviews/dismiss", get=reviews, post=dismiss),
    Page("/reviews/{key:path}", get=review),
)
