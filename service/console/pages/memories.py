"""The memories: searched as an assistant with the owner's own view would, or looked through page by page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.responses import Response

from cypher.browsing import Wanted
from cypher.keys import read_key
from policies.errors import ArgumentTooLong, InvalidArgument, MnemoError
from policies.ranking import Verdict
from policies.terms import Entity, EntityId, GrantId, Kind, Level, MemoryId, Provenance, Status, View
from service.console.filters import chosen, chosen_domain, chosen_level, domains, names
from service.console.reasons import told_failure
from service.console.site import Page
from service.console.telling import Telling, Told
from service.console.timeline import Timeline, timeline
from service.console.visit import Visit
from service.cursors import Cursors
from service.reading import RecallArguments
from service.reading.phrases import say

PAGE = 50
_TURNS_MAX = 8
"""How many pages of answers are gone through for what passes the other filters."""
_CONSOLE = GrantId("grant:console")
"""Whom the cursors of a search are bound to."""
_ID = re.compile(r"mem:[a-z2-7]{26}")
EVERYTHING = "all"
KINDS = tuple(kind for kind in Kind if kind not in (Kind.RETRACTION, Kind.CLOSURE))
STATUSES = (Status.CURRENT, Status.ANNOUNCED, Status.CLOSED, Status.SUPERSEDED, Status.RETRACTED)
_GONE = (Status.CLOSED, Status.SUPERSEDED, Status.RETRACTED)


@dataclass(frozen=True, slots=True)
class Filters:
    """What the form of the page holds."""

    query: str = ""
    entity: str = ""
    """As typed: an id, a name or an alias."""
    domain: str = ""
    kind: Kind | None = None
    level: Level | None = None
    provenance: Provenance | None = None
    status: Status | None = None
    everything: bool = False
    private: bool = False
    """Whether what is served on request only is among them, though it was not aimed at."""

    @property
    def parameters(self) -> dict[str, str]:
        """The query that asks for the same."""
        given = {
            "q": self.query,
            "entity": self.entity,
            "domain": self.domain,
            "kind": self.kind or "",
            "level": "" if self.level is None else self.level.name,
            "provenance": self.provenance or "",
            "status": EVERYTHING if self.everything else self.status or "",
            "private": "1" if self.private else "",
        }
        return {name: value for name, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class Found:
    """A page of memories."""

    memories: tuple[Told, ...] = ()
    following: Mapping[str, str] | None = None
    """What the query of the next page adds; None on the last."""
    notices: tuple[str, ...] = ()
    verdict: str = ""
    """Of a search: how sure it is that it answers."""


def memories(visit: Visit) -> Response:
    """The list."""
    if _ID.fullmatch(visit.query("q").strip()):
        return visit.to(f"/memories/{visit.query('q').strip()}")
    house = visit.house
    moment: Timeline | None = None
    filters, found, failure = Filters(), Found(), visit.failure
    candidates: tuple[Entity, ...] = ()
    registry = house.reader.registry()
    try:
        filters = _filters(visit)
        moment = timeline(visit, house.browsing.extent(house.reader.head().seq))
        candidates = registry.named(filters.entity) if filters.entity else ()
        if filters.entity and len(candidates) != 1:
            found = Found()
        else:
            entity = candidates[0].id if candidates else None
            look = _searched if filters.query else _listed
            found = look(visit, filters, entity, moment)
    except MnemoError as error:
        if error.category != "incorrect":
            raise
        failure = told_failure(error, visit.t)
    query = {**filters.parameters, **(moment.query if moment else {})}
    return visit.page(
        "memories.html",
        200 if failure is None else 400,
        failure=failure,
        filters=filters,
        moment=moment,
        found=found,
        candidates=candidates if filters.entity and len(candidates) != 1 else (),
        is_unknown=bool(filters.entity) and not candidates and failure is None,
        first=urlencode(query),
        following=urlencode({**query, **found.following}) if found.following else "",
        later=visit.query("before") or visit.query("cursor"),
        browsed=urlencode({**replace(filters, query="").parameters, **(moment.query if moment else {})}),
        is_gone=filters.status in _GONE or filters.everything,
        is_plain=not query,
        is_filtered=bool(query.keys() - {"q"}),
        names=names(registry),
        domains=domains(visit),
        kinds=KINDS,
        levels=list(Level),
        provenances=list(Provenance),
        statuses=STATUSES,
    )


def _filters(visit: Visit) -> Filters:
    """What the request asks for.

    Raises:
        InvalidArgument: a value that the form does not offer.
        DomainUnknown: a domain that the owner does not have.
        ArgumentTooLong: the question is.
    """
    query, limit = visit.query("q").strip(), visit.house.parameters.limits.query_characters
    if len(query) > limit:
        raise ArgumentTooLong(field="q", limit=limit, unit="characters")
    status = visit.query("status")
    return Filters(
        query=query,
        entity=visit.query("entity").strip(),
        domain=chosen_domain(visit),
        kind=chosen(visit, "kind", Kind),
        level=chosen_level(visit, "level"),
        provenance=chosen(visit, "provenance", Provenance),
        status=None if status == EVERYTHING else chosen(visit, "status", Status),
        everything=status == EVERYTHING,
        private=bool(visit.query("private")),
    )


def _listed(visit: Visit, filters: Filters, entity: EntityId | None, moment: Timeline) -> Found:
    """A page of what the ledger has, the last recorded first."""
    before = visit.query("before")
    if before and not (before.isascii() and before.isdigit() and len(before) <= 18):
        raise InvalidArgument(field="before", problem="unknown")
    listed = visit.house.browsing.memories(
        Wanted(
            entities=(entity,) if entity else (),
            domain=filters.domain or None,
            kind=filters.kind,
            levels=() if filters.level is None else (filters.level,),
            provenance=filters.provenance,
            status=filters.status,
            everything=filters.everything,
            on_request=filters.private or bool(filters.domain or entity),
        ),
        moment.as_of,
        before=int(before) if before else None,
        limit=PAGE + 1,
    )
    page = listed[:PAGE]
    versions = visit.house.reader.versions([one.memory for one in page])
    telling = Telling(visit, moment.as_of)
    return Found(
        tuple(telling.told(versions[one.memory]) for one in page if one.memory in versions),
        {"before": str(page[-1].seq)} if len(listed) > PAGE else None,
    )


def _searched(visit: Visit, filters: Filters, entity: EntityId | None, moment: Timeline) -> Found:
    """The answers to a question, best first, as the owner's own view has them."""
    house, asked = visit.house, {**filters.parameters, **moment.query}
    cursors = Cursors(
        read_key(house.settings.keys_dir, "cursor"), house.clock, house.parameters.limits.cursor_seconds
    )
    view = View(level=Level.S3, owner=True, language=visit.language)
    given = visit.query("cursor")
    cursor = cursors.read(given, _CONSOLE, "memories", asked) if given else None
    telling = Telling(visit, moment.as_of)
    found: list[Told] = []
    notices: list[str] = []
    verdict = ""
    for _ in range(_TURNS_MAX):
        answer = house.reading.recall(
            view,
            RecallArguments(
                query=filters.query,
                # What is served on request only is reached by naming what it is about.
                about=(entity,) if entity else (filters.domain,) if filters.domain else (),
                domains=(filters.domain,) if filters.domain and entity else (),
                kinds=(filters.kind.value,) if filters.kind else (),
                valid_at=moment.valid.asked or None,
                known_at=moment.known.asked or None,
                cursor=cursor,
            ),
        )
        ids = [MemoryId(item["id"]) for item in answer["items"]]
        versions = house.reader.versions(ids)
        found += [
            one
            for memory in ids
            if memory in versions and _passes(one := telling.told(versions[memory]), filters)
        ]
        if not verdict:
            verdict = str(answer["verdict"])
            # The verdict itself is told in words that are not an assistant's.
            spoken = say(f"notice.{verdict}", visit.language) if verdict != Verdict.CERTAIN else ""
            notices = [notice for notice in answer["notices"] if notice != spoken]
        cursor = answer["next_cursor"]
        if cursor is None or len(found) >= house.parameters.budget.page_items:
            break
    following = None if cursor is None else {"cursor": cursors.make(cursor, _CONSOLE, "memories", asked)}
    return Found(tuple(found), following, tuple(map(visit.t.spaced, notices)), verdict)


def _passes(one: Told, filters: Filters) -> bool:
    memory, state = one.memory, one.version.state
    return (
        filters.level in (None, state.level)
        and filters.provenance in (None, memory.provenance)
        and filters.status in (None, one.status)
    )


PAGES = (Page("/memories", get=memories),)
