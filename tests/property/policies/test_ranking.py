"""What must have no effect on order has none, and relevance stays on its scale (G5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policies.moments import Period
from policies.ranking import Question, Statistics, band, order_key, ranked, relevance, weights
from policies.terms import EntityId, Evidence, GrantId, Level, Memory, ProposalId, Provenance
from tests.support.memories import PARAMETERS, at, memory, moment, versions

RANKING = PARAMETERS.ranking
_terms = st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1), max_size=6)
_anchors = st.lists(st.sampled_from([EntityId("ent:a"), EntityId("ent:b")]), max_size=2, unique=True)
_questions = st.builds(
    Question,
    _terms,
    _anchors.map(frozenset),
    st.lists(st.just(Period(at(0), at(10))), max_size=1).map(tuple),
)
_statistics = st.builds(
    Statistics, st.integers(1, 1000), st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 1))
)


def made(name: str, qualifications: dict[str, Any]) -> Memory:
    return memory(name, **qualifications)


_memories = st.builds(
    made,
    st.text("abc", min_size=1, max_size=4),
    st.fixed_dictionaries(
        {
            "provenance": st.sampled_from(Provenance),
            "confidence": st.sampled_from([0.3, 0.5]),
            "valid_from": st.integers(0, 20).map(moment),
            "anchors": _anchors.map(tuple),
        }
    ),
)
_scores = st.floats(0, 1)


@given(_questions, _statistics, _memories, _terms)
def test_relevance_is_between_0_and_1(
    question: Question, statistics: Statistics, one: Memory, bears: dict[str, float]
) -> None:
    found = relevance(question, versions(one)[0], bears, weights(question, statistics, RANKING), RANKING)
    assert 0.0 <= found.score <= 1.0
    assert all(0.0 <= part <= 1.0 for part in found.parts.values())


@given(_questions, _statistics, _memories, _terms, st.sampled_from("abcdef"))
def test_bearing_one_more_term_never_lowers_relevance(
    question: Question, statistics: Statistics, one: Memory, bears: dict[str, float], term: str
) -> None:
    found = weights(question, statistics, RANKING)
    before = relevance(question, versions(one)[0], bears, found, RANKING)
    after = relevance(question, versions(one)[0], bears | {term: 1.0}, found, RANKING)
    assert after.score >= before.score


@given(_questions, _statistics, _memories, _terms)
def test_words_that_were_not_asked_for_make_no_difference(
    question: Question, statistics: Statistics, one: Memory, bears: dict[str, float]
) -> None:
    """Length and emotion: however much else a memory says, however strongly, it is as relevant."""
    found = weights(question, statistics, RANKING)
    longer = replace(one, text=one.text + " terribly, desperately, wonderfully important" * 20)
    more = bears | {"terribly": 1.0, "important": 0.9}
    before = relevance(question, versions(one)[0], bears, found, RANKING)
    after = relevance(question, versions(longer)[0], more, found, RANKING)
    assert before == after


@given(_memories, _scores, st.text(max_size=30), st.booleans())
def test_nothing_but_the_five_criteria_has_a_part_in_the_order(
    one: Memory, score: float, text: str, flag: bool
) -> None:
    other = replace(
        one,
        text=text,
        language="fr",
        level=Level.S2,
        salience_declared=flag,
        tags=("urgent", "!!!"),
        event="again",
        proposed_by=GrantId("grant:other"),
        root=ProposalId("prop:other"),
        evidence=Evidence("so very important", "owner", "chat", None),
    )
    assert order_key(versions(one)[0], score, RANKING) == order_key(versions(other)[0], score, RANKING)


@given(
    st.lists(st.tuples(_memories, _scores), max_size=8).flatmap(
        lambda s: st.tuples(st.just(s), st.permutations(s))
    )
)
def test_the_order_of_candidates_makes_no_difference(
    both: tuple[list[tuple[Memory, float]], list[tuple[Memory, float]]],
) -> None:
    ordered, shuffled = ([(versions(one)[0], score) for one, score in scored] for scored in both)
    keys = [[order_key(*pair, RANKING) for pair in ranked(scored, RANKING)] for scored in (ordered, shuffled)]
    assert keys[0] == keys[1] == sorted(keys[0])


@given(_scores, _scores)
def test_a_higher_relevance_is_in_no_lower_band(one: float, two: float) -> None:
    low, high = sorted((one, two))
    assert band(low, RANKING) <= band(high, RANKING)
