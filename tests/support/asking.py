"""Calling tools through the SDK's own client."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent


async def called(client: Client, tool: str, **arguments: Any) -> CallToolResult:
    """The result of a call, whatever it is."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    return result


async def answered(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a call that must succeed."""
    result = await called(client, tool, **arguments)
    assert not result.is_error, result.structured_content
    return cast("dict[str, Any]", result.structured_content)


async def refused(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The error of a call that must fail, checked for its pinned shape."""
    result = await called(client, tool, **arguments)
    assert result.is_error, result.structured_content
    assert set(result.structured_content) == {"error"}
    error = cast("dict[str, Any]", result.structured_content["error"])
    assert set(error) == {"code", "category", "message", "remedy", "field", "retry_after"}
    assert error["message"] in text_of(result)
    assert error["remedy"] in text_of(result)
    return error


def text_of(result: CallToolResult) -> str:
    """The readable part of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def item_ids(answer: dict[str, Any]) -> list[str]:
    """The ids of an answer's items."""
    return [item["id"] for item in answer["items"]]


def http_client(address: str, token: str | None, path: str = "/mcp", **headers: str) -> httpx2.AsyncClient:
    """A plain HTTP client that posts to the MCP endpoint as nobody or as a token's bearer."""
    bearer = {} if token is None else {"Authorization": f"Bearer {token}"}
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return httpx2.AsyncClient(
        base_url=f"{address}{path}", headers={**accepts, **bearer, **headers}, trust_env=False, timeout=30
    )


@asynccontextmanager
async def connected(
    address: str, token: str, mode: str = "auto", path: str = "/mcp"
) -> AsyncGenerator[Client]:
    """The SDK's client over HTTP; ``mode`` as ``Client`` takes it: ``legacy`` shakes hands."""
    async with http_client(address, token, "") as http:
        transport = streamable_http_client(f"{address}{path}", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client
