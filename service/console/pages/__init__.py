"""The pages, by subject; the order is that of the menu."""

from __future__ import annotations

from service.console.pages import (
    consent,
    entities,
    graph,
    home,
    log,
    memories,
    memory,
    passkeys,
    preview,
    settings,
    signing,
    tools,
)
from service.console.site import Page

PAGES: tuple[Page, ...] = (
    *signing.PAGES,
    *consent.PAGES,
    *home.PAGES,
    *memories.PAGES,
    *memory.PAGES,
    *graph.PAGES,
    *entities.PAGES,
    *passkeys.PAGES,
    *tools.PAGES,
    *preview.PAGES,
    *log.PAGES,
    *settings.PAGES,
)
"""Every page of the console."""
