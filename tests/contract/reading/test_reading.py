"""Reading on a real ledger: what the in-memory one promises holds on every engine."""

from __future__ import annotations

from pathlib import Path

from cypher.graph import Graph
from policies.terms import ContraRole, Discretion, EntityId, Kind, Level, MemoryId, Relation
from service.reading import PackArguments, PathArguments, ProfileArguments, RecallArguments
from tests.support.engine_ledger import EngineLedger
from tests.support.memories import memory, registered
from tests.support.reading import OWNER, PRIVATE, STANDARD, ids, reading

MARIE, JULIE = EntityId("ent:Marie"), EntityId("ent:Julie")
OLD = MemoryId("mem:old")


def test_every_read_answers_from_what_was_committed(graph: Graph, tmp_path: Path) -> None:
    ledger = EngineLedger(graph)
    read = reading(ledger, tmp_path)
    assert read.recall(STANDARD, RecallArguments("tea"))["verdict"] == "unknown"
    ledger.register(registered("owner", owner=True), registered("Marie"), registered("Julie"))
    ledger.record(
        memory("old", text="Marie drinks green tea", anchors=(MARIE,), level=Level.S1),
        memory("secret", text="green tea", level=Level.S3),
        memory("tie", text="Marie and Julie are sisters", anchors=(MARIE, JULIE), level=Level.S1,
               relation=Relation(MARIE, "sister_of", JULIE)),
        memory("aimed", text="a rare allergy", anchors=(JULIE,), level=Level.S1,
               discretion=Discretion.ON_REQUEST_ONLY, domains=("food",)),
        memory("mine", text="asthma", level=Level.S3, discretion=Discretion.ON_REQUEST_ONLY, domains=("health",)),
        memory("ruled", text="be brief", kind=Kind.RULE, ruled=True),
    )  # fmt: skip
    assert ids(read.recall(STANDARD, RecallArguments("green tea"))) == ["old"]
    ledger.record(memory("new", text="Marie drinks coffee", anchors=(MARIE,), level=Level.S1,
                         supersedes=OLD, contra=ContraRole.CORRECTION))  # fmt: skip
    assert ids(read.recall(STANDARD, RecallArguments("green tea"))) == ["new"]
    assert ids(read.recall(STANDARD, RecallArguments(ids=("mem:old",)))) == ["new"]
    assert read.recall(STANDARD, RecallArguments("allergy"))["items"] == []
    assert "aimed" in ids(read.recall(STANDARD, RecallArguments("allergy", about=("Julie",))))
    assert ids(read.recall(PRIVATE, RecallArguments("asthma", about=("health",)))) == ["mine"]
    assert ids(read.recall(OWNER, RecallArguments("green", known_at="2026-01-01T00:00:05Z"))) == [
        "secret",
        "old",
    ]
    assert ids(read.context_pack(STANDARD, PackArguments("coffee"))) == ["ruled", "new"]
    assert [hop["memory"] for hop in read.path(STANDARD, PathArguments("Marie", "Julie"))["hops"]] == [
        "mem:tie"
    ]
    assert [rule["id"] for rule in read.profile(STANDARD, ProfileArguments("s"))["rules"]] == ["mem:ruled"]
    ledger.reclassify(MemoryId("mem:new"), level=Level.S3)
    assert read.recall(STANDARD, RecallArguments("coffee"))["items"] == []
    read.close()


def test_an_index_follows_many_commits_and_survives_a_restart(graph: Graph, tmp_path: Path) -> None:
    ledger = EngineLedger(graph)
    read = reading(ledger, tmp_path)
    for n in range(30):
        ledger.record(memory(f"m{n:02}", text=f"green tea number {n}"))
        assert len(ids(read.recall(STANDARD, RecallArguments("green tea")))) == min(n + 1, 12)
    expected = read.recall(STANDARD, RecallArguments("green tea"))
    read.close()
    read = reading(ledger, tmp_path)
    assert read.recall(STANDARD, RecallArguments("green tea")) == expected
    read.close()
