"""The metadata documents of clients: strangers who ask for slow ones shut nobody out (CWE-400, CWE-770)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from policies.errors import ClientDocumentRefused, ClientUnknown, MnemoError, RateLimited
from policies.parameters import parameters
from policies.terms import Instant
from service.counting import Counting
from service.oauth.documents import Documents, Fetch
from service.oauth.fetching import Fetched
from service.oauth.issuing import Issuing
from service.oauth.server import Server
from service.stores.protocol import Store
from tests.support.clocks import SetClock, TickingClock
from tests.support.document_server import NAMES, document_server
from tests.support.waiting import eventually

DRIBBLE = (b"HTTP/1.1 200 OK\r\n", b"X-More: a\r\n")
CALLBACK = {"redirect_uris": ["https://client.example/cb"]}


def asking(store: Store, fetch: Fetch, seconds: int) -> Callable[[str], type[MnemoError] | None]:
    """Asks for a document as a stranger at an address of their own: what it is refused with."""
    numbers = parameters()
    hurried = replace(numbers, connecting=replace(numbers.connecting, document_timeout_seconds=seconds))
    clock = SetClock(Instant(1_700_000_000_000_000))
    documents = Documents(store.oauth, clock, Counting(store.rates, clock), hurried, fetch)

    def ask(address: str) -> type[MnemoError] | None:
        try:
            documents.refresh(address, address)
        except MnemoError as error:
            return type(error)
        return None

    return ask


def document(address: str) -> Fetched:
    return Fetched(json.dumps({"client_id": address, **CALLBACK}).encode(), None)


def test_servers_that_dribble_hold_no_place_beyond_the_deadline(store: Store, tmp_path: Path) -> None:
    """Four of them once held every worker until the process was started again."""
    with document_server(tmp_path) as server:
        ask = asking(store, server.fetcher(seconds_max=1), 1)
        slow = [server.publish(name, "/slow", dribble=DRIBBLE, pause_s=0.2) for name in NAMES]
        good = server.publish("client.example", "/c.json", CALLBACK)
        with ThreadPoolExecutor(len(slow)) as strangers:
            assert set(strangers.map(ask, slow)) == {ClientDocumentRefused}
        assert ask(good) is None
        eventually(lambda: "document" not in {one.name for one in threading.enumerate()}, within_s=5)


def test_a_resolver_that_hangs_holds_no_place_beyond_the_deadline(store: Store) -> None:
    """What cannot be interrupted is left to itself."""
    ends = threading.Event()

    def fetch(address: str) -> Fetched:
        if "hangs" in address:
            ends.wait(30)
        return document(address)

    ask = asking(store, fetch, 1)
    try:
        with ThreadPoolExecutor(16) as strangers:
            hanging = [f"https://hangs-{number}.example/c" for number in range(16)]
            assert set(strangers.map(ask, hanging)) == {ClientDocumentRefused}
        assert ask("https://client.example/c") is None
    finally:
        ends.set()


@pytest.mark.parametrize(("hosts", "places"), [(1, 2), (20, 16)])
def test_one_host_and_all_of_them_have_so_many_places_and_the_next_is_told_at_once(
    store: Store, hosts: int, places: int
) -> None:
    ends, begun = threading.Event(), threading.Semaphore(0)

    def fetch(address: str) -> Fetched:
        begun.release()
        assert ends.wait(30)
        return document(address)

    ask = asking(store, fetch, 30)
    with ThreadPoolExecutor(places) as strangers:
        asked = [
            strangers.submit(ask, f"https://host-{number % hosts}.example/{number}")
            for number in range(places)
        ]
        try:
            assert all(begun.acquire(timeout=10) for _ in asked)
            assert ask("https://host-0.example/next") is RateLimited
        finally:
            ends.set()
        assert [one.result(10) for one in asked] == [None] * places
    assert ask("https://host-0.example/next") is None


@pytest.mark.parametrize("keep_seconds", [0, 1, 599, 600, 601, 659, 660, 86_400, None])
def test_a_document_that_is_to_be_kept_for_no_time_lasts_until_its_client_was_answered(
    store: Store, keep_seconds: int | None
) -> None:
    """Static hosts say ``max-age=0``: a clock that goes on between two looks made such a client unknown at once."""
    address, numbers, fetched = "https://client.example/c.json", parameters(), list[str]()
    clock = TickingClock(Instant(1_700_000_000_000_000))

    def fetch(address: str) -> Fetched:
        fetched.append(address)
        clock.advance(4)
        return replace(document(address), keep_seconds=keep_seconds)

    counting = Counting(store.rates, clock)
    documents = Documents(store.oauth, clock, counting, numbers, fetch)
    issuing = Issuing(store, clock, counting, numbers.connecting)
    server = Server("http://localhost:8765", store.oauth, issuing, clock, numbers)
    for _ in range(3):
        documents.refresh(address, "192.0.2.1")
        assert server.query_client(address).get_client_id() == address
    assert len(fetched) == (3 if keep_seconds is not None and keep_seconds <= 660 else 1)
    clock.advance(86_401)
    with pytest.raises(ClientUnknown):
        server.query_client(address)
