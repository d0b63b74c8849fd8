from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from policies.errors import BodyTooLarge, RateLimited
from policies.parameters import parameters
from policies.terms import Grant
from service.grants import Grants
from service.limits import DRAINED_BYTES_MAX, Allowance, BodyBound, BodyLimit, OneMessage, Refusals
from service.metrics import Metrics
from service.oauth.routes import is_for_programs
from service.stores.sqlite import SqliteStore
from tests.support.clocks import SetClock

PING: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

pytestmark = pytest.mark.anyio


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers what reached it."""
    body = bytearray()
    while True:
        message = await receive()
        body += message["body"]
        if not message["more_body"]:
            break
    noted = {name: scope.get(name) for name in (OneMessage.UNSAFE, OneMessage.CALLED)}
    await JSONResponse({"body": json.loads(bytes(body)), **noted})(scope, receive, send)


async def failing(scope: Scope, receive: Receive, send: Send) -> None:
    """Fails as a bug would, with something secret in its message."""
    raise RuntimeError("the owner is called Louise")


def client(app: Any = None) -> httpx2.AsyncClient:
    inner = BodyLimit(OneMessage(app or echo), lambda _path: BodyBound(1024))
    layers = Refusals(inner, "en", lambda _scope: "Bearer", is_for_programs, Metrics())
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=layers), base_url="http://localhost:8765", trust_env=False
    )


async def test_a_body_beyond_the_limit_is_refused() -> None:
    async with client() as http:
        answer = await http.post("/mcp", content=b"x" * 1025)
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "http.too_large"


@pytest.mark.parametrize(
    ("declared", "pieces"),
    [(1025, 2), (DRAINED_BYTES_MAX, 1024), (DRAINED_BYTES_MAX + 1, 0), (0, 1025)],
)
async def test_what_is_refused_is_read_to_its_end_within_a_bound(declared: int, pieces: int) -> None:
    """A proxy loses the answer when its connection is closed on before the request was read: it tells a 502."""
    read = 0

    async def receive() -> Message:
        nonlocal read
        read += 1
        more = declared == 0 or read * 1024 < declared
        return {"type": "http.request", "body": b"x" * 1024, "more_body": more}

    headers = [(b"content-length", str(declared).encode())] if declared else []
    scope: Scope = {"type": "http", "path": "/mcp", "headers": headers}
    with pytest.raises(BodyTooLarge):
        await BodyLimit(echo, lambda _path: BodyBound(1024))(scope, receive, unsent)
    assert read == pieces


async def unsent(message: Message) -> None:
    raise AssertionError(message)


async def test_an_undeclared_body_beyond_the_limit_is_refused() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x" * 300

    async with client() as http:
        answer = await http.post("/mcp", content=chunks())
    assert answer.status_code == 413


async def test_a_body_at_the_limit_passes() -> None:
    padded = json.dumps({**PING, "params": {"pad": ""}})
    padded = padded.replace('"pad": ""', f'"pad": "{"x" * (1024 - len(padded))}"')
    async with client() as http:
        assert (await http.post("/mcp", content=padded.encode())).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 500,
        b'"text"',
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":7}',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    ],
)
async def test_what_is_not_one_message_is_refused_in_our_own_words(body: bytes) -> None:
    async with client() as http:
        answer = await http.post("/mcp", content=body)
    assert answer.status_code == 400
    told = answer.json()
    assert told["error"]["data"]["code"] == "http.request"
    assert "pydantic" not in answer.text


async def test_a_lone_surrogate_is_replaced_and_noted() -> None:
    called = {"name": "mem_recall", "arguments": {"query": "a\ud800"}}
    body = json.dumps({**PING, "method": "tools/call", "params": called}).encode()
    async with client() as http:
        answer = (await http.post("/mcp", content=body)).json()
    assert answer[OneMessage.UNSAFE] == "lone surrogate U+D800"
    assert answer[OneMessage.CALLED] == "mem_recall"
    assert answer["body"]["params"]["arguments"]["query"] == "a?"


async def test_an_escaped_emoji_is_no_lone_surrogate() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud83d\\ude00"}}'
    async with client() as http:
        answer = (await http.post("/mcp", content=body)).json()
    assert answer[OneMessage.UNSAFE] is None
    assert answer["body"]["params"]["x"] == "\U0001f600"


async def test_a_fault_is_told_without_anything_of_it() -> None:
    async with client(failing) as http:
        answer = await http.post("/mcp", json=PING)
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "internal.fault"
    assert "Louise" not in answer.text


def test_reads_and_proposals_have_their_own_allowance(
    store: SqliteStore, clock: SetClock, grants: Grants
) -> None:
    allowance = Allowance(store, clock, parameters().limits, frozenset({"mem_remember"}))
    grant = grants.grant("claude", "third-party").grant

    def waits(tool: str | None) -> int:
        passed = 0
        while passed < 1_000 and _charged(allowance, grant, tool):
            passed += 1
        return passed

    assert waits("mem_recall") == 300
    assert waits(None) == 0
    assert waits("mem_remember") == 300
    clock.advance(1)
    assert waits("mem_recall") == 10
    assert waits("mem_remember") == 2


def _charged(allowance: Allowance, grant: Grant, tool: str | None) -> bool:
    try:
        allowance.charge(grant, tool)
    except RateLimited as error:
        return error.retry_after_s != 1
    return True
