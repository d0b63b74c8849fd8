"""What the owner says themselves: declarations, corrections, retractions, reclassifications."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from typing import Any

import pytest

from cypher.machine import new_link
from policies.directives import Verb
from policies.machine_links import LinkPurpose
from policies.terms import (
    ContraRole,
    Discretion,
    Instant,
    Kind,
    Level,
    MemoryId,
    Outcome,
    Provenance,
    Version,
)
from tests.support.authenticator import Authenticator
from tests.support.browser_forms import Browser, Shown
from tests.support.console import Console
from tests.support.furnishing import run


@pytest.fixture(scope="module", autouse=True)
def registered(console: Console) -> None:
    console.direct(Verb.REGISTER, name="Louis Martin", type="person", owner=True)
    console.direct(Verb.REGISTER, name="Claire Martin", type="person")
    console.direct(Verb.REGISTER, name="Acme", type="organisation")
    console.direct(Verb.REGISTER, name="Globex", type="organisation")
    # The first text ever read takes longest: no page of a test need wait for that.
    declared(console, "Claire Martin lives in Lille.")


def version(console: Console, page: Shown) -> Version:
    """The memory whose page is shown."""
    memory = MemoryId(page.url.split("/memories/")[1].split("?")[0])
    return console.house.reader.versions([memory])[memory]


def declared(console: Console, text: str, **more: object) -> MemoryId:
    return console.direct(Verb.DECLARE, text=text, **more).memories[0]


def test_a_sentence_is_all_that_a_declaration_needs(console: Console, browser: Browser) -> None:
    page = browser.send(browser.get("/declare"), "/declare", text="I prefer the train to the plane.")
    assert "Declared: it is a memory now." in page.text
    memory = version(console, page).memory
    assert memory.text == "I prefer the train to the plane."
    assert (memory.provenance, memory.kind) == (Provenance.ATTESTED, Kind.PREFERENCE)
    page = browser.send(browser.get("/declare"), "/declare", text="I prefer the train to the plane.")
    assert "The memory knew that already" in page.text
    assert version(console, page).memory.id == memory.id


def test_everything_that_a_declaration_may_carry_is_kept(console: Console, browser: Browser) -> None:
    page = browser.send(
        browser.get("/declare"),
        "/declare",
        text="Claire runs the shop of Acme in Lille.",
        about=["Claire Martin", "Acme", ""],
        domains=["work", "family"],
        level="S2",
        discretion="on_demand",
        valid_from="2024-03",
        valid_to="2025",
        event="shop-lille",
        tags="shop, lille",
        subject="Claire Martin",
        predicate="works_for",
        object="Acme",
    )
    found = version(console, page)
    named = console.house.reader.registry().named
    claire, acme = named("Claire Martin")[0].id, named("Acme")[0].id
    assert {claire, acme} <= set(found.state.anchors)
    assert {"work", "family"} <= set(found.memory.domains)
    assert (found.state.level, found.state.discretion) == (Level.S2, Discretion.ON_DEMAND)
    assert (found.memory.event, found.memory.tags) == ("shop-lille", ("shop", "lille"))
    assert found.memory.relation is not None
    assert (found.memory.relation.subject, found.memory.relation.object) == (claire, acme)
    assert "since March 2024, until the end of 2025" in page.text


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"text": ""}, "Text: this is needed."),
        ({"text": "I row.", "valid_from": "last spring"}, "True from: this is not a date that exists."),
        ({"text": "I row.", "valid_from": "2024", "valid_to": "2023"}, "end before it begins"),
        ({"text": "I row.", "valid_to": "0001-01-01"}, "this is not a date that exists."),
        ({"text": "I row.", "valid_to": "9999"}, "this is not a date that exists."),
        ({"text": "I row.", "subject": "Acme"}, "Relation: this is needed."),
    ],
)
def test_what_cannot_be_is_told_and_what_was_typed_stays(
    browser: Browser, typed: dict[str, str], told: str
) -> None:
    page = browser.send(browser.get("/declare"), "/declare", tags="kept here", **typed)
    assert page.status in (400, 403)
    assert told in page.text
    assert page.form("/declare").fields["tags"] == ["kept here"]


def test_health_is_shown_as_it_will_be_kept_before_it_is_recorded(console: Console, browser: Browser) -> None:
    before = console.house.reader.head().seq
    page = browser.send(browser.get("/declare"), "/declare", text="I am allergic to penicillin.")
    assert "This speaks of health, or may." in page.text
    for told in ("S3 intimate", "on request only", "Nothing has been recorded yet."):
        assert told in page.text
    assert console.house.reader.head().seq == before
    page = browser.send(page, "/declare")
    assert "Declared: it is a memory now." in page.text
    found = version(console, page)
    assert (found.state.level, found.state.discretion) == (Level.S3, Discretion.ON_REQUEST_ONLY)


def test_health_that_waits_for_the_owner_is_declared_from_it_and_then_refused(
    console: Console, browser: Browser
) -> None:
    proposal = console.propose("Claire Martin has asthma.")
    run(console)
    page = browser.get(f"/declare?from={proposal}")
    form = page.form("/declare")
    assert form.fields["text"] == ["Claire Martin has asthma."]
    assert "Claire Martin" in form.fields["about"]
    assert "This speaks of health, or may." in page.text
    assert "Nothing is recorded before you declare it." in page.text
    page = browser.send(page, "/declare", text="Claire has had asthma since she was six.")
    assert page.url.endswith(f"/arbitrations/{proposal}?done=declared_then")
    assert "What it came from still waits" in page.text
    browser.send(page, f"/arbitrations/{proposal}", "reject")
    outcome = console.house.inbox.view(ids=[proposal], limit=1)[0].outcome
    assert outcome is not None
    assert outcome.reason == "ruled.reject"


def test_a_declaration_that_names_a_stranger_leads_to_registering_them(
    console: Console, browser: Browser
) -> None:
    page = browser.send(browser.get("/declare"), "/declare", text="Anouk Weber is my neighbour.")
    assert page.status == 403
    assert "Your registry does not know this name yet: Anouk Weber." in page.text
    assert "/reviews" in page.links
    console.direct(Verb.REGISTER, name="Anouk Weber", type="person")
    run(console)
    outcomes = [
        one.outcome.outcome
        for one in console.house.inbox.view(directives=True, limit=20)
        if one.proposal.payload.get("text") == "Anouk Weber is my neighbour." and one.outcome
    ]
    assert sorted(outcomes) == [Outcome.COMMITTED, Outcome.REJECTED]


def test_a_wrong_memory_is_corrected(console: Console, browser: Browser) -> None:
    wrong = declared(console, "The boiler was serviced in May 2025.")
    page = browser.get(f"/memories/{wrong}/correct")
    assert page.form(f"/memories/{wrong}/correct").fields["statement"] == [
        "The boiler was serviced in May 2025."
    ]
    assert "no assistant is served it any more" in page.text
    page = browser.send(page, f"/memories/{wrong}/correct", statement="The boiler was serviced in June 2025.")
    assert "Corrected: this stands in its place now." in page.text
    found = version(console, page).memory
    assert (found.supersedes, found.contra) == (wrong, ContraRole.CORRECTION)


def test_what_was_true_until_a_date_is_closed_there(console: Console, browser: Browser) -> None:
    old = declared(console, "Claire Martin works at Acme.")
    path = f"/memories/{old}/correct"
    typed = {"statement": "Claire Martin works at Globex.", "change": "succession"}
    first = browser.send(browser.get(path), path, effective="0001-01-01", **typed)
    wrong = browser.send(browser.get(path), path, effective="soon", **typed)
    assert first.status == wrong.status == 400
    assert "Since when: this is not a date that exists." in wrong.text
    assert wrong.form(path).fields["statement"] == ["Claire Martin works at Globex."]
    assert wrong.form(path).fields["change"] == ["succession"]
    page = browser.send(wrong, path, effective="2025-09")
    assert "the old one is closed" in page.text
    assert "since September 2025" in page.text
    assert console.house.reader.versions([old])[old].state.ended_by is ContraRole.CLOSURE


def test_a_correction_that_speaks_of_health_is_shown_as_it_will_be_kept(
    console: Console, browser: Browser
) -> None:
    wrong = declared(console, "I swim on Mondays.")
    path = f"/memories/{wrong}/correct"
    page = browser.send(browser.get(path), path, statement="I have diabetes.")
    assert "This speaks of health" in page.text
    assert console.house.reader.versions([wrong])[wrong].state.superseded_at is None
    page = browser.send(page, path)
    assert version(console, page).state.level is Level.S3


def test_a_memory_is_taken_back(console: Console, browser: Browser) -> None:
    wrong = declared(console, "The cellar is dry.")
    page = browser.get(f"/memories/{wrong}/retract")
    assert "It is served to nobody any more" in page.text
    page = browser.send(page, f"/memories/{wrong}/retract", reason="it never was")
    assert "Taken back" in page.text
    assert console.house.reader.versions([wrong])[wrong].state.ended_by is ContraRole.RETRACTION


@pytest.mark.parametrize(
    ("action", "statement", "how", "did", "form"),
    [
        ("retract", "", {"reason": "it is wrong"}, "Taken back", "/declare"),
        ("correct", "Acme sells no canoes at all.", {}, "Corrected", "/memories/{now}/correct"),
        (
            "correct",
            "Acme sells kayaks.",
            {"change": "succession", "effective": "2001"},
            "Closed",
            "/declare",
        ),
    ],
)
def test_the_owner_sees_which_assistant_undid_a_memory_and_puts_it_back_in_one_step(
    console: Console, browser: Browser, action: str, statement: str, how: dict[str, str], did: str, form: str
) -> None:
    text = f"Acme sells boats, {did.lower()}."
    memory = proposed(console, text, tool="honest")
    undoing = proposed(console, statement, tool="meddler", action=action, id=memory, **how)
    page = browser.get(f"/memories/{memory}")
    assert did in page.text
    assert "the assistant honest" in page.text
    assert "the assistant meddler" in page.text
    link = next(one for one in page.links if "?from=" in one)
    path = form.format(now=undoing)
    assert link.startswith(f"{path}?from=")
    put_back = version(console, browser.send(browser.get(link), path))
    assert (put_back.memory.text, put_back.memory.provenance) == (text, Provenance.ATTESTED)
    assert (put_back.memory.valid_to, put_back.state.superseded_at) == (None, None)


def proposed(console: Console, statement: str, **how: Any) -> MemoryId:
    """The memory that an assistant's proposal becomes."""
    proposal = console.propose(statement, **how)
    run(console)
    outcome = console.house.inbox.view(ids=[proposal], limit=1)[0].outcome
    assert outcome is not None
    return outcome.memories[-1]


def test_a_memory_is_reclassified(console: Console, browser: Browser) -> None:
    memory = declared(console, "The attic is full of puzzles.")
    path = f"/memories/{memory}/reclassify"
    page = browser.get(path)
    nothing = browser.send(page, path)
    assert nothing.status == 400
    page = browser.send(page, path, level="S3", discretion="on_demand")
    assert "Changed. It holds from the next question on." in page.text
    state = console.house.reader.versions([memory])[memory].state
    assert (state.level, state.discretion) == (Level.S3, Discretion.ON_DEMAND)


@pytest.mark.parametrize("act", ["correct", "retract", "reclassify"])
def test_an_unknown_memory_is_told_so(browser: Browser, act: str) -> None:
    assert browser.get(f"/memories/mem:none/{act}").status == 404


def test_the_pages_speak_french(console: Console) -> None:
    with console.owners("fr") as browser:
        page = browser.send(browser.get("/declare"), "/declare", text="")
        assert "Texte : il faut le remplir." in page.text.replace("\xa0", " ")
        page = browser.send(browser.get("/declare"), "/declare", text="Je préfère le thé.")
        assert "Déclaré : c'est un souvenir désormais." in page.text.replace("\xa0", " ")


def challenge_of(page: Shown, action: str) -> bytes:
    value = json.loads(page.form(action).data["options"])["challenge"]
    return urlsafe_b64decode(value + "=" * (-len(value) % 4))


def test_once_there_is_a_passkey_health_waits_for_it_and_the_overview_says_so(
    console: Console, browser: Browser
) -> None:
    house, phone = console.house, Authenticator("phone", origin=console.address)
    expires = Instant(house.clock.now() + 3_600_000_000)
    path = f"/passkey/{new_link(house.settings.keys_dir, LinkPurpose.PASSKEY, expires)}"
    page = browser.get(path)
    answer = json.dumps(phone.create(challenge_of(page, path)))
    browser.send(page, path, name="phone", passkey=answer)

    page = browser.send(browser.get("/declare"), "/declare", text="I am allergic to wasps.")
    assert "Your passkey is asked for next" in page.text
    page = browser.send(page, "/declare")
    assert "/confirm/prop:" in page.url
    confirm = page.url.removeprefix(console.address).split("?")[0]
    directive = confirm.removeprefix("/confirm/")
    home = browser.get("/")
    assert "1 thing to confirm with your passkey" in home.text
    assert confirm in home.links
    assert "to rule on" not in home.text
    assert confirm in browser.get("/arbitrations").links
    assert confirm in browser.get(f"/arbitrations/{directive}").url
    page = browser.send(page, confirm, passkey=json.dumps(phone.get(challenge_of(page, confirm))))
    assert page.url.endswith(f"/proposals/{directive}?done=passkey_confirmed")
    assert any(link.startswith("/memories/mem:") for link in page.links)
