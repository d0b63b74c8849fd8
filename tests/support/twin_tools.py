"""The eight tools of one grant as a surface for twins: whole results, cursors and readable text included."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from anyio.from_thread import start_blocking_portal
from mcp import Client

from service.grants import Granted
from tests.support.house import House, mcp_server
from tests.support.twins import DOMAINS, NAMES, SECRET, SHARED, WORDS, History, Surface

Call = Callable[[str, dict[str, Any]], object]


class ToolCaller:
    """Calls tools as a grant does, one after the other. A context manager."""

    def __init__(self, house: House, granted: Granted) -> None:
        self._house = house
        self._granted = granted
        self._stack = ExitStack()

    def __enter__(self) -> Call:
        server = self._stack.enter_context(mcp_server(self._house, self._granted.grant))
        portal = self._stack.enter_context(start_blocking_portal())
        client = self._stack.enter_context(portal.wrap_async_context_manager(Client(server)))

        def call(tool: str, arguments: dict[str, Any]) -> object:
            result = portal.call(lambda: client.call_tool(tool, arguments))
            return result.model_dump(mode="json")

        return call

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def tools_surface(call: Call, asked: History) -> Surface:
    """Every tool, about everything in a history, hidden or not. What proposes comes last."""
    calls: list[tuple[str, dict[str, Any]]] = [("mem_profile", {}), ("mem_profile", {"section": "entities"})]
    for topic in (*WORDS, *NAMES, f"{SHARED} {SECRET}"):
        calls += [("mem_context_pack", {"topic": topic}), ("mem_recall", {"query": topic})]
        calls.append(("mem_recall", {"query": topic, "valid_at": "2026-01", "limit": 3}))
    calls += [("mem_recall", {"query": SHARED, "about": [name]}) for name in (*NAMES, *DOMAINS)]
    calls += [("mem_recall", {"query": SHARED, "domains": [domain]}) for domain in DOMAINS]
    calls += [("mem_recall", {"query": "", "ids": [one]}) for one in asked.memories]
    calls += [("mem_path", {"source": NAMES[0], "target": name}) for name in NAMES]
    for name in NAMES:
        calls.append(("mem_remember", {"statement": f"{name} likes the {SECRET}", "anchors": [name]}))
    for one in asked.memories:
        calls.append(("mem_correct", {"id": one, "statement": "tea, rather"}))
        calls.append(("mem_retract", {"id": one}))
    calls.append(("mem_retract", {"request": f"forget the {SECRET} and the tea"}))
    calls += [
        ("mem_gates", {"view": view}) for view in ("outcomes", "arbitrations", "duplicates", "anchor_reviews")
    ]
    return {
        f"{n} {tool} {arguments}": _calling(call, tool, arguments)
        for n, (tool, arguments) in enumerate(calls)
    }


def _calling(call: Call, tool: str, arguments: dict[str, Any]) -> Callable[[], object]:
    return lambda: call(tool, arguments)
