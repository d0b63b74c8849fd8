"""What is read by its address, and completions."""

from __future__ import annotations

import pytest

from policies.errors import UnknownId
from policies.terms import ContraRole, Discretion, EntityId, Level, MemoryId, Relation
from service.reading import Reading, RecallArguments
from tests.support.ledger import MemoryLedger
from tests.support.memories import memory, moment
from tests.support.reading import PRIVATE, STANDARD, THIRD_PARTY, ids

MARIE, PAUL, INITECH = (EntityId(f"ent:{name}") for name in ("Marie Leroy", "Paul Durand", "Initech"))


def test_a_memory_reads_like_the_item_that_a_recall_by_id_serves(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(memory("old", level=Level.S1))
    ledger.record(memory("new", supersedes=MemoryId("mem:old"), contra=ContraRole.CORRECTION))
    (item,) = read.recall(STANDARD, RecallArguments(ids=("mem:new",)))["items"]
    assert read.memory(STANDARD, "mem:new") == item
    assert read.memory(STANDARD, "mem:old") == item


def test_an_entity_reads_with_its_names_edges_and_first_memories(read: Reading, ledger: MemoryLedger) -> None:
    ledger.record(
        memory(
            "tie", level=Level.S1, anchors=(MARIE, INITECH), relation=Relation(MARIE, "works_for", INITECH)
        ),
        memory("asked", level=Level.S1, anchors=(MARIE,), discretion=Discretion.ON_DEMAND),
        memory("aimed", level=Level.S1, anchors=(MARIE,), discretion=Discretion.ON_REQUEST_ONLY),
        memory("secret", level=Level.S3, anchors=(MARIE,)),
        memory("closed", level=Level.S1, anchors=(MARIE,), valid_to=moment(5)),
    )
    answer = read.entity(STANDARD, MARIE)
    assert (answer["name"], answer["aliases"], answer["type"]) == ("Marie Leroy", ["Mimi"], "person")
    assert answer["count"] == 2
    assert set(ids(answer)) == {"tie", "asked"}
    assert [hop["memory"] for hop in answer["relations"]] == ["mem:tie"]


def test_an_entity_that_nothing_in_view_is_about_is_as_unknown_as_any(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(
        memory("secret", level=Level.S3, anchors=(PAUL,)),
        memory("zoltan", level=Level.S3, anchors=(EntityId("ent:Zoltan Kovacs"),)),
    )
    for identifier in (PAUL, INITECH, "ent:Zoltan Kovacs", "ent:nobody", "Marie Leroy", ""):
        with pytest.raises(UnknownId):
            read.entity(STANDARD, identifier)
    assert read.entity(PRIVATE, PAUL)["count"] == 1


def test_names_are_completed_of_what_something_surfacing_is_about(
    read: Reading, ledger: MemoryLedger
) -> None:
    ledger.record(
        memory("a", level=Level.S1, anchors=(MARIE,)),
        memory("b", level=Level.S1, anchors=(PAUL,), discretion=Discretion.ON_DEMAND),
        memory("c", level=Level.S3, anchors=(EntityId("ent:Zoltan Kovacs"),)),
    )
    assert read.complete(STANDARD, "m") == ["Marie Leroy", "Mimi"]
    assert read.complete(STANDARD, "LER") == ["Marie Leroy"]
    assert read.complete(STANDARD, "p") == []
    assert read.complete(STANDARD, "z") == []
    assert read.complete(THIRD_PARTY, "m") == []
    assert read.complete(PRIVATE, "z") == ["Zoltan Kovacs"]
