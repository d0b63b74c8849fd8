"""The console against whoever is not its owner: forged forms, fixed sessions, guesses, frames, open redirects."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx2
import pytest

from cypher.keys import read_key
from policies.errors import RateLimited
from service.addresses import addresses_of
from service.console.allowing import FIELDS as ALLOWED
from service.console.pages import PAGES
from service.console.sessions import Sessions
from service.console.signing import GUESSES_OF_ALL, GUESSES_OF_ONE, Guesser, Signing
from service.console.site import Page
from service.console.visit import known_path
from service.proxies import client_address
from tests.support.browser_forms import Browser, Shown
from tests.support.console import PASSPHRASE, Console, address_of, open_console
from tests.support.house import House, web_server
from tests.support.redis_server import free_port
from tests.support.service_fixtures import OpenEngine

CLOSED = [page for page in PAGES if not page.is_open]
POSTED = [page for page in PAGES if page.post is not None]


@pytest.fixture(scope="module")
def console(open_engine: OpenEngine) -> Iterator[Console]:
    settings, engine = open_engine("arcadedb")
    with open_console(settings, engine) as console:
        yield console


@pytest.fixture(scope="module")
def owner(console: Console) -> Iterator[Browser]:
    with console.owners() as browser:
        yield browser


@pytest.fixture(scope="module")
def other(console: Console) -> Iterator[Browser]:
    """Another session of the owner's."""
    with console.owners() as browser:
        yield browser


def token_for(shown: Shown, action: str) -> str:
    return shown.form(action).fields["form_token"][0]


@pytest.mark.parametrize("page", CLOSED, ids=lambda page: page.path)
def test_nobody_but_the_owner_is_shown_a_page(console: Console, page: Page) -> None:
    """OWASP ASVS 4.1.1: access is decided on the server, for every page alike."""
    with console.browser() as stranger:
        for method in ("GET", "POST"):
            if (page.get if method == "GET" else page.post) is None:
                continue
            answer = stranger.http.request(method, address_of(page))
            assert answer.status_code == 303
            assert answer.headers["location"].startswith("/sign-in")


@pytest.mark.parametrize("page", POSTED, ids=lambda page: page.path)
def test_a_form_without_the_sessions_own_token_does_nothing(
    owner: Browser, other: Browser, page: Page
) -> None:
    """RFC 6749 section 10.12, RFC 9700 section 4.7: cross-site request forgery."""
    path = address_of(page)
    foreign = token_for(other.get("/settings"), "/sign-out")
    elsewhere = token_for(owner.get("/settings"), "/language")
    for token in ("", "x", foreign, elsewhere):
        if path == "/language" and token == elsewhere:
            continue
        answer = owner.http.post(path, data={"form_token": token} if token else {})
        assert answer.status_code == 403
        assert "form.refused" in answer.text
    assert owner.get("/settings").status == 200, "it signed nobody out"


def test_a_page_of_another_site_cannot_post_even_with_the_cookie(console: Console) -> None:
    """RFC 9700 section 4.7: the browser says whose page it is."""
    with console.owners() as owner:
        token = token_for(owner.get("/settings"), "/sign-out")
        for origin, site in (("https://evil.example", "cross-site"), ("null", "cross-site"), ("null", "")):
            headers = {"Origin": origin, **({"Sec-Fetch-Site": site} if site else {})}
            answer = owner.http.post("/sign-out", data={"form_token": token}, headers=headers)
            assert answer.status_code == 403
        own = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
        assert owner.http.post("/sign-out", data={"form_token": token}, headers=own).status_code == 303


def test_signing_in_gives_a_new_session_and_a_planted_one_opens_nothing(console: Console) -> None:
    """OWASP ASVS 3.2.1: session fixation."""
    with console.browser() as victim, console.browser() as thief:
        name = console_cookie(console)
        thief.get("/sign-in")
        planted = thief.http.cookies[name]
        victim.http.headers["Cookie"] = f"{name}={planted}"
        page = victim.get("/sign-in")
        answer = victim.sent(page, "/sign-in", passphrase=PASSPHRASE)
        assert answer.status_code == 303
        given = re.search(rf"{name}=([^;]+)", answer.headers["set-cookie"])
        assert given is not None
        assert given[1] != planted
        assert "/sign-in" in thief.get("/settings").url


def console_cookie(console: Console) -> str:
    return "__Host-mnemo" if console.address.startswith("https") else "mnemo"


def test_on_loopback_the_cookie_is_http_only_and_lax_without_what_http_cannot_keep(console: Console) -> None:
    """RFC 6265bis section 4.1.3."""
    with console.browser() as browser:
        cookie = browser.http.get("/sign-in").headers["set-cookie"]
        assert cookie.startswith("mnemo=")
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Path=/" in cookie
        assert "Secure" not in cookie
        assert "Domain" not in cookie
        # One that another program on this machine left empty would have every form refused.
        again = browser.http.get("/sign-in", headers={"Cookie": "mnemo="})
        assert again.headers["set-cookie"].startswith("mnemo=")


def test_on_https_the_cookie_is_bound_to_the_host_and_secure(console: Console) -> None:
    """RFC 6265bis section 4.1.3.2: the ``__Host-`` prefix."""
    house = replace(
        console.house, settings=replace(console.house.settings, public_url="https://memory.example")
    )
    port = free_port()
    with web_server(house, port) as address, Browser(address) as browser:
        ours = {"Host": "memory.example"}
        given = browser.http.get("/sign-in", headers=ours).headers["set-cookie"]
        secret = given.removeprefix("__Host-mnemo=").partition(";")[0]
        token = sessions_of(house).form_token(secret, "/sign-out")
        held = {**ours, "Cookie": f"__Host-mnemo={secret}"}
        left = browser.http.post("/sign-out", data={"form_token": token}, headers=held)
        assert left.status_code == 303
        taken = left.headers["set-cookie"]
        assert "Max-Age=0" in taken
        # A browser takes no cookie of that name without these, not even one that ends it.
        for cookie in (given, taken):
            assert cookie.startswith("__Host-mnemo=")
            assert "; Secure" in cookie
            assert "; HttpOnly" in cookie
            assert "; SameSite=lax" in cookie
            assert "Path=/;" in f"{cookie};"
            assert "Domain" not in cookie


def sessions_of(house: House) -> Sessions:
    """What signs the forms of a console."""
    key = read_key(house.settings.keys_dir, "cursor")
    return Sessions(house.store.console, house.clock, addresses_of(house.settings), key)


@pytest.mark.parametrize("path", ["/sign-in?fresh=1", "/settings", "/no/such/page", "/setup/x"])
def test_every_page_forbids_framing_foreign_content_and_referrers(owner: Browser, path: str) -> None:
    """RFC 9700 section 4.16 (clickjacking) and 4.2.4 (referrers); CSP level 3."""
    headers = owner.http.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("given", "goes_to"),
    [
        ("/tools", "/tools"),
        ("/consent/abc?x=1", "/consent/abc?x=1"),
        ("//evil.example", "/"),
        ("///evil.example", "/"),
        ("/\\evil.example", "/"),
        ("\\\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("https:/evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("evil.example", "/"),
        ("", "/"),
        ("/ok\r\nSet-Cookie: a=b", "/"),
        ("/\tevil.example", "/"),
        ("http://[", "/"),
    ],
)
def test_after_the_sign_in_one_goes_on_within_the_console_only(given: str, goes_to: str) -> None:
    """RFC 9700 section 4.11: open redirects."""
    assert known_path(given) == goes_to


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "/\\evil.example", "https://evil.example/", "/a\tb", "x:y"]
)
def test_no_form_and_no_link_of_the_console_leads_out_of_it(
    console: Console, owner: Browser, wanted: str
) -> None:
    """RFC 9700 section 4.11: open redirects, wherever an address to go on to is taken from the browser."""
    query = urlencode({"next": wanted})
    assert owner.http.get(f"/sign-in?{query}").headers["location"] == "/"
    page = owner.get("/settings")
    assert owner.sent(page, "/language", language="en", back=wanted).headers["location"] == "/"
    with console.browser() as browser:
        page = browser.get(f"/sign-in?{query}")
        assert page.form("/sign-in").fields["next"] == ["/"]
        answer = browser.sent(page, "/sign-in", passphrase=PASSPHRASE, next=wanted)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
    console.house.clock.advance(60)


HOSTILE = "'\"><script>alert(1)</script>\r\nX-Evil: 1\r\n\r\n{{7919*6007}}\u202e\U0001f6b2"


def sources_of(page: Page) -> str:
    """The files that the views of a page are written in."""
    views = [view for view in (page.get, page.post) if view is not None]
    return "".join(Path(inspect.getfile(view)).read_text("utf-8") for view in views)


def said_in(page: Page, said: str) -> dict[str, str]:
    """Every parameter and every field that the page can have, and more, with one value."""
    names = {*re.findall(r'"([a-z_]{1,20})"', sources_of(page)), *ALLOWED, "valid_at", "known_at"}
    return dict.fromkeys(sorted(names - {"form_token"}), said)


def harmless(answer: httpx2.Response) -> None:
    """Whatever was said: nothing failed, and nothing of it is markup, a header or a template's."""
    assert answer.status_code < 500, answer.url
    assert "<script>alert" not in answer.text
    assert str(7919 * 6007) not in answer.text
    assert "X-Evil" not in answer.headers


@pytest.mark.parametrize("page", [page for page in PAGES if page.get], ids=lambda page: page.path)
def test_what_an_address_says_is_no_fault_and_never_becomes_markup(owner: Browser, page: Page) -> None:
    """CWE-79, CWE-113, CWE-1336: reflected scripts, split answers, templates that run what they show."""
    for said in (HOSTILE, f"\x00{HOSTILE}", "x" * 500):
        path = re.sub(r"\{\w+(?::\w+)?\}", quote(said, safe=""), page.path)
        harmless(owner.http.get(f"{path}?{urlencode(said_in(page, said))}"))
    if "{" not in page.path:
        # Alone, since the first that cannot be is as far as a page looks.
        for name in set(re.findall(r'\b(?:query|chosen\w*)\((?:visit, )?"(\w+)"', sources_of(page))):
            harmless(owner.http.get(f"{page.path}?{urlencode({name: HOSTILE})}"))


@pytest.mark.parametrize("page", POSTED, ids=lambda page: page.path)
def test_what_a_form_says_is_no_fault_and_never_becomes_markup(
    console: Console, owner: Browser, page: Page
) -> None:
    """CWE-79, CWE-20: the same of every field of every form, sent by the owner's own browser."""
    if page.path in ("/sign-out", "/settings/browsers/end"):
        return  # it would end the session that the others need
    path = address_of(page)
    token = sessions_of(console.house).form_token(owner.http.cookies["mnemo"], path)
    for said in (f"\x00{HOSTILE}", "", "-1"):
        answer = owner.http.post(path, data={**said_in(page, said), "form_token": token})
        harmless(answer)
        assert "form.refused" not in answer.text, "its token was the right one"
    console.house.clock.advance(600)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_a_page_answers_to_the_methods_that_it_has(owner: Browser, method: str) -> None:
    """RFC 9110 section 15.5.6; CWE-650: nothing is done by a method that no form guards."""
    for page in PAGES:
        answer = owner.http.request(method, address_of(page))
        offered = {
            name for name, view in (("GET", page.get), ("HEAD", page.get), ("POST", page.post)) if view
        }
        assert (answer.status_code, answer.content) == (405, b""), page.path
        assert set(answer.headers["Allow"].split(", ")) == offered


@pytest.mark.parametrize(
    "name",
    [
        "../site.py",
        "%2e%2e/site.py",
        "..%2fsite.py",
        "%2e%2e%5csite.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "console.css%00.js",
        "%00",
        "a" * 5_000,
        "vendor",
        ".",
    ],
)
def test_nothing_but_the_consoles_own_files_is_served_as_a_file(owner: Browser, name: str) -> None:
    """CWE-22: path traversal; the address is sent as it is written."""
    port = int(owner.base.rpartition(":")[2])
    with closing(HTTPConnection("localhost", port, timeout=30)) as connection:
        connection.putrequest("GET", f"/static/{name}")
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == 404
        assert b"import" not in answer.read()


def test_guesses_are_slowed_down_by_address_and_never_lock_the_owner_out(console: Console) -> None:
    """NIST SP 800-63B section 5.2.2, without its lock-out: an attacker must not be able to shut the owner out."""
    with console.browser() as guesser:
        page = guesser.get("/sign-in")
        statuses = [
            guesser.sent(page, "/sign-in", passphrase=f"guess {n}").status_code
            for n in range(GUESSES_OF_ONE.burst + 2)
        ]
        assert 429 in statuses
        refused = guesser.send(page, "/sign-in", passphrase=PASSPHRASE)
        assert refused.status == 429
        wait_s = int(refused.response.headers["retry-after"])
        console.house.clock.advance(wait_s)
        assert guesser.send(page, "/sign-in", passphrase=PASSPHRASE).status == 200
    console.house.clock.advance(3_600)


def test_strangers_who_use_up_all_guesses_do_not_shut_the_owners_browser_out(console: Console) -> None:
    """OWASP: device cookies. A limit for all together is also a way to keep the owner out."""
    with console.owners() as known, console.browser() as stranger:
        known.send(known.get("/settings"), "/sign-out")
        signing = Signing(console.house.store, console.house.clock)
        guessers = [
            Guesser(f"192.0.2.{number}", is_known=False) for number in range(GUESSES_OF_ALL.burst + 1)
        ]
        with pytest.raises(RateLimited):
            list(map(signing.count, guessers))
        page = stranger.get("/sign-in")
        stranger.http.cookies.set("mnemo_device", "forged.AAAA")
        assert stranger.send(page, "/sign-in", passphrase=PASSPHRASE).status == 429
        assert known.sign_in(PASSPHRASE).status == 200
    console.house.clock.advance(3_600)


def test_the_guesses_of_one_ipv6_network_are_one_guessers() -> None:
    """RFC 6177: a single subscriber has a /64 of addresses at least."""
    first, second = ({"type": "http", "client": (f"2001:db8::{n}", 1)} for n in (1, 2))
    assert client_address(first) == client_address(second)


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data; boundary=b; charset=undefined",
        "multipart/form-data; boundary=b; charset=punycode",
        "multipart/form-data; boundary=b; charset=utf-7",
        "multipart/form-data; boundary=b; charset=unicode_escape",
        "multipart/form-data; boundary=b; charset=no-such",
    ],
)
def test_a_form_in_an_encoding_of_no_browser_is_refused(owner: Browser, kind: str) -> None:
    """CWE-176: what cannot be text is no form."""
    for value in (b"x", b"+2AA-", b"\\ud800", b"\xff\xfe"):
        part = b'--b\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n' + value + b"\r\n--b--\r\n"
        answer = owner.http.post("/language", content=part, headers={"Content-Type": kind})
        assert answer.status_code == 403


def test_a_form_that_is_no_form_or_beyond_measure_is_refused_as_one(owner: Browser) -> None:
    """CWE-20, CWE-400: what is parsed is bounded."""
    many = "&".join(f"f{n}=1" for n in range(2_000))
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert owner.http.post("/sign-in", content=many, headers=form).status_code == 403
    json = {"Content-Type": "application/json"}
    assert owner.http.post("/sign-in", content="{}", headers=json).status_code == 403
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    assert owner.http.post("/sign-in", content=b"--x\r\nno", headers=broken).status_code == 403
    assert owner.http.post("/sign-in", content=b"a" * 70_000, headers=form).status_code == 413


def test_neither_the_store_nor_the_pages_keep_what_opens_the_console(
    console: Console, owner: Browser
) -> None:
    """RFC 6819 section 5.1.4.1: secrets at rest. RFC 9106 section 4: the passphrase by argon2id, 64 MiB or more."""
    credential = console.house.store.console.credential()
    assert credential is not None
    cost = re.match(r"\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$", credential.passphrase)
    assert cost is not None
    assert int(cost[1]) >= 65_536
    assert int(cost[2]) >= 3
    secret = owner.http.cookies[console_cookie(console)]
    kept = b"".join(path.read_bytes() for path in console.house.settings.store_dir.glob("kv.sqlite3*"))
    assert secret.encode() not in kept
    assert PASSPHRASE.encode() not in kept
    assert secret not in owner.get("/settings").html
