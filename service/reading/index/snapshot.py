"""One view's index as of one moment: immutable, so that readers share it while the index is followed on.

Every count is of live documents. Scores are sums of whole numbers that a 32-bit float holds exactly, so that
neither the layout of segments nor what was deleted before can tell two equal views apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal, cast

import tantivy

from policies.moments import Period
from policies.terms import Kind
from service.reading.index import documents
from service.reading.index.documents import Mark, Row, marked
from service.reading.index.edges import Edges

SCALE = 2**20
"""A whole score of 1: resolves a millionth, and sums stay exact, below 2^24."""

_ALL = tantivy.Occur.Must
_ANY = tantivy.Occur.Should
_EDGES_MAX = 1_000_000
_SPARE = 16
_REMEMBERED_MAX = 50_000
"""Rows, and counts, that a snapshot remembers: what is asked often is read once."""
_TALLY_MAX = 65_000
"""Values told apart by one tally: the engine's own bound on buckets."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a candidate must be, whatever it says. Instants: microseconds; None (or nothing) filters not."""

    open_only: bool = False
    """Only what surfaces by itself."""
    level_max: int | None = None
    """Its effective level is at most this."""
    closes_after: int | None = None
    """Its valid time ends after this instant."""
    opens_before: int | None = None
    """Its valid time begins before this instant."""
    recorded_before: int | None = None
    """It was recorded before this instant."""
    believed_after: int | None = None
    """Its record time ends after this instant."""
    domains: tuple[str, ...] = ()
    """In one of these."""
    kinds: tuple[Kind, ...] = ()
    """Of one of these, or restating one."""
    about: tuple[tuple[str, ...], ...] = ()
    """For each group: anchored on one of its entities, or in one of its domains."""
    tells_of: Period | None = None
    """Its own time meets this one."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate, and the sum of what the words that it shares with the question weigh there."""

    row: Row
    score: int
    """In ``SCALE``-ths."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The best candidates of one search, in no order that means anything."""

    hits: tuple[Hit, ...]
    cut_at: int | None
    """Score of the lowest when more matched than were taken: what is missing scores no higher. None: all are
    here.
    """


class IndexDamaged(Exception):
    """An index that could be opened and cannot be read."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Say which snapshot of it could not be read."""
        super().__init__(f"at {snapshot.seq}")
        self.snapshot = snapshot


class Snapshot:
    """What one view may be served as of one moment: found by words, anchors, domains and times."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema, seq: int, edges: Edges) -> None:
        """Freeze an index that has followed the ledger up to ``seq``."""
        self.seq = seq
        self.edges = edges
        self._searcher = searcher
        self._schema = schema
        self._counted: dict[tuple[str, bool], int] = {}
        self._rows: dict[tuple[int, int], Row] = {}

    @staticmethod
    def of(index: tantivy.Index, seq: int, edges: Edges) -> Snapshot:
        """What is committed to an index now."""
        index.reload()
        return Snapshot(index.searcher(), index.schema, seq, edges)

    def later(self, seq: int) -> Snapshot:
        """The same, known to hold for a later sequence too."""
        same = copy(self)
        same.seq = seq
        return same

    def drawn(self) -> Edges:
        """The edges that its documents keep."""
        query = self._query(Filters(), (self._term("draws", documents.YES),))
        found = self._found(query, _EDGES_MAX).hits
        return Edges().changed((), [documents.edge(self._searcher, place) for _, place in found])

    def memories(self, *, open_only: bool) -> int:
        """How many memories the view has, or how many of them surface by themselves."""
        return self._count("", self._query(Filters(open_only=open_only), ()), open_only)

    def memories_with(self, term: str, *, open_only: bool) -> int:
        """How many memories (or of those that surface by themselves) say a word, now or formerly."""
        said = self._words({marked(term, mark): 0 for mark in Mark})
        return self._count(term, self._query(Filters(open_only=open_only), (said,)), open_only)

    def matching(self, filters: Filters) -> int:
        """How many memories pass the filters."""
        return _count_of(self._found(self._query(filters, ()), 1))

    def tally(self, field: Literal["about", "domains"], filters: Filters) -> dict[str, int]:
        """How many memories that pass the filters each anchor (or domain) has."""
        terms = {"terms": {"field": field, "size": _TALLY_MAX}}
        found = cast("Any", self._searcher).aggregate(self._query(filters, ()), {"values": terms})
        return {bucket["key"]: bucket["doc_count"] for bucket in found["values"]["buckets"]}

    def search(self, tokens: Mapping[str, int], filters: Filters, *, limit: int) -> Hits:
        """The memories that pass the filters, say one of some words at least, and score highest.

        Args:
            tokens: what each marked word weighs, in ``SCALE``-ths.
            filters: what every candidate must be.
            limit: how many to take at most.
        """
        if not tokens:
            return Hits((), None)
        found = self._found(self._query(filters, (self._words(tokens),)), limit)
        hits = tuple(Hit(self._row(place), int(score)) for score, place in found.hits)
        complete = _count_of(found) <= limit
        return Hits(hits, None if complete else min(hit.score for hit in hits))

    def best(self, filters: Filters, *, limit: int, without: Collection[str] = ()) -> tuple[list[Row], bool]:
        """The memories that pass the filters, in the order that they have at equal relevance.

        Args:
            filters: what each must be.
            limit: how many are wanted; some more may be given.
            without: marked words of which it must say none.

        Returns:
            The first of the order, and whether they are all.
        """
        query = self._query(filters, ())
        if without:
            query = query.and_must_not_match(self._words(dict.fromkeys(without, 0)))
        taken = limit + _SPARE
        while True:
            found = self._found(query, taken, by="standing")
            rows = sorted((self._row(place) for _, place in found.hits), key=_at_equal_relevance)
            if _count_of(found) <= taken:
                return rows, True
            # Of those that stand where the last one does, some may be left out.
            edge = documents.standing(rows[-1])
            settled = [row for row in rows if documents.standing(row) > edge]
            if len(settled) >= limit:
                return settled, False
            taken *= 4

    def _found(self, query: tantivy.Query, limit: int, by: str | None = None) -> tantivy.SearchResult:
        try:
            return self._searcher.search(query, limit, order_by_field=by)
        except (ValueError, OSError) as error:
            raise IndexDamaged(self) from error

    def _row(self, place: tantivy.DocAddress) -> Row:
        key = (place.segment_ord, place.doc)
        known = self._rows.get(key)
        if known is None:
            if len(self._rows) >= _REMEMBERED_MAX:
                self._rows.clear()
            known = self._rows[key] = documents.row(self._searcher, place)
        return known

    def _count(self, key: str, query: tantivy.Query, open_only: bool) -> int:
        # A race between readers costs the same count twice, no more.
        known = self._counted.get((key, open_only))
        if known is None:
            if len(self._counted) >= _REMEMBERED_MAX:
                self._counted.clear()
            known = self._counted[key, open_only] = _count_of(self._found(query, 1))
        return known

    def _words(self, tokens: Mapping[str, int]) -> tantivy.Query:
        return tantivy.Query.boolean_query(
            [
                (_ANY, _weighing(self._term("words", token), weight))
                for token, weight in sorted(tokens.items())
            ]
        )

    def _query(
        self, filters: Filters, required: Sequence[tantivy.Query], optional: Sequence[tantivy.Query] = ()
    ) -> tantivy.Query:
        clauses = [(_ALL, query) for query in required]
        clauses += [(_ALL, _weighing(query, 0)) for query in self._filtering(filters)]
        clauses += [(_ANY, query) for query in optional]
        return tantivy.Query.boolean_query(clauses)

    def _filtering(self, filters: Filters) -> list[tantivy.Query]:
        queries = [
            self._range(name, least, most)
            for name, least, most in (
                ("level", None, None if filters.level_max is None else filters.level_max + 1),
                ("closes", filters.closes_after, None),
                ("opens", None, filters.opens_before),
                ("recorded", None, filters.recorded_before),
                ("believed_until", filters.believed_after, None),
            )
            if least is not None or most is not None
        ]
        if filters.open_only:
            queries.append(self._term("surfaces", documents.YES))
        if filters.domains:
            queries.append(self._one_of("domains", filters.domains))
        if filters.kinds:
            queries.append(self._one_of("kinds", [kind.value for kind in filters.kinds]))
        for group in filters.about:
            either = (self._one_of("about", group), self._one_of("domains", group))
            queries.append(tantivy.Query.boolean_query([(_ANY, query) for query in either]))
        if filters.tells_of is not None:
            queries.append(self._range("tells_from", None, filters.tells_of.end))
            queries.append(self._range("tells_to", filters.tells_of.start, None))
        return queries or [tantivy.Query.all_query()]

    def _term(self, field: str, value: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value, "basic")

    def _one_of(self, field: str, values: Sequence[str]) -> tantivy.Query:
        return tantivy.Query.term_set_query(self._schema, field, values)

    def _range(self, field: str, after: int | None, before: int | None) -> tantivy.Query:
        integer = tantivy.FieldType.Integer
        return tantivy.Query.range_query(
            self._schema,
            field,
            integer,
            after,
            before,
            include_lower=after is None,
            include_upper=before is None,
        )


def _weighing(query: tantivy.Query, weight: int) -> tantivy.Query:
    return tantivy.Query.const_score_query(query, float(weight))


def _count_of(found: tantivy.SearchResult) -> int:
    # The binding's stub leaves this attribute out.
    return int(cast("Any", found).count)


def _at_equal_relevance(row: Row) -> tuple[int, str]:
    return -documents.standing(row), row.memory
