from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from policies.decision import NamedUnregistered
from policies.parameters import parameters
from policies.terms import EntityType, Level, Memory, MemoryId, Outcome, ProposalId
from tests.support.asking import answered, called, refused, text_of
from tests.support.house import House
from tests.support.memories import memory
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio

OUTCOME = {"proposal", "outcome", "reason", "explanation", "memory", "url", "decided_at"}


async def proposed(client: Any, statement: str) -> ProposalId:
    receipt = await answered(client, "mem_remember", statement=statement)
    return ProposalId(receipt["proposal"])


def of(name: str, proposal: ProposalId, **qualifications: Any) -> Memory:
    made = memory(name, root=proposal, **qualifications)
    return replace(made, parameters=parameters().digest)


async def test_a_pending_proposal_has_no_outcome_yet(house: House, session: Session) -> None:
    async with session(house.grant()) as client:
        proposal = await proposed(client, "Louise likes tea.")
        answer = await answered(client, "mem_gates")
    assert set(answer) == {"view", "items", "next_cursor"}
    assert answer["view"] == "outcomes"
    (outcome,) = answer["items"]
    assert set(outcome) == OUTCOME
    assert outcome == dict.fromkeys(OUTCOME) | {"proposal": proposal}


async def test_each_outcome_is_told_with_its_reason_and_what_to_do(house: House, session: Session) -> None:
    async with session(house.grant()) as client:
        tea, again, angry, ambiguous = [
            await proposed(client, text) for text in ("Tea.", "Tea again.", "She must be ill.", "Paul came.")
        ]
        house.settle(tea, Outcome.COMMITTED, memories=(of("tea", tea),))
        house.settle(again, Outcome.DUPLICATE, "duplicate", seen=(MemoryId("mem:tea"),))
        house.settle(angry, Outcome.REJECTED, "health.inferred")
        house.settle(ambiguous, Outcome.NEEDS_OWNER, "name.ambiguous")
        result = await called(client, "mem_gates")
        arbitrations = await answered(client, "mem_gates", view="arbitrations")
        duplicates = await answered(client, "mem_gates", view="duplicates")
        french = await answered(client, "mem_gates", proposal=angry, lang="fr")
    told = {row["proposal"]: row for row in result.structured_content["items"]}
    assert told[tea]["outcome"] == "committed"
    assert told[tea]["memory"] == "mem:tea"
    assert told[tea]["decided_at"] == "2026-01-12T14:46:40+01:00"
    assert (told[again]["outcome"], told[again]["memory"]) == ("duplicate", "mem:tea")
    assert (told[angry]["outcome"], told[angry]["reason"]) == ("rejected", "health.inferred")
    assert "never inferred" in told[angry]["explanation"]
    assert told[ambiguous]["outcome"] == "needs_louis"
    assert told[ambiguous]["memory"] is None
    assert told[ambiguous]["url"] == f"http://localhost:8765/arbitrations/{ambiguous}"
    assert {told[one]["url"] for one in (tea, again, angry)} == {None}
    assert [row["proposal"] for row in arbitrations["items"]] == [ambiguous]
    assert [row["proposal"] for row in duplicates["items"]] == [again]
    assert "jamais déduites" in french["items"][0]["explanation"]
    for proposal in (tea, again, angry, ambiguous):
        assert proposal in text_of(result)


async def test_one_classified_above_the_scope_is_settled_and_nothing_more(
    house: House, session: Session
) -> None:
    async with session(house.grant()) as client:
        high, owner = await proposed(client, "She is ill."), await proposed(client, "She votes.")
        house.settle(high, Outcome.COMMITTED, level=Level.S3, memories=(of("ill", high, level=Level.S3),))
        house.settle(owner, Outcome.NEEDS_OWNER, "sensitive.inferred", level=Level.S3)
        answer = await answered(client, "mem_gates")
    told = {row.pop("proposal"): row for row in answer["items"]}
    assert told[high] == told[owner]
    assert told[high]["outcome"] == "settled"
    assert {told[high][name] for name in ("reason", "memory", "url", "decided_at")} == {None}


async def test_no_view_tells_what_became_of_what_is_settled(house: House, session: Session) -> None:
    unknown = (NamedUnregistered("Zoé Blanc", "zoe blanc", EntityType.PERSON),)
    async with session(house.grant()) as client:
        asked, twin, named = [await proposed(client, text) for text in ("Ill.", "Loan.", "Zoé Blanc lends.")]
        house.settle(asked, Outcome.NEEDS_OWNER, "health.stated", level=Level.S3)
        house.settle(twin, Outcome.DUPLICATE, "duplicate", level=Level.S2)
        house.settle(named, Outcome.REJECTED, "name.unregistered", level=Level.S2, unregistered=unknown)
        for view in ("arbitrations", "duplicates", "anchor_reviews"):
            assert (await answered(client, "mem_gates", view=view))["items"] == []
        outcomes = await answered(client, "mem_gates")
    assert {row["outcome"] for row in outcomes["items"]} == {"settled"}


async def test_what_is_settled_leaves_no_gap_in_a_page(house: House, session: Session) -> None:
    async with session(house.grant()) as client:
        made: list[ProposalId] = []
        for number in range(parameters().limits.list_items + 1):
            house.clock.advance(1)
            made.append(await proposed(client, f"Note {number}."))
            house.settle(made[-1], Outcome.NEEDS_OWNER, "conflict", level=Level.S0)
        house.clock.advance(1)
        house.settle(await proposed(client, "She votes."), Outcome.NEEDS_OWNER, "conflict", level=Level.S3)
        page = await answered(client, "mem_gates", view="arbitrations")
    assert [row["proposal"] for row in page["items"]] == list(reversed(made))[:-1]
    assert page["next_cursor"] is not None


async def test_a_memory_outside_the_domains_of_the_grant_is_settled_too(
    house: House, session: Session
) -> None:
    async with session(house.grant(scope="private-full", domains=["work"])) as client:
        travel = await proposed(client, "Louise flew to Rome.")
        house.settle(travel, Outcome.COMMITTED, memories=(of("rome", travel, domains=("travel",)),))
        answer = await answered(client, "mem_gates")
    assert answer["items"][0]["outcome"] == "settled"
    assert answer["items"][0]["memory"] is None


async def test_a_tool_sees_its_own_alone_and_private_full_sees_all(house: House, session: Session) -> None:
    house.commit(memory("declared"))
    async with session(house.grant("a")) as client:
        mine = await proposed(client, "Louise likes tea.")
    async with session(house.grant("b")) as client:
        theirs = await proposed(client, "Louise likes rum.")
        assert [row["proposal"] for row in (await answered(client, "mem_gates"))["items"]] == [theirs]
        foreign = await called(client, "mem_gates", proposal=mine)
        unknown = await called(client, "mem_gates", proposal="prop:nothing")
        assert foreign.model_dump() == unknown.model_dump()
        assert foreign.structured_content["error"]["code"] == "id.unknown"
    async with session(house.grant("c", "private-full")) as client:
        seen = {row["proposal"] for row in (await answered(client, "mem_gates"))["items"]}
        assert seen == {mine, theirs}  # and none of the owner's directives
        assert (await refused(client, "mem_gates", proposal="prop:directive0"))["code"] == "id.unknown"


async def test_unregistered_people_are_reviews_of_those_who_named_them(
    house: House, session: Session
) -> None:
    unknown = (NamedUnregistered("Zoé Blanc", "zoe blanc", EntityType.PERSON),)
    async with session(house.grant("a")) as client:
        mine = await proposed(client, "Zoé Blanc came.")
        house.settle(mine, Outcome.REJECTED, "name.unregistered", unregistered=unknown)
        answer = await answered(client, "mem_gates", view="anchor_reviews")
    (review,) = answer["items"]
    assert set(review) == {"name", "type", "opened_at", "closed_at", "entity", "proposals"}
    assert (review["name"], review["type"], review["proposals"]) == ("Zoé Blanc", "person", [mine])
    assert (review["closed_at"], review["entity"]) == (None, None)
    async with session(house.grant("b")) as client:
        assert (await answered(client, "mem_gates", view="anchor_reviews"))["items"] == []


async def test_a_grant_that_may_only_propose_sees_outcomes_and_no_text(
    house: House, session: Session
) -> None:
    async with session(house.grant(mode="propose")) as client:
        tea = await proposed(client, "Louise likes tea.")
        house.settle(tea, Outcome.COMMITTED, memories=(of("tea", tea, text="Louise likes tea"),))
        result = await called(client, "mem_gates")
    assert result.structured_content["items"][0]["outcome"] == "committed"
    assert "Louise" not in str(result.model_dump())


async def test_many_proposals_are_paged_newest_first(house: House, session: Session) -> None:
    async with session(house.grant()) as client:
        made: list[str] = []
        for number in range(40):
            house.clock.advance(1)
            made.append(await proposed(client, f"Note {number}."))
        seen: list[str] = []
        answer = await answered(client, "mem_gates")
        for _ in range(3):
            seen += [row["proposal"] for row in answer["items"]]
            if answer["next_cursor"] is None:
                break
            answer = await answered(client, "mem_gates", cursor=answer["next_cursor"])
    assert seen == list(reversed(made))


async def test_what_cannot_be_asked_is_refused_by_name(house: House, session: Session) -> None:
    async with session(house.grant()) as client:
        error = await refused(client, "mem_gates", view="everything")
        assert (error["code"], error["field"]) == ("argument.invalid", "view")
