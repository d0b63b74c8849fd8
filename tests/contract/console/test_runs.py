"""Curation runs: the list, one run, and a run now that is watched until it is over."""

from __future__ import annotations

import pytest

from cypher.runtime import RandomIds
from policies.terms import RunId
from tests.support.browser_forms import Browser
from tests.support.console import Console
from tests.support.furnishing import run
from tests.support.waiting import eventually


def test_before_the_first_run_the_page_says_when_it_comes(browser: Browser) -> None:
    page = browser.get("/runs")
    assert "No run yet." in page.text
    assert "1 Dec 2026, 03:00" in page.text
    assert "at work" in page.text


def test_a_run_is_asked_for_and_watched_until_it_is_over(console: Console, browser: Browser) -> None:
    console.propose("Tea is served at five.")
    assert "1 proposal waits for it" in browser.get("/runs").text
    page = browser.send(browser.get("/runs"), "/runs")
    path = page.url.removeprefix(console.address)
    assert path.startswith("/runs/run:")
    eventually(lambda: "It is over" in browser.get(path).text)
    page = browser.get(path)
    assert "Refresh" not in page.response.headers
    assert "the ledger is what was recorded" in page.text
    assert "1 proposal taken up" in page.text
    assert "Tea is served at five." in page.text
    page = browser.get("/runs")
    assert path in page.links
    assert "recorded: 1" in page.text


def test_a_run_that_is_under_way_is_looked_at_again_unless_the_owner_holds_the_page_still(
    console: Console, browser: Browser
) -> None:
    running = console.house.committer.begin_run(RunId("run:under-way"), console.house.clock.now())
    page = browser.get(f"/runs/{running.id}")
    assert page.response.headers["Refresh"] == "2"
    assert "It is under way." in page.text
    assert "Refresh" not in browser.get(f"/runs/{running.id}?still=1").response.headers
    assert "It is under way." in browser.get("/runs").text
    summary: dict[str, object] = {"counts": {}, "findings": ["entry 3 was changed"], "outcomes": []}
    console.house.committer.finish_run(running.id, summary, console.house.clock.now())
    page = browser.get(f"/runs/{running.id}")
    assert "1 finding" in page.text
    assert "entry 3 was changed" in page.text
    assert "Nothing waited for this run." in page.text


def test_what_a_run_settled_is_paged(
    console: Console, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.console.pages.runs.OUTCOMES_PAGE", 2)
    monkeypatch.setattr("service.console.pages.runs.PAGE", 1)
    for number in ("one", "two", "three"):
        console.propose(f"Shelf {number} holds books.")
    run(console)
    page = browser.get("/runs")
    assert sum(link.startswith("/runs/run:") for link in page.links) == 1
    assert any(link.startswith("/runs?after=run:") for link in page.links)
    last = next(link for link in page.links if link.startswith("/runs/run:"))
    page = browser.get(last)
    assert page.text.count("holds books") == 2
    page = browser.get(next(link for link in page.links if link == f"{last}?page=2"))
    assert page.text.count("holds books") == 1
    assert f"{last}?page=1" in page.links


def test_a_run_that_does_not_exist_is_told(browser: Browser) -> None:
    assert browser.get(f"/runs/{RandomIds().new('run')}").status == 404


def test_the_pages_speak_french(console: Console) -> None:
    with console.owners("fr") as browser:
        assert "Prochain passage prévu" in browser.get("/runs").text
        page = browser.send(browser.get("/runs"), "/runs")
        eventually(lambda: "Il est fini" in browser.get(page.url.removeprefix(console.address)).text)
