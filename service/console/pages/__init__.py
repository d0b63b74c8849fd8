"""The pages, by subject; the order is that of the menu."""

from __future__ import annotations

from service.console.pages import (
    amending,
    arbitrations,
    consent,
    declare,
    entities,
    graph,
    home,
    log,
    memories,
    memory,
    passkeys,
    preview,
    proposals,
    reviews,
    runs,
    settings,
    signing,
    tools,
)
from service.console.site import Page

PAGES: tuple[Page, ...] = (
    *signing.PAGES,
    *consent.PAGES,
    *home.PAGES,
    *arbitrations.PAGES,
    *reviews.PAGES,
    *proposals.PAGES,
    *memories.PAGES,
    *memory.PAGES,
    *amending.PAGES,
    *graph.PAGES,
    *entities.PAGES,
    *declare.PAGES,
    *passkeys.PAGES,
    *tools.PAGES,
    *preview.PAGES,
    *log.PAGES,
    *runs.PAGES,
    *settings.PAGES,
)
"""Every page of the console."""
