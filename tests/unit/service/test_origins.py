from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx2
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from policies.errors import RateLimited
from service.addresses import addresses_of
from service.limits import Refusals
from service.metrics import Metrics
from service.oauth.routes import is_for_programs
from service.origins import CrossOrigin, Origins, OwnAddresses
from tests.unit.service.test_addresses import SETTINGS

pytestmark = pytest.mark.anyio

ADDRESSES = addresses_of(replace(SETTINGS, public_url="https://memory.example"))
NAMED = "https://inspector.example"
ASK = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-method"}
PATHS = (
    "/",
    "/consent/x",
    "/sign-in",
    "/authorize",
    "/mcp",
    "/mcp/",
    "/register",
    "/register/a",
    "/token",
    "/revoke",
)
OPEN = ("/register", "/register/a", "/token", "/revoke", "/.well-known/oauth-protected-resource/mcp")


async def served(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("served")(scope, receive, send)


async def refusing(scope: Scope, receive: Receive, send: Send) -> None:
    raise RateLimited(retry_after_s=7)


def client(app: ASGIApp = served) -> httpx2.AsyncClient:
    origins = Origins(ADDRESSES, [NAMED])
    inner = OwnAddresses(app, ADDRESSES, origins)
    layers = CrossOrigin(Refusals(inner, "en", lambda _scope: "Bearer", is_for_programs, Metrics()), origins)
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=layers), base_url="https://memory.example", trust_env=False
    )


@pytest.mark.parametrize("host", ["memory.example", "MEMORY.example", "memory.example:443"])
async def test_our_own_hosts_are_served(host: str) -> None:
    async with client() as http:
        assert (await http.post("/mcp", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "memory.example:80", "memory.example.evil.example", "localhost", "127.0.0.1", ""]
)
async def test_any_other_host_is_misdirected_whatever_the_path(host: str) -> None:
    async with client() as http:
        for path in PATHS:
            answer = await http.post(path, headers={"Host": host})
            assert (answer.status_code, answer.json()["error"]["code"]) == (421, "http.host")


async def test_probes_are_answered_under_any_host() -> None:
    async with client() as http:
        assert (await http.get("/healthz", headers={"Host": "10.0.0.7"})).status_code == 200


@pytest.mark.parametrize("path", PATHS)
async def test_our_own_pages_and_what_is_no_page_may_ask_for_everything(path: str) -> None:
    async with client() as http:
        for headers in ({}, {"Origin": "https://memory.example"}):
            assert (await http.post(path, headers=headers)).status_code == 200


@pytest.mark.parametrize("path", OPEN)
async def test_every_page_may_call_the_endpoints_that_read_no_cookie(path: str) -> None:
    async with client() as http:
        asked = await http.options(path, headers={"Origin": "https://anybody.example", **ASK})
        assert asked.status_code == 204
        answer = await http.post(path, headers={"Origin": "https://anybody.example"})
    assert answer.status_code == 200
    for one in (asked, answer):
        assert one.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in one.headers
    assert "WWW-Authenticate" in answer.headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize(
    "origin",
    [NAMED, "http://localhost:6274", "http://127.0.0.1:6274", "http://[::1]:1", "http://localhost"],
)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_pages_on_the_owners_machine_and_those_named_may_call_the_mcp_endpoint(
    path: str, origin: str
) -> None:
    async with client() as http:
        asked = await http.options(path, headers={"Origin": origin, **ASK})
        answer = await http.post(path, headers={"Origin": origin})
    assert (asked.status_code, answer.status_code) == (204, 200)
    for one in (asked, answer):
        assert one.headers["Access-Control-Allow-Origin"] == origin
        assert "Origin" in one.headers["Vary"]
    allowed = asked.headers["Access-Control-Allow-Headers"]
    for name in ("Authorization", "Content-Type", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version"):
        assert name in allowed


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://memory.example",
        "https://memory.example.evil.example",
        "http://localhost.evil.example",
        "http://localhost:6274.evil.example",
        "http://127.0.0.1.evil.example",
        "http://127.0.0.2:6274",
        "file://",
        "https://inspector.example:8443",
        "http://localhost:6274\u00b2",
    ],
)
async def test_any_other_page_is_refused_where_a_token_is_used(origin: str) -> None:
    async with client() as http:
        headers: Any = {"Origin": origin.encode("latin-1")}
        preflight: Any = {**headers, "Access-Control-Request-Method": b"POST"}
        asked = await http.options("/mcp", headers=preflight)
        answer = await http.post("/mcp", headers=headers)
    for one in (asked, answer):
        assert (one.status_code, one.json()["error"]["code"]) == (403, "http.origin")
        assert "Access-Control-Allow-Origin" not in one.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", NAMED, "http://localhost:6274"])
async def test_no_page_but_our_own_may_send_the_console_a_form(origin: str) -> None:
    async with client() as http:
        for path in ("/", "/consent/x", "/sign-in", "/tools", "/registers", "/token/x", "/.well-knownx"):
            for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "none"}):
                answer = await http.post(path, headers={"Origin": origin, **headers})
                assert answer.status_code == 403, path
                assert "Access-Control-Allow-Origin" not in answer.headers


async def test_a_page_of_ours_without_a_referrer_has_a_null_origin_and_is_ours_all_the_same() -> None:
    async with client() as http:
        answer = await http.post("/consent/x", headers={"Origin": "null", "Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 200


async def test_a_clients_own_page_may_begin_and_no_script_may() -> None:
    """OAuth 2.0 for browser-based apps: the authorization endpoint is navigated to, never fetched."""
    async with client() as http:
        answer = await http.post("/authorize", headers={"Origin": "https://client.example"})
        asked = await http.options("/authorize", headers={"Origin": "https://client.example", **ASK})
    assert answer.status_code == 200
    for one in (asked, answer):
        assert "Access-Control-Allow-Origin" not in one.headers
        assert "Access-Control-Allow-Methods" not in one.headers


async def test_a_page_can_read_why_it_was_refused() -> None:
    async with client(refusing) as http:
        answer = await http.post("/mcp", headers={"Origin": "http://localhost:6274"})
    assert answer.status_code == 429
    assert answer.headers["Access-Control-Allow-Origin"] == "http://localhost:6274"
    assert "Retry-After" in answer.headers["Access-Control-Expose-Headers"]
