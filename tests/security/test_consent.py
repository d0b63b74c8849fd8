"""The consent page against clients and pages that would have the owner say yes to what they did not choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

import httpx2
import pytest

from policies.terms import Level
from service.console.pages.consent import form_action
from service.console.sessions import FRESH_US
from tests.support.browser_forms import Browser, Shown
from tests.support.connecting import DOCUMENT, HOSTED, LOOPBACK, waiting
from tests.support.console import PASSPHRASE, Served, open_served
from tests.support.oauth import OAuthClient, Owner
from tests.support.service_fixtures import OpenEngine

CALLBACKS = ("cursor://one/callback", "vscode://two/*", "vscode://three/callback")


@pytest.fixture(scope="module")
def served(open_engine: OpenEngine) -> Iterator[Served]:
    settings, engine = open_engine("arcadedb")
    with open_served(settings, engine) as served:
        yield served


@pytest.fixture(scope="module")
def owner(served: Served) -> Iterator[Browser]:
    with served.owners() as browser:
        yield browser


@pytest.fixture(autouse=True)
def nothing_connected(served: Served) -> Iterator[None]:
    yield
    served.house.grants().revoke_all()


def allow(browser: Browser, page: Shown, **fields: str) -> httpx2.Response:
    return browser.sent(page, urlsplit(page.url).path, answer="allow", **fields)


def test_consent_is_asked_again_however_often_the_same_client_was_allowed(
    served: Served, owner: Browser
) -> None:
    """RFC 9700 section 4.15 and RFC 8252 section 8.6: a client that anybody can be is never allowed silently."""
    with httpx2.Client(base_url=served.address, trust_env=False) as http:
        client = OAuthClient(http, Owner(served.house, served.address)).registered()
        for _ in range(2):
            path = client.waiting()
            page = owner.get(path)
            assert page.status == 200, "a page, not a redirect with a code"
            assert ("answer", "allow") in page.form(path).buttons
            assert allow(owner, page).status_code == 303
        again = client.waiting(prompt="none")
        assert owner.get(again).status == 200


def test_the_page_names_the_client_its_host_where_the_answer_goes_and_each_level(
    served: Served, owner: Browser
) -> None:
    """MCP authorization, security best practices (confused deputy): what a consent page must show."""
    page = owner.get(waiting(served.house, "Claude", "https://elsewhere.example:8443/cb", client=DOCUMENT))
    assert "Claude asks to connect" in page.text
    assert "claude.ai published this description" in page.text
    assert "Your answer goes to elsewhere.example:8443" in page.text
    for level in Level:
        assert f"up to {level.name}" in page.text


def test_nobody_but_the_owner_sees_or_answers_a_request(served: Served) -> None:
    """RFC 6749 section 3.1: the authorization server authenticates the resource owner first."""
    path = waiting(served.house, "Secret client")
    with served.browser() as stranger:
        assert "Secret client" not in stranger.get(path).text
        for answer in ("allow", "refuse"):
            response = stranger.http.post(path, data={"answer": answer})
            assert response.headers["location"].startswith("/sign-in")
    with served.owners() as owner:
        assert owner.get(path).status == 200, "it still waits"


def test_both_answers_leave_by_a_303_that_tells_no_referrer(served: Served, owner: Browser) -> None:
    """RFC 9700 section 4.12 (a 307 would post the form on to the client) and 4.2.4 (the referrer)."""
    for answer in ("allow", "refuse"):
        path = waiting(served.house)
        response = owner.sent(owner.get(path), path, answer=answer)
        assert response.status_code == 303
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["cache-control"] == "no-store"


def test_the_page_cannot_be_framed_nor_loads_anything_from_elsewhere(served: Served, owner: Browser) -> None:
    """RFC 9700 section 4.16: clickjacking; RFC 7591 section 5: a logo that a client names is never fetched."""
    named = {
        name: f"https://evil.example/{name}" for name in ("logo_uri", "client_uri", "tos_uri", "policy_uri")
    }
    evil = served.house.ids.new("client")
    path = waiting(served.house, "With a logo", client=evil)
    known = served.house.store.oauth.client(evil)
    assert known is not None
    served.house.store.oauth.put_client(replace(known, metadata=named))
    page = owner.get(path)
    assert "evil.example" not in page.html
    assert allow(owner, page).status_code == 303
    (tool,) = served.house.grants().listed()
    listed = owner.get(f"/tools/{tool.id}")
    assert "With a logo" in listed.text
    assert "evil.example" not in listed.html
    headers = page.response.headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;")
    assert "frame-ancestors 'none'" in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    loaded = re.findall(r'(?:src|href)="([^"#]*)"', page.html)
    assert loaded
    assert all(one.startswith("/") and not one.startswith("//") for one in loaded)


@pytest.mark.parametrize("redirect_uri", [LOOPBACK, HOSTED, "cursor://anysphere.cursor-mcp/oauth/callback"])
def test_the_pages_policy_lets_its_form_lead_to_the_client_and_back_to_itself(
    served: Served, owner: Browser, redirect_uri: str
) -> None:
    """w3c/webappsec-csp issue 8, PrefectHQ/fastmcp pull request 3372: Chromium holds every redirect of the answer to
    ``form-action``, and shows nothing when it refuses one."""
    allowed = _form_action(owner.get(waiting(served.house, redirect_uri=redirect_uri)))
    parts = urlsplit(redirect_uri)
    assert "'self'" in allowed
    assert (f"{parts.scheme}:" if parts.scheme == "cursor" else f"{parts.scheme}://{parts.netloc}") in allowed


def _form_action(page: Shown) -> list[str]:
    found = re.search(r"form-action ([^;]*)", page.response.headers["content-security-policy"])
    assert found is not None
    return found[1].split()


@pytest.mark.parametrize(
    ("redirect_uri", "allowed"),
    [
        (HOSTED, "https://claude.ai https: cursor: vscode:"),
        ("https://h.example:8443/cb", "https://h.example:8443 https: cursor: vscode:"),
        (
            "http://127.0.0.1:5000/cb",
            "http://127.0.0.1:5000 http://localhost:* http://127.0.0.1:* https: cursor: vscode:",
        ),
        ("http://[::1]:5000/cb", "http: https: cursor: vscode:"),
        ("cursor://a/b", "cursor: https: vscode:"),
        ("https://h.example;script-src%20*/cb", "http: https: cursor: vscode:"),
        ("https://h.example script-src */cb", "http: https: cursor: vscode:"),
    ],
)
def test_an_address_adds_one_source_to_the_policy_and_no_directive(redirect_uri: str, allowed: str) -> None:
    """CWE-113, CWE-74: what a client chose must not write the page's policy."""
    assert form_action(redirect_uri, CALLBACKS) == allowed


@pytest.mark.parametrize("answer", ["allow", "refuse"])
def test_an_answer_without_this_pages_token_is_none(served: Served, owner: Browser, answer: str) -> None:
    """RFC 6749 section 10.12: cross-site request forgery; the token is the session's and the request's."""
    path, other = waiting(served.house), waiting(served.house)
    with served.owners() as elsewhere:
        foreign = elsewhere.get(path).form(path).fields["form_token"][0]
    of_another = owner.get(other).form(other).fields["form_token"][0]
    for token in ("", foreign, of_another):
        response = owner.http.post(
            path, data={"answer": answer, "scope": "private-full", "form_token": token}
        )
        assert response.status_code == 403
    assert served.house.grants().listed() == []
    assert owner.get(path).status == 200


def test_another_site_cannot_send_the_form_even_with_its_token(served: Served, owner: Browser) -> None:
    """RFC 9700 section 4.7: the browser says whose page sends it."""
    path = waiting(served.house)
    page = owner.get(path)
    fields = {**page.form(path).fields, "answer": ["allow"]}
    headers = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert owner.http.post(path, data=fields, headers=headers).status_code == 403
    assert served.house.grants().listed() == []


def test_a_request_is_answered_once(served: Served, owner: Browser) -> None:
    """RFC 6749 section 4.1.2: one request, one code. A second press of the button gives no second one."""
    path = waiting(served.house)
    page = owner.get(path)
    assert "code=" in allow(owner, page).headers["location"]
    for answer in ("allow", "refuse"):
        again = owner.send(page, path, answer=answer)
        assert again.status == 404
        assert "answered already" in again.text
    assert len(served.house.grants().listed()) == 1


def test_a_client_that_is_gone_by_the_time_of_the_answer_gets_none(served: Served, owner: Browser) -> None:
    """RFC 7592 section 2.3: what a client asked for goes with it; a page that was open allows nothing any more."""
    client = served.house.ids.new("client")
    path = waiting(served.house, client=client)
    page = owner.get(path)
    served.house.store.oauth.remove_client(client)
    assert owner.get(path).status == 404
    assert allow(owner, page).status_code == 404
    assert served.house.grants().listed() == []


def test_a_session_that_ended_answers_nothing_with_the_page_that_it_left_open(served: Served) -> None:
    """OWASP ASVS 3.3.1: the form of a session that was signed out is worth as much as a stranger's."""
    path = waiting(served.house)
    with served.owners() as gone:
        page = gone.get(path)
        cookies = dict(gone.http.cookies)
        gone.send(gone.get("/settings"), "/sign-out")
        gone.http.cookies.clear()
        gone.http.cookies.update(cookies)
        for answer in ("allow", "refuse"):
            response = gone.sent(page, path, answer=answer)
            assert response.headers["location"].startswith("/sign-in")
    assert served.house.grants().listed() == []
    with served.owners() as owner:
        assert owner.get(path).status == 200, "it still waits"


def test_a_link_cannot_fill_the_form_in(served: Served, owner: Browser) -> None:
    """RFC 9700 section 4.16: the owner would confirm what somebody else chose."""
    path = waiting(served.house)
    chosen = {"scope": "private-full", "name": "Bank", "days": "", "kept": "x", "mode": "both", "done": "x"}
    filled = owner.get(f"{path}?{urlencode(chosen)}").form(path).fields
    assert filled["scope"] == ["assistant-standard"]
    assert filled["name"] == ["Claude Code"]


def test_what_was_chosen_for_one_request_fills_in_no_other(served: Served) -> None:
    """RFC 9700 section 4.16: the same, by way of the fresh sign-in."""
    with served.owners() as owner:
        served.house.clock.advance(FRESH_US / 1_000_000 + 1)
        path, other = waiting(served.house), waiting(served.house)
        page = owner.send(owner.get(path), path, answer="allow", scope="private-full")
        kept = urlsplit(page.form("/sign-in").fields["next"][0]).query
        assert kept.startswith("kept=")
        page = owner.send(page, "/sign-in", passphrase=PASSPHRASE, next=f"{other}?{kept}")
        assert page.form(other).fields["scope"] == ["assistant-standard"]


def test_everything_is_allowed_only_by_somebody_who_signed_in_a_moment_ago(served: Served) -> None:
    """OWASP ASVS 3.7.1: a session left open in a browser does not give the whole memory away."""
    with served.owners() as owner:
        served.house.clock.advance(FRESH_US / 1_000_000 + 1)
        path = waiting(served.house)
        page = owner.get(path)
        response = allow(owner, page, scope="private-full")
        assert response.headers["location"].startswith("/sign-in?fresh=1&next=%2Fconsent%2F")
        assert served.house.grants().listed() == []
        wrong = owner.send(
            owner.get(response.headers["location"]), "/sign-in", passphrase="not the passphrase"
        )
        assert wrong.status == 403
        assert allow(owner, page, scope="private-full").headers["location"].startswith("/sign-in?fresh=1")
        assert served.house.grants().listed() == []


def test_a_form_can_replace_no_tool_of_another_client(served: Served, owner: Browser) -> None:
    """CWE-639: an id in a form is looked up among what the page offered."""
    victim = served.house.grant("Victim").grant
    path = waiting(served.house)
    assert allow(owner, owner.get(path), replaces=victim.id).status_code == 400
    assert [grant.id for grant in served.house.grants().listed()] == [victim.id]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ('"><img src=x onerror=alert(1)>', "&#34;&gt;&lt;img src=x onerror=alert(1)&gt;"),
        ("{{ owner }}{% raw %}", "{{ owner }}{% raw %}"),
        ("Claude\u202e edualC\u2066\u200b\ufeff", "Claude edualC"),
        ("Claude\r\n\x00\u2028asks", "Claude asks"),
        ("C" + "\u0301" * 200 + "laude", "\u0106\u0301\u0301laude"),
        ("A" * 5_000, "A" * 59 + "…"),
        ("\u200b\u2060", "A program that gives no name"),
        ("", "A program that gives no name"),
    ],
    ids=["script", "attribute", "template", "bidi", "lines", "accents", "long", "nothing", "none"],
)
def test_a_hostile_name_is_shown_harmless_and_cannot_break_the_page(
    served: Served, owner: Browser, name: str, shown: str
) -> None:
    """CWE-79, CWE-451 and Unicode TR 36: a client's name is text, on one line, of a bounded length."""
    page = owner.get(waiting(served.house, name, HOSTED))
    assert page.status == 200
    heading = re.search(r"<h1>(.*?)</h1>", page.html, re.DOTALL)
    assert heading is not None
    assert shown in heading[1]
    for character in "\u202e\u2066\u200b\ufeff\u2028":
        assert character not in page.html
    assert "<script>alert" not in page.html
    assert "<img src=x" not in page.html
    assert len(page.html) < 40_000


@pytest.mark.parametrize("name", ["Cl\u0430ude", "\u0421laude", "Ope\u03bdAI"])
def test_a_name_that_mixes_alphabets_is_called_out(served: Served, owner: Browser, name: str) -> None:
    """Unicode TS 39 section 5.1: mixed-script confusables."""
    page = owner.get(waiting(served.house, name, HOSTED))
    assert "Its name mixes alphabets whose letters look alike" in page.text


@pytest.mark.parametrize("name", ["Claude", "Яндекс Assistant", "助手 Assistant", "Éditeur Ωmega"])
def test_a_name_of_one_alphabet_a_word_is_not(served: Served, owner: Browser, name: str) -> None:
    """Unicode TS 39 section 5.1: nobody is accused of their own alphabet."""
    found = "mixes alphabets" in owner.get(waiting(served.house, name, HOSTED)).text
    assert found == (name == "Éditeur Ωmega")


@pytest.mark.parametrize("name", ["claude", "CLAUDE", "Cl\u0430ud\u0435", "Ｃｌａｕｄｅ"])
def test_a_name_that_looks_like_a_tool_that_is_connected_is_called_out(
    served: Served, owner: Browser, name: str
) -> None:
    """CWE-1007: the same look, another program."""
    served.house.grant("Claude")
    page = owner.get(waiting(served.house, name, "https://evil.example/cb"))
    assert "You already have an assistant called Claude, and this is not the same program." in page.text


def test_who_adds_the_addresses_of_a_connected_tool_to_their_own_is_not_taken_for_it(
    served: Served, owner: Browser
) -> None:
    """CWE-290: replacing was preselected, and the warning gone, for whoever registered the real address too."""
    house, evil = served.house, "https://claude-ai.evil.example/cb"
    allow(owner, owner.get(waiting(house, "Claude", HOSTED)), name="Laptop")
    impostor = house.ids.new("client")
    path = waiting(house, "Claude", evil, client=impostor)
    known = house.store.oauth.client(impostor)
    assert known is not None
    house.store.oauth.put_client(replace(known, redirect_uris=(evil, HOSTED)))
    page = owner.get(path)
    assert "It is connected already" not in page.text
    assert "replaces" not in page.form(path).fields
    assert "You already have an assistant called Laptop, and this is not the same program." in page.text


def test_the_name_that_a_tool_gets_is_one_that_a_person_can_read(served: Served, owner: Browser) -> None:
    """CWE-79, CWE-451: what stays in the list and the log after the consent is no client's own string."""
    allow(owner, owner.get(waiting(served.house, "<b>\u202eevil</b>", HOSTED)))
    (grant,) = served.house.grants().listed()
    assert re.fullmatch(r"[\w .@:-]+", grant.name)
