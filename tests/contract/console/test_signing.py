"""Set-up, sign-in and sign-out, as a browser does them."""

from __future__ import annotations

from datetime import datetime

import pytest

from policies.terms import Instant
from service.secrets import digest, new_secret
from tests.support.browser_forms import Browser
from tests.support.console import PASSPHRASE, Console

HOUR_US = 3_600_000_000


def test_a_visitor_is_sent_to_the_sign_in_and_from_there_back_to_where_they_wanted_to_go(
    console: Console,
) -> None:
    with console.browser() as browser:
        page = browser.get("/settings")
        assert page.url.endswith("/sign-in?next=%2Fsettings")
        page = browser.send(page, "/sign-in", passphrase=PASSPHRASE)
        assert page.url.endswith("/settings")
        assert page.status == 200


def test_a_wrong_passphrase_is_told_on_the_form_and_opens_nothing(console: Console) -> None:
    with console.browser() as browser:
        page = browser.send(browser.get("/sign-in"), "/sign-in", passphrase="not the passphrase")
        assert page.status == 403
        assert "That is not right." in page.text
        assert browser.get("/settings").url.endswith("next=%2Fsettings")


def test_signing_out_ends_the_session_on_the_server(console: Console) -> None:
    with console.owners() as browser, console.browser() as thief:
        stolen = dict(browser.http.cookies)
        page = browser.send(browser.get("/settings"), "/sign-out")
        assert "You are signed out." in page.text
        thief.http.cookies.update(stolen)
        assert "/sign-in" in thief.get("/settings").url


def test_the_language_is_the_browsers_until_the_owner_switches_it(console: Console) -> None:
    with console.browser("fr-CA,fr;q=0.9,en;q=0.5") as browser:
        page = browser.get("/sign-in")
        assert 'lang="fr"' in page.html
        assert "Phrase de passe" in page.text
        page = browser.send(page, "/language", language="en")
        assert "Passphrase" in page.text
        assert "Passphrase" in browser.get("/sign-in").text


def test_switching_the_language_leads_nowhere_else(console: Console) -> None:
    with console.browser() as browser:
        page = browser.get("/memories?status=all&private=1")
        page = browser.send(page, "/language", language="fr")
        assert "Phrase de passe" in page.text
        wrong = browser.send(page, "/sign-in", passphrase="not the passphrase")
        page = browser.send(wrong, "/language", language="en")
        assert "Passphrase" in page.text
        page = browser.send(page, "/sign-in", passphrase=PASSPHRASE)
        assert page.url.endswith("/memories?status=all&private=1")
        page = browser.send(page, "/language", language="fr")
        assert page.url.endswith("/memories?status=all&private=1")
        assert "Souvenirs" in page.text


def test_the_language_can_be_switched_where_nothing_is(console: Console) -> None:
    with console.browser() as browser:
        page = browser.send(browser.get("/no/such/page"), "/language", language="fr")
        assert page.status == 404
        assert "Il n'y a rien à cette adresse." in page.text


@pytest.mark.parametrize(
    ("accepted", "shown"),
    [("de", "fr"), ("", "fr"), ("xx;q=;,en;q=a", "fr"), ("en-GB", "en"), ("de;q=1, en;q=0.2", "en")],
)
def test_a_browser_of_another_language_gets_the_stores(console: Console, accepted: str, shown: str) -> None:
    with console.browser(accepted) as browser:
        assert f'<html lang="{shown}">' in browser.get("/sign-in").html


def link_of(console: Console, *, lasting_us: int = HOUR_US) -> str:
    token, house = new_secret(), console.house
    house.store.console.put_link(digest(token), "setup", Instant(house.clock.now() + lasting_us))
    return token


def test_a_setup_link_lets_its_holder_choose_the_passphrase_once(console: Console) -> None:
    token = link_of(console)
    with console.browser() as browser:
        page = browser.get(f"/setup/{token}")
        page = browser.send(page, f"/setup/{token}", passphrase=PASSPHRASE, again=PASSPHRASE)
        assert "The console is yours." in page.text
        assert browser.get("/settings").status == 200
        again = browser.get(f"/setup/{token}")
        assert again.status == 404
        assert "one-time links work once" in again.text


@pytest.mark.parametrize(
    ("passphrase", "again", "told"),
    [
        ("too short", "too short", "at least 12 characters"),
        ("long enough to choose", "but not the same", "the two are not the same"),
        ("x" * 1_001, "x" * 1_001, "at most 1000"),
    ],
)
def test_a_passphrase_that_cannot_be_used_is_refused_and_the_link_stays_good(
    console: Console, passphrase: str, again: str, told: str
) -> None:
    token = link_of(console)
    with console.browser() as browser:
        page = browser.get(f"/setup/{token}")
        page = browser.send(page, f"/setup/{token}", passphrase=passphrase, again=again)
        assert page.status == 400
        assert told in page.text
        assert browser.get(f"/setup/{token}").status == 200


def test_an_expired_link_opens_nothing(console: Console) -> None:
    token = link_of(console, lasting_us=-1)
    with console.browser() as browser:
        assert browser.get(f"/setup/{token}").status == 404


def test_an_unknown_page_is_told_as_a_page_in_the_visitors_language(console: Console) -> None:
    with console.browser("fr") as browser:
        page = browser.get("/no/such/page")
        assert page.status == 404
        assert "Il n'y a rien à cette adresse." in page.text


def test_dates_are_the_owners(browser: Browser, console: Console) -> None:
    page = browser.get("/settings")
    at = datetime.fromtimestamp(console.house.clock.now() / 1e6, console.house.settings.zone)
    assert f"{at:%H:%M}" in page.text


HALF_A_DAY_S = 12 * 3_600 + 1


def test_what_was_typed_outlives_the_session_and_waits_behind_the_sign_in(console: Console) -> None:
    typed = {"text": "The cellar under the old mill is dry.", "tags": "house, mill", "level": "S2"}
    with console.owners() as browser:
        page = browser.get("/declare")
        console.house.clock.advance(HALF_A_DAY_S)
        page = browser.send(page, "/declare", **typed)
        assert "What you typed is kept for ten minutes" in page.text
        kept = b"".join(path.read_bytes() for path in console.house.settings.store_dir.glob("kv.sqlite3*"))
        assert b"cellar" not in kept, "a copy of the store tells nobody what was typed"
        page = browser.send(page, "/sign-in", passphrase=PASSPHRASE)
        assert "nothing was sent" in page.text
        fields = page.form("/declare").fields
        assert {name: fields[name] for name in typed} == {name: [value] for name, value in typed.items()}
        assert console.house.inbox.view(directives=True, limit=1) == [], "nothing was submitted"
        again = browser.get(page.url)
        assert again.form("/declare").fields["text"] == [""], "it is told once"


def test_what_nobody_was_shown_and_what_is_secret_is_not_kept(console: Console) -> None:
    with console.browser() as browser:
        answer = browser.http.post("/declare", data={"text": "forged", "form_token": "forged"})
        assert answer.headers["location"] == "/sign-in"
    with console.owners() as browser:
        page = browser.get("/settings/passphrase")
        console.house.clock.advance(HALF_A_DAY_S)
        page = browser.send(page, "/settings/passphrase", passphrase=PASSPHRASE)
        assert page.url.endswith("/sign-in")
