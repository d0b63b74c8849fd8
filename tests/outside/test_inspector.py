"""The Inspector's command line: with a token that the owner made, and with nothing but the address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.consenting import connected
from tests.support.console import Served
from tests.support.outside import ran, running
from tests.support.redis_server import free_port


@pytest.fixture(scope="module")
def token(served: Served) -> str:
    """A tool's, made on the machine."""
    return served.house.grant("inspector").token


def inspected(served: Served, token: str, folder: Path, *arguments: str) -> dict[str, Any]:
    """What the Inspector printed."""
    done = ran(
        "mcp-inspector", "--cli", f"{served.address}/mcp", "--transport", "http",
        "--header", f"Authorization: Bearer {token}", *arguments, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_lists_the_tools_and_can_pass_them_all_on(served: Served, token: str, tmp_path: Path) -> None:
    told = inspected(served, token, tmp_path, "--method", "tools/list", "--strict")
    assert {"mem_recall", "mem_remember"} <= {tool["name"] for tool in told["tools"]}


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_it_calls_a_tool(served: Served, token: str, tmp_path: Path, era: str) -> None:
    told = inspected(
        served, token, tmp_path, "--method", "tools/call", "--protocol-era", era,
        "--tool-name", "mem_recall", "--tool-arg", "query=a red bike",
    )  # fmt: skip
    assert found(told) == ["Louise owns a red bike"]


def test_it_connects_by_itself(served: Served, tmp_path: Path) -> None:
    asks = "Please navigate to: "
    with running(
        "mcp-inspector", "--cli", f"{served.address}/mcp", "--transport", "http", "--quiet", "--format", "json",
        "--callback-url", f"http://127.0.0.1:{free_port()}/oauth/callback",
        "--method", "tools/call", "--tool-name", "mem_recall", "--tool-arg", "query=a red bike",
        cwd=tmp_path, MCP_AUTO_OPEN_ENABLED="true", MCP_INSPECTOR_SECRET_STORE="memory",
    ) as inspector:  # fmt: skip
        assert inspector.stdout is not None
        for line in inspector.stdout:
            if line.startswith(asks):
                connected(served, line.removeprefix(asks).strip())
                break
        rest = inspector.stdout.read()
        assert inspector.wait(30) == 0, rest
    assert found(json.loads(rest[rest.index("{") :])["result"]) == ["Louise owns a red bike"]


def found(told: dict[str, Any]) -> list[str]:
    """The memories that a recall gave."""
    return [item["text"] for item in told["structuredContent"]["items"]]
