"""What one tool would be shown: its profile, its answer to a question, its pack on a topic, in exactly its view.

A preview is the owner's own reading. It is no call of the tool: its use is not counted, and the log has no line of it.
"""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from policies.errors import GrantMode, GrantRefused, MnemoError, PageUnknown
from policies.terms import Grant, GrantId
from service.console.site import Page
from service.console.visit import Visit
from service.failures import told
from service.grants import view_of
from service.reading import PackArguments, ProfileArguments, RecallArguments

_ENTITIES_SHOWN = 50


def preview(visit: Visit) -> Response:
    """The tool's own sight of the memory.

    Raises:
        PageUnknown: there never was such a grant.
    """
    house = visit.house
    grant = house.store.grants.grant(GrantId(visit.path("grant")))
    if grant is None:
        raise PageUnknown
    language = grant.language or house.settings.facts.lang
    characters = house.parameters.limits.query_characters
    query, topic = (visit.query(name).strip()[:characters] for name in ("query", "topic"))
    refusal = _refusal(visit, grant)
    return visit.page(
        "preview.html",
        tool=grant,
        spoken=language,
        refusal=None if refusal is None else told(refusal, language),
        query=query,
        topic=topic,
        characters=characters,
        answers={} if refusal is not None else _answers(visit, grant, language, query, topic),
        entities_shown=_ENTITIES_SHOWN,
    )


def _refusal(visit: Visit, grant: Grant) -> MnemoError | None:
    """What it would be told instead of any answer."""
    ended = grant.expires_at is not None and grant.expires_at <= visit.house.clock.now()
    if grant.revoked_at is not None or ended:
        return GrantRefused()
    return None if grant.may_read else GrantMode()


def _answers(visit: Visit, grant: Grant, language: str, query: str, topic: str) -> dict[str, Any]:
    """What the tools would answer: the very same reading, with the view of the grant."""
    house = visit.house
    view, reading = view_of(grant, language, house.parameters), house.reading
    tokens = house.parameters.budget.pack_tokens_default
    return {
        "profile": reading.profile(view, ProfileArguments(scope=grant.scope)),
        "recall": reading.recall(view, RecallArguments(query=query)) if query else None,
        "pack": reading.context_pack(view, PackArguments(topic=topic, max_tokens=tokens)) if topic else None,
    }


PAGES = (Page("/tools/{grant}/preview", get=preview),)
