from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.chromium import Place, chromium, place
from tests.support.console import PASSPHRASE, Console, open_console
from tests.support.furnishing import furnish
from tests.support.service_fixtures import OpenEngine

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def console(open_engine: OpenEngine) -> Iterator[Console]:
    """The console of a store with people, memories, arbitrations, a name to register and a connected tool."""
    settings, engine = open_engine("arcadedb")
    with open_console(settings, engine) as console:
        furnish(console)
        yield console


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The https callback of a client on the web."""
    with place(tmp_path_factory.mktemp("tls"), "claude.ai") as found:
        yield found


@pytest.fixture(scope="module")
def browser(remote: Place) -> Iterator[Browser]:
    """A real Chromium, for which ``claude.ai`` is ``remote``.

    It ends with its module: while it is driven, an event loop runs, and other tests run loops of their own.
    """
    with chromium(f"MAP claude.ai:443 127.0.0.1:{remote.port}") as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, console: Console) -> Iterator[OpenPage]:
    """Opens pages in a fresh profile: somebody who has not signed in."""
    with ExitStack() as stack:

        def opened(language: str = "en", width: int = 1440, *, dark: bool = False) -> Page:
            context = browser.new_context(
                base_url=console.address,
                locale=language,
                viewport={"width": width, "height": 900},
                color_scheme="dark" if dark else "light",
                ignore_https_errors=True,
            )
            stack.callback(context.close)
            context.set_default_timeout(20_000)
            return context.new_page()

        yield opened


@pytest.fixture
def owners(visit: OpenPage) -> OpenPage:
    """The same, signed in as the owner."""

    def opened(language: str = "en", width: int = 1440, *, dark: bool = False) -> Page:
        page = visit(language, width, dark=dark)
        page.goto("/sign-in")
        page.fill("input[name=passphrase]", PASSPHRASE)
        page.click("main form:has(input[name=passphrase]) button")
        page.wait_for_url("**/")
        return page

    return opened


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pages are pictured, to be looked at by eye."""
    return tmp_path_factory.mktemp("screenshots")
