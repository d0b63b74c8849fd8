"""The text index of a view: what it holds, what it counts, and how it outlives what befalls it."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from policies.parameters import parameters
from policies.terms import ContraRole, Discretion, EntityId, Kind, Level, MemoryId, Relation, View
from service.reading.index import Filters, Indexes, Mark, Snapshot, marked
from tests.support.ledger import MemoryLedger
from tests.support.memories import PARAMETERS, memory
from tests.support.reading import OWNER, PRIVATE, STANDARD, THIRD_PARTY, WORK

MARIE, INITECH = EntityId("ent:Marie"), EntityId("ent:Initech")


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def indexes(ledger: MemoryLedger, tmp_path: Path) -> Iterator[Indexes]:
    made = Indexes(tmp_path / "index", ledger, PARAMETERS)
    yield made
    made.close()


def snapshot(indexes: Indexes, ledger: MemoryLedger, view: View = STANDARD) -> Snapshot:
    return indexes.believed(view).snapshot(ledger.head().seq)


def saying(word: str, at: Snapshot, filters: Filters | None = None) -> set[str]:
    tokens = {marked(word, mark): 1 for mark in Mark}
    return {hit.row.memory for hit in at.search(tokens, filters or Filters(), limit=100).hits}


def test_an_index_holds_what_its_view_may_be_served_and_nothing_else(
    indexes: Indexes, ledger: MemoryLedger
) -> None:
    ledger.record(
        memory("public", text="tea"),
        memory("everyday", text="tea", level=Level.S1),
        memory("secret", text="tea", level=Level.S3),
        memory("asked", text="tea", discretion=Discretion.ON_DEMAND),
        memory("aimed", text="tea", discretion=Discretion.ON_REQUEST_ONLY),
    )
    assert saying("tea", snapshot(indexes, ledger, THIRD_PARTY)) == {"mem:public", "mem:asked"}
    assert saying("tea", snapshot(indexes, ledger, STANDARD)) == {"mem:public", "mem:everyday", "mem:asked"}
    assert "mem:aimed" not in saying("tea", snapshot(indexes, ledger, OWNER))


def test_a_view_limited_to_domains_has_an_index_of_its_own(indexes: Indexes, ledger: MemoryLedger) -> None:
    ledger.record(
        memory("work", text="tea", domains=("work",)), memory("home", text="tea", domains=("home",))
    )
    limited = replace(WORK, domains=frozenset({"work"}))
    assert saying("tea", snapshot(indexes, ledger, limited)) == {"mem:work"}
    assert saying("tea", snapshot(indexes, ledger, WORK)) == {"mem:work", "mem:home"}


def test_counts_are_of_living_documents_and_exact_after_removal(
    indexes: Indexes, ledger: MemoryLedger
) -> None:
    ledger.record(*(memory(f"m{n}", text="tea in the morning") for n in range(20)))
    before = snapshot(indexes, ledger)
    assert (before.memories(open_only=False), before.memories_with("tea", open_only=False)) == (20, 20)
    for n in range(7):
        ledger.reclassify(MemoryId(f"mem:m{n}"), level=Level.S3)
    after = snapshot(indexes, ledger)
    assert (after.memories(open_only=False), after.memories_with("tea", open_only=False)) == (13, 13)
    assert before.memories_with("tea", open_only=False) == 20, "a snapshot does not move"


def test_what_is_found_only_when_asked_for_is_counted_apart(indexes: Indexes, ledger: MemoryLedger) -> None:
    ledger.record(memory("open", text="tea"), memory("asked", text="tea", discretion=Discretion.ON_DEMAND))
    at = snapshot(indexes, ledger)
    assert (at.memories(open_only=True), at.memories(open_only=False)) == (1, 2)
    assert (at.memories_with("tea", open_only=True), at.memories_with("tea", open_only=False)) == (1, 2)


def test_the_words_of_a_superseded_version_lead_to_its_successor(
    indexes: Indexes, ledger: MemoryLedger
) -> None:
    ledger.record(memory("old", text="Globex"))
    ledger.record(memory("new", text="Initech", supersedes="mem:old", contra=ContraRole.CORRECTION))
    assert saying("globex", snapshot(indexes, ledger)) == {"mem:new"}


def test_the_words_of_a_hidden_version_lead_nowhere(indexes: Indexes, ledger: MemoryLedger) -> None:
    ledger.record(memory("old", text="Globex", level=Level.S3))
    ledger.record(memory("new", text="Initech", supersedes="mem:old", contra=ContraRole.CORRECTION))
    assert saying("initech", snapshot(indexes, ledger)) == {"mem:new"}
    assert saying("globex", snapshot(indexes, ledger)) == set()
    assert saying("globex", snapshot(indexes, ledger, PRIVATE)) == {"mem:new"}


def test_a_retracted_chain_leaves_nothing(indexes: Indexes, ledger: MemoryLedger) -> None:
    ledger.record(memory("old", text="tea", anchors=(MARIE,), relation=Relation(MARIE, "likes", INITECH)))
    assert snapshot(indexes, ledger, PRIVATE).edges.touching([MARIE])
    ledger.record(memory("gone", kind=Kind.RETRACTION, supersedes="mem:old", contra=ContraRole.RETRACTION))
    after = snapshot(indexes, ledger, PRIVATE)
    assert after.memories(open_only=False) == 0
    assert after.edges.touching([MARIE]) == ()


def test_history_holds_superseded_versions_and_what_was_retracted_for_the_owner_only(
    indexes: Indexes, ledger: MemoryLedger
) -> None:
    ledger.record(memory("old", text="tea"), memory("other", text="tea"))
    ledger.record(memory("new", text="coffee", supersedes="mem:old", contra=ContraRole.CORRECTION))
    ledger.record(memory("gone", kind=Kind.RETRACTION, supersedes="mem:other", contra=ContraRole.RETRACTION))
    seq = ledger.head().seq
    assert saying("tea", indexes.history(PRIVATE).snapshot(seq)) == {"mem:old", "mem:new"}
    assert saying("tea", indexes.history(OWNER).snapshot(seq)) == {"mem:old", "mem:new", "mem:other"}


def test_an_index_up_to_date_reads_nothing_of_the_ledger(indexes: Indexes, ledger: MemoryLedger) -> None:
    ledger.record(memory("one", text="tea"))
    seq = ledger.head().seq
    indexes.believed(STANDARD).snapshot(seq)
    ledger.reads.clear()
    indexes.believed(STANDARD).snapshot(seq)
    assert ledger.reads == []


def restarted(tmp_path: Path, ledger: MemoryLedger) -> tuple[set[str], int]:
    """What another process finds in the same directory, and how many versions it had to read for it."""
    ledger.followed = 0
    indexes = Indexes(tmp_path / "index", ledger, PARAMETERS)
    try:
        return saying("tea", snapshot(indexes, ledger)), ledger.followed
    finally:
        indexes.close()


def files_of(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "index" / "0" / "s1").iterdir() if path.is_file()]


def test_a_restarted_process_takes_over_what_it_finds(tmp_path: Path, ledger: MemoryLedger) -> None:
    ledger.record(*(memory(f"m{n}", text="tea") for n in range(5)))
    assert restarted(tmp_path, ledger) == ({f"mem:m{n}" for n in range(5)}, 5)
    ledger.record(memory("later", text="tea"))
    assert restarted(tmp_path, ledger) == ({*(f"mem:m{n}" for n in range(5)), "mem:later"}, 1)


def test_a_restarted_process_finds_the_edges_again(tmp_path: Path, ledger: MemoryLedger) -> None:
    ledger.record(memory("tie", text="tea", relation=Relation(MARIE, "likes", INITECH)))
    restarted(tmp_path, ledger)
    indexes = Indexes(tmp_path / "index", ledger, PARAMETERS)
    assert [edge.memory for edge in snapshot(indexes, ledger).edges.touching([INITECH])] == ["mem:tie"]
    indexes.close()


@pytest.mark.parametrize("damage", ["removed", "emptied", "garbled"])
def test_a_damaged_index_is_made_anew(tmp_path: Path, ledger: MemoryLedger, damage: str) -> None:
    ledger.record(*(memory(f"m{n}", text="tea") for n in range(5)))
    expected = restarted(tmp_path, ledger)
    for file in files_of(tmp_path):
        if file.name == "followed.json":
            continue
        if damage == "removed":
            file.unlink()
        else:
            file.write_bytes(b"" if damage == "emptied" else b"\x00" * 64)
    assert restarted(tmp_path, ledger) == expected


def test_an_index_that_lost_where_it_stood_is_made_anew(tmp_path: Path, ledger: MemoryLedger) -> None:
    ledger.record(memory("one", text="tea"))
    expected = restarted(tmp_path, ledger)
    (tmp_path / "index" / "0" / "s1" / "followed.json").write_text("{")
    assert restarted(tmp_path, ledger) == expected


def test_the_index_of_another_ledger_is_made_anew(tmp_path: Path, ledger: MemoryLedger) -> None:
    ledger.record(memory("one", text="tea"), memory("two", text="tea"))
    restarted(tmp_path, ledger)
    other = MemoryLedger()
    other.record(memory("three", text="tea"), memory("four", text="tea"), memory("five", text="tea"))
    assert restarted(tmp_path, other) == ({"mem:three", "mem:four", "mem:five"}, 3)


def test_the_index_of_a_ledger_put_back_is_made_anew(tmp_path: Path) -> None:
    longer, shorter = MemoryLedger(), MemoryLedger()
    for ledger in (longer, shorter):
        ledger.record(memory("one", text="tea"))
    longer.record(memory("two", text="tea"))
    restarted(tmp_path, longer)
    assert restarted(tmp_path, shorter) == ({"mem:one"}, 1)


def test_an_index_made_with_other_parameters_is_made_anew(tmp_path: Path, ledger: MemoryLedger) -> None:
    ledger.record(memory("one", text="tea"))
    restarted(tmp_path, ledger)
    ledger.followed = 0
    raised = Indexes(tmp_path / "index", ledger, parameters({"domains": {"food": {"floor": "S2"}}}))
    snapshot(raised, ledger)
    assert ledger.followed == 1
    raised.close()


def test_two_processes_keep_apart_and_what_one_leaves_behind_is_swept(
    tmp_path: Path, ledger: MemoryLedger
) -> None:
    ledger.record(memory("one", text="tea"))
    first, second = (Indexes(tmp_path / "index", ledger, PARAMETERS) for _ in range(2))
    snapshot(first, ledger)
    snapshot(second, ledger)
    assert (tmp_path / "index" / "1" / "s1").is_dir()
    second.close()
    first.close()
    third = Indexes(tmp_path / "index", ledger, PARAMETERS)
    snapshot(third, ledger)
    assert not (tmp_path / "index" / "1").exists()
    third.close()


def test_only_its_user_can_read_an_index_and_no_text_is_in_it(tmp_path: Path, ledger: MemoryLedger) -> None:
    ledger.record(memory("one", text="Marie prefers the Darjeeling tea of Mariage"))
    restarted(tmp_path, ledger)
    for path in (tmp_path / "index").rglob("*"):
        allowed = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == allowed, path
    stored = b"".join(file.read_bytes() for file in files_of(tmp_path))
    assert b"Darjeeling tea" not in stored
    assert b"Darjeeling" not in stored


def test_many_threads_find_an_index_behind_and_one_follows(ledger: MemoryLedger, indexes: Indexes) -> None:
    ledger.record(*(memory(f"m{n}", text="tea") for n in range(300)))

    def look(_: int) -> int:
        return len(saying("tea", snapshot(indexes, ledger)))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(look, range(32)))
    assert set(found) == {100}
    assert ledger.followed == 300
