"""What carries it: hosts, origins, proxies, sizes, keys, and where the issuer comes from."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import httpx2
import pytest

from cypher.settings import load_settings
from policies.errors import SettingInvalid
from tests.support.house import House, web_server
from tests.support.oauth import LIST, OAuthClient, Owner, metadata

ACCEPTS = {"Accept": "application/json, text/event-stream"}
ENDPOINTS = [
    ("GET", "/.well-known/oauth-authorization-server"),
    ("GET", "/.well-known/oauth-protected-resource/mcp"),
    ("POST", "/register"),
    ("GET", "/register/client-x"),
    ("GET", "/authorize"),
    ("POST", "/token"),
    ("POST", "/revoke"),
    ("POST", "/mcp"),
]
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,mcp-method",
}


@contextmanager
def served(house: House, **settings: Any) -> Generator[httpx2.Client]:
    """The same store, served under other settings."""
    with (
        web_server(replace(house, settings=replace(house.settings, **settings))) as address,
        httpx2.Client(base_url=address, trust_env=False, timeout=30) as http,
    ):
        yield http


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_a_request_to_another_host_is_misdirected(http: httpx2.Client, method: str, path: str) -> None:
    """RFC 9110 section 7.4; DNS rebinding: MCP, security best practices."""
    for host in ("evil.example", "localhost", "127.0.0.1.evil.example:80"):
        answer = http.request(method, path, headers={"Host": host})
        assert (answer.status_code, answer.json()["error"]["code"]) == (421, "http.host")


def test_a_page_elsewhere_may_not_use_a_token_nor_the_console(client: OAuthClient) -> None:
    """MCP, transports: the Origin header is checked; 403."""
    token = client.connected()["access_token"]
    for origin in ("https://evil.example", "null", "https://localhost.evil.example"):
        assert client.calling(token, Origin=origin).status_code == 403
        answer = client.http.options("/mcp", headers={"Origin": origin, **PREFLIGHT})
        assert (answer.status_code, "Access-Control-Allow-Origin" in answer.headers) == (403, False)
        waiting = client.waiting()
        assert client.http.post(waiting, data={}, headers={"Origin": origin}).status_code == 403


def test_no_answer_allows_a_page_to_send_cookies_along(client: OAuthClient) -> None:
    """OWASP, cross-origin resource sharing: no endpoint that is open to pages reads a cookie."""
    origin = {"Origin": "http://localhost:6274"}
    for method, path in ENDPOINTS:
        for answer in (
            client.http.request(method, path, headers=origin),
            client.http.options(path, headers={**origin, **PREFLIGHT}),
        ):
            assert "Access-Control-Allow-Credentials" not in answer.headers
            assert "Set-Cookie" not in answer.headers


def test_bodies_are_limited_on_every_endpoint(client: OAuthClient) -> None:
    """OWASP API4: what is read whole must be small."""
    token = client.connected()["access_token"]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for path in ("/authorize", "/token", "/revoke", "/register"):
        assert client.http.post(path, content=b"a=" + b"x" * 16_383, headers=form).status_code == 413
    bearer = {**ACCEPTS, "Authorization": f"Bearer {token}"}
    assert client.http.post("/mcp", content=b"x" * 65_537, headers=bearer).status_code == 413


def test_calls_are_limited_by_token(client: OAuthClient) -> None:
    """OWASP API4: one tool that runs wild does not slow another."""
    wild, other = client.connected()["access_token"], client.connected()["access_token"]
    statuses = [client.calling(wild).status_code for _ in range(301)]
    assert statuses == [200] * 300 + [429]
    assert client.calling(other).status_code == 200


def test_refusals_are_limited_by_address_and_good_tokens_never(client: OAuthClient) -> None:
    """OWASP API4: a flood of bad tokens is slowed, and cannot be used to shut the good ones out."""
    token = client.connected()["access_token"]
    statuses = [client.calling("nonsense").status_code for _ in range(61)]
    assert statuses == [401] * 60 + [429]
    assert client.http.post("/mcp", json=LIST).status_code == 429
    assert client.calling(token).status_code == 200


def test_the_issuer_comes_from_the_settings_and_nothing_that_is_sent(
    http: httpx2.Client, service: str
) -> None:
    """RFC 8414 section 3.3; host header injection."""
    told = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Prefix": "/evil",
        "Forwarded": "host=evil.example;proto=https",
    }
    port = service.rpartition(":")[2]
    for headers in ({}, told, {"Host": f"127.0.0.1:{port}"}, {"Host": f"LOCALHOST:{port}"}):
        server = http.get("/.well-known/oauth-authorization-server", headers=headers).json()
        assert {server[name] for name in server if name.endswith("_endpoint")} == {
            f"{service}/{name}" for name in ("authorize", "token", "register", "revoke")
        }
        assert server["issuer"] == service
        resource = http.get("/.well-known/oauth-protected-resource", headers=headers).json()
        assert resource["authorization_servers"] == [service]
        challenge = http.post("/mcp", json=LIST, headers=headers).headers["WWW-Authenticate"]
        assert "evil" not in challenge + resource["resource"]
        registered = http.post("/register", json=metadata(), headers=headers).json()
        assert registered["registration_client_uri"].startswith(f"{service}/register/")


def test_what_a_proxy_forwards_is_believed_of_the_owners_own(
    served_house: House, http: httpx2.Client
) -> None:
    """RFC 7239 section 8.1: anybody can write such a header. Behind a proxy, a failure of public servers: 421."""
    forwarded = {
        "Host": "10.0.0.2:8765",
        "X-Forwarded-Host": "memory.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "198.51.100.7",
    }
    public = {"public_url": "https://memory.example"}
    with served(served_house, trusted_proxies=(ip_network("127.0.0.1/32"),), **public) as behind:
        answer = behind.post("/mcp", json=LIST, headers=forwarded)
        assert answer.status_code == 401
        at = "https://memory.example/.well-known/oauth-protected-resource/mcp"
        assert f'resource_metadata="{at}"' in answer.headers["WWW-Authenticate"]
        resource = behind.get("/.well-known/oauth-protected-resource/mcp", headers=forwarded).json()
        assert resource["resource"] == "https://memory.example/mcp"
    with served(served_house, **public) as direct:
        assert direct.post("/mcp", json=LIST, headers=forwarded).status_code == 421
        # Nobody is counted under an address of their own choosing.
        served_house.clock.advance(120)
        mine = {"Host": "memory.example"}
        statuses = [
            direct.post("/register", json=metadata(), headers={**mine, "X-Forwarded-For": f"203.0.113.{n}"})
            for n in range(11)
        ]
        assert [answer.status_code for answer in statuses] == [201] * 10 + [429]


@pytest.mark.parametrize(
    "url",
    ["http://memory.example", "http://192.168.1.10:8765", "http://localhost.example", "https://a.example/x"],
)
def test_an_issuer_without_tls_off_this_machine_is_refused(
    served_house: House, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """RFC 8414 section 2: the issuer is https; OAuth 2.1 section 1.5. Only loopback is spared (RFC 8252)."""
    settings = served_house.settings
    monkeypatch.setenv("MNEMO_PUBLIC_URL", url)
    with pytest.raises(SettingInvalid):
        load_settings(settings.home, settings.store)


def test_a_new_key_ends_what_it_signed_and_no_tool(served_house: House, client: OAuthClient) -> None:
    """OWASP ASVS 6.4.1, key rotation: what was signed ends; tokens are looked up, so that they outlive the key."""
    tokens = client.connected()

    def switched(http: httpx2.Client, page: httpx2.Response) -> int:
        """Whether the form that switches the language, as a page had it, is taken."""
        found = re.search(r'name="form_token" value="([^"]+)"', page.text)
        assert found is not None
        held = {"Cookie": page.headers["Set-Cookie"].partition(";")[0]}
        return http.post("/language", data={"form_token": found[1]}, headers=held).status_code

    page = client.http.get("/sign-in")
    assert switched(client.http, page) == 303
    (key,) = (path for path in served_house.settings.keys_dir.iterdir() if path.stem == "cursor")
    before = key.read_bytes()
    try:
        key.chmod(0o600)
        key.write_bytes(os.urandom(len(before)))
        with served(served_house, port=int(client.owner.address.rpartition(":")[2])) as again:
            assert switched(again, page) == 403
            bearer = {**ACCEPTS, "Authorization": f"Bearer {tokens['access_token']}"}
            # Under another port it is another resource; the token of this one is known all the same.
            assert again.post("/mcp", json=LIST, headers=bearer).status_code == 401
            moved = OAuthClient(
                again, Owner(served_house, str(again.base_url).rstrip("/")), client.registration
            )
            moved.id, moved.secret = client.id, client.secret
            fresh = moved.refreshed(tokens["refresh_token"])
            assert fresh["scope"] == "assistant-standard"
    finally:
        key.write_bytes(before)
    assert client.calling(tokens["access_token"]).status_code == 200


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/register", {"POST"}),
        ("/register/client-x", {"GET", "HEAD", "PUT", "DELETE"}),
        ("/token", {"POST"}),
        ("/revoke", {"POST"}),
        ("/authorize", {"GET", "HEAD", "POST"}),
        ("/.well-known/oauth-authorization-server", {"GET", "HEAD"}),
    ],
)
def test_other_methods_are_405_and_say_which_are_not(
    http: httpx2.Client, path: str, allowed: set[str]
) -> None:
    """RFC 9110 section 15.5.6."""
    known = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"}
    overriding = {"X-HTTP-Method-Override": "POST", "X-HTTP-Method": "POST", "X-Method-Override": "POST"}
    for method in known - allowed:
        answer = http.request(method, path, headers=overriding)
        assert (answer.status_code, set(answer.headers["Allow"].split(", "))) == (405, allowed)
        assert answer.content == b""


def said(service: str, *lines: bytes, body: bytes = b"") -> bytes:
    """What the service answers to a request exactly as it is written; it closes the connection after it."""
    port = int(service.rpartition(":")[2])
    asked = b"\r\n".join([*lines, b"Connection: close", b"", body]).replace(b"{port}", str(port).encode())
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(asked)
        answer = bytearray()
        while more := connection.recv(65_536):
            answer += more
    return bytes(answer)


@pytest.mark.parametrize(
    "lines",
    [
        [b"GET /authorize HTTP/1.1"],
        [b"GET /authorize HTTP/1.0"],
        [b"GET /authorize HTTP/1.1", b"Host:"],
        [b"GET /authorize HTTP/1.1", b"Host: localhost:{port}", b"Host: evil.example"],
        [b"GET /authorize HTTP/1.1", b"Host: evil.example", b"Host: localhost:{port}"],
        [b"GET /authorize HTTP/1.1", b"Host: localhost:{port}, evil.example"],
        [b"GET /authorize HTTP/1.1", b"Host: evil.example, localhost:{port}"],
        [b"GET /authorize HTTP/1.1", b"Host: localhost:{port}@evil.example"],
        [b"GET /authorize HTTP/1.1", b"Host: evil.example@localhost:{port}"],
        [b"GET /authorize HTTP/1.1", b"Host: localhost.:{port}"],
        [b"GET /authorize HTTP/1.1", b"Host: localhost:{port}."],
        [b"GET /authorize HTTP/1.1", b"Host: localhost:0{port}"],
        [b"GET /authorize HTTP/1.1", b"Host: localhost:{port}/evil.example"],
        [b"GET /authorize HTTP/1.1", b"Host: [::ffff:127.0.0.1]:{port}"],
        [b"GET /authorize HTTP/1.1", b"Host : localhost:{port}"],
        [b"GET /authorize HTTP/1.1", b"X: y", b" Host: localhost:{port}"],
        [b"GET http://evil.example/authorize HTTP/1.1", b"Host: evil.example"],
        [b"GET http://evil.example/authorize HTTP/1.1", b"Host: localhost:{port}"],
        [b"GET //evil.example/authorize HTTP/1.1", b"Host: localhost:{port}"],
        [b"GET /\\evil.example HTTP/1.1", b"Host: localhost:{port}"],
        [b"GET authorize HTTP/1.1", b"Host: localhost:{port}"],
        [b"OPTIONS * HTTP/1.1", b"Host: localhost:{port}"],
        [b"CONNECT evil.example:443 HTTP/1.1", b"Host: localhost:{port}"],
        [b"GET /authorize?\xe9 HTTP/1.1", b"Host: localhost:{port}"],
        [b"POST /token HTTP/1.1", b"Host: localhost:{port}", b"Content-Length: 3", b"Content-Length: 4"],
        [b"POST /token HTTP/1.1", b"Host: localhost:{port}", b"Content-Length: +3"],
        [b"POST /token HTTP/1.1", b"Host: localhost:{port}", b"Content-Length: -1"],
        [b"POST /token HTTP/1.1", b"Host: localhost:{port}", b"Transfer-Encoding: gzip, chunked"],
        [b"POST /token HTTP/1.1", b"Host: localhost:{port}", b"Transfer-Encoding: xchunked"],
    ],
    ids=lambda lines: " ".join(line.decode("latin-1") for line in lines),
)
def test_a_request_that_can_be_read_in_two_ways_is_served_in_neither(
    service: str, lines: list[bytes]
) -> None:
    """RFC 9112 sections 3.2 and 6.3, CWE-444, request smuggling: which host, which path, how long."""
    answer = said(service, *lines, body=b"x=y")
    status = int(answer.split(b" ", 2)[1])
    assert status in (400, 404, 405, 421, 501), answer
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert b"\r\nlocation:" not in head
    assert b"\r\naccess-control-allow-origin:" not in head
    assert b"evil" not in head


@pytest.mark.parametrize(
    "path",
    [
        "/mcp//",
        "/token/",
        "/register/",
        "/revoke/",
        "/authorize/",
        "/.well-known/oauth-authorization-server/",
        "/.well-known/oauth-protected-resource/mcp/",
        "/tools/",
        "/static",
    ],
)
def test_a_slash_too_many_is_not_redirected(http: httpx2.Client, path: str) -> None:
    """RFC 9700 section 4.12: a 307 has a client send its code or its token again, wherever the Location says."""
    for method in ("GET", "POST"):
        answer = http.request(method, path, follow_redirects=False)
        assert answer.status_code in (200, 404, 405)
        assert "Location" not in answer.headers
    assert http.post("/mcp/", json=LIST).status_code == 401


@pytest.mark.parametrize("asked", ["bytes=9999999-", "lines=1-2", "bytes=", "bytes=a-b"])
def test_a_range_that_cannot_be_is_refused_without_a_word(http: httpx2.Client, asked: str) -> None:
    """RFC 9110 section 15.5.17; a library's words tell which one it is."""
    answer = http.get("/static/console.css", headers={"Range": asked})
    assert answer.status_code in (400, 416)
    assert (answer.text, answer.headers["Content-Length"]) == ("", "0")
    assert http.get("/static/console.css", headers={"Range": "bytes=0-3"}).status_code == 206


def test_counts_are_told_to_nobody_beyond_a_proxy(served_house: House, http: httpx2.Client) -> None:
    """CWE-200: on the public address they told how much the owner uses it, and what fails."""
    for header in ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "X-Real-IP", "Via"):
        answer = http.get("/metrics", headers={header: "127.0.0.1"})
        assert (answer.status_code, "mnemo_" in answer.text) == (404, False)
    proxies = {"trusted_proxies": (ip_network("127.0.0.1/32"),)}
    with served(served_house, public_url="https://memory.example", **proxies) as behind:
        forwarded = {"Host": "memory.example", "X-Forwarded-For": "127.0.0.1"}
        assert behind.get("/metrics", headers=forwarded).status_code == 404
        for host in ("127.0.0.1:8765", "localhost:1", "[::1]", "mnemo:8765", "memory.example"):
            assert behind.get("/metrics", headers={"Host": host}).status_code == 200
        for host in ("evil.example", "127.0.0.1.evil.example", "a.b"):
            assert behind.get("/metrics", headers={"Host": host}).status_code == 421
        assert behind.get("/", headers={"Host": "mnemo:8765"}).status_code == 421


@pytest.mark.parametrize(
    "path",
    ["/.well-known/other", "/.well-known/oauth-authorization-server/other", "/token/x", "/oauth/token"],
)
def test_what_is_not_there_is_404(http: httpx2.Client, path: str) -> None:
    """RFC 8414 section 3: no issuer of another path is described here, nor any endpoint served at a guess."""
    assert http.get(path).status_code == 404
