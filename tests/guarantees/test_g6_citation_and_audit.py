"""G6. Every item carries its id; every call is one log entry, written before the answer leaves, or no answer."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from typing import Any, cast

import pytest
from mcp import Client, MCPError
from mcp_types import ResourceTemplateReference

from cypher.service_log import ServiceLogEntry
from policies.errors import LedgerUnavailable, MnemoError
from policies.parameters import parameters
from policies.terms import Grant
from service.audit_log import AuditLog
from service.calls import Answer, Call, Calls
from service.ledger import Ledger
from service.mcp import Context, build_server
from service.metrics import Metrics
from service.opening import build_calls, hold
from tests.support.asking import called
from tests.support.house import House
from tests.support.service_fixtures import Session, anyio_backend, furnished, house, session

__all__ = ["anyio_backend", "furnished", "house", "session"]

pytestmark = pytest.mark.anyio

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("mem_profile", {}),
    ("mem_context_pack", {"topic": "a red bike"}),
    ("mem_recall", {"query": "a red bike"}),
    ("mem_path", {"source": "ent:owner", "target": "acme"}),
    ("mem_remember", {"statement": "Louise collects barometers."}),
    ("mem_correct", {"id": "mem:bike", "statement": "Louise owns a blue bike."}),
    ("mem_retract", {"request": "the red bike"}),
    ("mem_gates", {}),
    ("mem_recall", {"query": "", "limit": 99}),
    ("mem_recall", {"query": "a", "about": ["Nobody At All"]}),
    ("mem_correct", {"id": "mem:clinic", "statement": "Something else."}),
]


def entries(house: House) -> list[ServiceLogEntry]:
    return house.service_log.read(limit=1_000)


async def test_each_call_is_one_entry_that_says_who_what_and_which_ids(
    furnished: House, session: Session
) -> None:
    granted = furnished.grant()
    async with session(granted) as client:
        for number, (tool, arguments) in enumerate(CALLS, start=1):
            furnished.clock.advance(1)
            result = await called(client, tool, **arguments)
            logged = entries(furnished)
            assert len(logged) == number
            entry = logged[0]
            assert (entry.grant, entry.tool, entry.at) == (granted.grant.id, tool, furnished.clock.now())
            assert entry.view == '{"domains":null,"level":"S1"}'
            assert set(entry.served) == set(_memories(result.structured_content))
            if result.is_error:
                assert entry.verdict == result.structured_content["error"]["code"]
            elif "verdict" in result.structured_content:
                assert entry.verdict == result.structured_content["verdict"]
            assert entry.duration_us > 0


async def test_resources_prompts_and_completions_are_logged_alike(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        await client.list_resources()
        await client.read_resource("mnemo://memory/mem:bike")
        await client.read_resource("mnemo://entity/acme")
        await client.get_prompt("mnemo")
        entity = ResourceTemplateReference(uri="mnemo://entity/{id}")
        completed = await client.complete(entity, {"name": "id", "value": "ac"})
        with pytest.raises(MCPError):
            await client.read_resource("mnemo://memory/mem:clinic")
        with pytest.raises(MCPError):
            await client.call_tool("mem_erase", {})
    assert completed.completion.values == ["acme", "Acme Corp"]
    logged = {(entry.tool, entry.verdict): entry for entry in entries(furnished)}
    assert set(logged) == {
        ("resources/list", "served"),
        ("resources/read", "served"),
        ("prompts/get", "served"),
        ("completion/complete", "served"),
        ("resources/read", "id.unknown"),
        ("tools/call", "tool.unknown"),
    }
    assert len(entries(furnished)) == 7


async def test_equal_calls_have_equal_digests_and_no_digest_can_be_guessed_without_the_key(
    furnished: House, session: Session
) -> None:
    async with session(furnished.grant()) as client:
        for query in ("a red bike", "a red bike", "the job"):
            furnished.clock.advance(1)
            await called(client, "mem_recall", query=query)
    other, again, first = [entry.arguments for entry in entries(furnished)]
    assert first == again != other
    for guess in ('{"query":"a red bike"}', "a red bike", "[('query', 'a red bike')]"):
        assert hashlib.sha256(guess.encode()).hexdigest() != first


async def test_no_text_and_no_secret_reaches_any_log(
    furnished: House, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("neo4j").setLevel(logging.WARNING)  # as cypher.runtime.configure_logging sets it
    granted = furnished.grant()
    async with session(granted) as client:
        for tool, arguments in CALLS:
            await called(client, tool, **arguments)
    written = caplog.text + str(entries(furnished))
    for private in ("barometers", "red bike", "blue bike", "Louise", granted.token):
        assert private not in written


async def test_what_cannot_be_logged_is_not_served(furnished: House) -> None:
    def broken(_entries: Sequence[ServiceLogEntry]) -> None:
        raise LedgerUnavailable

    granted = furnished.grant()
    opened = hold(furnished.engine, furnished.settings, furnished.clock, parameters())
    calls = Calls(_opened(furnished, opened).house, AuditLog(broken), Metrics())

    async def caller(_ctx: Context) -> Grant:
        return granted.grant

    async with Client(build_server(calls, caller)) as client:
        for tool, arguments in CALLS:
            result = await called(client, tool, **arguments)
            assert result.is_error
            assert result.structured_content["error"]["code"] == "ledger.unavailable"
            assert "bike" not in str(result.model_dump())
        with pytest.raises(MCPError) as raised:
            await client.read_resource("mnemo://memory/mem:bike")
        assert raised.value.error.data["error"]["code"] == "ledger.unavailable"
    opened.reading.close()


async def test_a_fault_is_logged_by_its_place_alone_and_told_as_nothing(
    furnished: House, caplog: pytest.LogCaptureFixture
) -> None:
    opened = hold(furnished.engine, furnished.settings, furnished.clock, parameters())

    def failing(_call: Call) -> Answer:
        raise RuntimeError("Louise owns a red bike")

    with pytest.raises(MnemoError) as raised:
        await _opened(furnished, opened).serve("mem_recall", furnished.grant().grant, {}, failing)
    opened.reading.close()
    assert raised.value.code == "internal.fault"
    assert "RuntimeError" in caplog.text
    assert "bike" not in caplog.text
    assert entries(furnished)[0].verdict == "internal.fault"


def _opened(house: House, opened: Any) -> Calls:
    ledger = Ledger(lambda: opened)
    ledger.open()
    return build_calls(house.settings, ledger, parameters(), house.clock, house.ids, Metrics())


def _memories(value: Any) -> list[str]:
    """Every memory that an answer cites."""
    if isinstance(value, dict):
        row = cast("dict[str, Any]", value)
        own = [str(row[name]) for name in ("id", "memory") if str(row.get(name)).startswith("mem:")]
        return own + [found for part in row.values() for found in _memories(part)]
    if isinstance(value, list):
        return [found for part in cast("list[Any]", value) for found in _memories(part)]
    return []
