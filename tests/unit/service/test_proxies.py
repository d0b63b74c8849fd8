"""Whose word about a request is taken: that of the configured proxies, of nobody else."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from service.proxies import TrustedProxies, client_address

pytestmark = pytest.mark.anyio

PROXIES = (ip_network("10.0.0.0/8"), ip_network("::1/128"))
Headers = list[tuple[str, str]]


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers how the request looks."""
    headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
    seen = {"client": scope["client"][0], "scheme": scope["scheme"], "headers": headers}
    await JSONResponse(seen)(scope, receive, send)


async def seen(peer: str, headers: Headers) -> dict[str, Any]:
    transport = httpx2.ASGITransport(app=TrustedProxies(echo, PROXIES), client=(peer, 1234))
    async with httpx2.AsyncClient(transport=transport, base_url="http://inside", trust_env=False) as http:
        return (await http.get("/", headers=headers)).json()


async def test_the_words_of_a_stranger_about_itself_are_dropped() -> None:
    """RFC 7239 section 8.1, CWE-348: a limit by address is void when the caller chooses the address."""
    said = [
        ("X-Forwarded-For", "203.0.113.9"),
        ("X-Forwarded-Proto", "https"),
        ("X-Forwarded-Host", "evil.example"),
        ("X-Forwarded-Port", "1"),
        ("X-Real-IP", "203.0.113.9"),
        ("Forwarded", "for=203.0.113.9;host=evil.example"),
    ]
    found = await seen("198.51.100.7", said)
    assert (found["client"], found["scheme"], found["headers"]["host"]) == ("198.51.100.7", "http", "inside")
    assert not [name for name in found["headers"] if "forward" in name or "real" in name]


async def test_a_proxy_of_ours_tells_who_called_how_and_whom() -> None:
    said = [
        ("X-Forwarded-For", "203.0.113.9"),
        ("X-Forwarded-Proto", "https"),
        ("X-Forwarded-Host", "memory.example:8443"),
    ]
    found = await seen("10.1.2.3", said)
    assert (found["client"], found["scheme"]) == ("203.0.113.9", "https")
    assert found["headers"]["host"] == "memory.example:8443"
    assert not [name for name in found["headers"] if "forward" in name]


@pytest.mark.parametrize(
    ("peer", "chain", "client"),
    [
        ("10.0.0.1", ["203.0.113.9, 198.51.100.2"], "198.51.100.2"),  # the first is what the client wrote
        ("10.0.0.1", ["203.0.113.9", "198.51.100.2, 10.9.9.9"], "198.51.100.2"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.2:4711"], "198.51.100.2"),
        ("10.0.0.1", ['"[2001:db8::7]:4711"'], "2001:db8::7"),
        ("10.0.0.1", ["::ffff:198.51.100.2"], "198.51.100.2"),
        ("::ffff:10.0.0.1", ["198.51.100.2"], "198.51.100.2"),
        ("::1", ["198.51.100.2"], "198.51.100.2"),
        ("10.0.0.1", ["198.51.100.2, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.2, unknown, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
    ],
)
async def test_the_client_is_the_nearest_address_that_is_no_proxy_of_ours(
    peer: str, chain: list[str], client: str
) -> None:
    found = await seen(peer, [("X-Forwarded-For", line) for line in chain])
    assert found["client"] == client


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Forwarded-Proto", "javascript"),
        ("X-Forwarded-Proto", ""),
        ("X-Forwarded-Host", ""),
        ("X-Forwarded-Host", "memory.example/path"),
        ("X-Forwarded-Host", "user@memory.example"),
        ("X-Forwarded-Host", "mémoire.example"),
    ],
)
async def test_what_is_no_scheme_and_no_host_is_passed_over(name: str, value: str) -> None:
    transport = httpx2.ASGITransport(app=TrustedProxies(echo, PROXIES), client=("10.0.0.1", 1))
    async with httpx2.AsyncClient(transport=transport, base_url="http://inside", trust_env=False) as http:
        found = (await http.get("/", headers=[(name.encode(), value.encode("utf-8"))])).json()
    assert (found["scheme"], found["headers"]["host"]) == ("http", "inside")


async def test_of_several_hosts_and_schemes_the_nearest_proxys_counts() -> None:
    said = [
        ("X-Forwarded-Host", "evil.example, memory.example"),
        ("X-Forwarded-Proto", "http"),
        ("X-Forwarded-Proto", "https"),
    ]
    found = await seen("10.0.0.1", said)
    assert (found["headers"]["host"], found["scheme"]) == ("memory.example", "https")


@given(chain=st.text(alphabet='0123456789abcdef.:,[]% "x', max_size=80), peer=st.ip_addresses())
def test_whatever_a_header_says_a_stranger_stays_itself(chain: str, peer: Any) -> None:
    layer = TrustedProxies(echo, ())
    scope: Scope = {
        "type": "http",
        "client": (str(peer), 1),
        "scheme": "http",
        "headers": [(b"x-forwarded-for", chain.encode())],
    }
    assert layer._seen(scope)["client"] == (str(peer), 1)  # pyright: ignore[reportPrivateUsage]
    believing = TrustedProxies(echo, (ip_network("0.0.0.0/0"), ip_network("::/0")))
    assert client_address(believing._seen(scope))  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("198.51.100.2", 1), "198.51.100.2"),
        (("::ffff:198.51.100.2", 1), "198.51.100.2"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 1), "fe80::/64"),
        (None, ""),
        (("testclient", 50000), ""),
    ],
)
def test_requests_are_counted_by_address_and_of_ipv6_by_subscriber(client: Any, counted: str) -> None:
    assert client_address({"type": "http", "client": client}) == counted
