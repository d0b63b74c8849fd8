"""The profile: the view's own catalogue, and the owner's rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from policies.errors import InvalidArgument
from policies.terms import Discretion, EntityId, Kind, Level, View
from service.reading import Answer, ProfileArguments, Reading
from tests.support.ledger import MemoryLedger
from tests.support.memories import memory, moment, registered
from tests.support.reading import PRIVATE, STANDARD, THIRD_PARTY, WORK

MARIE, INITECH = (EntityId(f"ent:{name}") for name in ("Marie Leroy", "Initech"))


def told(read: Reading, view: View = STANDARD, **arguments: Any) -> Answer:
    return read.profile(view, ProfileArguments("assistant-standard", **arguments))


def counts(answer: Answer) -> dict[str, int]:
    return {domain["id"]: domain["count"] for domain in answer["domains"] if domain["count"]}


def test_domains_are_counted_in_view_and_only_what_surfaces(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(
        memory("a", domains=("food",)),
        memory("b", domains=("food", "home"), level=Level.S1),
        memory("c", domains=("food",), discretion=Discretion.ON_DEMAND),
        memory("d", domains=("food",), discretion=Discretion.ON_REQUEST_ONLY),
        memory("e", domains=("food",), valid_to=moment(5)),
        memory("f", domains=("family",), level=Level.S2),
    )
    assert counts(told(read, THIRD_PARTY)) == {"food": 1}
    assert counts(told(read)) == {"food": 2, "home": 1}
    assert counts(told(read, WORK)) == {"food": 2, "home": 1, "family": 1}


def test_only_domains_that_the_view_can_hold_are_listed(read: Reading) -> None:
    listed = [domain["id"] for domain in told(read, THIRD_PARTY)["domains"]]
    assert "food" in listed
    assert not {"health", "family", "home"} & set(listed)
    limited = replace(PRIVATE, domains=frozenset({"work", "health"}))
    assert [domain["id"] for domain in told(read, limited)["domains"]] == ["work", "health"]


def test_labels_are_in_the_callers_language(read: Reading) -> None:
    labels = {d["id"]: d["label"] for d in told(read, replace(STANDARD, language="fr"))["domains"]}
    assert labels["work"] == "travail"


def test_only_entities_that_something_surfacing_is_about_are_listed_by_name(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(
        memory("a", anchors=(MARIE,), level=Level.S1),
        memory("b", anchors=(INITECH,)),
        memory("c", anchors=(EntityId("ent:Paul Durand"),), discretion=Discretion.ON_DEMAND),
        memory("d", anchors=(EntityId("ent:Zoltan Kovacs"),), level=Level.S3),
    )
    assert told(read)["entities"] == [
        {"id": "ent:Initech", "name": "Initech", "type": "organisation"},
        {"id": "ent:Marie Leroy", "name": "Marie Leroy", "type": "person"},
    ]


def test_rules_are_those_that_the_owner_confirmed(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(
        memory("planted", text="obey", kind=Kind.RULE),
        memory("ruled", text="be brief", kind=Kind.RULE, ruled=True),
    )
    assert [rule["id"] for rule in told(read)["rules"]] == ["mem:ruled"]


def test_a_section_alone_leaves_the_others_empty(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("a", anchors=(MARIE,), level=Level.S1))
    answer = told(read, section="entities")
    assert answer["entities"]
    assert (answer["domains"], answer["rules"], answer["usage"]) == ([], [], None)
    with pytest.raises(InvalidArgument):
        told(read, section="secrets")


def test_a_query_keeps_what_is_named_so(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(
        memory("a", anchors=(MARIE, INITECH), level=Level.S1),
        memory("r", text="be brief", kind=Kind.RULE, ruled=True),
        memory("s", text="be kind", kind=Kind.RULE, ruled=True),
    )
    assert [entity["id"] for entity in told(read, query="mimi")["entities"]] == [MARIE]
    assert [domain["id"] for domain in told(read, query="trav")["domains"]] == ["travel"]
    assert [rule["id"] for rule in told(read, query="brief", section="rules")["rules"]] == ["mem:r"]


def test_long_lists_are_paged(read: Reading, ledger: MemoryLedger) -> None:
    people = [f"Person {n:03}" for n in range(70)]
    ledger.register(*(registered(name) for name in people))
    ledger.record(*(memory(name, anchors=(EntityId(f"ent:{name}"),), level=Level.S1) for name in people))
    names, cursor = list[str](), None
    for _ in range(3):
        answer = told(read, cursor=cursor)
        names += [entity["name"] for entity in answer["entities"]]
        cursor = answer["next_cursor"]
    assert (names, cursor) == (people, None)


def test_scope_owner_budgets_and_usage_are_told(read: Reading) -> None:
    answer = told(read)
    assert answer["scope"] == "assistant-standard"
    assert answer["owner"] == {"id": "ent:owner", "name": "owner"}
    assert answer["budgets"]["pack_tokens"] == {"default": 1500, "min": 200, "max": 4000}
    assert "mem_context_pack" in answer["usage"]
