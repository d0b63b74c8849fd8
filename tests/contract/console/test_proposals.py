"""The inbox: what was proposed and directed, filtered, told of one by one, and adopted as one's own."""

from __future__ import annotations

import pytest

from policies.directives import Verb
from policies.terms import Instant, Outcome, ProposalId, Provenance
from tests.support.browser_forms import Browser, Shown
from tests.support.console import Console
from tests.support.furnishing import run


@pytest.fixture(scope="module")
def settled(console: Console) -> dict[str, ProposalId]:
    """A proposal of every outcome, by two assistants, and directives beside."""
    console.direct(Verb.REGISTER, name="Louis Martin", type="person", owner=True)
    console.direct(Verb.DECLARE, text="I prefer tea.")
    found = {
        "committed": console.propose("The kettle holds a litre.", words="the kettle holds a litre"),
        "duplicate": console.propose("I prefer tea."),
        "rejected": console.propose("Louis Martin seems depressed lately.", tool="cursor"),
        "unregistered": console.propose("Zoltan Kovacs is a friend of Louis Martin."),
        "needs_owner": console.propose("Always answer in French.", tool="cursor", kind="rule"),
    }
    run(console)
    found["error"] = console.propose("The lamp is broken.")
    house = console.house
    later = Instant(house.clock.now() + 10**12)
    house.committer.postpone(found["error"], "classifier.unavailable", later, house.clock.now())
    found["pending"] = console.propose("The door is green.")
    return found


def listed(page: Shown, settled: dict[str, ProposalId]) -> set[str]:
    """Which of the proposals a page lists."""
    return {name for name, one in settled.items() if any(link.endswith(one) for link in page.links)}


def test_an_empty_inbox_says_what_fills_it(browser: Browser, console: Console) -> None:
    if not console.house.inbox.view(limit=1):
        assert "Nothing was proposed yet." in browser.get("/proposals").text


def test_everything_is_listed_with_what_became_of_it_and_why(
    browser: Browser, settled: dict[str, ProposalId]
) -> None:
    page = browser.get("/proposals")
    assert listed(page, settled) == set(settled)
    for told in (
        "It was known already",
        "It infers somebody's health or state of mind.",
        "Your registry does not know this name yet: Zoltan Kovacs.",
        "The language model did not answer.",
        "waits for curation",
    ):
        assert told in page.text
    assert f"/arbitrations/{settled['needs_owner']}" in page.links, "where it is settled"


@pytest.mark.parametrize(
    ("outcome", "names"),
    [
        ("pending", {"pending"}),
        ("error", {"error"}),
        ("needs_owner", {"needs_owner"}),
        ("committed", {"committed"}),
        ("duplicate", {"duplicate"}),
        ("rejected", {"rejected", "unregistered"}),
    ],
)
def test_the_list_is_filtered_by_outcome(
    browser: Browser, settled: dict[str, ProposalId], outcome: str, names: set[str]
) -> None:
    assert listed(browser.get(f"/proposals?outcome={outcome}"), settled) == names


def test_the_list_is_filtered_by_who_proposed(
    console: Console, browser: Browser, settled: dict[str, ProposalId]
) -> None:
    cursor = next(one for one in console.house.grants().listed() if one.name == "cursor")
    page = browser.get(f"/proposals?tool={cursor.id}")
    assert listed(page, settled) == {"rejected", "needs_owner"}
    page = browser.get("/proposals?tool=you&outcome=committed")
    assert listed(page, settled) == set()
    assert "Louis Martin" in page.text
    assert "Nothing here is like that." in browser.get(f"/proposals?tool={cursor.id}&outcome=pending").text
    assert browser.get("/proposals?outcome=lost").status == 400


def test_the_list_is_paged_whatever_it_is_filtered_by(
    browser: Browser, settled: dict[str, ProposalId], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.console.pages.proposals.PAGE", 1)
    page, found, asked = browser.get("/proposals?outcome=rejected"), list[str](), 0
    while True:
        found += listed(page, settled)
        asked += 1
        following = [link for link in page.links if "after=" in link]
        if not following:
            break
        page = browser.get(following[0])
    assert found == ["unregistered", "rejected"]
    assert asked <= 3


def test_one_proposal_is_told_with_its_words_and_the_memory_it_became(
    browser: Browser, settled: dict[str, ProposalId]
) -> None:
    page = browser.get(f"/proposals/{settled['committed']}")
    for told in ("The kettle holds a litre.", "the kettle holds a litre", "claude", "S1 everyday"):
        assert told in page.text
    assert any(link.startswith("/memories/mem:") for link in page.links)
    assert "Say it myself" not in page.text
    page = browser.get(f"/proposals/{settled['duplicate']}")
    assert "The memory that says it already" in page.text
    page = browser.get(f"/proposals/{settled['unregistered']}")
    assert "/reviews/zoltan%20kovacs" in page.links
    page = browser.get(f"/proposals/{settled['needs_owner']}")
    assert f"/arbitrations/{settled['needs_owner']}" in page.links
    assert "rule for assistants" in page.text
    page = browser.get(f"/proposals/{settled['pending']}")
    assert "until the next curation" in page.text
    assert "/runs" in page.links
    assert browser.get("/proposals/prop:none").status == 404


def test_what_was_passed_is_told_in_words_whatever_its_order(console: Console, browser: Browser) -> None:
    tied = {"object": "Acme", "predicate": "works_for", "subject": "Louis Martin"}
    proposal = console.propose(
        "Louis Martin worked at Acme.",
        tool="cursor",
        relation=tied,
        valid_from="2021-03",
        valid_to="2024",
        domains=["work"],
    )
    text = browser.get(f"/proposals/{proposal}").text
    assert "Relation Louis Martin works for Acme" in text
    assert "True from March 2021" in text
    assert "No longer true from 2025" in text, "the end of a year is the beginning of the next"
    assert "Domains work" in text


def test_a_directive_is_told_too(console: Console, browser: Browser, settled: dict[str, ProposalId]) -> None:
    directives = console.house.inbox.view(directives=True, limit=50)
    owner = next(view.proposal.id for view in directives if view.proposal.payload.get("owner"))
    assert "Owner yes" in browser.get(f"/proposals/{owner}").text
    done = console.direct(Verb.REGISTER, name="Acme", type="organisation", aliases=["Acme Corp"])
    page = browser.get(f"/proposals/{done.proposal}")
    assert "Something you asked for" in page.text
    for told in ("Acme", "Acme Corp", "organisation", "recorded"):
        assert told in page.text


def test_a_proposal_refused_wrongly_is_adopted_as_the_owners_own(
    console: Console, browser: Browser, settled: dict[str, ProposalId]
) -> None:
    refused = settled["rejected"]
    page = browser.get(f"/proposals/{refused}")
    (link,) = [link for link in page.links if link.startswith("/declare?from=")]
    page = browser.get(link)
    assert "Starting from what cursor proposed" in page.text
    assert page.form("/declare").fields["text"] == ["Louis Martin seems depressed lately."]
    page = browser.send(page, "/declare", text="I sleep badly in winter.")
    assert "Declared: it is a memory now." in page.text
    memory = page.url.split("/memories/")[1].split("?")[0]
    found = next(iter(console.house.reader.versions([memory]).values())).memory  # pyright: ignore[reportArgumentType]
    assert (found.text, found.provenance) == ("I sleep badly in winter.", Provenance.ATTESTED)
    assert found.proposed_by is None
    outcome = console.house.inbox.view(ids=[refused], limit=1)[0].outcome
    assert outcome is not None
    assert outcome.outcome is Outcome.REJECTED, "what was refused stays refused"


def test_the_pages_speak_french(console: Console, settled: dict[str, ProposalId]) -> None:
    with console.owners("fr") as browser:
        assert "vous attend" in browser.get("/proposals").text
        assert "La faire vôtre" in browser.get(f"/proposals/{settled['rejected']}").text
