"""What the owner does in a real browser, in French and in English."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from playwright.sync_api import Page, expect

from policies.directives import Verb
from policies.terms import Instant
from service.secrets import digest, new_secret
from tests.browser.conftest import OpenPage
from tests.support.chromium import Place, place
from tests.support.console import PASSPHRASE, Console
from tests.support.furnishing import run
from tests.support.oauth import metadata, verifier_and_challenge

BOTH = pytest.mark.parametrize("language", ["fr", "en"])


def authorization(console: Console, redirect: str, **more: str) -> tuple[str, str, str]:
    """A registered client's request: its address, the client's id and the verifier."""
    registered = httpx2.post(
        f"{console.address}/register", json=metadata(redirect_uris=[redirect], **more), trust_env=False
    ).json()
    verifier, challenge = verifier_and_challenge()
    query = {
        "response_type": "code",
        "client_id": registered["client_id"],
        "redirect_uri": redirect,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "state": "as it was",
        "resource": f"{console.address}/mcp",
    }
    return f"/authorize?{urlencode(query)}", registered["client_id"], verifier


def redeemed(console: Console, answer: str, client: str, redirect: str, verifier: str) -> dict[str, str]:
    query = parse_qs(urlsplit(answer).query)
    assert query["state"] == ["as it was"]
    assert query["iss"] == [console.address]
    form = {
        "grant_type": "authorization_code",
        "code": query["code"][0],
        "client_id": client,
        "redirect_uri": redirect,
        "code_verifier": verifier,
    }
    return httpx2.post(f"{console.address}/token", data=form, trust_env=False).json()


def sign_in(page: Page) -> None:
    page.fill("input[name=passphrase]", PASSPHRASE)
    page.click("main form:has(input[name=passphrase]) button")


@BOTH
def test_the_first_run_makes_the_console_the_owners(console: Console, visit: OpenPage, language: str) -> None:
    token, house = new_secret(), console.house
    house.store.console.put_link(digest(token), "setup", Instant(house.clock.now() + 3_600_000_000))
    page = visit(language)
    page.goto(f"/setup/{token}")
    page.fill("input[name=passphrase]", PASSPHRASE)
    page.fill("input[name=again]", PASSPHRASE)
    page.click("main button")
    page.wait_for_url("**/passkey/**")
    page.goto("/settings")
    said = "Phrase de passe" if language == "fr" else "Passphrase"
    expect(page.get_by_role("heading", name=said)).to_be_visible()


@BOTH
def test_a_client_on_a_loopback_port_is_let_in(console: Console, visit: OpenPage, language: str) -> None:
    with place() as callback:
        redirect = f"http://localhost:{callback.port}/callback"
        address, client, verifier = authorization(console, redirect, client_name=f"Code {language}")
        page = visit(language)
        page.goto(address)
        sign_in(page)
        page.wait_for_url("**/consent/*")
        expect(page.locator("main")).to_contain_text(f"Code {language}")
        page.click("button[value=allow]")
        page.wait_for_url(f"{redirect}?*")
        assert page.title() == "Connected"
        granted = redeemed(console, callback.asked[0], client, redirect, verifier)
        assert granted["scope"] == "assistant-standard"


@BOTH
def test_a_client_called_back_on_https_is_reached_from_the_consent_page(
    console: Console, owners: OpenPage, remote: Place, language: str
) -> None:
    """A CSP ``form-action`` without the client's address keeps Chromium on the page: several servers had that."""
    redirect = "https://claude.ai/api/mcp/auth_callback"
    address, client, verifier = authorization(console, redirect, client_name=f"Web {language}")
    page = owners(language)
    page.goto(address)
    expect(page.locator("main")).to_contain_text("claude.ai")
    page.click("button[value=allow]")
    page.wait_for_url(f"{redirect}?*")
    granted = redeemed(console, remote.asked[-1], client, redirect, verifier)
    assert granted["token_type"] == "Bearer"


def test_a_client_that_is_refused_is_told_so(console: Console, owners: OpenPage, remote: Place) -> None:
    redirect = "https://claude.ai/api/mcp/auth_callback"
    address, _, _ = authorization(console, redirect)
    page = owners()
    page.goto(address)
    page.click("button[value=refuse]")
    page.wait_for_url(f"{redirect}?*")
    assert "error=access_denied" in remote.asked[-1]


@BOTH
def test_a_tool_is_revoked(console: Console, owners: OpenPage, language: str) -> None:
    granted = console.house.grant(f"to revoke {language}")
    page = owners(language)
    page.goto("/tools")
    page.get_by_role("link", name=granted.grant.name).click()
    page.locator(f"main a[href='/tools/{granted.grant.id}/revoke']").first.click()
    page.locator("main form button").last.click()
    page.wait_for_load_state()
    answer = httpx2.post(
        f"{console.address}/mcp",
        headers={"Authorization": f"Bearer {granted.token}"},
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        trust_env=False,
    )
    assert answer.status_code == 401


@BOTH
def test_an_arbitration_is_settled_in_one_click(console: Console, owners: OpenPage, language: str) -> None:
    employer = {"fr": "Initech", "en": "Hooli"}[language]
    console.direct(Verb.REGISTER, name=employer, type="organisation")
    proposal = console.propose(f"Louis Martin works at {employer} since May 2025.")
    run(console)
    page = owners(language)
    page.goto(f"/arbitrations/{proposal}")
    expect(page.locator("main")).to_contain_text("I work at Acme since March 2021.")
    page.locator("button[value=keep-old]").click()
    page.wait_for_url(re.compile(r"done="))
    outcome = console.house.inbox.view(ids=[proposal], limit=1)[0].outcome
    assert outcome is not None
    assert outcome.reason == "ruled.keep_old"


@BOTH
def test_a_name_is_registered_and_what_named_it_is_taken_up(
    console: Console, owners: OpenPage, language: str
) -> None:
    name = {"fr": "Irène Vasseur", "en": "Gordon Blake"}[language]
    console.propose(f"{name} is a colleague of Louis Martin.")
    run(console)
    page = owners(language)
    page.goto("/reviews")
    card = page.locator("main .card", has_text=name).first
    card.locator("button", has_text=re.compile("Register|Inscrire")).first.click()
    page.wait_for_url(re.compile(r"done="))
    assert console.house.reader.registry().named(name)


@BOTH
def test_the_picture_is_drawn_and_its_list_says_the_same(owners: OpenPage, language: str) -> None:
    page = owners(language)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda fault: problems.append(str(fault)))
    page.goto("/graph")
    expect(page.locator("main canvas").first).to_be_visible()
    expect(page.locator("main")).to_contain_text("Claire Martin")
    assert problems == []
