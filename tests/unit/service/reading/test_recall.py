"""Recall: questions, ids, what is aimed at, both time axes, pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.errors import (
    DomainUnknown,
    EntityAmbiguous,
    EntityUnknown,
    InvalidArgument,
    InvalidDate,
    MissingArgument,
    NaiveDateTime,
    ScopeForbids,
    UnknownId,
)
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    Evidence,
    Kind,
    Level,
    MemoryId,
    Precision,
    Provenance,
    Relation,
    View,
)
from service.reading import Answer, Reading, RecallArguments
from tests.support.ledger import MemoryLedger
from tests.support.memories import at, memory, moment
from tests.support.reading import OWNER, PRIVATE, STANDARD, THIRD_PARTY, WORK, ids

MARIE, PAUL, INITECH = (EntityId(f"ent:{name}") for name in ("Marie Leroy", "Paul Durand", "Initech"))
OLD = MemoryId("mem:old")


def asked(read: Reading, query: str = "", view=STANDARD, **arguments: object) -> Answer:  # type: ignore[no-untyped-def]
    return read.recall(view, RecallArguments(query, **arguments))  # type: ignore[arg-type]


def test_an_item_tells_all_that_qualifies_it(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(
        memory(
            "one",
            text="Marie drinks green tea",
            kind=Kind.PREFERENCE,
            provenance=Provenance.QUOTED,
            confidence=0.75,
            level=Level.S1,
            anchors=(MARIE,),
            domains=("food",),
            event="breakfast",
            valid_from=moment(0, Precision.MONTH),
            valid_to=moment(86_400 * 90, Precision.DAY),
            evidence=Evidence("elle adore le thé vert", "owner", "Claude", at(7)),
        )
    )
    (item,) = asked(read, "green tea", view=replace(STANDARD, name="Claude"), valid_at="2026-02")["items"]
    assert item == {
        "id": "mem:one",
        "text": "Marie drinks green tea",
        "kind": "preference",
        "provenance": "quoted",
        "confidence": 0.75,
        "sensitivity": "S1",
        "valid_from": "2026-01",
        "valid_to": "2026-04-01",
        "recorded_at": "2026-01-01T01:00:07+01:00",
        "status": "current",
        "anchors": [{"id": "ent:Marie Leroy", "name": "Marie Leroy"}],
        "domains": ["food"],
        "event": "breakfast",
        "evidence": {
            "words": "elle adore le thé vert",
            "speaker": "owner",
            "source": "Claude",
            "said_at": "2026-01-01T01:00:07+01:00",
        },
        "why": {"relevance": 0.7143, "parts": {"text": 0.7143}, "path": []},
    }


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (STANDARD, "another assistant"),
        (replace(STANDARD, language="fr"), "un autre assistant"),
        (replace(WORK, name="Cursor"), "another assistant"),
        (replace(STANDARD, name="Claude"), "Claude"),
        (PRIVATE, "Claude"),
        (OWNER, "Claude"),
    ],
)
def test_a_tool_is_told_its_own_name_and_the_owner_every_name(
    read: Reading, ledger: MemoryLedger, view: View, told: str
) -> None:
    """What a tool calls itself is words of its own: it must not have them read to others."""
    ledger.record(
        memory("said", text="green tea", evidence=Evidence("thé vert", "owner", "Claude", None)),
        memory("read", text="black tea", evidence=Evidence("thé noir", "Claude", "owner", None)),
    )
    said, read_back = (
        item["evidence"] for item in asked(read, view=view, ids=("mem:said", "mem:read"))["items"]
    )
    assert (said["speaker"], said["source"]) == ("owner", told)
    assert (read_back["speaker"], read_back["source"]) == (told, "owner")


def test_nothing_relevant_is_unknown_and_serves_nothing(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("one", text="green tea"))
    answer = asked(read, "submarine cables")
    assert (answer["verdict"], answer["best"], answer["items"]) == ("unknown", 0.0, [])
    assert answer["next_cursor"] is None


@pytest.mark.parametrize("query", ["", "   "])
def test_neither_question_nor_ids_is_refused(read: Reading, query: str) -> None:
    with pytest.raises(MissingArgument):
        asked(read, query)


@pytest.mark.parametrize(
    "query", ["???", '"', "a AND (b OR", "*", "tea~2", "MATCH (n) DETACH DELETE n", "\\", "茶"]
)
def test_a_question_is_words_and_never_a_query_language(
    read: Reading, ledger: MemoryLedger, query: str
) -> None:
    ledger.record(memory("one", text="green tea"))
    assert asked(read, query)["verdict"] in ("unknown", "vague", "certain")


def test_words_of_a_superseded_version_lead_to_its_successor(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("old", text="She works at Globex"))
    ledger.record(memory("new", text="She works at Hooli", supersedes=OLD, contra=ContraRole.CORRECTION))
    assert ids(asked(read, "Globex")) == ["new"]


def test_memories_are_served_by_id_in_the_order_asked_for(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("a"), memory("b"), memory("c"))
    answer = asked(read, ids=("mem:c", "mem:a", "mem:c"))
    assert ids(answer) == ["c", "a"]
    assert (answer["verdict"], answer["best"]) == ("certain", 1.0)


def test_unknown_hidden_malformed_and_retracted_ids_are_one_and_the_same(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(memory("hidden", level=Level.S3), memory("said"))
    ledger.record(memory("gone", kind=Kind.RETRACTION, supersedes="mem:said", contra=ContraRole.RETRACTION))
    told: set[tuple[str, str | None, str]] = set()
    for identifier in ("mem:nothing", "mem:hidden", "", "x" * 500, "mem:said", "mem:gone", "ent:owner"):
        with pytest.raises(UnknownId) as refused:
            asked(read, ids=(identifier,))
        told.add((refused.value.code, refused.value.field, str(refused.value.details)))
    assert len(told) == 1


def test_of_several_ids_those_in_view_are_served_and_the_others_named_alike(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(memory("one"), memory("hidden", level=Level.S3))
    answer = asked(read, ids=("mem:one", "mem:hidden", "mem:nothing"))
    assert ids(answer) == ["one"]
    assert answer["notices"] == ["No memory answers to: mem:hidden, mem:nothing."]


def test_a_superseded_id_gives_its_visible_successor(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("old"))
    ledger.record(memory("new", supersedes=OLD, contra=ContraRole.CORRECTION))
    answer = asked(read, ids=("mem:old",))
    assert ids(answer) == ["new"]
    assert answer["notices"] == ["mem:old was superseded by mem:new."]


def test_a_successor_outside_the_view_is_not_hinted_at(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("old", domains=("work",)))
    ledger.record(memory("new", domains=("home",), supersedes=OLD, contra=ContraRole.CORRECTION))
    with pytest.raises(UnknownId):
        asked(read, view=replace(WORK, domains=frozenset({"work"})), ids=("mem:old",))


def test_a_closed_memory_answers_to_its_id_marked_closed_and_to_no_question(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(memory("one", text="green tea", valid_to=moment(500)))
    assert asked(read, ids=("mem:one",))["items"][0]["status"] == "closed"
    assert asked(read, "green tea")["items"] == []


def test_the_owner_is_shown_superseded_and_retracted_versions_by_id(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(memory("old"), memory("said"))
    ledger.record(memory("new", supersedes=OLD, contra=ContraRole.CORRECTION))
    ledger.record(memory("gone", kind=Kind.RETRACTION, supersedes="mem:said", contra=ContraRole.RETRACTION))
    answer = asked(read, view=OWNER, ids=("mem:old", "mem:said"))
    assert [item["status"] for item in answer["items"]] == ["superseded", "retracted"]


def test_what_is_on_request_only_is_reached_by_id_or_aimed_at_by_name(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(
        memory("aimed", text="a rare allergy to peanuts", anchors=(MARIE,), level=Level.S1,
               discretion=Discretion.ON_REQUEST_ONLY, domains=("food",)),
    )  # fmt: skip
    assert asked(read, "peanuts")["items"] == []
    assert asked(read, "peanuts", domains=("food",))["items"] == []
    assert asked(read, "peanuts", about=("food",))["items"] == [], "it has an anchor of its own"
    assert asked(read, "submarine", about=("Mimi",))["items"] == []
    assert asked(read, "peanuts", about=("Paul Durand",))["items"] == []
    assert ids(asked(read, "peanuts", about=("Mimi",))) == ["aimed"]
    assert ids(asked(read, ids=("mem:aimed",))) == ["aimed"]
    with pytest.raises(UnknownId):
        asked(read, view=THIRD_PARTY, ids=("mem:aimed",))


def test_what_only_the_owner_anchors_is_aimed_at_by_its_domain(read: Reading, ledger: MemoryLedger) -> None:
    owner = EntityId("ent:owner")
    ledger.record(
        memory("aimed", text="asthma since childhood", anchors=(owner,), level=Level.S3,
               discretion=Discretion.ON_REQUEST_ONLY, domains=("health",)),
    )  # fmt: skip
    assert ids(asked(read, "asthma", PRIVATE, about=("health",))) == ["aimed"]
    assert asked(read, "asthma", PRIVATE, about=("food",))["items"] == []
    assert asked(read, "asthma", PRIVATE, domains=("health",))["items"] == []
    assert asked(read, "asthma", PRIVATE, about=("owner",))["items"] == []


def test_what_is_aimed_at_changes_no_other_score(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("open", text="peanuts and tea", anchors=(MARIE,), level=Level.S1))
    before = asked(read, "peanuts", about=("Mimi",))["items"]
    ledger.record(
        *(
            memory(f"aimed{n}", text="peanuts", anchors=(MARIE,), level=Level.S1,
                   discretion=Discretion.ON_REQUEST_ONLY)
            for n in range(5)
        )
    )  # fmt: skip
    after = asked(read, "peanuts", about=("Mimi",))["items"]
    assert [item for item in after if item["id"] == "mem:open"] == before


def test_about_keeps_to_its_entities_and_domains(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(
        memory("hers", text="green tea", anchors=(MARIE,), level=Level.S1),
        memory("his", text="green tea", anchors=(PAUL,), level=Level.S1),
        memory("food", text="green tea", domains=("food",)),
    )
    assert ids(asked(read, "tea", about=("Mimi",))) == ["hers"]
    assert set(ids(asked(read, "tea", about=("Mimi", "food")))) == {"hers", "food"}
    assert ids(asked(read, "tea", about=("food",))) == ["food"]


def test_a_name_that_several_answer_to_is_ambiguous_with_those_in_view(read: Reading) -> None:
    with pytest.raises(EntityAmbiguous) as refused:
        asked(read, "tea", about=("Paul",))
    assert refused.value.details["candidates"] == [
        {"id": "ent:Paul Durand", "name": "Paul Durand"},
        {"id": "ent:Paul Martin", "name": "Paul Martin"},
    ]


def test_a_name_above_the_view_is_as_unknown_as_any(read: Reading) -> None:
    for name in ("Zoltan Kovacs", "ent:Zoltan Kovacs", "Nobody", "ent:nobody", ""):
        with pytest.raises(EntityUnknown):
            asked(read, "tea", about=(name,))


def test_a_domain_outside_the_grant_is_as_unknown_as_any(read: Reading) -> None:
    limited = replace(WORK, domains=frozenset({"work"}))
    for domain in ("home", "astrology"):
        with pytest.raises(DomainUnknown):
            asked(read, "tea", limited, domains=(domain,))


def test_domains_and_kinds_filter_and_a_closure_is_of_the_kind_it_restates(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(
        memory("a", text="tea", kind=Kind.PREFERENCE, domains=("food",)),
        memory("b", text="tea", kind=Kind.DECISION, domains=("home",)),
        memory("old", text="tea"),
    )
    ledger.record(
        memory("closed", text="tea", kind=Kind.CLOSURE, restates=Kind.FACT, valid_to=moment(900),
               supersedes=OLD, contra=ContraRole.CLOSURE),
    )  # fmt: skip
    assert ids(asked(read, "tea", kinds=("preference", "decision"), domains=("home", "food"))) == ["b", "a"]
    assert ids(asked(read, "tea", kinds=("fact",), valid_at="2026-01-01T00:10:00Z")) == ["closed"]
    with pytest.raises(InvalidArgument):
        asked(read, "tea", kinds=("gossip",))


def test_a_succession_leaves_the_old_truth_to_the_past(read: Reading, ledger: MemoryLedger) -> None:
    march = moment(86_400 * 5, Precision.DAY)
    ledger.record(memory("old", text="She lives in Lyon", valid_from=moment(0, Precision.DAY)))
    ledger.record(
        memory("closed", text="She lives in Lyon", kind=Kind.CLOSURE, restates=Kind.FACT,
               valid_from=moment(0, Precision.DAY), valid_to=march, supersedes=OLD, contra=ContraRole.CLOSURE),
        memory("new", text="She lives in Nantes", valid_from=march, supersedes=MemoryId("mem:closed"),
               contra=ContraRole.SUCCESSION),
    )  # fmt: skip
    assert ids(asked(read, "where does she live: Lyon or Nantes")) == ["new"]
    assert ids(asked(read, "lives", valid_at="2026-01-03")) == ["closed"]
    assert set(ids(asked(read, "lives", valid_at="2026-01"))) == {"closed", "new"}
    assert ids(asked(read, "Lyon")) == ["new"]


def test_what_was_believed_then_is_for_those_who_may_look_back(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("old", text="tea with milk"), at_second=1_000)
    ledger.record(
        memory("new", text="tea with lemon", supersedes=OLD, contra=ContraRole.CORRECTION), at_second=5_000
    )
    then = "2026-01-01T00:30:00Z"
    for view in (PRIVATE, OWNER):
        answer = asked(read, "tea", view, known_at=then)
        assert ids(answer) == ["old"]
        assert answer["items"][0]["status"] == "current"
        assert asked(read, "tea", view, known_at="2026-01-01T00:10Z")["items"] == []
        assert ids(asked(read, "tea", view)) == ["new"]
    for view in (THIRD_PARTY, STANDARD, WORK, replace(PRIVATE, history=False)):
        with pytest.raises(ScopeForbids):
            asked(read, "tea", view, known_at=then)


def test_levels_of_the_past_are_those_of_today(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("old", text="tea"), at_second=1_000)
    ledger.reclassify(OLD, discretion=Discretion.ON_REQUEST_ONLY)
    assert asked(read, "tea", PRIVATE, known_at="2026-01-02")["items"] == []


@pytest.mark.parametrize("argument", ["valid_at", "known_at"])
def test_dates_that_cannot_be_are_refused_by_name(read: Reading, argument: str) -> None:
    with pytest.raises(NaiveDateTime) as naive:
        asked(read, "tea", PRIVATE, **{argument: "2026-01-01T10:00"})
    assert naive.value.field == argument
    with pytest.raises(InvalidDate):
        asked(read, "tea", PRIVATE, **{argument: "yesterday"})


def test_pages_hold_every_memory_once_in_order_whatever_is_recorded_in_between(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(*(memory(f"m{n:02}", text="green tea " + "tea " * (n % 3)) for n in range(30)))
    whole: list[str] = []
    pages: list[list[str]] = []
    cursor = None
    while True:
        answer = asked(read, "green tea", limit=12, cursor=cursor)
        pages.append(ids(answer))
        whole += pages[-1]
        cursor = answer["next_cursor"]
        if cursor is None:
            break
        assert not {"seq", "head"} & cursor.keys()
        ledger.record(
            memory(f"later{len(pages)}", text="nothing of the kind"), memory(f"x{len(pages)}", text="green")
        )
    assert [len(page) for page in pages][:2] == [12, 12]
    assert len(whole) == len(set(whole))
    assert {f"m{n:02}" for n in range(30)} <= set(whole)


def test_what_edges_lead_to_is_raised_and_says_how_it_was_reached(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(
        memory("tie", text="Paul and Marie are cousins", level=Level.S1, anchors=(MARIE, PAUL),
               kind=Kind.RELATION, relation=Relation(MARIE, "cousin_of", PAUL)),
        memory("near", text="loves sailing", level=Level.S1, anchors=(PAUL,)),
        memory("far", text="loves sailing", level=Level.S1, anchors=(INITECH,)),
    )  # fmt: skip
    alone = {item["id"]: item["why"] for item in asked(read, "sailing")["items"]}
    assert alone["mem:near"] == alone["mem:far"]
    items = asked(read, "what sailing does Mimi's cousin love")["items"]
    why = {item["id"]: item["why"] for item in items}
    assert why["mem:near"]["relevance"] > why["mem:far"]["relevance"]
    assert why["mem:far"]["path"] == why["mem:tie"]["path"] == []
    assert why["mem:near"]["path"] == [
        {
            "source": {"id": MARIE, "name": "Marie Leroy"},
            "type": "cousin_of",
            "target": {"id": PAUL, "name": "Paul Durand"},
            "memory": "mem:tie",
        }
    ]


def test_a_date_in_the_question_also_finds_what_was_true_then(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(
        memory("then", text="She lives in Lyon", valid_from=moment(-86_400 * 2000, Precision.DAY),
               valid_to=moment(-86_400 * 1000, Precision.DAY)),
    )  # fmt: skip
    assert asked(read, "where did she live")["items"] == []
    answer = asked(read, "where did she live in 2022")
    assert [(item["id"], item["status"]) for item in answer["items"]] == [("mem:then", "closed")]
