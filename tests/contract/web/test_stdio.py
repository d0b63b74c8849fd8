"""``mnemo mcp``: the same server over standard input and output, under a named grant."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters

from policies.terms import Level
from tests.support.asking import answered, item_ids, refused
from tests.support.house import House
from tests.support.memories import memory

pytestmark = pytest.mark.anyio

RUN = (
    "import sys; from pathlib import Path; from cypher.settings import load_settings;"
    " from service.stdio import run_stdio; run_stdio(load_settings(Path(sys.argv[1])), sys.argv[2])"
)


@asynccontextmanager
async def over_stdio(house: House, name: str, mode: str = "auto") -> AsyncGenerator[Client]:
    command = StdioServerParameters(command=sys.executable, args=["-c", RUN, str(house.settings.home), name])
    async with Client(command, mode=mode) as client:
        yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_serves_the_view_of_the_named_grant_in_both_eras(furnished: House, mode: str) -> None:
    furnished.grant("desk", "third-party")
    async with over_stdio(furnished, "desk", mode) as client:
        assert len((await client.list_tools()).tools) == 8
        answer = await answered(client, "mem_recall", query="", ids=["mem:bike", "mem:job"])
        assert item_ids(answer) == ["mem:bike"]
        assert (await refused(client, "mem_recall", question="x"))["code"] == "argument.unknown"
    assert furnished.service_log.read(limit=10)[0].tool == "mem_recall"


async def test_the_built_in_grant_sees_everything(house: House) -> None:
    house.commit(memory("secret", text="A secret", level=Level.S3))
    async with over_stdio(house, "cli") as client:
        assert item_ids(await answered(client, "mem_recall", query="", ids=["mem:secret"])) == ["mem:secret"]


async def test_a_revoked_grant_ends_on_its_next_call(house: House) -> None:
    house.grant("desk")
    async with over_stdio(house, "desk") as client:
        await answered(client, "mem_gates")
        house.grants().revoke("desk")
        with pytest.raises(MCPError) as raised:
            await client.call_tool("mem_gates", {})
    assert raised.value.error.data["error"]["code"] == "grant.refused"
