"""The list of tools, its documentation and its schemas agree with each other and with what is pinned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.tools import TOOLS
from service.tools.tool import Tool

ROOT = Path(__file__).parents[3]

PINNED = {
    "mem_profile": ((), ("section", "query", "cursor")),
    "mem_context_pack": (("topic",), ("about", "domains", "max_tokens")),
    "mem_recall": (
        ("query",),
        ("about", "domains", "kinds", "valid_at", "known_at", "ids", "limit", "cursor"),
    ),
    "mem_path": (("source", "target"), ("max_hops",)),
    "mem_remember": (
        ("statement",),
        (
            "words",
            "said_at",
            "conversation",
            "anchors",
            "domains",
            "kind",
            "relation",
            "valid_from",
            "valid_to",
            "event",
            "tags",
            "idempotency_key",
        ),
    ),
    "mem_correct": (
        ("id", "statement"),
        ("change", "effective", "words", "said_at", "conversation", "reason", "idempotency_key"),
    ),
    "mem_retract": ((), ("id", "request", "words", "said_at", "reason", "idempotency_key")),
    "mem_gates": ((), ("view", "proposal", "cursor")),
}

by_name = pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])


def test_there_are_exactly_eight_with_their_module_contract_test_and_page() -> None:
    assert {tool.name for tool in TOOLS} == set(PINNED)
    assert {file.stem for file in (ROOT / "service/tools").glob("mem_*.py")} == set(PINNED)
    assert {file.stem for file in (ROOT / "docs/tools").glob("*.md")} == set(PINNED)
    tests = (ROOT / "tests/contract/tools").glob("test_mem_*.py")
    assert {file.stem.removeprefix("test_") for file in tests} == set(PINNED)


@by_name
def test_arguments_are_those_pinned_and_lang(tool: Tool) -> None:
    required, optional = PINNED[tool.name]
    assert tuple(tool.input_schema["required"]) == required
    assert set(tool.input_schema["properties"]) == {*required, *optional, "lang"}
    assert tool.input_schema["additionalProperties"] is False


@by_name
def test_annotations_are_those_pinned(tool: Tool) -> None:
    annotations = tool.listing.annotations
    assert annotations is not None
    proposes = tool.name in ("mem_remember", "mem_correct", "mem_retract")
    assert annotations.read_only_hint is not proposes
    assert annotations.destructive_hint is False
    assert annotations.idempotent_hint is True
    assert annotations.open_world_hint is False


@by_name
def test_schemas_are_valid_bounded_and_described(tool: Tool) -> None:
    for schema in (tool.input_schema, tool.output_schema):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    for argument in tool.input_schema["properties"].values():
        assert argument["description"]
        assert _is_bounded(argument)


@by_name
def test_the_page_lists_each_argument_with_what_it_takes(tool: Tool) -> None:
    page = (ROOT / f"docs/tools/{tool.name}.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page if line.startswith("| `")]
    documented = {name.strip("`"): (needed, meaning) for name, needed, _, meaning in rows}
    required = tool.input_schema["required"]
    assert documented == {
        name: ("yes" if name in required else "no", schema["description"])
        for name, schema in tool.input_schema["properties"].items()
    }
    takes = {name.strip("`"): taken for name, _, taken, _ in rows}
    for name, schema in tool.input_schema["properties"].items():
        for bound in ("maxLength", "maximum", "maxItems", "default"):
            if bound in schema:
                assert str(schema[bound]) in takes[name].replace(",", "")
        for allowed in schema.get("enum", ()):
            assert f"`{allowed}`" in takes[name]
    assert tool.description in "\n".join(page)


def _is_bounded(schema: dict[str, Any]) -> bool:
    if "enum" in schema:
        return True
    match schema["type"]:
        case "string":
            return "maxLength" in schema
        case "integer":
            return "minimum" in schema and "maximum" in schema
        case "array":
            return "maxItems" in schema and _is_bounded(schema["items"])
        case _:
            return all(_is_bounded(part) for part in schema["properties"].values())
