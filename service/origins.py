"""Which web pages may call what (``docs/decisions/0012-browser-origins.md``), and what CORS tells their browsers.

An endpoint that reads no cookie gives a page nothing that any program could not get: those of OAuth are open to
every page, ``/mcp`` to pages on the owner's machine and to those that the owner names. The console reads a cookie
and is for its own pages alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from policies.errors import HostRefused, OriginRefused
from service.addresses import MCP_PATHS, Addresses

PROBES = frozenset({"/healthz", "/readyz"})
"""Asked by machines under whatever name they know this one; they say nothing but yes or no."""

METRICS = "/metrics"
"""Asked by machines nearby, by an address or by a name that no name server of the internet answers."""
_NEARBY = re.compile(r"([a-z0-9-]+|\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])(:\d{1,5})?")

_SHARED = re.compile(r"(/mcp)?/\.well-known/.*|/register(/[^/]*)?|/token|/revoke")
"""Open to every page."""
_BEGUN_ELSEWHERE = "/authorize"
"""Where a client's own page may send a form. It reads no cookie, and is no endpoint to be called by a script."""
_LOOPBACK = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")

_METHODS = "GET, POST, PUT, DELETE"
_ALLOWED = (
    "Accept, Authorization, Content-Type, Last-Event-ID, "
    "Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, *"
)
_EXPOSED = "WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After"
_PREFLIGHT_SECONDS = 7200


class Origins:
    """The origins of one service's pages, and of those that may call it."""

    def __init__(self, addresses: Addresses, browser_origins: Iterable[str]) -> None:
        """Know the service's own, and those of the setting ``MNEMO_BROWSER_ORIGINS``."""
        self._own = addresses.origins
        self._named = frozenset(origin.lower() for origin in browser_origins)

    def shared_with(self, path: str, origin: str) -> str | None:
        """What ``Access-Control-Allow-Origin`` tells a page of an origin; None: nothing is shared with it."""
        if _SHARED.fullmatch(path):
            return "*"
        if path not in MCP_PATHS:
            return None
        name = origin.lower()
        is_known = name in self._own | self._named or _LOOPBACK.fullmatch(name) is not None
        return origin if is_known else None

    def may_ask(self, path: str, headers: Headers) -> bool:
        """Whether a request that a browser sends may be served."""
        origin = headers.get("origin", "")
        if not origin or origin.lower() in self._own or path == _BEGUN_ELSEWHERE:
            return True
        # A form of a page that sends no referrer has a null origin; the browser still says whose it is.
        own_form = origin == "null" and headers.get("sec-fetch-site") == "same-origin"
        return own_form or self.shared_with(path, origin) is not None


class OwnAddresses:
    """Refuses a Host that is not ours and an Origin that may not ask, and answers what browsers ask before."""

    def __init__(self, app: ASGIApp, addresses: Addresses, origins: Origins) -> None:
        self._app = app
        self._addresses = addresses
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and scope["path"] not in PROBES:
            headers = Headers(scope=scope)
            if not self._is_ours(scope["path"], headers.get("host", "").lower()):
                raise HostRefused
            if not self._origins.may_ask(scope["path"], headers):
                raise OriginRefused
            asks_before = scope["method"] == "OPTIONS" and "access-control-request-method" in headers
            if asks_before and self._origins.shared_with(scope["path"], headers.get("origin", "")):
                preflight = {
                    "Access-Control-Allow-Methods": _METHODS,
                    "Access-Control-Allow-Headers": _ALLOWED,
                    "Access-Control-Max-Age": str(_PREFLIGHT_SECONDS),
                }
                await Response(status_code=204, headers=preflight)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_ours(self, path: str, host: str) -> bool:
        return host in self._addresses.hosts or (path == METRICS and _NEARBY.fullmatch(host) is not None)


class CrossOrigin:
    """Lets the pages with which an answer is shared read it, errors too: around everything that answers."""

    def __init__(self, app: ASGIApp, origins: Origins) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        origin = Headers(scope=scope).get("origin", "") if scope["type"] == "http" else ""
        shared = self._origins.shared_with(scope["path"], origin) if origin else None

        async def sharing(message: Message) -> None:
            if shared is not None and message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Access-Control-Allow-Origin"] = shared
                headers["Access-Control-Expose-Headers"] = _EXPOSED
                headers.add_vary_header("Origin")
            await send(message)

        await self._app(scope, receive, sharing)
