from __future__ import annotations

import pytest

from policies.terms import ProposalId
from tests.support.asking import answered, called, refused, text_of
from tests.support.house import House
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio


async def test_a_retraction_by_id_waits_in_the_inbox(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        receipt = await answered(client, "mem_retract", id="mem:job", reason="private", idempotency_key="k")
        still = await answered(client, "mem_recall", query="", ids=["mem:job"])
    assert set(receipt) == {"proposal", "status", "message", "next_run"}
    (view,) = furnished.inbox.view(ids=[ProposalId(receipt["proposal"])], limit=1)
    assert (view.proposal.action, view.proposal.payload) == (
        "retract",
        {"id": "mem:job", "reason": "private"},
    )
    assert still["items"]


async def test_a_request_in_words_gives_candidates_in_view_and_proposes_nothing(
    furnished: House, session: Session
) -> None:
    granted = furnished.grant()
    async with session(granted) as client:
        result = await called(client, "mem_retract", request="forget where Louise works, and what Acme pays")
    candidates = result.structured_content["candidates"]
    assert "mem:job" in [item["id"] for item in candidates]
    assert {item["id"] for item in candidates} <= {"mem:job", "mem:bike", "mem:friend"}
    assert "[mem:job]" in text_of(result)
    assert furnished.inbox.view(grant=granted.grant.id, limit=10) == []


async def test_a_request_that_means_nothing_gives_no_candidates(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        assert await answered(client, "mem_retract", request="xyzzy plugh") == {"candidates": []}


async def test_an_id_or_a_request_is_needed_and_not_both(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        for arguments in ({}, {"id": "mem:job", "request": "the job"}):
            error = await refused(client, "mem_retract", **arguments)
            assert (error["code"], error["field"]) == ("argument.invalid", "id")


async def test_hidden_and_unknown_ids_are_one_and_the_same(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        hidden = await called(client, "mem_retract", id="mem:clinic")
        unknown = await called(client, "mem_retract", id="mem:nothing")
    assert hidden.model_dump() == unknown.model_dump()
    assert hidden.structured_content["error"]["code"] == "id.unknown"
