"""Candidates in their order: that of ``policies.ranking`` over all that is in view, whatever is cut."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from policies import access, ranking
from policies.moments import Period
from policies.ranking import Question, Relevance, Statistics
from policies.terms import EntityId, Kind, Level, MemoryId, Provenance, Version, View
from policies.text import search_terms
from service.reading.candidates import Search, ordered, statistics
from service.reading.index import Filters, Indexes
from tests.support.ledger import MemoryLedger
from tests.support.memories import PARAMETERS, at, memory, moment
from tests.support.reading import STANDARD

NUMBERS = PARAMETERS.ranking
WORDS = ["tea", "coffee", "garden", "river", "stone", "violin", "market", "bread", "winter", "letter"]
ENTITIES = [EntityId(f"ent:{name}") for name in ("marie", "julie", "paul", "initech")]


def filled(rng: random.Random, size: int) -> MemoryLedger:
    ledger = MemoryLedger()
    ledger.record(
        *(
            memory(
                f"m{n:03}",
                text=" ".join(rng.choices(WORDS, k=rng.randint(1, 5))),
                level=rng.choice([Level.S0, Level.S0, Level.S1, Level.S3]),
                kind=rng.choice([Kind.FACT, Kind.EVENT]),
                provenance=rng.choice(list(Provenance)),
                confidence=rng.choice([0.3, 0.5]),
                anchors=tuple(sorted(rng.sample(ENTITIES, rng.randint(0, 2)))),
                valid_from=rng.choice([None, moment(rng.randint(0, 50))]),
                valid_to=rng.choice([None, None, moment(rng.randint(51, 100))]),
            )
            for n in range(size)
        )
    )
    return ledger


def in_full(ledger: MemoryLedger, view: View, question: Question, now: int) -> list[MemoryId]:
    """The order by looking at every memory of the view, one by one."""
    held = [v for v in ledger.changed_since(0, 10_000) if access.is_topical(v, view)]
    said = {v.memory.id: search_terms(v.memory.text) for v in held}
    known = Statistics(len(held), {t: sum(t in words for words in said.values()) for t in question.terms})
    weights = ranking.weights(question, known, NUMBERS)

    def score(version: Version) -> float:
        words = said[version.memory.id]
        strengths = {t: ranking.strength(min(3, words.count(t)), NUMBERS) for t in question.terms}
        return ranking.relevance(question, version, strengths, weights, NUMBERS).score

    def is_true(version: Version) -> bool:
        memory = version.memory
        return memory.kind is Kind.EVENT or memory.valid_to is None or memory.valid_to.at > now

    scored = [(v, score(v)) for v in held if is_true(v)]
    relevant = [(v, s) for v, s in scored if s >= NUMBERS.vague]
    return [v.memory.id for v, _ in ranking.ranked(relevant, NUMBERS)]


@pytest.mark.parametrize("taken", [(2, 7, 1_000), (1_000,)])
@pytest.mark.parametrize("seed", range(12))
def test_the_order_is_that_of_the_policies_over_all_that_is_in_view(
    seed: int, taken: tuple[int, ...], tmp_path: Path
) -> None:
    rng = random.Random(seed)
    ledger = filled(rng, 80)
    question = Question(
        terms=dict.fromkeys(search_terms(" ".join(rng.sample(WORDS, rng.randint(1, 4)))), 1.0),
        anchors=frozenset(rng.sample(ENTITIES, rng.randint(0, 2))),
        periods=() if rng.random() < 0.5 else (Period(at(10), at(30)),),
    )
    indexes = Indexes(tmp_path / "index", ledger, PARAMETERS)
    snapshot = indexes.believed(STANDARD).snapshot(ledger.head().seq)
    search = Search(
        snapshot=snapshot,
        question=question,
        statistics=statistics(snapshot, question, open_only=False),
        filters=Filters(),
        when=Filters(closes_after=at(75)),
    )
    found = [candidate.row.memory for candidate in ordered(search, NUMBERS, taken=taken)]
    indexes.close()
    assert found == in_full(ledger, STANDARD, question, at(75))
    assert found == list(dict.fromkeys(found)), "each once"


def test_a_page_continues_where_the_one_before_ended(tmp_path: Path) -> None:
    ledger = filled(random.Random(5), 300)
    question = Question(terms=dict.fromkeys(search_terms("tea coffee"), 1.0))
    indexes = Indexes(tmp_path / "index", ledger, PARAMETERS)
    snapshot = indexes.believed(STANDARD).snapshot(ledger.head().seq)
    known = statistics(snapshot, question, open_only=False)
    search = Search(snapshot, question, known, Filters(), Filters(closes_after=at(75)))
    whole = list(ordered(search, NUMBERS))
    assert len(whole) > 10
    for size in (1, 3, 10):
        assert list(ordered(search, NUMBERS, whole[size - 1].place)) == whole[size:]
    indexes.close()


def test_words_are_weighed_whole_whatever_the_layout_of_the_index(tmp_path: Path) -> None:
    """Many small commits make many segments, one commit makes one: scores are the same to the last digit."""
    rng = random.Random(7)
    texts = [" ".join(rng.choices(WORDS, k=6)) for _ in range(60)]
    question = Question(terms=dict.fromkeys(search_terms(" ".join(WORDS)), 1.0))
    answers: list[list[tuple[MemoryId, Relevance]]] = []
    for step in (1, 60):
        ledger = MemoryLedger()
        indexes = Indexes(tmp_path / str(step), ledger, PARAMETERS)
        for start in range(0, 60, step):
            ledger.record(*(memory(f"m{n:03}", text=texts[n]) for n in range(start, start + step)))
            indexes.believed(STANDARD).snapshot(ledger.head().seq)
        snapshot = indexes.believed(STANDARD).snapshot(ledger.head().seq)
        known = statistics(snapshot, question, open_only=False)
        search = Search(snapshot, question, known, Filters(), Filters())
        answers.append([(c.row.memory, c.relevance) for c in ordered(search, NUMBERS)])
        indexes.close()
    assert answers[0] == answers[1]
