"""G5. Order is relevance in bands, then provenance, confidence, exact relevance, recency, id; nothing else weighs."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from policies.terms import GrantId, Level, Memory, Provenance
from service.reading import Answer, PackArguments, RecallArguments
from tests.support.ledger import MemoryLedger
from tests.support.memories import memory, moment
from tests.support.reading import STANDARD, ids, reading

WORDS = ["tea", "coffee", "garden", "river", "stone", "violin", "market", "bread"]
QUERIES = ["tea", "tea coffee garden", " ".join(WORDS)]


def some(seed: int, size: int = 60) -> list[Memory]:
    rng = random.Random(seed)
    return [
        memory(
            f"m{n:03}",
            text=" ".join(rng.sample(WORDS, rng.randint(1, 4))),
            provenance=rng.choice(list(Provenance)),
            confidence=rng.choice([0.3, 0.5]),
            level=Level.S1,
            valid_from=rng.choice([None, moment(rng.randrange(1000))]),
        )
        for n in range(size)
    ]


def order(memories: list[Memory], folder: Path) -> list[tuple[str, float]]:
    """The whole order of every question, with relevances."""
    ledger = MemoryLedger()
    ledger.record(*memories)
    read = reading(ledger, folder)
    found: list[tuple[str, float]] = []
    for query in QUERIES:
        cursor = None
        while True:
            answer = read.recall(STANDARD, RecallArguments(query, cursor=cursor))
            found += [(item["id"], item["why"]["relevance"]) for item in answer["items"]]
            cursor = answer["next_cursor"]
            if cursor is None:
                break
    read.close()
    return found


def longer(one: Memory, rng: random.Random) -> Memory:
    """Words that nothing asks for, none of them said twice anywhere."""
    padding = " ".join(f"{one.id[4:]}filler{n}" for n in range(rng.randint(0, 60)))
    return replace(one, text=f"{one.text} {padding}")


def louder(one: Memory, rng: random.Random) -> Memory:
    return replace(one, text=f"{one.text.upper()}{'!' * rng.randint(1, 9)} {rng.choice(['😱', '😭💔', '…'])}")


def proposed(one: Memory, rng: random.Random) -> Memory:
    return replace(
        one, proposed_by=GrantId(f"grant:{rng.randint(0, 3)}"), salience_declared=rng.random() < 0.5
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("change", [longer, louder, proposed])
def test_what_says_nothing_about_the_question_changes_no_order_and_no_score(
    seed: int, change: Callable[[Memory, random.Random], Memory], tmp_path: Path
) -> None:
    rng = random.Random(seed)
    memories = some(seed)
    changed = [change(one, rng) if rng.random() < 0.5 else one for one in memories]
    assert order(changed, tmp_path / "changed") == order(memories, tmp_path / "plain")


def test_being_served_often_raises_nothing(tmp_path: Path) -> None:
    ledger = MemoryLedger()
    ledger.record(*some(9))
    read = reading(ledger, tmp_path)
    first: list[Answer] = [read.recall(STANDARD, RecallArguments(query)) for query in QUERIES]
    favourite = first[0]["items"][-1]["id"]
    for _ in range(50):
        read.recall(STANDARD, RecallArguments(ids=(favourite,)))
        read.context_pack(STANDARD, PackArguments(QUERIES[0]))
    assert [read.recall(STANDARD, RecallArguments(query)) for query in QUERIES] == first
    read.close()


def test_inside_a_band_provenance_then_confidence_then_relevance_then_recency_then_id(tmp_path: Path) -> None:
    same: dict[str, Any] = {"text": "green tea garden", "level": Level.S1}
    ledger = MemoryLedger()
    ledger.record(
        memory("z", **same, valid_from=moment(5)),
        memory("a", **same, valid_from=moment(5)),
        memory("recent", **same, valid_from=moment(9)),
        memory("sure", **same, confidence=0.5 + 1e-9, valid_from=moment(1)),
        memory("quoted", **same, provenance=Provenance.QUOTED, confidence=0.1, valid_from=moment(1)),
        memory("attested", **same, provenance=Provenance.ATTESTED, confidence=0.1, valid_from=moment(1)),
        memory("less", text="green tea", level=Level.S1, provenance=Provenance.ATTESTED, confidence=1.0),
    )
    read = reading(ledger, tmp_path)
    expected = ["attested", "quoted", "sure", "recent", "a", "z", "less"]
    assert ids(read.recall(STANDARD, RecallArguments("green tea garden"))) == expected
    read.close()


def test_a_better_provenance_is_found_however_many_say_the_same(tmp_path: Path) -> None:
    ledger = MemoryLedger()
    ledger.record(
        *(memory(f"m{n}", text="green tea", level=Level.S1) for n in range(700)),
        memory("attested", text="green tea", level=Level.S1, provenance=Provenance.ATTESTED, confidence=1.0),
        *(memory(f"n{n}", text="green tea", level=Level.S1) for n in range(700)),
    )
    read = reading(ledger, tmp_path)
    assert ids(read.recall(STANDARD, RecallArguments("green tea")))[0] == "attested"
    read.close()
