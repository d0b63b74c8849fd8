"""Calling tools through the SDK's own client."""

from __future__ import annotations

from typing import Any, cast

from mcp import Client
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
