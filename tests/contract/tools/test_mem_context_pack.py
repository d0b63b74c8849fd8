from __future__ import annotations

import pytest

from tests.support.asking import answered, called, item_ids, refused, text_of
from tests.support.house import House
from tests.support.memories import memory
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio


async def test_a_pack_has_the_pinned_shape_and_its_prompt_cites(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        result = await called(client, "mem_context_pack", topic="Louise's job at Acme")
    pack = result.structured_content
    assert set(pack) == {"verdict", "items", "relations", "tokens", "context_prompt", "notices"}
    assert "mem:job" in item_ids(pack)
    assert "mem:job" in pack["context_prompt"]
    assert pack["context_prompt"] in text_of(result)
    assert pack["tokens"] == -(-len(pack["context_prompt"].encode()) // 3)


async def test_a_pack_keeps_within_its_budget(house: House, session: Session) -> None:
    house.commit(*(memory(f"m{n:02}", text=f"A long note about cheese, number {n} " * 3) for n in range(20)))
    async with session(house.grant()) as client:
        small = await answered(client, "mem_context_pack", topic="cheese", max_tokens=200)
        large = await answered(client, "mem_context_pack", topic="cheese", max_tokens=4_000)
    assert small["tokens"] <= 200
    assert len(small["items"]) < len(large["items"]) <= 12


async def test_nothing_above_the_scope_is_in_a_pack(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        pack = await answered(client, "mem_context_pack", topic="Acme pays euros doctor weekly")
    assert not {"mem:pay", "mem:clinic"} & set(item_ids(pack))


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({}, "argument.missing", "topic"),
        ({"topic": ""}, "argument.invalid", "topic"),
        ({"topic": "a", "max_tokens": 199}, "argument.invalid", "max_tokens"),
        ({"topic": "a", "max_tokens": 4_001}, "argument.invalid", "max_tokens"),
        ({"topic": "a", "about": ["Nobody At All"]}, "entity.unknown", "about"),
        ({"topic": "a", "cursor": "x"}, "argument.unknown", "cursor"),
    ],
)
async def test_what_cannot_be_asked_is_refused_by_name(
    furnished: House, session: Session, arguments: dict[str, object], code: str, field: str
) -> None:
    async with session(furnished.grant()) as client:
        error = await refused(client, "mem_context_pack", **arguments)
    assert (error["code"], error["field"]) == (code, field)


async def test_a_grant_that_may_only_propose_gets_none(house: House, session: Session) -> None:
    async with session(house.grant(mode="propose")) as client:
        assert (await refused(client, "mem_context_pack", topic="a"))["code"] == "grant.mode"
