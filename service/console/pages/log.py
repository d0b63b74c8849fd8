"""Who read what: the service log, by tool, by memory, by time. It holds no text: the words are read from the ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from cypher.service_log import ServiceLogEntry
from policies import moments
from policies.folding import fold
from policies.terms import Grant, GrantId, Instant, MemoryId, Version
from service.console.site import Page
from service.console.visit import Visit
from service.failures import sentences_of
from service.grants import CLI_GRANT, DAY_US

ON_PAGE = 50
MEMORY_DAYS = 90
"""How far back the calls that served one memory are looked for, unless asked for more: it takes reading them all."""
_PLACE = re.compile(r"\d{20} log:[a-z0-9]{1,40}")
_EXCERPT_CHARACTERS = 110
_PLACEHOLDER = re.compile(r"`?\{\w+\}`?")


@dataclass(frozen=True, slots=True)
class Served:
    """Something that a call was given."""

    id: str
    path: str
    """Its page."""
    text: str
    """How it begins, as it is now; empty when it is gone, or is no memory."""
    is_erased: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One call as the page shows it."""

    call: ServiceLogEntry
    tool: Grant | None
    """Who called; None for a grant that is not known any more."""
    refusal: str
    """Why it was refused, in words; empty when it was not."""
    served: Sequence[Served]
    view: Mapping[str, object]
    """What it might be given: level and domains."""

    @property
    def milliseconds(self) -> int:
        """How long it took."""
        return round(self.call.duration_us / 1_000)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the page is asked to show."""

    tool: GrantId | None
    memory: MemoryId | None
    since: Instant | None
    until: Instant | None
    since_day: str
    until_day: str
    after: str | None


def log(visit: Visit) -> Response:
    """The calls, the newest first, a page at a time."""
    house = visit.house
    asked = _asked(visit)
    found = house.service_log.read(
        grant=asked.tool,
        memory=asked.memory,
        since=asked.since,
        until=asked.until,
        after=asked.after,
        limit=ON_PAGE + 1,
    )
    grants = {grant.id: grant for grant in (CLI_GRANT, *house.grants.ever())}
    page = found[:ON_PAGE]
    kept = {
        "tool": asked.tool or "",
        "memory": asked.memory or "",
        "since": asked.since_day,
        "until": asked.until_day,
    }
    return visit.page(
        "log.html",
        rows=_rows(visit, page, grants),
        asked=asked,
        tools=sorted(grants.values(), key=lambda grant: (grant.revoked_at is not None, fold(grant.name))),
        cli=CLI_GRANT.id,
        about=_served(asked.memory, _versions(visit, [asked.memory])) if asked.memory else None,
        older=urlencode({**kept, "after": page[-1].place}) if len(found) > ON_PAGE else "",
        newest=urlencode(kept) if asked.after else "",
        is_filtered=any(kept.values()),
    )


def _asked(visit: Visit) -> Asked:
    memory = MemoryId(visit.query("memory").strip()) or None
    since_day, until_day = visit.query("since").strip(), visit.query("until").strip()
    after = visit.query("after")
    zone, now = visit.house.settings.zone, visit.house.clock.now()
    if memory and not since_day:
        since_day = moments.day_of(Instant(now - MEMORY_DAYS * DAY_US), zone).isoformat()
    return Asked(
        tool=GrantId(visit.query("tool")) or None,
        memory=memory,
        since=moments.parse(since_day, zone, field="since").period.start if since_day else None,
        until=moments.parse(until_day, zone, field="until").period.end if until_day else None,
        since_day=since_day,
        until_day=until_day,
        after=after if _PLACE.fullmatch(after) else None,
    )


def _rows(visit: Visit, calls: Sequence[ServiceLogEntry], grants: Mapping[GrantId, Grant]) -> list[Row]:
    versions = _versions(visit, [one for call in calls for one in call.served])
    return [
        Row(
            call=call,
            tool=grants.get(call.grant),
            refusal=_refusal(call.verdict, visit.language),
            served=[_served(one, versions) for one in call.served],
            view=json.loads(call.view),
        )
        for call in calls
    ]


def _versions(visit: Visit, ids: Sequence[MemoryId]) -> Mapping[MemoryId, Version]:
    return visit.house.reader.versions([one for one in ids if one.startswith("mem:")])


def _served(one: MemoryId, versions: Mapping[MemoryId, Version]) -> Served:
    """What was served, as it is today: the log has its id alone."""
    kind = "entities" if one.startswith("ent:") else "memories"
    version = versions.get(one)
    text = "" if version is None else " ".join(version.memory.text.split())
    if len(text) > _EXCERPT_CHARACTERS:
        text = text[: _EXCERPT_CHARACTERS - 1].rstrip() + "…"
    return Served(one, f"/{kind}/{one}", text, version is not None and version.state.erased)


def _refusal(verdict: str, language: str) -> str:
    """The sentence of an error's code, what it spoke of left out: the log does not have it."""
    sentences = sentences_of(verdict)
    return "" if sentences is None else _PLACEHOLDER.sub("…", sentences[language][0])


PAGES = (Page("/log", get=log),)
