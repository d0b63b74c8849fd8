"""Settings: passphrase, codes, browsers and passkeys, as the owner changes them."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator

import pytest
from pyotp.totp import TOTP

from cypher.machine import new_link
from policies.directives import Verb
from policies.machine_links import LinkPurpose
from policies.terms import Instant, Level, Outcome
from tests.support.authenticator import Authenticator
from tests.support.browser_forms import Browser, Shown
from tests.support.console import PASSPHRASE, Console

OTHER = "another passphrase entirely"


@pytest.fixture
def other(console: Console) -> Iterator[Browser]:
    """A second browser of the owner's."""
    with console.owners() as browser:
        yield browser


def options_of(page: Shown, action: str) -> dict[str, str]:
    return json.loads(page.form(action).data["options"])


def challenge_of(page: Shown, action: str) -> bytes:
    value = options_of(page, action)["challenge"]
    return urlsafe_b64decode(value + "=" * (-len(value) % 4))


def code_at(console: Console, secret: str) -> str:
    return TOTP(secret).at(console.house.clock.now() // 1_000_000)


def test_changing_the_passphrase_asks_for_the_present_one_and_signs_other_browsers_out(
    console: Console, browser: Browser, other: Browser
) -> None:
    page = browser.get("/settings/passphrase")
    wrong = browser.send(page, "/settings/passphrase", present="no", passphrase=OTHER, again=OTHER)
    assert wrong.status == 403
    page = browser.send(page, "/settings/passphrase", present=PASSPHRASE, passphrase=OTHER, again=OTHER)
    assert "The passphrase is changed" in page.text
    assert "/sign-in" in other.get("/settings").url
    back = browser.get("/settings/passphrase")
    browser.send(back, "/settings/passphrase", present=OTHER, passphrase=PASSPHRASE, again=PASSPHRASE)


def test_another_browser_can_be_signed_out(browser: Browser, other: Browser) -> None:
    page = browser.get("/settings")
    ends = [form for form in page.forms if form.action == "/settings/browsers/end"]
    page = browser.send(page, "/settings/browsers/end", browser=ends[0].buttons[0][1])
    assert "is signed out" in page.text
    page = browser.send(page, "/settings/browsers/end", browser="others")
    assert "/sign-in" in other.get("/settings").url
    assert browser.get("/settings").status == 200


def test_a_code_is_asked_for_once_the_owner_wants_it_and_is_good_once(
    console: Console, browser: Browser
) -> None:
    page = browser.get("/settings/code")
    assert 'src="data:image/svg+xml' in page.html
    found = re.search(r"<code>([A-Z2-7]{32})</code>", page.html)
    assert found is not None
    secret = found[1]
    wrong = browser.send(page, "/settings/code", code="000000")
    assert wrong.status == 403
    assert secret in wrong.html, "the same secret is shown again: the app has it already"
    assert "A code is asked for" in browser.send(wrong, "/settings/code", code=code_at(console, secret)).text

    with console.browser() as fresh:
        console.house.clock.advance(60)
        page = fresh.get("/sign-in")
        assert fresh.send(page, "/sign-in", passphrase=PASSPHRASE, code="123456").status == 403
        code = code_at(console, secret)
        assert (
            fresh.send(page, "/sign-in", passphrase=PASSPHRASE, code=f"{code[:3]} {code[3:]}").status == 200
        )
        assert "passphrase and code" in fresh.get("/settings").text
    with console.browser() as replaying:
        page = replaying.get("/sign-in")
        assert replaying.send(page, "/sign-in", passphrase=PASSPHRASE, code=code).status == 403

    page = browser.send(browser.get("/settings"), "/settings/code/remove")
    assert "No code is asked for" in page.text


def test_what_weighs_much_asks_for_a_fresh_sign_in(console: Console, browser: Browser) -> None:
    console.house.clock.advance(6 * 60)
    page = browser.get("/settings/code")
    assert "asks for a fresh sign-in" in page.text
    page = browser.send(page, "/sign-in", passphrase=PASSPHRASE)
    assert page.url.endswith("/settings/code")


def test_a_session_that_is_not_used_for_half_a_day_has_ended(console: Console, browser: Browser) -> None:
    console.house.clock.advance(12 * 3_600 + 1)
    assert "/sign-in" in browser.get("/settings").url


def test_passkeys_are_enrolled_from_a_link_then_confirm_what_is_weighty_and_sign_in(console: Console) -> None:
    house = console.house
    phone = Authenticator("phone", origin=console.address)
    with console.owners() as browser:
        assert browser.get("/settings/passkeys").status == 404, "the first one needs a link"
        token = new_link(
            house.settings.keys_dir, LinkPurpose.PASSKEY, Instant(house.clock.now() + 3_600_000_000)
        )
        path = f"/passkey/{token}"
        page = browser.get(path)
        forged = browser.send(
            page, path, name="phone", passkey=json.dumps(phone.create(b"another challenge"))
        )
        assert forged.status == 403
        page = browser.get(path)
        answer = json.dumps(phone.create(challenge_of(page, path)))
        page = browser.send(page, path, name="my phone", passkey=answer)
        assert "The passkey is good from now on." in page.text
        assert "my phone" in page.text
        enrolments = [view.proposal.payload for view in house.inbox.view(directives=True, limit=5)]
        assert token.rpartition(".")[2] not in json.dumps(enrolments), "the token is not in the graph"

        console.direct(Verb.DECLARE, text="I live in Lisbon.", domains=["home"], level="S2")
        memory = _memory_of(console, "I live in Lisbon.")
        outcome = console.direct(Verb.RECLASSIFY, memory=memory, level="S1")
        assert outcome.outcome is Outcome.NEEDS_OWNER
        confirm = f"/confirm/{outcome.proposal}"
        page = browser.get(confirm)
        assert "Change the level" in page.text
        for told in ("It says I live in Lisbon.", "Level today S2 private", "Level S1 everyday"):
            assert told in page.text
        page = browser.send(page, confirm, passkey=json.dumps(phone.get(b"something else")))
        assert page.status == 403
        assert _level_of(console, memory) is Level.S2
        page = browser.send(page, confirm, passkey=json.dumps(phone.get(challenge_of(page, confirm))))
        assert "Confirmed, and done." in page.text
        assert _level_of(console, memory) is Level.S1
        assert browser.get(confirm).status == 404

    with console.browser() as fresh:
        page = fresh.get("/sign-in")
        answer = phone.get(challenge_of(page, "/sign-in/passkey"))
        page = fresh.send(page, "/sign-in/passkey", passkey=json.dumps(answer))
        assert page.status == 200
        assert "by passkey" in fresh.get("/settings").text
    with console.browser() as replaying:
        page = replaying.send(replaying.get("/sign-in"), "/sign-in/passkey", passkey=json.dumps(answer))
        assert page.status == 403

    with console.owners() as browser:
        page = browser.send(browser.get("/settings"), "/settings/passkeys/withdraw", credential=phone.id)
        assert f"Passkey my phone ({phone.id})" in page.text
        action = next(form.action for form in page.forms if form.action.endswith("/drop"))
        page = browser.send(page, action)
        assert "Dropped: nothing was done." in page.text
        assert house.reader.passkeys().find(phone.id) is not None


def _memory_of(console: Console, text: str) -> str:
    changed = console.house.reader.changed_since(0, 1_000)
    return next(version.memory.id for version in changed if version.memory.text == text)


def _level_of(console: Console, memory: str) -> Level:
    return console.house.reader.versions([memory])[memory].state.level  # pyright: ignore[reportArgumentType]
