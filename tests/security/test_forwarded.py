"""Transport: whose word about a request is taken. The real app, called as a proxy and as strangers call it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from starlette.types import ASGIApp

from cypher.runtime import RandomIds
from cypher.settings import Settings, load_settings
from policies.errors import SettingInvalid
from policies.parameters import parameters
from policies.terms import Instant
from service.app import create_app
from tests.support.clocks import SetClock
from tests.support.plain_store import plain_store

pytestmark = pytest.mark.anyio

PUBLIC = "https://memory.example"
PROXY, STRANGER = "10.0.0.1", "203.0.113.1"
METADATA = "/.well-known/oauth-authorization-server"
RESOURCE = "/.well-known/oauth-protected-resource"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = plain_store(tmp_path_factory.mktemp("home"))
    return replace(settings, public_url=PUBLIC, trusted_proxies=(ip_network(PROXY),))


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[ASGIApp]:
    """The app of a store without an engine: nothing that is asked here needs one."""
    app = create_app(settings, clock=SetClock(Instant(1_790_000_000_000_000)), ids=RandomIds())
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
    ):
        yield app


def called_from(app: ASGIApp, peer: str) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=app, client=(peer, 40_000))
    return httpx2.AsyncClient(transport=transport, base_url=PUBLIC, trust_env=False)


@pytest.mark.parametrize("peer", [PROXY, STRANGER])
@pytest.mark.parametrize(
    "forged",
    [
        {"X-Forwarded-Host": "memory.example:444"},
        {"X-Forwarded-Proto": "http"},
        {"X-Forwarded-Port": "80"},
        {"X-Forwarded-Prefix": "/evil"},
        {"X-Original-URL": "/evil"},
        {"Forwarded": "host=evil.example;proto=http"},
    ],
)
async def test_the_issuer_is_configured_whatever_a_request_says(
    app: ASGIApp, peer: str, forged: dict[str, str]
) -> None:
    """RFC 8414 section 3.3: an issuer that a request can choose sends clients to somebody else's endpoints."""
    async with called_from(app, peer) as http:
        answer = await http.get(METADATA, headers=forged)
        if answer.status_code == 421:
            assert peer == PROXY  # its word about the host is taken, and that host is not ours
            return
        document: dict[str, Any] = answer.json()
        resource = (await http.get(f"{RESOURCE}/mcp", headers=forged)).json()
    assert document["issuer"] == PUBLIC
    assert {url for name, url in document.items() if name.endswith("_endpoint")} == {
        f"{PUBLIC}/{name}" for name in ("authorize", "token", "register", "revoke")
    }
    assert resource["resource"] == f"{PUBLIC}/mcp"


@pytest.mark.parametrize(
    ("peer", "headers", "status"),
    [
        (STRANGER, {"Host": "evil.example"}, 421),
        (STRANGER, {"Host": "evil.example", "X-Forwarded-Host": "memory.example"}, 421),
        (STRANGER, {"Host": "memory.example", "X-Forwarded-Host": "evil.example"}, 401),
        (PROXY, {"Host": "127.0.0.1:8765"}, 421),
        (PROXY, {"Host": "127.0.0.1:8765", "X-Forwarded-Host": "memory.example"}, 401),
        (PROXY, {"Host": "memory.example", "X-Forwarded-Host": "evil.example"}, 421),
        (PROXY, {"Host": "memory.example", "X-Forwarded-Host": "evil.example, memory.example"}, 401),
    ],
)
async def test_a_rebound_name_is_refused_and_no_header_of_a_stranger_hides_it(
    app: ASGIApp, peer: str, headers: dict[str, str], status: int
) -> None:
    """RFC 9110 section 7.4 and DNS rebinding (CVE-2025-66416): a proxy that rewrites Host must not get 421 either."""
    async with called_from(app, peer) as http:
        assert (await http.post("/mcp", json={}, headers=headers)).status_code == status


async def test_a_stranger_cannot_call_itself_somebody_else_to_escape_its_limit(app: ASGIApp) -> None:
    """RFC 7239 section 8.1, CWE-348: limits by address are void when the caller writes the address."""
    limit = parameters().connecting.refusals_per_minute
    bad = {"Authorization": "Bearer guessed"}
    async with called_from(app, STRANGER) as http:
        statuses = [
            (await http.post("/mcp", headers={**bad, "X-Forwarded-For": f"198.51.100.{n}"})).status_code
            for n in range(limit + 2)
        ]
    assert statuses[0] == 401
    assert statuses[-1] == 429


async def test_behind_the_proxy_callers_are_told_apart_and_one_cannot_shut_out_the_others(
    app: ASGIApp,
) -> None:
    """RFC 7239 section 8.1: counted as the proxy's, one caller that guesses would lock everybody out."""
    limit = parameters().connecting.refusals_per_minute
    bad = {"Authorization": "Bearer guessed"}
    async with called_from(app, PROXY) as http:
        # What the guesser wrote itself stands before what the proxy wrote.
        guesser = [
            (
                await http.post("/mcp", headers={**bad, "X-Forwarded-For": f"192.0.2.{n}, 198.51.100.7"})
            ).status_code
            for n in range(limit + 2)
        ]
        other = await http.post("/mcp", headers={**bad, "X-Forwarded-For": "192.0.2.1, 198.51.100.8"})
    assert (guesser[0], guesser[-1], other.status_code) == (401, 429, 401)


@pytest.mark.parametrize(
    "url",
    [
        "http://memory.example",
        "http://192.168.1.20:8765",
        "http://localhost.evil.example",
        "http://127.0.0.1.evil.example",
        "https://memory.example/base",
        "https://memory.example?x",
        "https://memory.example#x",
        "https://owner@memory.example",
    ],
)
def test_an_issuer_that_is_no_bare_https_address_is_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """RFC 8414 section 2: https, no query, no fragment; OAuth 2.1 section 1.5: http for the loopback alone."""
    monkeypatch.setenv("MNEMO_PUBLIC_URL", url)
    with pytest.raises(SettingInvalid) as refused:
        load_settings(settings.home)
    assert refused.value.details["setting"] == "MNEMO_PUBLIC_URL"
