"""The gates in front of everything: how large, one message, how often; and what any of them refuses, told.

Each is a plain ASGI layer that raises what is wrong; ``Refusals``, the outermost, tells it. Nothing is parsed
or looked up for a request that an earlier gate refuses.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import anyio
import anyio.to_thread
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from policies.errors import (
    BodyTooLarge,
    BodyTooSlow,
    GrantRefused,
    MnemoError,
    PageUnknown,
    RequestInvalid,
)
from policies.parameters import Limits
from policies.ports import Clock
from policies.terms import Grant
from policies.text import unsafe_character
from service.counting import refuse_until_over
from service.failures import http_status, told
from service.metrics import Metrics
from service.oauth.errors import unable
from service.stores.protocol import Rate, Store

log = logging.getLogger("mnemo.http")

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Refusals:
    """Tells every error that the layers below raise: ``{"error": {…}}`` with the status of its code.

    At the endpoints that answer programs in OAuth's own words, in these.
    """

    def __init__(
        self,
        app: ASGIApp,
        language: str,
        challenge: Callable[[Scope], str],
        is_for_programs: Callable[[str], bool],
        metrics: Metrics,
    ) -> None:
        """Wrap an app; ``challenge`` makes the WWW-Authenticate of a 401, ``is_for_programs`` looks at a path."""
        self._app = app
        self._is_for_programs = is_for_programs
        self._language = language
        self._challenge = challenge
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        error: MnemoError | None = None
        try:
            await self._app(scope, receive, watched)
        except MnemoError as raised:
            error = raised
        except Exception as fault:  # noqa: BLE001  (the root: nothing of a fault may reach a client)
            log.error("%s %s: %s", scope["method"], scope["path"], type(fault).__name__)  # noqa: TRY400
            error = MnemoError()
        if error is not None:
            self._metrics.count_refusal(http_status(error))
        if error is not None and not started:
            await self._answer(error, scope)(scope, receive, send)

    def _answer(self, error: MnemoError, scope: Scope) -> JSONResponse:
        headers = {"Cache-Control": "no-store"}
        if error.retry_after_s is not None:
            headers["Retry-After"] = str(error.retry_after_s)
        if isinstance(error, GrantRefused):
            headers["WWW-Authenticate"] = self._challenge(scope)
        if isinstance(error, (BodyTooLarge, BodyTooSlow)):
            headers["Connection"] = "close"
        failure = told(error, self._language)
        body: dict[str, object] = {"error": failure}
        if isinstance(error, RequestInvalid):
            said = {"code": -32600, "message": failure["message"], "data": failure}
            body = {"jsonrpc": "2.0", "id": None, "error": said}
        if self._is_for_programs(scope["path"]):
            body = unable(http_status(error)) or body
        return JSONResponse(body, http_status(error), headers)


class PlainPath:
    """Knows no path with a control character: routes match up to a line's end, and would serve ``/mcp%0a``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and _CONTROL.search(scope["path"]):
            raise PageUnknown
        await self._app(scope, receive, send)


DRAINED_BYTES_MAX = 1024 * 1024
"""What is read of a body that is refused: closed on before it was read, a proxy's connection loses the answer."""


@dataclass(frozen=True, slots=True)
class BodyBound:
    """What the body of a request may be."""

    limit_bytes: int
    """The most that is kept; no more than ``DRAINED_BYTES_MAX``."""
    within_s: float = 30.0
    """How long it may take to come, however it trickles: nobody has to be known to send one."""


class BodyLimit:
    """Reads the body whole, refuses one that is too large or too slow, and hands it on.

    Nothing beyond the limit is kept, not even while the rest of what is refused is read.
    """

    def __init__(self, app: ASGIApp, bound_of: Callable[[str], BodyBound]) -> None:
        """Wrap an app; ``bound_of`` tells what a path takes."""
        self._app = app
        self._bound_of = bound_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bound = self._bound_of(scope["path"])
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdecimal() or int(declared[:20]) > DRAINED_BYTES_MAX:
            raise BodyTooLarge(limit=bound.limit_bytes // 1024)
        try:
            with anyio.fail_after(bound.within_s):
                body = await _body(receive, bound.limit_bytes)
        except TimeoutError as fault:
            raise BodyTooSlow from fault
        if body is not None:
            await self._app(scope, _replaying(body, receive), send)


async def _body(receive: Receive, limit: int) -> bytes | None:
    """The body of a request; None when its sender has gone.

    Raises:
        BodyTooLarge: it has more bytes than the limit; it was read to its end, or as far as makes sense.
    """
    kept = bytearray()
    length = 0
    more = True
    while more and length <= DRAINED_BYTES_MAX:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        piece = message.get("body", b"")
        length += len(piece)
        more = message.get("more_body", False)
        if length <= limit:
            kept += piece
        else:
            kept.clear()
        # It may be a quarter of a MiB, and the next one may be long in coming.
        del message, piece
    if length > limit:
        raise BodyTooLarge(limit=limit // 1024)
    return bytes(kept)


class OneMessage:
    """Lets one well-formed JSON-RPC message through, so that no parser's words ever reach a client.

    A lone surrogate, which the SDK's parser cannot read, is replaced and noted in ``scope[UNSAFE]`` for the
    tool to refuse by name. Which tool is called, if one is, is noted in ``scope[CALLED]``.
    """

    UNSAFE = "mnemo.unsafe"
    CALLED = "mnemo.called"

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one POST."""
        body = await Request(scope, receive).body()
        try:
            text = body.decode("utf-8")
            message: object = json.loads(text)
            if "\\ud" in text.lower():
                text = json.dumps(message, ensure_ascii=False)
                whole = text.encode("utf-8", "replace").decode("utf-8")
                if whole != text:
                    scope[self.UNSAFE] = unsafe_character(next(c for c in text if "\ud800" <= c <= "\udfff"))
                    message, body = json.loads(whole), whole.encode("utf-8")
            jsonrpc_message_adapter.validate_python(message, by_name=False)
            _check_id(cast("Mapping[str, object]", message))
        except (ValueError, RecursionError, ValidationError) as fault:
            raise RequestInvalid from fault
        sent = cast("Mapping[str, Any]", message)
        scope[self.CALLED] = called_tool(sent.get("method"), sent.get("params"))
        await self._app(scope, _replaying(body, receive), send)


class Allowance:
    """How often a grant may call: reads and proposals are counted apart."""

    def __init__(self, store: Store, clock: Clock, limits: Limits, proposing: frozenset[str]) -> None:
        """Count in a store; ``proposing`` are the names of the tools that propose."""
        self._store = store
        self._clock = clock
        self._reads = Rate(limits.reads_per_minute, limits.burst_calls)
        self._proposals = Rate(limits.proposals_per_minute, limits.burst_calls)
        self._proposing = proposing

    def charge(self, grant: Grant, tool: str | None) -> None:
        """Count one call.

        Raises:
            RateLimited: the allowance is used up; says when to come back.
        """
        kind, rate = ("proposals", self._proposals) if tool in self._proposing else ("reads", self._reads)
        refuse_until_over(self._store.rates.charge(grant.id, kind, rate, self._clock.now()))


class CallRate:
    """Refuses a call beyond its grant's allowance."""

    def __init__(self, app: ASGIApp, allowance: Allowance) -> None:
        self._app = app
        self._allowance = allowance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one authenticated POST."""
        grant = cast("Grant", scope["user"].access_token.grant)
        await anyio.to_thread.run_sync(self._allowance.charge, grant, scope[OneMessage.CALLED])
        await self._app(scope, receive, send)


def _check_id(message: Mapping[str, object]) -> None:
    """Refuse an id of a wrong type, which the adapter takes for a notification that nobody awaits."""
    given = message.get("id", 0)
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise ValueError("id")  # noqa: TRY004  (one of the faults of a message, all told alike)


def called_tool(method: object, params: object) -> str | None:
    """The name of the tool that a message calls, which need not exist; None when it calls none."""
    if method != "tools/call" or not isinstance(params, Mapping):
        return None
    name = cast("Mapping[str, object]", params).get("name")
    return name if isinstance(name, str) else None


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Gives the body again, once, then whatever else happens on the connection."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
