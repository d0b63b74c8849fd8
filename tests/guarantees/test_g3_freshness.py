"""G3. Only what is true at the time asked about, as it was known at the time asked about, filtered before ranking."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from policies import bitemporal
from policies.bitemporal import AsOf
from policies.moments import Period
from policies.terms import Kind, Level, MemoryId, View
from service.reading import RecallArguments
from tests.support.ledger import MemoryLedger
from tests.support.memories import at, memory, moment
from tests.support.reading import NOW, PRIVATE, STANDARD, ids, reading
from tests.support.twins import History, history, play

TOPIC = "tea coffee garden river stone violin market bread winter letter"
TIMES: dict[str, tuple[RecallArguments, AsOf]] = {
    "now": (RecallArguments(TOPIC), AsOf(NOW)),
    "then": (
        RecallArguments(TOPIC, valid_at="2026-01-02T00:00:00Z"),
        AsOf(NOW, Period(at(86_400), at(86_401))),
    ),
    "known": (RecallArguments(TOPIC, known_at="2026-01-01T00:05:00Z"), AsOf(NOW, None, at(301))),
    "both": (
        RecallArguments(TOPIC, valid_at="2026-01-02T00:00:00Z", known_at="2026-01-01T00:05:00Z"),
        AsOf(NOW, Period(at(86_400), at(86_401)), at(301)),
    ),
}


@pytest.mark.parametrize("seed", range(300, 306))
@pytest.mark.parametrize("asked", TIMES)
def test_exactly_what_both_axes_let_through_is_served(seed: int, asked: str, tmp_path: Path) -> None:
    whole, ledger = history(seed, size=90), MemoryLedger()
    play(whole, ledger)
    read = reading(ledger, tmp_path)
    arguments, as_of = TIMES[asked]
    found: set[str] = set()
    cursor = None
    while True:
        answer = read.recall(PRIVATE, replace(arguments, cursor=cursor))
        found |= {item["id"] for item in answer["items"]}
        cursor = answer["next_cursor"]
        if cursor is None:
            break
    read.close()
    assert found or asked == "both"
    for memory_id in map(MemoryId, found):
        assert bitemporal.is_visible(whole.versions[memory_id], as_of), memory_id
        assert not _was_retracted(whole, memory_id)


def _was_retracted(whole: History, memory_id: MemoryId) -> bool:
    head = whole.versions[memory_id].state.head
    return whole.versions[head].memory.kind is Kind.RETRACTION


def test_what_is_closed_takes_no_place_from_what_is_true(tmp_path: Path) -> None:
    ledger = MemoryLedger()
    ledger.record(
        *(memory(f"closed{n}", text="green tea", valid_to=moment(100)) for n in range(400)),
        memory("current", text="green tea in the morning and other things besides"),
    )
    read = reading(ledger, tmp_path)
    assert ids(read.recall(STANDARD, RecallArguments("green tea"))) == ["current"]
    read.close()


def test_a_memory_closes_at_its_very_end(tmp_path: Path) -> None:
    ledger = MemoryLedger()
    ledger.record(
        memory("ends", text="green tea", valid_to=moment(1_000_000)),
        memory("later", text="green tea", valid_to=moment(1_000_001)),
        memory("announced", text="green tea", valid_from=moment(2_000_000)),
    )
    read = reading(ledger, tmp_path)
    found = read.recall(View(level=Level.S0), RecallArguments("green tea"))["items"]
    assert {item["id"]: item["status"] for item in found} == {
        "mem:later": "current",
        "mem:announced": "announced",
    }
    read.close()
