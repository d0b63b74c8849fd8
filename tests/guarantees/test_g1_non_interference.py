"""G1. What a tool receives is what it would receive if nothing outside its view had ever existed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from cypher.graph import Graph
from policies.terms import Level, Version, View
from service.reading import RecallArguments
from service.reading.source import Source
from tests.support.engine_ledger import EngineLedger
from tests.support.graphs import wipe
from tests.support.ledger import MemoryLedger
from tests.support.memories import memory
from tests.support.reading import STANDARD, reading
from tests.support.twins import (
    History,
    Ledger,
    answers,
    differences,
    hidden_from,
    history,
    or_on_request,
    play,
    reading_surface,
    views,
)

VIEWS = pytest.mark.parametrize("view", [pytest.param(view, id=name) for name, view in views()])


class Store(Ledger, Source, Protocol):
    """A ledger that is written by the test and read by the service."""


def told(
    played: History, asked: History, view: View, store: Store, folder: Path, *, aiming: bool
) -> dict[str, str]:
    """What a view is told about a history, of which its ledger holds what was played."""
    read = reading(store, folder)
    # The index follows as the ledger grows, so that it bears the traces of what is hidden later.
    play(played, store, lambda: read.complete(view, "a"))
    found = answers(reading_surface(read, view, asked, aiming=aiming))
    read.close()
    return found


def compared(
    whole: History,
    view: View,
    hidden: Callable[[Version], bool],
    make: Callable[[], Store],
    folder: Path,
    *,
    aiming: bool,
) -> list[str]:
    """The calls by which a view could tell the twins apart."""
    with_it = told(whole, whole, view, make(), folder / "with", aiming=aiming)
    without = told(whole.without(hidden, view), whole, view, make(), folder / "without", aiming=aiming)
    return differences(with_it, without)


@VIEWS
@pytest.mark.parametrize("seed", range(6))
def test_no_call_tells_a_ledger_from_its_twin_without_what_is_hidden(
    seed: int, view: View, tmp_path: Path
) -> None:
    whole = history(seed)
    assert compared(whole, view, hidden_from(view), MemoryLedger, tmp_path, aiming=True) == []


@VIEWS
@pytest.mark.parametrize("seed", range(100, 103))
def test_what_is_on_request_only_is_nothing_to_calls_that_do_not_aim_at_it(
    seed: int, view: View, tmp_path: Path
) -> None:
    whole = history(seed)
    assert compared(whole, view, or_on_request(view), MemoryLedger, tmp_path, aiming=False) == []


def test_the_harness_finds_a_leak(tmp_path: Path) -> None:
    """A reading whose view is a level too high is told apart: the comparison is no formality."""
    view, above = View(level=Level.S1), View(level=Level.S2)
    found = [
        difference
        for seed in range(3)
        for difference in _leaking(history(seed), view, above, tmp_path / str(seed))
    ]
    assert found


def _leaking(whole: History, view: View, above: View, folder: Path) -> list[str]:
    with_it = told(whole, whole, above, MemoryLedger(), folder / "with", aiming=True)
    twin = whole.without(hidden_from(view), view)
    return differences(with_it, told(twin, whole, above, MemoryLedger(), folder / "without", aiming=True))


@pytest.mark.slow
def test_no_call_tells_twins_apart_on_a_real_engine(graph: Graph, tmp_path: Path) -> None:
    def emptied() -> EngineLedger:
        wipe(graph)
        return EngineLedger(graph)

    view = View(level=Level.S0)
    assert compared(history(7, size=40), view, hidden_from(view), emptied, tmp_path, aiming=True) == []


def test_a_word_that_only_hidden_memories_say_takes_no_longer_than_one_that_none_says(tmp_path: Path) -> None:
    ledger = MemoryLedger()
    ledger.record(
        *(memory(f"s{n}", text="bankruptcy of the violin maker", level=Level.S3) for n in range(2_000)),
        *(memory(f"o{n}", text="a garden by the river", level=Level.S1) for n in range(200)),
    )
    read = reading(ledger, tmp_path)
    read.recall(STANDARD, RecallArguments("garden"))
    spent: dict[str, list[float]] = {"bankruptcy": [], "submarines": []}
    for _ in range(200):
        for word, times in spent.items():
            begun = time.perf_counter()
            read.recall(STANDARD, RecallArguments(word))
            times.append(time.perf_counter() - begun)
    read.close()
    hidden, absent = (statistics.median(times) for times in spent.values())
    assert hidden < absent * 1.25
