"""Every page for everybody: axe-core finds nothing serious, nothing runs off a narrow screen, keys reach everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from policies.directives import Verb
from policies.lifecycle import InboxState
from service.console.pages import PAGES
from tests.browser.conftest import OpenPage
from tests.support.console import Console, address_of
from tests.support.outside import packages

SERIOUS = ("serious", "critical")
ELSEWHERE = {
    "/setup/{token}",
    "/passkey/{token}",
    "/settings/passkeys",
    "/sign-in",
    "/sign-in/passkey",
    "/consent/{handle}",
    "/confirm/{proposal}",
    "/graph.json",
}
"""Pages that only something under way opens: looked at below, or where that happens; and what is no page but data."""
LOOKS = [("fr", 360, False), ("en", 1440, True), ("en", 360, True), ("fr", 1440, False)]
"""Each language at each width, light and dark."""


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, as locked in ``tests/outside``."""
    return (packages() / "axe-core" / "axe.min.js").read_text("utf-8")


def addresses(console: Console) -> Iterator[str]:
    """One address for every page that can be opened, with something to show."""
    house = console.house
    proposals = [view.proposal.id for view in house.inbox.view(state=InboxState.NEEDS_OWNER, limit=1)]
    entity = house.reader.registry().named("Claire Martin")[0].id
    memory = next(
        version.memory.id for version in house.reader.changed_since(0, 200) if entity in version.state.anchors
    )
    known = {
        "grant": house.grants().listed()[0].id,
        "proposal": proposals[0],
        "run": house.inbox.runs(limit=1)[0].id,
        "key": house.inbox.anchor_reviews(limit=1)[0].key,
    }
    for page in PAGES:
        if page.get is None or page.path in ELSEWHERE:
            continue
        subject = entity if page.path.startswith("/entities") else memory
        yield address_of(page, **known, id=subject)


def problems(page: Page, axe: str) -> list[str]:
    """What axe-core finds serious, and whether the page is wider than the screen."""
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate("async () => (await axe.run(document)).violations")
    told = [
        f"{one['id']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary'][:200]}"
        for one in found
        if one["impact"] in SERIOUS
    ]
    width, shown = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    return [*told, *([f"{width} px wide on a screen of {shown}"] if width > shown else [])]


@pytest.mark.parametrize(("language", "width", "dark"), LOOKS)
def test_nothing_serious_is_found_on_any_page(
    console: Console,
    owners: OpenPage,
    axe: str,
    screenshots: Path,
    language: str,
    width: int,
    dark: bool,
) -> None:
    page = owners(language, width, dark=dark)
    found: dict[str, list[str]] = {}
    for address in addresses(console):
        answer = page.goto(address)
        assert answer is not None
        name = re.sub(r"\W+", "-", address).strip("-")[:40] or "home"
        page.screenshot(path=screenshots / f"{name}-{language}-{width}.png", full_page=True)
        bad = problems(page, axe) + ([] if answer.ok else [f"status {answer.status}"])
        if bad:
            found[address] = bad
    assert found == {}


@pytest.mark.parametrize(("language", "width", "dark"), LOOKS[:2])
def test_what_a_stranger_sees_is_as_good(
    visit: OpenPage, axe: str, language: str, width: int, dark: bool
) -> None:
    page = visit(language, width, dark=dark)
    for address in ("/sign-in", "/no/such/page"):
        page.goto(address)
        assert problems(page, axe) == []


def test_keys_alone_reach_the_content_and_every_control(owners: OpenPage) -> None:
    page = owners()
    page.goto("/memories")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    outlined = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outlined == "solid"


def test_nothing_moves_for_who_asked_for_stillness(console: Console, owners: OpenPage) -> None:
    console.direct(Verb.DECLARE, text="I like sorrel soup.", domains=["food"])
    page = owners()
    page.emulate_media(reduced_motion="reduce")
    for address in ("/", "/graph", "/memories"):
        page.goto(address)
        moving = page.evaluate(
            "[...document.querySelectorAll('*')].filter((one) => {"
            " const style = getComputedStyle(one);"
            " const lasts = style.transitionDuration.split(',').some((s) => parseFloat(s) > 0);"
            " return lasts || style.animationName !== 'none';"
            "}).length"
        )
        assert moving == 0, address
