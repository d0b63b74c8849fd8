"""The registry in the console: each change says what it will do, and is carried out by the curator."""

from __future__ import annotations

import pytest

from policies.directives import Verb
from policies.terms import Entity, EntityId, Level
from service.console.pages import entities
from tests.support.browser_forms import Browser
from tests.support.console import Console

NAMES = (
    ("Anne Roy", "person"),
    ("Annie Roy", "person"),
    ("Paul Durand", "person"),
    ("Acme", "organisation"),
)


@pytest.fixture(scope="module")
def furnished(console: Console) -> Console:
    """A store of a few names, and two memories."""
    console.direct(Verb.REGISTER, name="Louis Martin", type="person", owner=True)
    for name, kind in NAMES:
        console.direct(Verb.REGISTER, name=name, type=kind)
    console.direct(Verb.DECLARE, text="Paul Durand works at Acme.")
    console.direct(Verb.DECLARE, text="Annie Roy likes rowing.")
    return console


def one(console: Console, name: str) -> Entity:
    """The entity that bears a name itself."""
    found = [each for each in console.house.reader.registry().entities.values() if each.name == name]
    return found[0]


def path(console: Console, name: str) -> str:
    return f"/entities/{one(console, name).id}"


def test_names_are_listed_with_what_is_known_of_them(furnished: Console, browser: Browser) -> None:
    page = browser.get("/entities")
    assert "5 names" in page.text
    assert "Louis Martin you person S0" in page.text
    assert "Paul Durand person S1 1" in page.text
    assert f"/memories?entity={one(furnished, 'Paul Durand').id}" in page.links


def test_the_list_is_filtered_by_name_without_regard_to_accents_and_by_type(
    furnished: Console, browser: Browser
) -> None:
    assert "2 names" in browser.get("/entities?q=róy").text
    page = browser.get("/entities?type=organisation")
    assert "1 name" in page.text
    assert "Acme" in page.text
    page = browser.get("/entities?q=Nobody")
    assert "/entities/new?name=Nobody&type=" in page.links
    assert browser.get("/entities?type=planet").status == 400
    assert browser.get("/entities?page=0").text == browser.get("/entities").text


def test_a_name_is_registered_with_its_other_names(furnished: Console, browser: Browser) -> None:
    page = browser.get("/entities/new?name=Lisbon&type=place")
    assert page.form("/entities/new").fields["name"] == ["Lisbon"]
    assert "What waited for this name is taken up again." in page.text
    page = browser.send(page, "/entities/new", aliases="Lisbonne\r\n \r\nLisboa", level="S1")
    assert "It is registered." in page.text
    lisbon = one(furnished, "Lisbon")
    assert (lisbon.aliases, lisbon.level) == (("Lisbonne", "Lisboa"), Level.S1)


def test_a_registration_that_lacks_something_is_shown_again_with_what_was_typed(
    furnished: Console, browser: Browser
) -> None:
    page = browser.send(browser.get("/entities/new"), "/entities/new", name="Rome", type="")
    assert page.status == 400
    assert page.form("/entities/new").fields["name"] == ["Rome"]


def test_an_entity_tells_its_names_relations_and_memories(furnished: Console, browser: Browser) -> None:
    page = browser.get(path(furnished, "Paul Durand"))
    assert "Paul Durand works for Acme" in page.text
    assert "1 memory about it" in page.text
    assert path(furnished, "Acme") in page.links
    assert f"/graph?focus={one(furnished, 'Paul Durand').id}" in page.links
    with furnished.owners("fr") as french:
        assert "travaille pour" in french.get(path(furnished, "Acme")).text
    for wrong in ("/entities/ent:nobody", "/entities/ent:nobody/merge"):
        assert browser.get(wrong).status == 404


def test_an_alias_is_added_and_a_name_it_has_changes_nothing(furnished: Console, browser: Browser) -> None:
    where = path(furnished, "Acme")
    page = browser.send(browser.get(where), f"{where}/alias", alias="Acme Corp")
    assert "It answers to that name too." in page.text
    assert "Acme, Acme Corp" in page.text
    page = browser.send(page, f"{where}/alias", alias="acme corp")
    assert "nothing had to be changed" in page.text


def test_a_level_reaches_the_memories_at_once(furnished: Console, browser: Browser) -> None:
    where = path(furnished, "Paul Durand")
    page = browser.get(where)
    assert "This reaches 1 memory at once." in page.text
    page = browser.send(page, f"{where}/level", level="S2")
    assert "It has that level now." in page.text
    assert one(furnished, "Paul Durand").level is Level.S2
    assert "S2 private" in browser.get("/memories?entity=Acme").text
    refused = browser.send(page, f"{where}/level", level="S7")
    assert refused.status == 400
    assert "Relations" in refused.text


def test_a_merge_is_shown_before_it_is_made_and_can_be_undone(furnished: Console, browser: Browser) -> None:
    anne, annie = path(furnished, "Anne Roy"), path(furnished, "Annie Roy")
    page = browser.get(f"{anne}/merge")
    assert "These share a word of their names" in page.text
    page = browser.get(f"{anne}/merge?with=Annie Roy")
    assert "From then on, “Annie Roy” means Anne Roy." in page.text
    assert "1 memory is found under it." in page.text
    page = browser.send(page, f"{anne}/merge", keep="this")
    assert page.url.split("?")[0].endswith(anne)
    assert "They are one now." in page.text
    assert "Undo the merge of Annie Roy" in page.text
    assert "1 memory about it" in page.text
    assert "Annie Roy · merged into it" in browser.get("/entities").text
    merged = browser.get(annie)
    assert "Merged into Anne Roy" in merged.text
    assert "It is merged already" in browser.get(f"{annie}/merge").text
    page = browser.send(merged, f"{annie}/unmerge")
    assert "It is one of its own again." in page.text
    assert one(furnished, "Annie Roy").merged_into is None


def test_a_merge_needs_to_know_with_whom_and_under_which_name(furnished: Console, browser: Browser) -> None:
    anne = path(furnished, "Anne Roy")
    page = browser.get(f"{anne}/merge?with=Annie Roy")
    assert browser.send(page, f"{anne}/merge").status == 400
    assert browser.send(page, f"{anne}/merge", keep="this", other="Nobody").status == 404
    assert "is called “Nobody”" in browser.get(f"{anne}/merge?with=Nobody").text


def test_the_owner_is_merged_into_nobody(furnished: Console, browser: Browser) -> None:
    page = browser.get(f"{path(furnished, 'Anne Roy')}/merge?with=Louis Martin")
    assert "means Louis Martin" in page.text
    assert "means Anne Roy" not in page.text


def test_two_that_are_to_stay_apart_are_merged_no_more(furnished: Console, browser: Browser) -> None:
    anne = path(furnished, "Anne Roy")
    page = browser.get(f"{anne}/merge?with=Paul Durand")
    assert "This cannot be undone." in page.text
    page = browser.send(page, f"{anne}/apart")
    assert "They will never be merged." in page.text
    assert "Never to be merged with Paul Durand" in page.text
    page = browser.get(f"{anne}/merge?with=Paul Durand")
    assert "You said that these two must never be merged." in page.text
    assert not [form for form in page.forms if form.action.endswith("/merge") and "keep" in form.fields]


def test_long_registries_are_paged(
    furnished: Console, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entities, "PAGE", 3)
    page = browser.get("/entities?type=person")
    assert "4 names" in page.text
    assert "Paul Durand" not in page.text
    rest = browser.get(next(link for link in page.links if "page=2" in link))
    assert "Paul Durand" in rest.text
    assert "/entities?type=person&page=1" in rest.links
    assert not [link for link in rest.links if "page=3" in link]


def test_an_id_is_no_way_into_another_page(furnished: Console, browser: Browser) -> None:
    assert EntityId("ent:x") not in furnished.house.reader.registry().entities
    assert browser.get("/entities/%3Cscript%3E").status == 404
