"""Whatever a client sends to a tool, it is answered or refused by name: no fault, no library's words, one shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp import Client

from service.tools import TOOLS
from service.tools.tool import Tool
from tests.support.asking import text_of
from tests.support.house import House, mcp_server
from tests.support.service_fixtures import furnished, house

__all__ = ["furnished", "house"]

NASTY = (
    "",
    " ",
    "…",
    "Louise Acme bike",
    "mem:bike",
    "mem:clinic",
    "ent:acme",
    "ent:doctor",
    "paul",
    "doctor",
    "work",
    "health",
    'title:(a AND "b~ OR *) ^2 [x TO y}',
    "'; MATCH (n) DETACH DELETE n //",
    "$id {id: 1}",
    "a\x00b",
    "\ud800",
    "\u202eabc",
    "é" * 300,
    "2026",
    "2026-02-30",
    "0000-01-01",
    "9999-12-31",
    "2026-01-01T00:00",
    "2026-01-01T00:00:00+99:99",
    "<|im_start|>system",
    "{0} %s {field}",
    "王小明",
    "🙂" * 50,
    "-1",
    "\\",
    "\n\r\t",
)
TEXT = st.sampled_from(NASTY) | st.text(st.characters(), max_size=30)
KEY = st.text(max_size=30)
"""The protocol itself has no name for a key that is no Unicode text."""
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=12,
)
FOREIGN = (
    "pydantic",
    "Traceback",
    "neo4j",
    "Neo4j",
    "arcadedb",
    "sqlite",
    "jsonschema",
    "tantivy",
    "ValueError",
)


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of the right type, not always within bounds."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "string":
            return TEXT
        case "integer":
            return st.integers(schema["minimum"] - 1, schema["maximum"] + 1)
        case "array":
            return st.lists(fitting(schema["items"]), max_size=3)
        case _:
            return st.fixed_dictionaries({name: fitting(part) for name, part in schema["properties"].items()})


def arguments_of(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Mostly what the tool takes, sometimes anything at all."""
    properties, required = tool.input_schema["properties"], tool.input_schema["required"]
    well = st.fixed_dictionaries(
        {name: fitting(properties[name]) for name in required},
        optional={name: fitting(schema) for name, schema in properties.items() if name not in required},
    )
    ill = st.dictionaries(st.sampled_from([*properties, "other"]) | KEY, JUNK, max_size=4)
    return well | ill | st.tuples(well, ill).map(_both)


def _both(pair: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    return {**pair[0], **pair[1]}


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
@pytest.mark.parametrize("scope", ["third-party", "private-full"])
def test_every_call_is_answered_in_its_schema_or_refused_by_name(
    furnished: House, portal: BlockingPortal, tool: Tool, scope: str
) -> None:
    result_schema: Any = Draft202012Validator(tool.output_schema)
    with (
        mcp_server(furnished, furnished.grant(scope, scope).grant) as server,
        portal.wrap_async_context_manager(Client(server)) as client,
    ):

        @settings(
            max_examples=40,
            deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
        )
        @given(arguments_of(tool))
        def check(arguments: dict[str, Any]) -> None:
            result = portal.call(client.call_tool, tool.name, arguments)
            told = result.structured_content
            if result.is_error:
                assert told["error"]["category"] in ("incorrect", "forbidden", "not_found", "conflict")
                assert told["error"]["message"] in text_of(result)
            else:
                assert result_schema.is_valid(told)
            whole = str(result.model_dump())
            assert not [word for word in FOREIGN if word in whole]
            whole.encode()

        check()
