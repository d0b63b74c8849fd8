"""The overview: first steps in an empty store; then what waits, what there is, and whether all is well."""

from __future__ import annotations

import re

import pytest

from policies.directives import Verb
from policies.terms import Instant
from tests.support.browser_forms import Browser, Shown
from tests.support.console import Console
from tests.support.furnishing import furnish


def figure(page: Shown, href: str) -> str:
    """What a card of the page says, which leads somewhere."""
    found = re.search(rf'<a class="card waits" href="{re.escape(href)}">(.*?)</a>', page.html, re.DOTALL)
    assert found is not None, page.text
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def test_an_empty_store_says_what_to_do_first(browser: Browser) -> None:
    page = browser.get("/")
    assert "First steps" in page.text
    assert "Nothing waits for you." in page.text
    assert {"/tools", "/entities/new", "/declare"} <= set(page.links)
    assert "0 memories" in page.text
    assert "at work" in page.text
    assert "1 Dec 2026, 03:00" in page.text


@pytest.fixture(scope="module")
def furnished(console: Console) -> Console:
    furnish(console)
    return console


def test_what_waits_is_counted_and_leads_to_where_it_is_settled(furnished: Console, browser: Browser) -> None:
    page = browser.get("/")
    assert "First steps" not in page.text
    assert figure(page, "/arbitrations") == "3 proposals to rule on"
    assert figure(page, "/reviews") == "1 name to register"
    assert "/proposals?outcome=error" not in page.html
    failed = furnished.propose("The lamp is broken.")
    house = furnished.house
    later = Instant(house.clock.now() + 10**12)
    house.committer.postpone(failed, "classifier.unavailable", later, house.clock.now())
    page = browser.get("/")
    assert figure(page, "/proposals?outcome=error").startswith("1 proposal met an error")


def test_what_there_is_is_counted_by_level_and_domain(furnished: Console, browser: Browser) -> None:
    page = browser.get("/")
    assert "8 memories" in page.text
    levels = dict(re.findall(r'level=(S\d)">[^<]+</a></th><td class="number">(\d+)', page.html))
    tally = furnished.house.reader.tally()
    assert levels == {
        f"S{level}": str(sum(one.memories for one in tally if one.level == level)) for level in range(4)
    }
    domains = dict(re.findall(r'domain=(\w+)">[^<]+</a></th><td class="number">(\d+)', page.html))
    assert domains["health"] == "1"
    assert domains["work"] == str(sum(one.memories for one in tally if "work" in one.domains))
    assert "2 connected assistants" in page.text
    assert "not used yet" in page.text
    assert "8 names in the registry" in page.text


def test_the_last_run_and_the_last_outcomes_are_told(furnished: Console, browser: Browser) -> None:
    page = browser.get("/")
    assert "the ledger is sound" in page.text
    assert any(link.startswith("/runs/run:") for link in page.links)
    assert "Louis Martin seems depressed lately." in page.text
    assert "waits for you" in page.text


def test_every_link_of_the_overview_leads_somewhere(furnished: Console, browser: Browser) -> None:
    for link in set(browser.get("/").links):
        if link.startswith("/"):
            assert browser.get(link).status == 200, link


def test_one_of_something_is_told_as_one(furnished: Console, browser: Browser) -> None:
    furnished.direct(Verb.DECLARE, text="I prefer tea to coffee.")
    assert "9 memories" in browser.get("/").text
    with furnished.owners("fr") as other:
        page = other.get("/")
        assert "9 souvenirs" in page.text
        assert figure(page, "/reviews") == "1 nom à inscrire"
        assert "Tout va-t-il bien" in page.text
