from __future__ import annotations

import pytest

from policies.terms import Level
from tests.support.asking import answered, called, item_ids, refused, text_of
from tests.support.house import House
from tests.support.memories import at, memory, moment
from tests.support.service_fixtures import Session

pytestmark = pytest.mark.anyio

EVERY = ["mem:bike", "mem:job", "mem:friend", "mem:pay", "mem:clinic"]
ITEM = {
    "id",
    "text",
    "kind",
    "provenance",
    "confidence",
    "sensitivity",
    "valid_from",
    "valid_to",
    "recorded_at",
    "status",
    "anchors",
    "domains",
    "event",
    "evidence",
    "why",
}


async def test_an_answer_has_the_pinned_shape_and_every_item_in_readable_text(
    furnished: House, session: Session
) -> None:
    async with session(furnished.grant()) as client:
        result = await called(client, "mem_recall", query="Where does Louise work?")
    answer = result.structured_content
    assert set(answer) == {"verdict", "best", "items", "notices", "next_cursor"}
    assert item_ids(answer)[0] == "mem:job"
    for item in answer["items"]:
        assert set(item) == ITEM
        assert f"[{item['id']}] {item['text']}" in text_of(result)
    job = answer["items"][0]
    assert job["sensitivity"] == "S1"
    assert job["anchors"] == [{"id": "ent:acme", "name": "acme"}, {"id": "ent:owner", "name": "owner"}]
    assert set(job["why"]) == {"relevance", "parts", "path"}
    assert job["recorded_at"] == "2026-01-12T14:46:40+01:00"


async def test_each_scope_is_served_its_own(furnished: House, session: Session) -> None:
    served: dict[str, set[str]] = {}
    for scope in ("third-party", "assistant-standard", "work-context", "private-full"):
        async with session(furnished.grant(scope, scope)) as client:
            answer = await answered(client, "mem_recall", query="", ids=EVERY)
            served[scope] = set(item_ids(answer))
            for question in ("a red bike", "who works for Acme", "what Acme pays", "the doctor, weekly"):
                answer = await answered(client, "mem_recall", query=question)
                assert set(item_ids(answer)) <= served[scope]
    assert served == {
        "third-party": {"mem:bike"},
        "assistant-standard": {"mem:bike", "mem:job", "mem:friend"},
        "work-context": {"mem:bike", "mem:job", "mem:friend", "mem:pay"},
        "private-full": set(EVERY),
    }


async def test_a_grant_limited_to_domains_is_served_nothing_else(furnished: House, session: Session) -> None:
    async with session(furnished.grant(scope="private-full", domains=["work"])) as client:
        answer = await answered(client, "mem_recall", query="", ids=EVERY)
        asked = await answered(client, "mem_recall", query="a red bike")
    assert set(item_ids(answer)) == {"mem:job", "mem:pay"}
    assert asked["items"] == []


async def test_memories_are_fetched_by_id_with_an_empty_query(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        answer = await answered(client, "mem_recall", query="", ids=["mem:job", "mem:clinic", "mem:nothing"])
        only_hidden = await refused(client, "mem_recall", query="", ids=["mem:clinic"])
        only_unknown = await refused(client, "mem_recall", query="", ids=["mem:nothing"])
    assert item_ids(answer) == ["mem:job"]
    assert only_hidden == only_unknown
    assert (only_hidden["code"], only_hidden["field"]) == ("id.unknown", "ids")


async def test_neither_query_nor_ids_is_refused(furnished: House, session: Session) -> None:
    async with session(furnished.grant()) as client:
        assert (await refused(client, "mem_recall", query=""))["code"] == "argument.missing"
        assert (await refused(client, "mem_recall"))["code"] == "argument.missing"


async def test_pages_follow_each_other_without_gap_or_repetition(house: House, session: Session) -> None:
    house.commit(*(memory(f"m{number:02}", text=f"A note about cheese {number}") for number in range(30)))
    seen: list[str] = []
    async with session(house.grant()) as client:
        answer = await answered(client, "mem_recall", query="cheese", limit=12)
        for _ in range(5):
            seen += item_ids(answer)
            if answer["next_cursor"] is None:
                break
            assert len(answer["items"]) == 12
            answer = await answered(
                client, "mem_recall", query="cheese", limit=12, cursor=answer["next_cursor"]
            )
    assert len(seen) == len(set(seen)) == 30


async def test_a_cursor_is_good_for_its_own_question_and_grant_alone(house: House, session: Session) -> None:
    house.commit(*(memory(f"m{number:02}", text=f"A note about cheese {number}") for number in range(14)))
    async with session(house.grant()) as client:
        cursor = (await answered(client, "mem_recall", query="cheese"))["next_cursor"]
        error = await refused(client, "mem_recall", query="note", cursor=cursor)
        assert (error["code"], error["field"]) == ("cursor.invalid", "cursor")
        house.clock.advance(3_601)
        assert (await refused(client, "mem_recall", query="cheese", cursor=cursor))[
            "code"
        ] == "cursor.invalid"
        house.clock.advance(-3_601)
    async with session(house.grant("other")) as client:
        assert (await refused(client, "mem_recall", query="cheese", cursor=cursor))[
            "code"
        ] == "cursor.invalid"


async def test_the_past_is_asked_for_by_valid_at(house: House, session: Session) -> None:
    house.commit(
        memory("lyon", text="Louise lives in Lyon", valid_from=moment(-90_000_000), valid_to=moment(0)),
        memory("paris", text="Louise lives in Paris", valid_from=moment(0)),
    )
    async with session(house.grant()) as client:
        now = await answered(client, "mem_recall", query="Where does Louise live?")
        then = await answered(client, "mem_recall", query="Where does Louise live?", valid_at="2025-06")
    assert item_ids(now) == ["mem:paris"]
    assert item_ids(then) == ["mem:lyon"]
    assert then["items"][0]["status"] == "closed"


async def test_what_was_believed_then_is_for_private_full_alone(house: House, session: Session) -> None:
    house.clock.at = at(10)
    house.commit(memory("a", text="Louise likes tea"))
    house.clock.at = at(1_000_000)
    async with session(house.grant("a")) as client:
        error = await refused(client, "mem_recall", query="tea", known_at="2026-01-01")
    assert (error["code"], error["field"]) == ("grant.scope", "known_at")
    async with session(house.grant("b", "private-full")) as client:
        assert item_ids(await answered(client, "mem_recall", query="tea", known_at="2026-01-01")) == ["mem:a"]
        assert item_ids(await answered(client, "mem_recall", query="tea", known_at="2025")) == []


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"query": "a", "valid_at": "2026-01-01T10:00:00"}, "time.naive", "valid_at"),
        ({"query": "a", "valid_at": "yesterday"}, "time.invalid", "valid_at"),
        ({"query": "a", "about": ["Nobody At All"]}, "entity.unknown", "about"),
        ({"query": "a", "about": ["doctor"]}, "entity.unknown", "about"),
        ({"query": "a", "domains": ["astrology"]}, "domain.unknown", "domains"),
        ({"query": "a", "kinds": ["opinion"]}, "argument.invalid", "kinds.0"),
        ({"query": "a", "limit": 13}, "argument.invalid", "limit"),
        ({"query": "a" * 1_001}, "argument.too_long", "query"),
        ({"query": "a\u202e"}, "text.unsafe_character", "query"),
        ({"query": "a", "question": "b"}, "argument.unknown", "question"),
        ({"query": "a", "cursor": "forged"}, "cursor.invalid", "cursor"),
        ({"query": "a", "lang": "de"}, "argument.invalid", "lang"),
    ],
)
async def test_what_cannot_be_asked_is_refused_by_name(
    furnished: House, session: Session, arguments: dict[str, object], code: str, field: str
) -> None:
    async with session(furnished.grant()) as client:
        error = await refused(client, "mem_recall", **arguments)
    assert (error["code"], error["field"]) == (code, field)


async def test_a_name_that_several_answer_to_names_those_in_view(furnished: House, session: Session) -> None:
    from tests.support.memories import registered

    furnished.commit(
        registry=[
            registered("p1", aliases=("Pauline",)),
            registered("p2", aliases=("Pauline",), level=Level.S3),
        ]
    )
    furnished.commit(registry=[registered("p3", aliases=("Pauline",))])
    async with session(furnished.grant()) as client:
        error = await refused(client, "mem_recall", query="a", about=["Pauline"])
    assert error["code"] == "entity.ambiguous"
    assert "ent:p1" in error["message"]
    assert "ent:p3" in error["message"]
    assert "ent:p2" not in error["message"]


async def test_words_of_the_answer_come_in_the_language_asked_for(furnished: House, session: Session) -> None:
    async with session(furnished.grant(language=None)) as client:
        french = await called(client, "mem_recall", query="xyzzy plugh")
        english = await called(client, "mem_recall", query="xyzzy plugh", lang="en")
        error = await refused(client, "mem_recall", query="a", about=["Nobody At All"])
    assert "inconnu" in text_of(french)
    assert "unknown" in text_of(english)
    assert french.structured_content["verdict"] == "unknown"
    assert french.structured_content["items"] == []
    assert "Aucune entité" in error["message"]
