from __future__ import annotations

import pytest

from policies.terms import EntityId, Kind, Level, Relation
from tests.support.asking import answered, called, refused, text_of
from tests.support.house import House
from tests.support.memories import memory
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio


def tie(name: str, subject: str, predicate: str, target: str, level: Level = Level.S1):
    ends = (EntityId(f"ent:{subject}"), EntityId(f"ent:{target}"))
    return memory(
        name,
        text=f"{subject} {predicate} {target}",
        kind=Kind.RELATION,
        anchors=tuple(sorted(ends)),
        relation=Relation(ends[0], predicate, ends[1]),
        level=level,
    )


@pytest.fixture
def tied(furnished: House) -> House:
    furnished.commit(
        tie("t1", "owner", "works for", "acme"),
        tie("t2", "paul", "works for", "acme"),
        tie("t3", "owner", "sees", "doctor", Level.S3),
    )
    return furnished


async def test_a_path_tells_each_hop_and_the_memory_that_asserts_it(tied: House, session: Session) -> None:
    async with session(tied.grant()) as client:
        result = await called(client, "mem_path", source="ent:owner", target="Paul")
    answer = result.structured_content
    assert set(answer) == {"found", "hops"}
    assert answer["found"]
    assert [hop["memory"] for hop in answer["hops"]] == ["mem:t1", "mem:t2"]
    assert answer["hops"][0]["source"] == {"id": "ent:owner", "name": "owner"}
    assert "[mem:t2]" in text_of(result)


async def test_a_path_within_fewer_hops_than_it_takes_is_none(tied: House, session: Session) -> None:
    async with session(tied.grant()) as client:
        answer = await answered(client, "mem_path", source="ent:owner", target="paul", max_hops=1)
    assert answer == {"found": False, "hops": []}


async def test_co_anchoring_is_no_tie(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        answer = await answered(client, "mem_path", source="ent:owner", target="ent:paul")
    assert answer == {"found": False, "hops": []}


async def test_a_hidden_end_and_an_unknown_one_are_one_and_the_same(tied: House, session: Session) -> None:
    async with session(tied.grant()) as client:
        hidden = await called(client, "mem_path", source="ent:owner", target="doctor")
        unknown = await called(client, "mem_path", source="ent:owner", target="nobody")
    assert hidden.model_dump() == unknown.model_dump()
    assert hidden.structured_content["error"]["code"] == "entity.unknown"


async def test_what_cannot_be_asked_is_refused_by_name(tied: House, session: Session) -> None:
    async with session(tied.grant("a")) as client:
        assert (await refused(client, "mem_path", source="paul"))["field"] == "target"
        error = await refused(client, "mem_path", source="paul", target="acme", max_hops=7)
        assert (error["code"], error["field"]) == ("argument.invalid", "max_hops")
    async with session(tied.grant("b", mode="propose")) as client:
        assert (await refused(client, "mem_path", source="paul", target="acme"))["code"] == "grant.mode"
