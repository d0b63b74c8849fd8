"""The pages, by subject; the order is that of the menu."""

from __future__ import annotations

from service.console.pages import home, passkeys, settings, signing
from service.console.site import Page

PAGES: tuple[Page, ...] = (*signing.PAGES, *home.PAGES, *passkeys.PAGES, *settings.PAGES)
"""Every page of the console."""
