"""The endpoint over real HTTP: both eras of the protocol, both spellings of the path, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.tools import TOOLS
from tests.support.asking import answered, connected, http_client, item_ids, refused
from tests.support.house import House, web_server

pytestmark = pytest.mark.anyio

LIST: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


def result_of(body: str) -> dict[str, Any]:
    """The JSON-RPC answer, plain or as the one event of a stream."""
    lines = [line.removeprefix("data: ") for line in body.splitlines() if line.startswith("data: ")]
    return json.loads(lines[-1] if lines else body)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
async def test_the_sdks_client_works_in_both_eras_on_both_paths(
    furnished: House, mode: str, path: str
) -> None:
    granted = furnished.grant()
    with web_server(furnished) as address:
        async with connected(address, granted.token, mode, path) as client:
            listed = await client.list_tools()
            assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
            answer = await answered(client, "mem_recall", query="a red bike")
            assert "mem:bike" in item_ids(answer)
            assert (await refused(client, "mem_recall", question="x"))["code"] == "argument.unknown"
            assert (await client.list_prompts()).prompts[0].name == "mnemo"
            assert "mem_recall" in str(await client.get_prompt("mnemo"))
            read = await client.read_resource("mnemo://memory/mem:bike")
            assert "Louise owns a red bike" in str(read)


async def test_the_list_of_tools_is_the_same_for_every_grant(house: House) -> None:
    lists: list[str] = []
    with web_server(house) as address:
        for scope, mode in (("third-party", "read"), ("private-full", "both"), ("work-context", "propose")):
            granted = house.grant(scope, scope, mode=mode, language="fr" if mode == "read" else "en")  # pyright: ignore[reportArgumentType]
            async with http_client(address, granted.token) as http:
                lists.append((await http.post("", json=LIST)).text)
    assert lists[0] == lists[1] == lists[2]


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer nonsense", "Basic bWU6cHc=", "bearer  mnemo_x"])
async def test_a_request_without_a_good_token_is_challenged(web: str, header: str | None) -> None:
    async with http_client(web, None) as http:
        headers = {} if header is None else {"Authorization": header}
        answer = await http.post("", json=LIST, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="mnemo", scope="assistant-standard", ')
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.json()["error"]["code"] == "grant.refused"


async def test_nothing_but_post_is_offered(web: str, house: House) -> None:
    granted = house.grant()
    async with http_client(web, granted.token) as http:
        for method in ("GET", "DELETE", "PUT"):
            answer = await http.request(method, "")
            assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


async def test_a_lone_surrogate_is_refused_by_name_in_both_eras(web: str, house: House) -> None:
    body = json.dumps(call("mem_remember", statement="a\ud800b")).encode()
    modern = json.dumps(
        {
            **(asked := call("mem_remember", statement="a\ud800b")),
            "params": {
                **asked["params"],
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
            },
        }
    ).encode()
    routing = {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "mem_remember",
    }
    async with http_client(web, house.grant().token) as http:
        answers = [
            await http.post("", content=body),
            await http.post("", content=body, headers={"MCP-Protocol-Version": "2025-11-25"}),
            await http.post("", content=modern, headers=routing),
        ]
    for answer in answers:
        error = result_of(answer.text)["result"]["structuredContent"]["error"]
        assert error["code"] == "text.unsafe_character"
        assert "lone surrogate U+D800" in error["message"]


@pytest.mark.parametrize(
    "message",
    [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "mem_recall", "arguments": []},
        },
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": "x"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "mem_erase"}},
        {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "resources/read",
            "params": {"uri": "mnemo://memory/" + "x" * 999},
        },
        {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "evil"}},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "prompts/get",
            "params": {"name": "mnemo", "arguments": {"x": "y"}},
        },
        {"jsonrpc": "2.0", "id": 1, "method": "no/such"},
        {"jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": {"ref": {"type": "x"}}},
        {"jsonrpc": "2.0", "id": "x" * 500, "method": "logging/setLevel", "params": {"level": "debug"}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "id": 1},
        [LIST, LIST],
        "text",
        7,
        None,
    ],
)
async def test_whatever_is_sent_is_no_fault_and_no_library_speaks(
    web: str, house: House, message: Any
) -> None:
    async with http_client(web, house.grant().token) as http:
        for version in ({}, {"MCP-Protocol-Version": "2026-07-28"}, {"MCP-Protocol-Version": "9999-01-01"}):
            answer = await http.post("", content=json.dumps(message).encode(), headers=version)
            assert answer.status_code < 500
            for word in ("pydantic", "Traceback", "neo4j", "sqlite", "jsonschema", "validation error"):
                assert word not in answer.text


async def test_a_burst_beyond_the_allowance_is_429_with_the_seconds_to_wait(web: str, house: House) -> None:
    granted = house.grant()
    async with http_client(web, granted.token) as http:
        statuses = [(await http.post("", json=LIST)).status_code for _ in range(301)]
        assert statuses == [200] * 300 + [429]
        answer = await http.post("", json=LIST)
        assert answer.headers["Retry-After"] == "1"
        assert answer.json()["error"]["code"] == "rate.limited"
        # Proposals have an allowance of their own, and time gives the reads back.
        assert (await http.post("", json=call("mem_remember", statement="Tea."))).status_code == 200
        house.clock.advance(1)
        assert (await http.post("", json=LIST)).status_code == 200
    async with http_client(web, house.grant("other").token) as http:
        assert (await http.post("", json=LIST)).status_code == 200


async def test_hosts_origins_and_sizes_are_checked_before_anything_else(web: str, house: House) -> None:
    async with http_client(web, house.grant().token) as http:
        assert (await http.post("", json=LIST, headers={"Host": "evil.example"})).status_code == 421
        assert (await http.post("", json=LIST, headers={"Origin": "http://evil.example"})).status_code == 403
        assert (await http.post("", json=LIST, headers={"Origin": web})).status_code == 200
        large = json.dumps({**LIST, "params": {"x": "y" * 65_536}}).encode()
        assert (await http.post("", content=large)).status_code == 413
    port = web.rpartition(":")[2]
    for name in ("127.0.0.1", "localhost"):
        async with http_client(f"http://{name}:{port}", house.grant(name).token) as http:
            assert (await http.post("", json=LIST)).status_code == 200
