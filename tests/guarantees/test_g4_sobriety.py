"""G4. Little is served at once: caps of a pack, pages of a recall, bounded lists."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from policies import budget
from policies.terms import EntityId, Level, View
from service.reading import PackArguments, ProfileArguments, RecallArguments
from tests.support.ledger import MemoryLedger
from tests.support.memories import PARAMETERS, memory, registered
from tests.support.reading import reading
from tests.support.twins import history, play

TOPIC = "tea coffee garden river stone violin market bread winter letter"
VIEW = View(level=Level.S3, history=True)


@pytest.mark.parametrize("seed", range(400, 410))
@pytest.mark.parametrize("max_tokens", [200, 1500, 4000])
def test_a_pack_keeps_to_every_cap(seed: int, max_tokens: int, tmp_path: Path) -> None:
    ledger = MemoryLedger()
    play(history(seed, size=150), ledger)
    read = reading(ledger, tmp_path)
    answer = read.context_pack(VIEW, PackArguments(TOPIC, max_tokens=max_tokens))
    read.close()
    items = answer["items"]
    assert 0 < len(items) <= 12
    entities = Counter(
        anchor["id"] for item in items for anchor in item["anchors"] if anchor["id"] != "ent:owner"
    )
    assert max(entities.values(), default=0) <= 2
    assert max(Counter(item["event"] for item in items if item["event"]).values(), default=0) <= 1
    assert (
        answer["tokens"]
        == budget.tokens(answer["context_prompt"])
        == -(-len(answer["context_prompt"].encode()) // 3)
    )
    assert answer["tokens"] <= max_tokens
    assert {edge["memory"] for edge in answer["relations"]} <= {item["id"] for item in items}


def test_a_recall_is_twelve_a_page_whatever_is_asked(tmp_path: Path) -> None:
    ledger = MemoryLedger()
    ledger.record(*(memory(f"m{n}", text="green tea") for n in range(40)))
    read = reading(ledger, tmp_path)
    assert len(read.recall(VIEW, RecallArguments("tea", limit=1000))["items"]) == 12
    everything = tuple(f"mem:m{n}" for n in range(32))
    first = read.recall(VIEW, RecallArguments(ids=everything))
    assert len(first["items"]) == 12
    second = read.recall(VIEW, RecallArguments(ids=everything, cursor=first["next_cursor"]))
    assert [item["id"] for item in second["items"]] == list(everything[12:24])
    read.close()


def test_lists_without_end_are_paged(tmp_path: Path) -> None:
    ledger = MemoryLedger()
    ledger.register(*(registered(f"Person{n}") for n in range(120)))
    ledger.record(
        *(memory(f"m{n}", anchors=(EntityId(f"ent:Person{n}"),), level=Level.S1) for n in range(120))
    )
    read = reading(ledger, tmp_path)
    answer = read.profile(VIEW, ProfileArguments("scope", "entities"))
    assert len(answer["entities"]) == PARAMETERS.limits.list_items
    assert answer["next_cursor"] is not None
    assert len(read.complete(VIEW, "p")) == 100
    read.close()
