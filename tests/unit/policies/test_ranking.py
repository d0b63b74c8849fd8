"""Relevance from one view's statistics, bands, order and verdict (G1, G5)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from policies.moments import DAY_US, Period
from policies.ranking import (
    Question,
    Relevance,
    Statistics,
    Verdict,
    band,
    blended,
    former_strength,
    meets,
    order_key,
    own_time,
    ranked,
    relevance,
    strength,
    text_share,
    verdict,
    weights,
)
from policies.terms import EntityId, Instant, Kind, Precision, Provenance, Version
from tests.support.memories import PARAMETERS, at, memory, moment, version

RANKING = PARAMETERS.ranking
PAUL, ANNE = EntityId("ent:Paul"), EntityId("ent:Anne")
STATISTICS = Statistics(documents=100, frequencies={"common": 80, "rare": 1})


def asked(*terms: str, anchors: tuple[EntityId, ...] = (), periods: tuple[Period, ...] = ()) -> Question:
    return Question(dict.fromkeys(terms, 1.0), frozenset(anchors), periods)


def score(question: Question, one: Version, bears: Mapping[str, float]) -> Relevance:
    return relevance(question, one, bears, weights(question, STATISTICS, RANKING), RANKING)


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    found = weights(asked("rare", "common"), STATISTICS, RANKING)
    assert found["rare"] > found["common"] > 0


def test_a_term_that_the_view_does_not_have_counts_for_a_share() -> None:
    found = weights(asked("rare", "absent"), STATISTICS, RANKING)
    assert 0 < found["absent"] < found["rare"]


def test_a_term_counts_as_much_as_the_question_stresses_it() -> None:
    half = weights(Question({"rare": 0.5}), STATISTICS, RANKING)
    assert half["rare"] == pytest.approx(weights(asked("rare"), STATISTICS, RANKING)["rare"] / 2)


def test_strength_grows_with_occurrences_and_stays_below_one() -> None:
    grown = [strength(n, RANKING) for n in range(6)]
    assert grown[0] == 0.0
    assert grown == sorted(set(grown))
    assert grown[-1] < 1.0
    assert 0 < former_strength(RANKING) < grown[1]


def test_the_text_share_is_that_of_the_weight_met() -> None:
    assert text_share({"a": 3.0, "b": 1.0}, {"a": 1.0}) == 0.75
    assert text_share({"a": 3.0, "b": 1.0}, {"a": 1.0, "b": 1.0, "c": 1.0}) == 1.0
    assert text_share({"a": 3.0}, {}) == 0.0
    assert text_share({}, {"a": 1.0}) == 0.0


def test_without_terms_names_or_dates_nothing_is_relevant() -> None:
    assert score(asked(), version(), {}).score == 0.0


def test_an_entity_named_raises_what_it_anchors() -> None:
    question = asked("rare", anchors=(PAUL,))
    about, other = version(anchors=(PAUL,)), version(anchors=(ANNE,))
    raised, plain = score(question, about, {"rare": 0.5}), score(question, other, {"rare": 0.5})
    assert raised.score > plain.score == 0.5
    assert raised.parts == {"text": 0.5, "anchors": 1.0, "dates": 0.0}
    assert raised.score < 1.0


def test_with_nothing_but_names_what_is_about_all_of_them_is_certain() -> None:
    question = asked(anchors=(PAUL, ANNE))
    both = score(question, version(anchors=(ANNE, PAUL)), {})
    one = score(question, version(anchors=(ANNE,)), {})
    assert verdict([both.score], RANKING) is Verdict.CERTAIN
    assert 0 < one.score < both.score


def test_an_entity_beyond_an_edge_lifts_only_what_shares_a_word() -> None:
    question = asked("rare", anchors=(PAUL,))
    lifted = [
        blended(question, text=0.5, anchors=(), meets_date=False, ranking=RANKING, hops=n).score
        for n in (1, 2)
    ]
    assert 1.0 > lifted[0] > lifted[1] > 0.5
    alone = blended(question, text=0.0, anchors=(), meets_date=False, ranking=RANKING, hops=1)
    assert alone.score == 0.0


MARCH = Period(at(0), at(100))


def test_a_date_named_raises_what_meets_it_but_not_by_itself_alone() -> None:
    dated, undated = version(valid_from=moment(50), valid_to=moment(60)), version()
    question = asked("rare", periods=(MARCH,))
    assert score(question, dated, {"rare": 0.5}).score > score(question, undated, {"rare": 0.5}).score
    assert score(question, dated, {}).score == 0.0
    assert score(asked(periods=(MARCH,)), dated, {}).score > 0.0


@pytest.mark.parametrize(
    ("begins", "ends", "met"),
    [
        (None, None, False),
        (50, None, True),
        (100, None, False),
        (None, 0, False),
        (None, 1, True),
        (-5, 0, False),
    ],
)
def test_a_lasting_memory_meets_the_times_within_its_own(
    begins: int | None, ends: int | None, met: bool
) -> None:
    one = memory(
        valid_from=None if begins is None else moment(begins), valid_to=None if ends is None else moment(ends)
    )
    assert meets(one, MARCH) == met


@pytest.mark.parametrize("precision", Precision)
def test_what_happened_takes_as_long_as_its_date_tells(precision: Precision) -> None:
    happened = own_time(memory(kind=Kind.EVENT, valid_from=moment(0, precision)))
    assert happened is not None
    days = {Precision.YEAR: 365, Precision.MONTH: 30, Precision.DAY: 1}.get(precision, 0)
    assert (happened.end - happened.start) // DAY_US == days
    assert own_time(memory(kind=Kind.CLOSURE, restates=Kind.EVENT, valid_to=moment(9))) is not None


def test_a_band_is_a_twentieth() -> None:
    assert [band(n / 100, RANKING) for n in (0, 4, 5, 15, 30, 35, 99, 100)] == [0, 0, 1, 3, 6, 7, 19, 20]


def order(*scored: tuple[Version, float]) -> list[str]:
    return [one.memory.id.removeprefix("mem:") for one, _ in ranked(scored, RANKING)]


def test_relevance_comes_first_but_only_by_bands() -> None:
    weak = version("weak", provenance=Provenance.REPORTED, confidence=0.5)
    strong = version("strong", provenance=Provenance.ATTESTED, confidence=1.0)
    assert order((weak, 0.56), (strong, 0.54)) == ["weak", "strong"]
    assert order((weak, 0.59), (strong, 0.56)) == ["strong", "weak"]


def test_inside_a_band_come_provenance_confidence_relevance_recency_id() -> None:
    quoted = version("quoted", provenance=Provenance.QUOTED, confidence=0.3)
    sure, unsure = version("sure", confidence=0.5), version("unsure", confidence=0.4)
    assert order((unsure, 0.55), (sure, 0.55), (quoted, 0.55)) == ["quoted", "sure", "unsure"]
    late, early = version("late", valid_from=moment(9)), version("early", valid_from=moment(1))
    assert order((early, 0.55), (late, 0.55)) == ["late", "early"]
    assert order((early, 0.56), (late, 0.55)) == ["early", "late"]
    assert order((version("b"), 0.5), (version("a"), 0.5)) == ["a", "b"]


def test_without_a_valid_from_recency_is_the_record_time_in_whole_seconds() -> None:
    recent = version("recent", recorded_at=at(9))
    assert order((version("old", recorded_at=at(1)), 0.5), (recent, 0.5)) == ["recent", "old"]
    within = version("a", recorded_at=Instant(at(9) + 5))
    assert order_key(within, 0.5, RANKING)[:-1] == order_key(recent, 0.5, RANKING)[:-1]


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([], Verdict.UNKNOWN),
        ([0.1], Verdict.UNKNOWN),
        ([0.1, RANKING.vague], Verdict.VAGUE),
        ([RANKING.certain, 0.0], Verdict.CERTAIN),
    ],
)
def test_the_verdict_is_that_of_the_best(scores: list[float], found: Verdict) -> None:
    assert verdict(scores, RANKING) is found
