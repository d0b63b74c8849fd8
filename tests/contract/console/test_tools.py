"""The connected tools: listed, changed, lowered at once, raised after a fresh sign-in, revoked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlsplit

import pytest

from policies.terms import Grant, GrantId, Level
from service.console.pages.tools import ON_PAGE
from service.console.sessions import FRESH_US
from service.grants import Granted
from tests.support.browser_forms import Browser, Shown
from tests.support.connecting import DOCUMENT, HOSTED, admitted, called, result_of, waiting
from tests.support.console import PASSPHRASE, Served


@pytest.fixture(autouse=True)
def nothing_connected(served: Served) -> Iterator[None]:
    """Each test begins without connected tools."""
    yield
    served.house.grants().revoke_all()


def path_of(granted: Granted | Grant) -> str:
    grant = granted.grant if isinstance(granted, Granted) else granted
    return f"/tools/{grant.id}"


def now_of(served: Served, granted: Granted) -> Grant:
    """The grant as it is now."""
    found = served.house.store.grants.grant(granted.grant.id)
    assert found is not None
    return found


def stale(served: Served) -> None:
    """Let the sign-in be long ago."""
    served.house.clock.advance(FRESH_US / 1_000_000 + 1)


def shown_names(page: Shown) -> list[str]:
    """The ids of the grants on a list, in order."""
    return [link.removeprefix("/tools/") for link in page.links if link.startswith("/tools/grant:")]


def test_without_any_the_list_says_how_to_connect_one(served: Served, owner: Browser) -> None:
    page = owner.get("/tools")
    assert "No assistant is connected." in page.text
    assert f"{served.address}/mcp" in page.text
    assert "mnemo connect CLIENT" in page.text
    assert "/tools/revoke-all" not in page.links


def test_each_tool_is_listed_with_what_it_may_and_how_it_is_used(served: Served, owner: Browser) -> None:
    house = served.house
    house.grant("Reader", "third-party", domains=["work", "food"], mode="read")
    used = house.grant("Used", "work-context")
    called(served.address, used.token, "mem_profile")
    waiting(house, "Claude", HOSTED, client=DOCUMENT)
    admitted(house, "From the web", "assistant-standard", DOCUMENT, days=30)
    text = owner.get("/tools").text
    assert "Connected (3)" in text
    assert "Reader token made on this machine S0 Public only only reads 2 domains never 0 no end" in text
    assert "Used token made on this machine S2 Everyday, money and family none 30 Nov 2026" in text
    assert "From the web Claude claude.ai S1 Everyday none never 0 30 Dec 2026" in text


def test_a_client_that_was_forgotten_is_said_to_be(served: Served, owner: Browser) -> None:
    grant = admitted(served.house, "Old", "assistant-standard", "client:gone")
    assert "a program that is no longer known" in owner.get("/tools").text
    assert "a program that is no longer known" in owner.get(path_of(grant)).text


def test_the_list_is_found_in_by_name_program_and_scope(served: Served, owner: Browser) -> None:
    house = served.house
    phone = house.grant("Téléphone").grant
    desk = house.grant("Desk", "work-context").grant
    waiting(house, "Claude", HOSTED, client=DOCUMENT)
    web = admitted(house, "Web", "work-context", DOCUMENT)
    assert shown_names(owner.get("/tools?q=telephone")) == [phone.id]
    assert shown_names(owner.get("/tools?q=claude")) == [web.id]
    assert shown_names(owner.get("/tools?q=CLAUDE.ai")) == [web.id]
    assert shown_names(owner.get("/tools?scope=work-context")) == [desk.id, web.id]
    assert "None matches." in owner.get("/tools?q=%F0%9F%90%88&scope=nonsense").text


def test_the_list_is_ordered_by_name_by_use_or_by_age(served: Served, owner: Browser) -> None:
    house = served.house
    first = house.grant("b")
    house.clock.advance(1)
    second = house.grant("A")
    called(served.address, first.token, "mem_profile")
    by_name = [second.grant.id, first.grant.id]
    assert shown_names(owner.get("/tools")) == by_name
    assert shown_names(owner.get("/tools?order=nonsense&page=x")) == by_name
    assert shown_names(owner.get("/tools?order=used")) == [first.grant.id, second.grant.id]
    assert shown_names(owner.get("/tools?order=new")) == by_name


def test_two_hundred_tools_are_listed_a_page_at_a_time_and_quickly(served: Served, owner: Browser) -> None:
    for number in range(200):
        served.house.grant(f"Tool {number:03}")
    seen: list[str] = []
    path = "/tools"
    for _ in range(4):
        page = owner.get(path)
        ids = shown_names(page)
        assert len(ids) == ON_PAGE
        seen += ids
        path = next((link for link in page.links if f"page={len(seen) // ON_PAGE + 1}" in link), "")
    assert path == ""
    assert len(set(seen)) == 200
    assert shown_names(owner.get("/tools?page=99")) == seen[-ON_PAGE:]
    for asked in ("/tools", waiting(served.house, "Tool 199", HOSTED)):
        taken_s: list[float] = []
        for _ in range(5):
            begun = time.perf_counter()
            assert owner.get(asked).status == 200
            taken_s.append(time.perf_counter() - begun)
        assert min(taken_s) < 1


def test_a_scope_that_is_lowered_acts_on_the_next_call(served: Served, owner: Browser) -> None:
    granted = served.house.grant("Claude", "work-context")
    stale(served)
    path = path_of(granted)
    page = owner.send(owner.get(path), path, scope="third-party")
    assert "Saved. It holds from its next call on." in page.text
    assert now_of(served, granted).level is Level.S0
    assert result_of(called(served.address, granted.token, "mem_profile"))["scope"] == "third-party"


@pytest.mark.parametrize(
    "narrower",
    [
        {"limit": "some", "domains": ["work"]},
        {"mode": "read"},
        {"until": "2026-12-24"},
        {"name": "Renamed"},
        {"language": "fr"},
    ],
    ids=str,
)
def test_what_allows_no_more_needs_no_fresh_sign_in(
    served: Served, owner: Browser, narrower: dict[str, str | list[str]]
) -> None:
    granted = served.house.grant("Claude", domains=["work", "food"], language="en")
    path = path_of(granted)
    stale(served)
    assert "Saved." in owner.send(owner.get(path), path, **narrower).text
    assert now_of(served, granted) != granted.grant


def test_what_allows_more_asks_for_a_fresh_sign_in_and_keeps_what_was_chosen(served: Served) -> None:
    granted = served.house.grant("Claude", domains=["work"], mode="read")
    path = path_of(granted)
    with served.owners() as owner:
        stale(served)
        page = owner.send(owner.get(path), path, scope="private-full", domains=["food", "health"])
        assert urlsplit(page.url).path == "/sign-in"
        assert now_of(served, granted) == granted.grant
        page = owner.send(page, "/sign-in", passphrase=PASSPHRASE)
        assert urlsplit(page.url).path == path
        assert "You have just signed in." in page.text
        assert page.form(path).fields["scope"] == ["private-full"]
        assert page.form(path).fields["domains"] == ["food", "health"]
        assert "Saved." in owner.send(page, path).text
    now = now_of(served, granted)
    assert (now.level, now.domains, now.may_propose) == (Level.S3, ("food", "health"), False)


def test_a_form_that_was_filled_in_before_another_change_does_not_undo_it(
    served: Served, owner: Browser
) -> None:
    granted = served.house.grant("Claude", "private-full")
    path = path_of(granted)
    before = owner.get(path)
    assert "Saved." in owner.send(owner.get(path), path, scope="third-party").text
    page = owner.send(before, path, name="Renamed")
    assert page.status == 409
    assert "Claude was changed meanwhile." in page.text
    assert (now_of(served, granted).name, now_of(served, granted).scope) == ("Claude", "third-party")
    assert "Saved." in owner.send(page, path, name="Renamed", scope="third-party").text
    assert now_of(served, granted).name == "Renamed"


def test_a_tool_has_a_last_day_to_its_end_in_the_owners_zone(served: Served, owner: Browser) -> None:
    granted = served.house.grant("Claude")
    path = path_of(granted)
    owner.send(owner.get(path), path, until="2026-12-24")
    end = datetime(2026, 12, 25, tzinfo=served.house.settings.zone)
    assert now_of(served, granted).expires_at == int(end.timestamp() * 1_000_000)
    assert owner.get(path).form(path).fields["until"] == ["2026-12-24"]


def test_an_end_that_is_left_as_it_stood_stays_to_the_microsecond(served: Served, owner: Browser) -> None:
    granted = served.house.grants().grant("Claude", "assistant-standard", days=3)
    path = path_of(granted)
    owner.send(owner.get(path), path, name="Renamed")
    assert now_of(served, granted).expires_at == granted.grant.expires_at


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"name": ""}, 400),
        ({"name": "cli"}, 400),
        ({"name": "Other"}, 409),
        ({"scope": "everything"}, 400),
        ({"limit": "some", "domains": []}, 400),
        ({"limit": "some", "domains": ["nothing"]}, 400),
        ({"mode": ""}, 400),
        ({"until": "2020-01-01"}, 400),
        ({"until": "soon"}, 400),
        ({"language": "de"}, 400),
    ],
    ids=str,
)
def test_what_cannot_be_is_told_on_the_form_and_changes_nothing(
    served: Served, owner: Browser, wrong: dict[str, str | list[str]], status: int
) -> None:
    served.house.grant("Other")
    granted = served.house.grant("Claude")
    path = path_of(granted)
    page = owner.send(owner.get(path), path, **wrong)
    assert page.status == status
    assert 'role="alert"' in page.html
    assert now_of(served, granted) == granted.grant


def test_a_tool_is_revoked_after_one_question_and_refused_at_once(served: Served, owner: Browser) -> None:
    granted, other = served.house.grant("Claude"), served.house.grant("Other")
    assert called(served.address, granted.token, "mem_profile").status_code == 200
    path = f"{path_of(granted)}/revoke"
    page = owner.get(path)
    assert "Revoke Claude?" in page.text
    page = owner.send(page, path)
    assert "Revoked. It is refused from its next call on." in page.text
    assert called(served.address, granted.token, "mem_profile").status_code == 401
    assert called(served.address, other.token, "mem_profile").status_code == 200
    assert "Connected (1)" in page.text
    listed = owner.get("/tools?state=revoked")
    assert granted.grant.id in shown_names(listed)
    page = owner.get(path_of(granted))
    assert "Revoked: it is refused whatever it asks" in page.text
    assert [form.action for form in page.forms] == ["/language", "/sign-out"]


def test_revoking_again_is_the_same(served: Served, owner: Browser) -> None:
    granted = served.house.grant("Claude")
    path = f"{path_of(granted)}/revoke"
    page = owner.get(path)
    for _ in range(2):
        assert "Revoked." in owner.send(page, path).text
    assert owner.get(path).url.endswith(path_of(granted))


def test_all_are_revoked_in_one_step(served: Served, owner: Browser) -> None:
    granted = [served.house.grant(f"Tool {number}") for number in range(3)]
    page = owner.get("/tools/revoke-all")
    assert "3 assistants lose their access at once." in page.text
    assert "All are revoked." in owner.send(page, "/tools/revoke-all").text
    assert {called(served.address, one.token, "mem_profile").status_code for one in granted} == {401}
    assert "there is nothing to revoke" in owner.get("/tools/revoke-all").text
    assert owner.get("/tools").status == 200, "the owner's own session goes on"


@pytest.mark.parametrize("path", ["", "/revoke", "/preview"])
def test_a_tool_that_never_was_has_no_page(owner: Browser, path: str) -> None:
    assert owner.get(f"/tools/{GrantId('grant:none')}{path}").status == 404


def test_the_pages_speak_french(served: Served) -> None:
    granted = served.house.grant("Claude", domains=["work"])
    with served.owners("fr") as owner:
        assert "Assistants connectés" in owner.get("/tools").text
        assert "1 domaine travail" in owner.get(path_of(granted)).text
        assert "Révoquer Claude ?" in owner.get(f"{path_of(granted)}/revoke").text.replace("\u202f", " ")


def test_one_that_expired_is_told_and_goes_on_with_a_later_day(served: Served) -> None:
    granted = served.house.grants().grant("Claude", "assistant-standard", days=1)
    path = path_of(granted)
    served.house.clock.advance(2 * 86_400)
    with served.owners() as owner:
        assert "expired" in owner.get("/tools").text
        page = owner.get(path)
        assert "Expired: it is refused whatever it asks." in page.text
        assert called(served.address, granted.token, "mem_profile").status_code == 401
        assert "Saved." in owner.send(page, path, name="Later").text
        assert "Saved." in owner.send(owner.get(path), path, until="").text
    assert called(served.address, granted.token, "mem_profile").status_code == 200
