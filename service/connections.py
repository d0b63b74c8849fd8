"""A connection of HTTP/1.1: how long a client may take to say what it wants, and what it may not make us say.

How many connections there are has no bound of ours: one would let strangers shut the owner out. What each may hold has
one: the head of a request (``HEAD_BYTES``) for a while, then a body (``service.limits``).
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_BYTES = 32 * 1024
"""Of a request line and its headers: the longest query that is read, and what browsers and proxies add."""


class PlainHttp(H11Protocol):
    """HTTP/1.1 without upgrades, whose clients say in time what they want."""

    head_s: ClassVar[float] = 30.0
    """How long the head of a request may take, however it trickles. The server's own bound ends with the first byte."""
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """See ``asyncio.Protocol``: a head is awaited from now on."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """See ``asyncio.Protocol``: a request has begun, or another is still owed."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison]
            self._await_head()
        else:
            self._forget_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncio.Protocol``."""
        self._forget_head()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_s, self.transport.close)

    def _forget_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing, and answer the request as the plain one that it may be (RFC 9110 section 7.8).

        Anybody may send one, and for each the server's own logs that a library is missing, and how to install it.
        """
