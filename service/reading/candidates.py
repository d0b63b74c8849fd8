"""From a question to candidates in their order: by words, anchors, edges and dates, within one view.

Filters come before scores. Each way of finding candidates takes a bounded number of them; what it leaves out
is known to be no more relevant than a bound, and a candidate is given only once nothing left out could stand
before it. So the order is exactly that of ``policies.ranking``, up to the last of the numbers taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from policies import ranking
from policies.moments import Period
from policies.parameters import Ranking
from policies.ranking import Question, Relevance, Statistics
from policies.terms import EntityId, MemoryId
from service.reading.index import SCALE, Filters, Mark, Row, Snapshot, marked

_TAKEN = (64, 1_024, 16_384, 65_536)
"""How many candidates each way takes; more only where fewer do not settle the order."""

Place = tuple[int, int, float, float, int, str]
"""Where a candidate stands (``ranking.place``): the smaller the better."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory found, with its relevance and its place in the order."""

    row: Row
    relevance: Relevance
    place: Place


@dataclass(frozen=True, slots=True)
class Search:
    """One question asked of one view's index."""

    snapshot: Snapshot
    question: Question
    statistics: Statistics
    """Of this view; a later page is ranked by those of the first."""
    filters: Filters
    """What every candidate must be, its valid time apart."""
    when: Filters
    """The bounds of its valid time: ``closes_after`` and ``opens_before`` alone."""
    near: Mapping[EntityId, int] = field(default_factory=dict[EntityId, int])
    """Entities that edges lead to from those of the question, and by how many edges."""
    past: bool = False
    """Whether a time in the question also finds what was true then and is closed now."""


def statistics(snapshot: Snapshot, question: Question, *, open_only: bool) -> Statistics:
    """How many memories the view has, and how many say each word of the question."""
    return Statistics(
        documents=snapshot.memories(open_only=open_only),
        frequencies={term: snapshot.memories_with(term, open_only=open_only) for term in question.terms},
    )


def ordered(
    search: Search, numbers: Ranking, after: Place | None = None, *, taken: Sequence[int] = _TAKEN
) -> Iterator[Candidate]:
    """The candidates that are relevant at all, best first.

    Args:
        search: the question.
        numbers: the owner's.
        after: where the page before ended.
        taken: how many candidates each way takes, at first and if the order is not settled by so many.
    """
    finder = _Finder(search, numbers, taken)
    while True:
        found, missing = finder.found()
        blocked = None
        for candidate in found:
            if candidate.relevance.score < numbers.vague:
                break
            if missing is not None and candidate.place >= missing:
                blocked = candidate.place
                break
            if after is None or candidate.place > after:
                after = candidate.place
                yield candidate
        if missing is None:
            return
        finder.widen(blocked)


def place_of(row: Row, score: float, numbers: Ranking) -> Place:
    """Where a memory of some relevance stands in the order."""
    return ranking.place(
        score,
        provenance_rank=row.provenance_rank,
        confidence=row.confidence,
        since=row.since,
        memory=row.memory,
        ranking=numbers,
    )


@dataclass(slots=True)
class _Way:
    """One way of finding candidates, and what one that it left out could have beside its words."""

    filters: Filters
    said: bool
    """Whether a candidate says a word of the question, or says none."""
    anchors: frozenset[EntityId] = frozenset()
    hops: int = 0
    dated: bool = False
    tries: int = 0
    """How often it has looked, each time taking more."""
    missing: Place | None = None
    """A place that all it has left out come after; None when that is nothing relevant, or all it may take."""


class _Finder:
    """Every way of finding candidates for one search, each looking only as far as the order needs."""

    def __init__(self, search: Search, numbers: Ranking, taken: Sequence[int]) -> None:
        self._search = search
        self._numbers = numbers
        self._taken = taken
        self._tokens = _tokens(search.question, search.statistics, numbers)
        self._candidates: dict[MemoryId, Candidate] = {}
        self._ways = list(self._all())
        for way in self._ways:
            self._look(way)

    def found(self) -> tuple[list[Candidate], Place | None]:
        """What was found so far, in order, and a place that all that was not come after; None for nothing."""
        order = sorted(self._candidates.values(), key=lambda candidate: candidate.place)
        return order, min((way.missing for way in self._ways if way.missing is not None), default=None)

    def widen(self, blocked: Place | None) -> None:
        """Look further wherever something before ``blocked`` may have been left out; None: wherever."""
        for way in self._ways:
            if way.missing is not None and (blocked is None or way.missing <= blocked):
                self._look(way)

    def _look(self, way: _Way) -> None:
        taken = self._taken[way.tries]
        way.tries += 1
        hits, missing = (self._saying if way.said else self._silent)(way, taken)
        for row, score in hits:
            if row.memory not in self._candidates:
                self._candidates[row.memory] = self._candidate(row, score)
        way.missing = missing if way.tries < len(self._taken) else None

    def _saying(self, way: _Way, taken: int) -> tuple[list[tuple[Row, int]], Place | None]:
        """What says words of the question: the more the better, so that what is left out says no more."""
        hits = self._search.snapshot.search(self._tokens, way.filters, limit=taken)
        found = [(hit.row, hit.score) for hit in hits.hits]
        return found, None if hits.cut_at is None else self._at_best(way, _share(hits.cut_at))

    def _silent(self, way: _Way, taken: int) -> tuple[list[tuple[Row, int]], Place | None]:
        """What says none of them: of equal relevance where it depends on no more than one anchor, so by standing."""
        rows, complete = self._search.snapshot.best(way.filters, without=self._tokens, limit=taken)
        found = [(row, 0) for row in rows]
        if complete:
            return found, None
        at_best = self._at_best(way, 0.0)
        if at_best is None or len(way.anchors) > 1:
            return found, at_best
        return found, place_of(rows[-1], self._relevance(way, 0.0).score, self._numbers)

    def _at_best(self, way: _Way, text: float) -> Place | None:
        """Before all that a way left out, if it says so much at most; None if that is irrelevant."""
        score = self._relevance(way, text).score
        if score < self._numbers.vague:
            return None
        return -ranking.band(score, self._numbers), -1, 0.0, 0.0, 0, ""

    def _relevance(self, way: _Way, text: float) -> Relevance:
        return ranking.blended(
            self._search.question,
            text=text,
            anchors=way.anchors,
            meets_date=way.dated,
            hops=way.hops,
            ranking=self._numbers,
        )

    def _all(self) -> Iterator[_Way]:
        search, question = self._search, self._search.question
        when = search.when
        timed = replace(search.filters, closes_after=when.closes_after, opens_before=when.opens_before)
        about, dated = question.anchors, bool(question.periods)
        if question.terms:
            yield _Way(timed, said=True)
            for hops in sorted(set(search.near.values())):
                reached = [entity for entity, distance in search.near.items() if distance == hops]
                yield _Way(_about(timed, reached), said=True, hops=hops, dated=dated)
            if about:
                yield _Way(_about(timed, about), said=True, anchors=about, dated=dated)
        if about:
            yield _Way(_about(timed, about), said=False, anchors=about)
        for period in question.periods:
            then = replace(search.filters if search.past else timed, tells_of=period)
            if question.terms:
                yield _Way(then, said=True, dated=True)
            if about:
                yield _Way(_about(then, about), said=False, anchors=about, dated=True)
            elif not question.terms:
                yield _Way(then, said=False, dated=True)

    def _candidate(self, row: Row, score: int) -> Candidate:
        question, near = self._search.question, self._search.near
        hops = min((near[anchor] for anchor in row.anchors if anchor in near), default=0)
        relevance = ranking.blended(
            question,
            text=_share(score),
            anchors=row.anchors,
            meets_date=any(_meets(row.own_time, period) for period in question.periods),
            hops=hops,
            ranking=self._numbers,
        )
        return Candidate(row, relevance, place_of(row, relevance.score, self._numbers))


def _tokens(question: Question, known: Statistics, numbers: Ranking) -> dict[str, int]:
    """What each marked word adds: its share of the question's weight, as surely as it is borne."""
    weights = ranking.weights(question, known, numbers)
    strengths = {
        Mark.ONCE: ranking.strength(1, numbers),
        Mark.TWICE: ranking.strength(2, numbers),
        Mark.OFTEN: ranking.strength(3, numbers),
        Mark.FORMERLY: ranking.former_strength(numbers),
    }
    return {
        marked(term, mark): round(SCALE * ranking.text_share(weights, {term: strength}))
        for term in weights
        for mark, strength in strengths.items()
    }


def _share(score: int) -> float:
    return min(1.0, score / SCALE)


def _about(filters: Filters, entities: frozenset[EntityId] | list[EntityId]) -> Filters:
    return replace(filters, about=(*filters.about, tuple(sorted(entities))))


def _meets(own: Period | None, asked: Period) -> bool:
    return own is not None and own.start < asked.end and asked.start < own.end
