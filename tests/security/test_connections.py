"""Connections that hold what they began: requests without an end, heads without an end, paths that are no paths."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
import tracemalloc
from collections.abc import Generator, Iterator

import anyio
import httpx2
import pytest
import uvicorn
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from policies.errors import BodyTooLarge, BodyTooSlow
from service.connections import HEAD_BYTES, PlainHttp
from service.limits import DRAINED_BYTES_MAX, BodyBound, BodyLimit, PlainPath, Refusals
from service.metrics import Metrics
from service.oauth.routes import is_for_programs
from tests.support.waiting import eventually

LIMIT = 1024
SOON_S = 0.3
PIECE = b"x" * LIMIT


class HastyHttp(PlainHttp):
    """The same, with less patience."""

    head_s = SOON_S


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers how much reached it."""
    body = (await receive())["body"]
    await JSONResponse({"bytes": len(body)})(scope, receive, send)


def gated(app: ASGIApp, within_s: float) -> ASGIApp:
    """An app behind the gates."""
    inner = PlainPath(BodyLimit(app, lambda _path: BodyBound(LIMIT, within_s)))
    return Refusals(inner, "en", lambda _scope: "Bearer", is_for_programs, Metrics())


@contextlib.contextmanager
def served(app: ASGIApp) -> Generator[int]:
    """An app behind the protocol that the service speaks; the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        http=HastyHttp,
        h11_max_incomplete_event_size=HEAD_BYTES,
        ws="none",
        lifespan="off",
        log_config=None,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        eventually(lambda: server.started)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of a service that waits for nobody for long."""
    with served(gated(echo, SOON_S)) as port:
        yield port


def began(port: int, sent: bytes) -> socket.socket:
    """A connection that has sent something."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(sent)
    return connection


def rest(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    came = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65_536):
            came += piece
    return bytes(came)


def is_closed_on(connection: socket.socket, piece: bytes) -> bool:
    """Whether the other side closes on one who sends a piece again and again."""
    connection.settimeout(0.02)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            connection.sendall(piece)
            if not connection.recv(65_536):
                return True
        except TimeoutError:
            pass
        except OSError:
            return True
    return False


def post(path: str, length: int) -> bytes:
    """The head of a request whose body is to follow."""
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode()


@pytest.mark.parametrize("length", [LIMIT, 100 * LIMIT])
def test_a_body_that_never_ends_is_given_up(port: int, length: int) -> None:
    """RFC 9110 section 15.5.9, CWE-400: strangers held connections and their bodies for as long as they liked."""
    for path in ("/mcp", "/token"):
        with began(port, post(path, length) + b"x" * (length // 2)) as connection:
            head, _, body = rest(connection).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 "), head
        assert b"connection: close" in head.lower()
        told = json.loads(body)
        if path == "/mcp":
            assert (told["error"]["code"], told["error"]["category"]) == ("http.too_slow", "incorrect")
        else:
            assert told["error"] == "invalid_request"
            assert told["error_description"].isascii()


def test_a_trickle_buys_no_time(port: int) -> None:
    """CWE-400: a byte now and then keeps a connection from being idle; the deadline is for the whole."""
    with began(port, post("/mcp", LIMIT)) as connection:
        connection.settimeout(0.02)
        until = time.monotonic() + 20
        answer = b""
        while not answer and time.monotonic() < until:
            connection.sendall(b"x")
            with contextlib.suppress(TimeoutError):
                answer = connection.recv(12)
    assert answer == b"HTTP/1.1 408"


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: localh", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /again"]
)
def test_a_head_that_never_ends_is_given_up(port: int, sent: bytes) -> None:
    """CWE-400 (Slowloris): the server's own bound on an idle connection ends with the first byte of a request."""
    with began(port, sent) as connection:
        rest(connection)


def test_a_head_that_trickles_is_given_up(port: int) -> None:
    """CWE-400 (Slowloris): one header after the other, for ever."""
    with began(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n") as connection:
        assert is_closed_on(connection, b"X-A: b\r\n")


def test_what_follows_a_refused_request_is_not_read_for_ever(port: int) -> None:
    """CWE-400: a body whose request was answered already went on as long as it liked."""
    with began(port, post("/mcp%0a", 10**12)) as connection:
        assert is_closed_on(connection, PIECE)


def test_a_head_beyond_all_measure_is_refused(port: int) -> None:
    """CWE-770: what is kept of a head that has not ended is bounded."""
    with began(port, b"GET / HTTP/1.1\r\nX: ") as connection, contextlib.suppress(OSError):
        connection.sendall(b"x" * (HEAD_BYTES * 4))
        assert rest(connection).startswith(b"HTTP/1.1 400 ")


def test_who_sends_in_time_is_served_again_and_again(port: int) -> None:
    """What bounds the slow is not felt by the others: requests, one after the other, for longer than any may take."""
    until = time.monotonic() + 3 * SOON_S
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
        while time.monotonic() < until:
            assert http.post("/mcp", content=PIECE).json() == {"bytes": LIMIT}


@pytest.mark.anyio
async def test_nothing_beyond_the_limit_is_kept() -> None:
    """CWE-770: of each body that was refused a MiB was kept while its end was awaited."""
    held: list[int] = []
    large = 64 * LIMIT
    left = DRAINED_BYTES_MAX // large

    async def receive() -> Message:
        nonlocal left
        left -= 1
        held.append(tracemalloc.get_traced_memory()[0])
        return {"type": "http.request", "body": bytes(large), "more_body": left > 0}

    async def unsent(message: Message) -> None:
        raise AssertionError(message)

    tracemalloc.start()
    try:
        with pytest.raises(BodyTooLarge):
            await BodyLimit(echo, lambda _path: BodyBound(LIMIT))(
                {"type": "http", "path": "/", "headers": []}, receive, unsent
            )
    finally:
        tracemalloc.stop()
    assert len(held) == DRAINED_BYTES_MAX // large
    assert max(held) - held[0] < 16 * LIMIT


@pytest.mark.anyio
async def test_who_leaves_is_no_failure_and_who_stays_away_is_one() -> None:
    """RFC 9110 section 15.5.9: the answer is for who is still there."""

    async def left() -> Message:
        return {"type": "http.disconnect"}

    async def unsent(message: Message) -> None:
        raise AssertionError(message)

    scope: Scope = {"type": "http", "path": "/", "headers": []}
    await BodyLimit(echo, lambda _path: BodyBound(LIMIT))(scope, left, unsent)

    async def away() -> Message:
        await anyio.sleep_forever()
        raise AssertionError

    with pytest.raises(BodyTooSlow):
        await BodyLimit(echo, lambda _path: BodyBound(LIMIT, 0.01))(scope, away, unsent)


@pytest.mark.parametrize(
    "path", ["/mcp%0a", "/mcp%0d%0a", "/token%0A", "/sign-in%0a", "/%00", "/mcp%7f", "/healthz%c2%85"]
)
def test_a_path_with_a_control_character_leads_nowhere(port: int, path: str) -> None:
    """CWE-158, CWE-20: routes match up to the end of a line, and rules for a path do not know the other."""
    answer = httpx2.get(f"http://127.0.0.1:{port}{path}", trust_env=False)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "page.unknown"
