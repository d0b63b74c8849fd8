from __future__ import annotations

from typing import Any

import pytest

from policies.terms import ProposalId
from tests.support.asking import answered, called, refused, text_of
from tests.support.house import House
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio

WHOLE: dict[str, Any] = {
    "statement": "Louise joined the choir in September.",
    "words": "I joined the choir in September!",
    "said_at": "2026-01-10T18:30:00+01:00",
    "conversation": "c-17",
    "anchors": ["Paul", "acme"],
    "domains": ["leisure"],
    "kind": "event",
    "relation": {"subject": "Louise", "predicate": "member of", "object": "choir"},
    "valid_from": "2025-09",
    "valid_to": "2026",
    "event": "choir",
    "tags": ["music"],
}


async def test_the_receipt_says_in_both_languages_that_it_awaits_curation(
    house: House, session: Session
) -> None:
    async with session(house.grant(language="fr")) as client:
        french = await called(client, "mem_remember", statement="Louise aime le thé.")
        english = await called(client, "mem_remember", statement="Louise likes coffee.", lang="en")
    receipt = french.structured_content
    assert set(receipt) == {"proposal", "status", "message", "next_run"}
    assert receipt["status"] == "proposed"
    assert receipt["proposal"].startswith("prop:")
    assert receipt["next_run"] == "2026-01-13T03:00:00+01:00"
    assert "attend la curation" in receipt["message"]
    assert "awaits curation" in english.structured_content["message"]
    assert receipt["proposal"] in text_of(french)


async def test_everything_said_waits_in_the_inbox_as_it_was_given_stamped_with_the_grant(
    house: House, session: Session
) -> None:
    granted = house.grant()
    async with session(granted) as client:
        receipt = await answered(client, "mem_remember", **WHOLE, idempotency_key="k", lang="fr")
    (view,) = house.inbox.view(ids=[ProposalId(receipt["proposal"])], limit=1)
    assert view.proposal.payload == WHOLE
    assert view.proposal.action == "remember"
    assert (view.proposal.grant, view.proposal.grant_name) == (granted.grant.id, "claude")
    assert view.proposal.grant_level is granted.grant.level
    assert view.proposal.submitted_at == house.clock.now()
    assert view.outcome is None


async def test_a_proposal_is_never_served(house: House, session: Session) -> None:
    async with session(house.grant(scope="private-full")) as client:
        await answered(client, "mem_remember", statement="Louise collects barometers.")
        answer = await answered(client, "mem_recall", query="barometers")
    assert answer["items"] == []


async def test_one_key_gives_one_proposal_and_another_body_is_a_conflict(
    house: House, session: Session
) -> None:
    async with session(house.grant()) as client:
        first = await answered(client, "mem_remember", statement="Louise likes tea.", idempotency_key="k")
        house.clock.advance(86_400 * 400)
        again = await answered(
            client, "mem_remember", statement="Louise likes tea.", idempotency_key="k", lang="fr"
        )
        error = await refused(client, "mem_remember", statement="Louise likes rum.", idempotency_key="k")
    assert again["proposal"] == first["proposal"]
    assert (error["code"], error["category"]) == ("proposal.key_conflict", "conflict")


async def test_keys_are_each_grants_own(house: House, session: Session) -> None:
    async with session(house.grant("a")) as client:
        one = await answered(client, "mem_remember", statement="Louise likes tea.", idempotency_key="k")
    async with session(house.grant("b")) as client:
        other = await answered(client, "mem_remember", statement="Louise likes rum.", idempotency_key="k")
    assert one["proposal"] != other["proposal"]


async def test_without_a_key_each_call_is_a_proposal(house: House, session: Session) -> None:
    async with session(house.grant()) as client:
        made = {
            (await answered(client, "mem_remember", statement="Louise likes tea."))["proposal"]
            for _ in range(2)
        }
    assert len(made) == 2


async def test_a_secret_is_taken_out_before_anything_is_kept(house: House, session: Session) -> None:
    secret = "hunter2-Zx81"
    async with session(house.grant()) as client:
        receipt = await answered(
            client,
            "mem_remember",
            statement=f"The password of the router is {secret}.",
            words=f"my password is {secret}",
            idempotency_key="k",
        )
        again = await answered(
            client,
            "mem_remember",
            statement=f"The password of the router is {secret}.",
            words=f"my password is {secret}",
            idempotency_key="k",
        )
    assert "secret" in receipt["message"]
    assert again["proposal"] == receipt["proposal"]
    (view,) = house.inbox.view(ids=[ProposalId(receipt["proposal"])], limit=1)
    assert secret not in str(view.proposal)
    assert "[redacted:" in str(view.proposal.payload["statement"])


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({}, "argument.missing", "statement"),
        ({"statement": "…!?"}, "text.nothing_said", "statement"),
        ({"statement": "\u200b \u2060"}, "text.nothing_said", "statement"),
        ({"statement": "a" * 2_001}, "argument.too_long", "statement"),
        ({"statement": "a\x00b"}, "text.unsafe_character", "statement"),
        ({"statement": "a\ud800b"}, "text.unsafe_character", "statement"),
        ({"statement": "a", "words": "\u202eb"}, "text.unsafe_character", "words"),
        ({"statement": "a", "words": "a" * 8_001}, "argument.too_long", "words"),
        ({"statement": "a", "conversation": "a" * 129}, "argument.too_long", "conversation"),
        ({"statement": "a", "said_at": "2026-01-10T18:30:00"}, "time.naive", "said_at"),
        ({"statement": "a", "said_at": "2026-13-01"}, "time.invalid", "said_at"),
        ({"statement": "a", "said_at": "2026"}, "time.invalid", "said_at"),
        ({"statement": "a", "valid_from": "soon"}, "time.invalid", "valid_from"),
        ({"statement": "a", "valid_from": "2026-02", "valid_to": "2026-01"}, "time.reversed", "valid_to"),
        ({"statement": "a", "domains": ["astrology"]}, "domain.unknown", "domains"),
        ({"statement": "a", "anchors": ["ent:nobody"]}, "entity.unknown", "anchors"),
        ({"statement": "a", "anchors": ["ent:doctor"]}, "entity.unknown", "anchors"),
        ({"statement": "a", "kind": "retraction"}, "argument.invalid", "kind"),
        ({"statement": "a", "relation": {"subject": "b"}}, "argument.missing", "relation.predicate"),
        (
            {"statement": "a", "relation": {"subject": "ent:x", "predicate": "b", "object": "c"}},
            "entity.unknown",
            "relation.subject",
        ),
        ({"statement": "a", "transcript": "b"}, "argument.unknown", "transcript"),
        ({"statement": "a", "level": "S0"}, "argument.unknown", "level"),
    ],
)
async def test_what_can_be_refused_at_once_is_and_nothing_is_kept(
    furnished: House, session: Session, arguments: dict[str, Any], code: str, field: str
) -> None:
    granted = furnished.grant()
    async with session(granted) as client:
        error = await refused(client, "mem_remember", **arguments)
    assert (error["code"], error["field"]) == (code, field)
    assert furnished.inbox.view(grant=granted.grant.id, limit=10) == []


async def test_names_of_anybody_are_taken_as_they_come_registered_or_not(
    furnished: House, session: Session
) -> None:
    async with session(furnished.grant()) as client:
        receipts = [
            await answered(client, "mem_remember", statement="They met.", anchors=[name])
            for name in ("doctor", "Nobody At All", "paul")
        ]
    told = [{**receipt, "proposal": ""} for receipt in receipts]
    assert told[0] == told[1] == told[2]


async def test_a_grant_that_may_only_read_proposes_nothing(house: House, session: Session) -> None:
    granted = house.grant(mode="read")
    async with session(granted) as client:
        for tool, arguments in (
            ("mem_remember", {"statement": "a"}),
            ("mem_correct", {"id": "mem:a", "statement": "a"}),
            ("mem_retract", {"id": "mem:a"}),
        ):
            error = await refused(client, tool, **arguments)
            assert (error["code"], error["category"]) == ("grant.mode", "forbidden")
    assert house.inbox.view(grant=granted.grant.id, limit=10) == []


async def test_a_tool_with_too_many_pending_is_told_to_wait_and_others_are_not(
    house: House, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from policies import parameters as module

    shipped = module.parameters()
    few = replace(shipped, limits=replace(shipped.limits, pending_per_grant=3))
    monkeypatch.setattr("tests.support.house.parameters", lambda: few)
    async with session(house.grant("a")) as client:
        for number in range(3):
            await answered(client, "mem_remember", statement=f"Note {number}.")
        error = await refused(client, "mem_remember", statement="Note 4.")
    assert error["code"] == "proposal.inbox_full"
    assert error["retry_after"] > 0
    async with session(house.grant("b")) as client:
        await answered(client, "mem_remember", statement="Note.")
