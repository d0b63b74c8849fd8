"""Names to register: who is named and unknown, registered or told to be somebody known, and what comes of it."""

from __future__ import annotations

import pytest

from policies.directives import Verb
from policies.terms import EntityType, Level, Outcome, ProposalId
from tests.support.browser_forms import Browser, Shown
from tests.support.console import Console
from tests.support.furnishing import run


@pytest.fixture(scope="module", autouse=True)
def registered(console: Console) -> None:
    console.direct(Verb.REGISTER, name="Louis Martin", type="person", owner=True)
    console.direct(Verb.REGISTER, name="Claire Martin", type="person")


def named(console: Console, *statements: str, tool: str = "claude") -> list[ProposalId]:
    """Proposals refused for want of a name."""
    proposals = [console.propose(statement, tool=tool) for statement in statements]
    run(console)
    for view in console.house.inbox.view(ids=proposals, limit=len(proposals)):
        assert view.outcome is not None
        assert view.outcome.reason == "name.unregistered"
    return proposals


def card(page: Shown, key: str, action: str) -> dict[str, str | list[str]]:
    """The fields of the form about one name."""
    (form,) = [form for form in page.forms if form.action == action and form.fields.get("key") == [key]]
    return dict(form.fields)


def test_without_any_unknown_name_the_page_says_so(browser: Browser) -> None:
    assert "No name waits." in browser.get("/reviews").text
    assert "No name has been answered yet." in browser.get("/reviews?show=answered").text
    assert browser.get("/reviews/nobody").status == 404


def test_a_name_is_registered_with_one_click_and_what_named_it_is_taken_up(
    console: Console, browser: Browser
) -> None:
    named(console, "Zoltan Kovacs is a friend of Louis Martin.", "Zoltan Kovacs lives in Szeged.")
    page = browser.get("/reviews")
    assert "1 name waits." in page.text
    assert "named by 2 proposals · claude" in page.text
    assert "Zoltan Kovacs lives in Szeged." in page.text
    assert "Up to 2 proposals are taken up again." in page.text
    form = card(page, "zoltan kovacs", "/reviews/register")
    assert form["type"] == ["person"], "as the text makes it"
    page = browser.send(page, "/reviews/register", **form)
    assert "/reviews/zoltan%20kovacs?done=name_registered" in page.url
    (entity,) = console.house.reader.registry().named("Zoltan Kovacs")
    assert entity.type is EntityType.PERSON
    run(console)
    page = browser.get("/reviews/zoltan%20kovacs")
    assert page.text.count("It is a memory now.") == 2
    assert f"/entities/{entity.id}" in page.links
    assert "Zoltan Kovacs" in browser.get("/reviews?show=answered").text
    assert "No name waits." in browser.get("/reviews").text


def test_a_name_may_be_registered_otherwise_than_it_was_said(console: Console, browser: Browser) -> None:
    named(console, "Mme Lefort is a colleague of Louis Martin.")
    page = browser.get("/reviews")
    keys = [form.fields["key"][0] for form in page.forms if form.action == "/reviews/register"]
    form = card(page, keys[0], "/reviews/register")
    typed = {"name": "Hélène Lefort", "aliases": "H. Lefort; Léna", "level": "S2", "type": "person"}
    browser.send(page, "/reviews/register", **{**form, **typed})
    (entity,) = console.house.reader.registry().named("Hélène Lefort")
    assert {"H. Lefort", "Léna"} < set(entity.aliases)
    assert entity.level is Level.S2
    assert console.house.reader.registry().named(keys[0]) == (entity,), "by the name that was said too"
    page = browser.get(f"/reviews/{keys[0]}")
    assert "Hélène Lefort" in page.text
    assert "the name is still unknown" in page.text, "claude does not see that far"


def test_a_name_may_be_another_one_of_somebody_registered(console: Console, browser: Browser) -> None:
    (proposal,) = named(console, "Clara Dubois-Martin moved to Lille in 2024.")
    page = browser.get("/reviews")
    key = next(form.fields["key"][0] for form in page.forms if form.action == "/reviews/alias")
    form = card(page, key, "/reviews/alias")
    nobody = browser.send(page, "/reviews/alias", **{**form, "entity": "Nobody Atall"})
    assert nobody.status == 403
    assert "Nothing in your registry answers to this name." in nobody.text
    assert 'value="Nobody Atall"' in nobody.html, "what was typed is still there"
    page = browser.send(nobody, "/reviews/alias", **{**form, "entity": "Claire Martin"})
    assert "name_aliased" in page.url
    claire = console.house.reader.registry().named("Claire Martin")[0]
    assert claire.id in {one.id for one in console.house.reader.registry().named(key)}
    run(console)
    page = browser.get(f"/proposals/{proposal}")
    assert "How it went on" in page.text
    assert "Taken up again" in page.text


def test_a_name_that_is_nobodys_is_not_asked_about_again_until_it_is_registered(
    console: Console, browser: Browser
) -> None:
    named(console, "Rufus Holm lives in Oslo.")
    page = browser.get("/reviews")
    page = browser.send(page, "/reviews/dismiss", **card(page, "rufus holm", "/reviews/dismiss"))
    assert "You are not asked about this name again." in page.text
    named(console, "Rufus Holm likes chess.")
    assert "Rufus Holm" not in browser.get("/reviews").text
    assert "You chose not to be asked about this name." in browser.get("/reviews?show=answered").text
    page = browser.get("/reviews/rufus%20holm")
    assert not [form for form in page.forms if form.action == "/reviews/dismiss"]
    page = browser.send(
        page, "/reviews/register", **{**card(page, "rufus holm", "/reviews/register"), "type": "person"}
    )
    run(console)
    assert browser.get("/reviews/rufus%20holm").text.count("It is a memory now.") == 2


def test_a_registration_that_lacks_something_is_shown_again(console: Console, browser: Browser) -> None:
    named(console, "Anouk Weber sent the contract.")
    page = browser.get("/reviews")
    form = card(page, "anouk weber", "/reviews/register")
    again = browser.send(page, "/reviews/register", **{**form, "type": "", "aliases": "Nouk"})
    assert again.status == 400
    assert "Type: this is needed." in again.text
    assert 'value="Nouk"' in again.html


def test_names_are_paged(console: Console, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.console.pages.reviews.PAGE", 1)
    named(console, "Ivo Santos sent the contract.")
    page = browser.get("/reviews")
    assert "Ivo Santos" in page.text
    assert "Anouk Weber" not in page.text
    (following,) = [link for link in page.links if link.startswith("/reviews?after=")]
    assert "Anouk Weber" in browser.get(following).text


def test_the_pages_speak_french(console: Console) -> None:
    named(console, "Bruno Klein est un ami de Louis Martin.")
    with console.owners("fr") as browser:
        page = browser.get("/reviews")
        assert "nommé par 1 proposition" in page.text
        page = browser.send(page, "/reviews/register", **card(page, "bruno klein", "/reviews/register"))
        assert "Inscrit. Ce qui attendait ce nom est repris" in page.text
    run(console)
    outcome = console.house.inbox.view(limit=1)[0].outcome
    assert outcome is not None
    assert outcome.outcome is Outcome.COMMITTED
