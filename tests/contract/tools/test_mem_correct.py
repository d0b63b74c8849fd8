from __future__ import annotations

from typing import Any

import pytest

from policies.terms import ProposalId
from tests.support.asking import answered, called, refused
from tests.support.house import House
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio


async def test_a_correction_waits_in_the_inbox_and_the_memory_stands(
    furnished: House, session: Session
) -> None:
    said: dict[str, Any] = {
        "id": "mem:job",
        "statement": "Louise works for Globex.",
        "change": "succession",
        "effective": "2026-01-02",
        "words": "I left Acme, I am at Globex now",
        "said_at": "2026-01-03",
        "conversation": "c",
        "reason": "new job",
    }
    async with session(furnished.grant()) as client:
        receipt = await answered(client, "mem_correct", **said, idempotency_key="k")
        again = await answered(client, "mem_correct", **said, idempotency_key="k")
        answer = await answered(client, "mem_recall", query="", ids=["mem:job"])
    assert set(receipt) == {"proposal", "status", "message", "next_run"}
    assert again["proposal"] == receipt["proposal"]
    (view,) = furnished.inbox.view(ids=[ProposalId(receipt["proposal"])], limit=1)
    assert (view.proposal.action, view.proposal.payload) == ("correct", said)
    assert answer["items"][0]["text"] == "Louise works for Acme"


async def test_hidden_unknown_and_malformed_ids_are_one_and_the_same(
    furnished: House, session: Session
) -> None:
    granted = furnished.grant()
    async with session(granted) as client:
        results = [
            await called(client, "mem_correct", id=identifier, statement="Something else.")
            for identifier in (
                "mem:clinic",
                "mem:nothing",
                "mem:",
                "clinic",
                "prop:x",
                "; MATCH (n) RETURN n",
            )
        ]
    told = [result.model_dump(by_alias=True) for result in results]
    assert all(one == told[0] for one in told)
    assert told[0]["structuredContent"]["error"]["code"] == "id.unknown"
    assert furnished.inbox.view(grant=granted.grant.id, limit=10) == []


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"id": "mem:job"}, "argument.missing", "statement"),
        ({"statement": "a"}, "argument.missing", "id"),
        ({"id": "mem:job", "statement": "--"}, "text.nothing_said", "statement"),
        ({"id": "mem:job", "statement": "a", "change": "deletion"}, "argument.invalid", "change"),
        ({"id": "mem:job", "statement": "a", "effective": "2026-01-01T00:00"}, "time.naive", "effective"),
        ({"id": "mem:job", "statement": "a", "anchors": ["paul"]}, "argument.unknown", "anchors"),
    ],
)
async def test_what_can_be_refused_at_once_is(
    furnished: House, session: Session, arguments: dict[str, Any], code: str, field: str
) -> None:
    async with session(furnished.grant()) as client:
        error = await refused(client, "mem_correct", **arguments)
    assert (error["code"], error["field"]) == (code, field)


async def test_a_grant_that_may_only_propose_cannot_point_at_memories(
    furnished: House, session: Session
) -> None:
    async with session(furnished.grant(mode="propose")) as client:
        for identifier in ("mem:job", "mem:nothing"):
            error = await refused(client, "mem_correct", id=identifier, statement="a")
            assert error["code"] == "grant.mode"
