"""Metadata documents of clients are fetched from the public internet alone.

The draft of client-ID metadata documents, section 6.5; OWASP, server-side request forgery.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Iterator
from typing import Any

import pytest

from policies.errors import ClientDocumentRefused
from service.oauth.fetching import PinnedFetcher, is_public
from tests.support.document_server import HERE, DocumentServer, document_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocumentServer]:
    with document_server(tmp_path_factory.mktemp("documents")) as server:
        yield server


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "104.18.32.7", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
)
def test_a_public_address_is_public_however_it_is_written(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.10",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.1",
        "192.0.0.9",
        "192.88.99.1",
        "192.0.2.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:a00:1::",
        "2001:0:4136:e378:8000:63bf:f5ff:fffe",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "3fff:fff::1",
        "100::1",
    ],
)
def test_no_address_of_a_network_within_is_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "http://client.example/c.json",
        "https://client.example",
        "https://client.example/",
        "https://client.example:80/c.json",
        "https://client.example:8443/c.json",
        "https://client.example:/c.json",
        "https://user@client.example/c.json",
        "https://user:pw@client.example/c.json",
        "https://client.example/c.json#x",
        "https://client.example/a/../c.json",
        "https://client.example/./c.json",
        "https://client.example/a/%2e%2e/c.json",
        "https://client.example/c.json\n",
        "https://client.example/c json",
        "https://client.example\\@evil.example/c.json",
        "https://CLIENT.example/c.json",
        "https://client/c.json",
        "https://localhost/c.json",
        "https://127.0.0.1/c.json",
        "https://[::1]/c.json",
        "https://0x7f.1/c.json",
        "https://2130706433/c.json",
        "https://-client.example/c.json",
        "https://clïent.example/c.json",
        "https:client.example/c.json",
        "ftp://client.example/c.json",
        "file:///etc/passwd",
        "https://",
        "",
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_not_even_resolved(address: str) -> None:
    resolved: list[str] = []

    def resolve(name: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
        resolved.append(name)
        return [HERE]

    with pytest.raises(ClientDocumentRefused):
        PinnedFetcher(bytes_max=10, seconds_max=1, resolve=resolve)(address)
    assert resolved == []


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["1.1.1.1", "127.0.0.1"],
        ["127.0.0.1", "1.1.1.1"],
        ["::ffff:127.0.0.1"],
        ["169.254.169.254"],
        [],
    ],
)
def test_a_name_that_leads_within_is_not_connected_to(server: DocumentServer, addresses: list[str]) -> None:
    """One address within among public ones is how rebinding begins."""
    known = [ipaddress.ip_address(one) for one in addresses]
    fetch = PinnedFetcher(
        bytes_max=10,
        seconds_max=1,
        resolve=lambda _name: known,
        ports=frozenset({server.port}),
        tls=server.tls,
    )
    before = len(server.asked)
    with pytest.raises(ClientDocumentRefused):
        fetch(server.publish("client.example", "/c.json"))
    assert len(server.asked) == before


def test_the_name_is_resolved_once_and_that_address_is_the_one_connected_to(server: DocumentServer) -> None:
    """DNS rebinding: a second answer of the resolver would come too late to matter."""
    answers = [[HERE], [ipaddress.ip_address("169.254.169.254")]]
    fetch = PinnedFetcher(
        bytes_max=5120,
        seconds_max=5,
        is_allowed=lambda address: address == HERE,
        resolve=lambda _name: answers.pop(0),
        ports=frozenset({server.port}),
        tls=server.tls,
    )
    assert b"client_id" in fetch(server.publish("client.example", "/c.json")).body
    assert len(answers) == 1


def test_a_document_is_fetched_under_its_own_name_and_nothing_of_ours_goes_with_the_request(
    server: DocumentServer,
) -> None:
    fetched = server.fetcher()(server.publish("client.example", "/c.json?v=1", {"client_name": "x"}))
    assert b'"client_name": "x"' in fetched.body
    where, headers = server.asked[-1]
    assert where == "client.example/c.json?v=1"
    assert headers["host"] == f"client.example:{server.port}"
    assert not {"authorization", "cookie", "referer", "origin"} & headers.keys()


def test_the_certificate_must_be_for_the_name(server: DocumentServer) -> None:
    fetch = server.fetcher(addresses={"other.example": [HERE]})
    with pytest.raises(ClientDocumentRefused):
        fetch(server.address("other.example", "/c.json"))


@pytest.mark.parametrize(
    "said",
    [
        {"status": 301, "headers": {"Location": "/other.json", "Content-Type": "application/json"}},
        {"status": 302, "headers": {"Location": "https://127.0.0.1/", "Content-Type": "application/json"}},
        {"status": 201},
        {"status": 404},
        {"status": 500},
        {"headers": {"Content-Type": "text/html"}},
        {"headers": {}},
        {"headers": {"Content-Type": "application/json", "Content-Encoding": "gzip"}},
        {"body": b"x" * 5121},
        {"body": b"x" * 5121, "headers": {"Content-Type": "application/json", "Content-Length": "5121"}},
    ],
)
def test_what_is_no_small_document_is_refused(server: DocumentServer, said: dict[str, Any]) -> None:
    """No redirect is followed: it would lead wherever its server likes."""
    server.publish("client.example", "/other.json")
    before = len(server.asked)
    with pytest.raises(ClientDocumentRefused):
        server.fetcher()(server.publish("client.example", "/c.json", None, **{"body": b"{}", **said}))
    assert len(server.asked) == before + 1


def test_five_kilobytes_and_any_kind_of_json_are_accepted(server: DocumentServer) -> None:
    headers = {"Content-Type": "application/ld+json; charset=utf-8", "Cache-Control": "public, max-age=60"}
    fetched = server.fetcher()(server.publish("client.example", "/c.json", body=b"x" * 5120, headers=headers))
    assert (len(fetched.body), fetched.keep_seconds) == (5120, 60)


@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [("", None), ("max-age=60", 60), ("no-store", 0), ("no-cache, max-age=60", 0), ("x-max-age=9", None)],
)
def test_its_server_may_say_how_long_it_is_kept(
    server: DocumentServer, cache_control: str, seconds: int | None
) -> None:
    headers = {"Content-Type": "application/json", "Cache-Control": cache_control}
    fetched = server.fetcher()(server.publish("client.example", "/c.json", body=b"{}", headers=headers))
    assert fetched.keep_seconds == seconds


def test_a_server_that_drips_is_left(server: DocumentServer) -> None:
    begun = time.monotonic()
    with pytest.raises(ClientDocumentRefused):
        server.fetcher(seconds_max=0.3)(
            server.publish("client.example", "/c.json", body=b"x" * 400, pause_s=0.02)
        )
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize(
    "dribble",
    [
        (b"HTTP/1.1 200 OK\r\n", b"X-More: a\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n", b""),
        (b"HTTP/1.1 200 ", b"O"),
    ],
    ids=["headers", "continue", "hints", "nothing", "reason"],
)
def test_a_server_that_never_comes_to_the_body_is_left_at_the_deadline(
    server: DocumentServer, dribble: tuple[bytes, bytes]
) -> None:
    """CWE-400, slow reads: a limit for each read is never reached by who sends a little before it."""
    address = server.publish("client.example", "/c.json", dribble=dribble, pause_s=0.1)
    begun = time.monotonic()
    with pytest.raises(ClientDocumentRefused):
        server.fetcher(seconds_max=0.5)(address)
    assert time.monotonic() - begun < 3


def test_a_server_that_never_ends_its_headers_is_not_read_for_ever(server: DocumentServer) -> None:
    """CWE-770."""
    endless = (b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"a" * 8_000 + b"\r\n")
    address = server.publish("client.example", "/c.json", dribble=endless, pause_s=0.001)
    begun = time.monotonic()
    with pytest.raises(ClientDocumentRefused, match="the size"):
        server.fetcher(seconds_max=30)(address)
    assert time.monotonic() - begun < 10


def test_what_is_cut_short_is_refused(server: DocumentServer) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": "100"}
    cut = (b"HTTP/1.1 200 OK\r\n" + b"".join(f"{k}: {v}\r\n".encode() for k, v in headers.items()), b"\r\n{}")
    address = server.publish("client.example", "/c.json", dribble=cut, pause_s=60)
    with pytest.raises(ClientDocumentRefused):
        server.fetcher(seconds_max=5)(address)


def test_what_does_not_answer_is_refused_like_the_rest(server: DocumentServer) -> None:
    fetch = PinnedFetcher(
        bytes_max=10,
        seconds_max=1,
        is_allowed=lambda _address: True,
        resolve=lambda _name: [HERE],
        ports=frozenset({1}),
    )
    with pytest.raises(ClientDocumentRefused):
        fetch("https://client.example:1/c.json")
