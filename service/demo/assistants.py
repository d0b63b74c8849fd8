"""Assistants of the demonstration: the SDK's own client over HTTP, each with its token."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self, cast

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from policies.errors import DemonstrationFailed

CALL_S_MAX = 60.0


class Assistant:
    """One connected assistant, held open until ``close``."""

    def __init__(self, portal: BlockingPortal, url: str, token: str) -> None:
        self._portal = portal
        self._stack = ExitStack()
        http = httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {token}"}, timeout=CALL_S_MAX, trust_env=False
        )
        client = Client(streamable_http_client(url, http_client=http), read_timeout_seconds=CALL_S_MAX)
        self._client = self._stack.enter_context(portal.wrap_async_context_manager(client))

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """The structured result of one tool call.

        Raises:
            DemonstrationFailed: the tool answered with an error; its sentence is in the details.
        """

        async def ask() -> Any:
            return await self._client.call_tool(tool, arguments)

        result = self._portal.call(ask)
        answer = cast("dict[str, Any]", result.structured_content or {})
        if result.is_error:
            raise DemonstrationFailed(step=tool, words=answer["error"]["message"])
        return answer

    def close(self) -> None:
        """Leave."""
        self._stack.close()


class Assistants:
    """The assistants of one demonstration, by name; a context manager."""

    def __init__(self, url: str, tokens: dict[str, str]) -> None:
        self._url = url
        self._tokens = tokens
        self._stack = ExitStack()
        self._by_name: dict[str, Assistant] = {}

    def __getitem__(self, name: str) -> Assistant:
        return self._by_name[name]

    def __enter__(self) -> Self:
        portal = self._stack.enter_context(start_blocking_portal())
        for name, token in self._tokens.items():
            assistant = Assistant(portal, self._url, token)
            self._stack.callback(assistant.close)
            self._by_name[name] = assistant
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
