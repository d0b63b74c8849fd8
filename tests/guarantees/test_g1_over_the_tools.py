"""G1 over MCP: all eight tools, resources, completions, cursors and errors, byte for byte, on every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError
from mcp_types import ResourceTemplateReference

from cypher.engine import Engine
from cypher.settings import Settings
from policies.terms import GrantId, Kind, View
from tests.support.engine_ledger import EngineLedger
from tests.support.house import House, mcp_server, open_house
from tests.support.twins import History, Surface, answers, differences, hidden_from, history, play, views

NAMES = ("marie", "paul", "paul durand", "omar", "initech", "atlas", "vega", "nobody")
TOPICS = ("tea garden", "verdict", "clinic bankruptcy", "river stone violin market bread", "omar vega")
SCOPES = ("third-party", "assistant-standard", "work-context", "private-full")
PAGES_MAX = 12


class Asker:
    """One grant's client, asked from synchronous code; every answer as the client receives it."""

    def __init__(self, client: Client, portal: BlockingPortal) -> None:
        self._client = client
        self._portal = portal

    def call(self, tool: str, **arguments: Any) -> object:
        return self._portal.call(self._client.call_tool, tool, arguments).model_dump(mode="json")

    def pages(self, tool: str, **arguments: Any) -> list[object]:
        found: list[object] = []
        cursor: dict[str, str] = {}
        for _ in range(PAGES_MAX):
            result = self._portal.call(self._client.call_tool, tool, {**arguments, **cursor})
            found.append(result.model_dump(mode="json"))
            structured = cast("dict[str, Any]", result.structured_content or {})
            following = structured.get("next_cursor")
            if following is None:
                break
            cursor = {"cursor": following}
        return found

    def read(self, uri: str) -> object:
        try:
            return self._portal.call(self._client.read_resource, uri).model_dump(mode="json")
        except MCPError as error:
            return error.error.model_dump(mode="json")

    def listed(self) -> list[object]:
        return [
            self._portal.call(self._client.list_tools).model_dump(mode="json"),
            self._portal.call(self._client.list_resources).model_dump(mode="json"),
            self._portal.call(self._client.list_resource_templates).model_dump(mode="json"),
            self._portal.call(self._client.list_prompts).model_dump(mode="json"),
        ]

    def complete(self, prefix: str) -> object:
        reference = ResourceTemplateReference(uri="mnemo://entity/{id}")
        argument = {"name": "id", "value": prefix}
        return self._portal.call(self._client.complete, reference, argument).model_dump(mode="json")


def tools_surface(asker: Asker, asked: History) -> Surface:
    """Every sort of call, about everything in a history, hidden or not."""
    calls: dict[str, Callable[[], object]] = {"lists": asker.listed}
    for section in ("domains", "entities", "rules", "usage"):
        calls[f"profile {section}"] = lambda s=section: asker.pages("mem_profile", section=s)
    calls["profile"] = lambda: asker.call("mem_profile")
    for topic in TOPICS:
        calls[f"pack {topic}"] = lambda t=topic: asker.call("mem_context_pack", topic=t)
        calls[f"recall {topic}"] = lambda t=topic: asker.pages("mem_recall", query=t, limit=3)
        calls[f"then {topic}"] = lambda t=topic: asker.call("mem_recall", query=t, valid_at="2026-01")
        calls[f"known {topic}"] = lambda t=topic: asker.call("mem_recall", query=t, known_at="2026-02")
        calls[f"request {topic}"] = lambda t=topic: asker.call("mem_retract", request=t)
    for kind in (Kind.FACT, Kind.RULE):
        calls[f"kind {kind}"] = lambda k=kind: asker.call("mem_recall", query=TOPICS[0], kinds=[k.value])
    for name in NAMES:
        calls[f"about {name}"] = lambda n=name: asker.call("mem_recall", query=TOPICS[3], about=[n])
        calls[f"path {name}"] = lambda n=name: asker.call("mem_path", source="marie", target=n)
        calls[f"entity {name}"] = lambda n=name: asker.read(f"mnemo://entity/{n}")
        calls[f"anchor {name}"] = lambda n=name: asker.call("mem_remember", statement="Tea.", anchors=[n])
        calls[f"anchor id {name}"] = lambda n=name: asker.call(
            "mem_remember", statement="Tea.", anchors=[f"ent:{n}"]
        )
    for one in asked.memories:
        calls[f"memory {one}"] = lambda m=one: asker.read(f"mnemo://memory/{m}")
        calls[f"ids {one}"] = lambda m=one: asker.call("mem_recall", query="", ids=[m])
        calls[f"correct {one}"] = lambda m=one: asker.call("mem_correct", id=m, statement="Bread.")
        calls[f"retract {one}"] = lambda m=one: asker.call("mem_retract", id=m)
    for letter in "aimopv":
        calls[f"complete {letter}"] = lambda c=letter: asker.complete(c)
    for view in ("outcomes", "arbitrations", "duplicates", "anchor_reviews"):
        calls[f"gates {view}"] = lambda v=view: asker.pages("mem_gates", view=v)
    calls["foreign proposal"] = lambda: asker.call("mem_gates", proposal=f"prop:{asked.memories[0]}")
    return calls


def told(house: House, played: History, asked: History, view: View, portal: BlockingPortal) -> dict[str, str]:
    """What a grant of the view is told about a history, of which its ledger holds what was played."""
    play(played, EngineLedger(house.engine.graph))
    granted = house.grant(
        "claude",
        SCOPES[view.level],
        domains=None if view.domains is None else sorted(view.domains),
        language=view.language,
    )
    assert granted.grant.id != GrantId("grant:cli")
    with (
        mcp_server(house, granted.grant) as server,
        portal.wrap_async_context_manager(Client(server, cache=None)) as client,
    ):
        return answers(tools_surface(Asker(client, portal), asked))


def compared(settings: Settings, engine: Engine, seed: int, view: View, size: int = 40) -> list[str]:
    """The calls by which a grant could tell the twins apart."""
    whole = history(seed, size)
    found: list[dict[str, str]] = []
    with start_blocking_portal() as portal:
        for played in (whole, whole.without(hidden_from(view), view)):
            with open_house(settings, engine) as house:
                found.append(told(house, played, whole, view, portal))
    assert len(found[0]) > 100
    return differences(found[0], found[1])


@pytest.mark.slow
@pytest.mark.parametrize("view", [pytest.param(view, id=name) for name, view in views()])
def test_no_call_of_any_tool_tells_a_ledger_from_its_twin_without_what_is_hidden(
    open_engine: Callable[[str], tuple[Settings, Engine]], view: View
) -> None:
    settings, engine = open_engine("arcadedb")
    assert compared(settings, engine, 11, view) == []


@pytest.mark.slow
def test_nor_on_any_engine(engine: Engine, settings: Settings) -> None:
    (view,) = [view for name, view in views() if name == "S1"]
    assert compared(settings, engine, 12, view, size=16) == []
