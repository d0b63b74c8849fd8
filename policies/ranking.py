"""Relevance in [0, 1] from the statistics of one view alone, and the order it gives (G1, G5).

A memory scores for each term of the question by how surely it bears it, ``tf / (tf + k1)``; the share of the
question's weight (inverse document frequency) that is met is its text relevance. Entities named in the
question raise the memories they anchor, dates in it those whose valid time they meet: each closes a share of
what is missing to 1. Length, emotion, times served and times proposed have no part in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from policies.bitemporal import HAPPENED, asserted_kind
from policies.moments import DAY_US, SECOND_US, Period
from policies.parameters import Ranking
from policies.terms import EntityId, Instant, Memory, MemoryId, Moment, Precision, Version

_EVER = Period(Instant(-(2**62)), Instant(2**62))
_SPANS_US = {
    Precision.YEAR: 365 * DAY_US,
    Precision.MONTH: 30 * DAY_US,
    Precision.DAY: DAY_US,
    Precision.INSTANT: SECOND_US,
}
"""About how long a stated moment takes, as far as it tells."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What relevance knows of a view: how many memories it holds, and how many bear each term asked for."""

    documents: int
    frequencies: Mapping[str, int]
    """By term; absent is 0."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, analysed."""

    terms: Mapping[str, float]
    """Each distinct term and its importance, 1.0 as a rule. The names of ``anchors`` are left out."""
    anchors: frozenset[EntityId] = frozenset()
    """The entities it names, canonical, without the owner."""
    periods: tuple[Period, ...] = ()
    """The times it names."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """How relevant a memory is, and what that is made of (an item's ``why``)."""

    score: float
    """In [0, 1]."""
    parts: Mapping[str, float]
    """``text``: the share of its terms met; ``anchors``: of its entities; ``dates``: 1.0 if met."""


class Verdict(StrEnum):
    """How sure an answer is that it answers."""

    CERTAIN = "certain"
    VAGUE = "vague"
    UNKNOWN = "unknown"


def weights(question: Question, statistics: Statistics, ranking: Ranking) -> dict[str, float]:
    """The weight of each term of the question: its importance times its inverse document frequency.

    A term that nothing in the view bears tells nothing apart: it counts for a share of the rarest weight, so
    that a question of unknown words is not answered with certainty by the one word that is known.
    """
    total = statistics.documents
    found: dict[str, float] = {}
    for term in sorted(question.terms):
        count = statistics.frequencies.get(term, 0)
        rarity = math.log1p((total - count + 0.5) / (count + 0.5))
        found[term] = question.terms[term] * rarity * (1.0 if count else ranking.absent_share)
    return found


def text_share(term_weights: Mapping[str, float], strengths: Mapping[str, float]) -> float:
    """The share of the question's weight that a memory meets, given how surely it bears each term."""
    asked = math.fsum(term_weights.values())
    if asked <= 0:
        return 0.0
    return min(1.0, math.fsum(weight * strengths.get(t, 0.0) for t, weight in term_weights.items()) / asked)


def former_strength(ranking: Ranking) -> float:
    """How surely a memory is about a term that only a version it supersedes bore."""
    return ranking.former_share * strength(1, ranking)


def strength(occurrences: int, ranking: Ranking) -> float:
    """How surely a memory is about a term that occurs so many times in it: 0 for none, below 1 always."""
    return occurrences / (occurrences + ranking.k1)


def relevance(
    question: Question,
    version: Version,
    strengths: Mapping[str, float],
    term_weights: Mapping[str, float],
    ranking: Ranking,
) -> Relevance:
    """How relevant one memory is to a question.

    Args:
        question: the question.
        version: the memory and its state.
        strengths: for each term of the question that it bears, how surely (``strength``, or what its
            neighbours lend it), in [0, 1].
        term_weights: ``weights`` of the question in the view.
        ranking: the owner's numbers.
    """
    return blended(
        question,
        text=text_share(term_weights, strengths),
        anchors=version.state.anchors,
        meets_date=any(meets(version.memory, period) for period in question.periods),
        ranking=ranking,
    )


def blended(
    question: Question,
    *,
    text: float,
    anchors: Iterable[EntityId],
    meets_date: bool,
    ranking: Ranking,
    hops: int = 0,
) -> Relevance:
    """``relevance`` from what an index knows of a memory.

    Args:
        question: the question.
        text: the memory's text share.
        anchors: what it is anchored on, canonical.
        meets_date: whether a time of the question meets its valid time.
        ranking: the owner's numbers.
        hops: how many entity edges lead from the question's entities to it; 0 where none does.
    """
    named = question.anchors.intersection(anchors)
    about = len(named) / len(question.anchors) if question.anchors else 0.0
    if hops and text:
        # An entity beyond an edge tells which of those that share a word is meant, and nothing by itself.
        about = max(about, ranking.near_share**hops)
    dates = 1.0 if meets_date else 0.0
    missing = 1.0 - text
    if question.anchors:
        # With nothing but names asked, whom it is about is all there is to tell.
        weight = ranking.anchor_weight if question.terms else ranking.certain
        missing *= 1.0 - weight * about
    if question.periods and (text or about or not (question.terms or question.anchors)):
        missing *= 1.0 - ranking.date_weight * dates
    return Relevance(score=1.0 - missing, parts={"text": text, "anchors": about, "dates": dates})


def meets(memory: Memory, period: Period) -> bool:
    """Whether a time named in a question meets a memory's own; one without dates meets none."""
    own = own_time(memory)
    return own is not None and own.start < period.end and period.start < own.end


def own_time(memory: Memory) -> Period | None:
    """The time that a memory tells of: its valid time; of what happened, only when it did. None without dates."""
    lasts = asserted_kind(memory) not in HAPPENED
    return stated_time(memory.valid_from, memory.valid_to, lasts=lasts)


def stated_time(begins: Moment | None, ends: Moment | None, *, lasts: bool) -> Period | None:
    """The time between two stated moments; None without either, or if the end comes first.

    Args:
        begins: unknown, it reaches back for ever.
        ends: exclusive.
        lasts: without an end it lasts for ever; else it takes as long as the beginning's precision tells.
    """
    if begins is None:
        return None if ends is None else Period(_EVER.start, ends.at)
    if ends is not None:
        return Period(begins.at, ends.at) if begins.at < ends.at else None
    return Period(begins.at, _EVER.end if lasts else Instant(begins.at + _SPANS_US[begins.precision]))


def order_key(version: Version, score: float, ranking: Ranking) -> tuple[int, int, float, float, int, str]:
    """What to sort by, best first: band, provenance, confidence, exact relevance, recency, id (G5).

    Recency counts in whole seconds, as served: the microseconds by which the ledger tells its entries apart
    are no qualification.
    """
    memory = version.memory
    since = memory.recorded_at if memory.valid_from is None else memory.valid_from.at
    return place(
        score,
        provenance_rank=memory.provenance.rank,
        confidence=memory.confidence,
        since=since,
        memory=memory.id,
        ranking=ranking,
    )


def place(
    score: float, *, provenance_rank: int, confidence: float, since: int, memory: MemoryId, ranking: Ranking
) -> tuple[int, int, float, float, int, str]:
    """``order_key`` from what an index knows; ``since`` is the valid_from, else the recorded_at."""
    return (-band(score, ranking), provenance_rank, -confidence, -score, -(since // SECOND_US), memory)


def band(score: float, ranking: Ranking) -> int:
    """The band of a relevance: 0 for [0, 0.05), 19 for [0.95, 1) and 20 for 1."""
    # A hair is added, for 0.3 / 0.05 is below 6 in binary.
    return math.floor(score / ranking.band + 1e-9)


def ranked(scored: Iterable[tuple[Version, float]], ranking: Ranking) -> list[tuple[Version, float]]:
    """Memories with their relevance, best first. The order of the input makes no difference."""
    return sorted(scored, key=lambda pair: order_key(pair[0], pair[1], ranking))


def verdict(scores: Sequence[float], ranking: Ranking) -> Verdict:
    """How sure an answer with these relevances is. ``UNKNOWN`` serves no items."""
    best = max(scores, default=0.0)
    if best >= ranking.certain:
        return Verdict.CERTAIN
    return Verdict.VAGUE if best >= ranking.vague else Verdict.UNKNOWN
