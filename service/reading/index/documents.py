"""What one version becomes in a view's index: its words by how much they count, and what answers filter by.

A word is kept once for each document, as a token of the word and a mark that says how much it counts there.
A question then asks for each mark with a weight of its own, so that what Tantivy adds up is our relevance and
none of its own. Words that neighbours said will be further marks, made at index time like the others.

No text is stored: the two stored fields hold the id and what the order is made of, and an entity edge.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from enum import StrEnum

import tantivy

from policies.bitemporal import HAPPENED, asserted_kind
from policies.moments import SECOND_US, Period
from policies.ranking import own_time
from policies.terms import EntityId, Instant, MemoryId, Version
from policies.text import search_terms

FORMAT = 3
"""Raised whenever documents are made differently: an index of another format is rebuilt."""

UNKNOWN_BEFORE = -(2**62)
UNKNOWN_AFTER = 2**62
"""Stand for the ends that are not known, beyond any instant."""


_CONFIDENCES = 1_000_000
_SECONDS_BEFORE = 2**37
_SECONDS = 2**39
_SEPARATOR = "\x1f"

YES = "yes"
"""The one value of the fields that are there or not."""


class Mark(StrEnum):
    """How much a word counts in a document: said once, twice, more often, or only by a superseded version."""

    ONCE = "a"
    TWICE = "b"
    OFTEN = "c"
    FORMERLY = "p"


def marked(term: str, mark: Mark) -> str:
    """The token of a word that counts as the mark says. Terms hold neither blanks nor bars."""
    return f"{term}|{mark.value}"


@dataclass(frozen=True, slots=True)
class Row:
    """What the order of a candidate is made of, read back from the index without a call to the ledger."""

    memory: MemoryId
    provenance_rank: int
    confidence: float
    since: int
    """``valid_from``, else ``recorded_at``."""
    own_time: Period | None
    """What a date in a question may meet."""
    anchors: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """An entity edge as the view has it, with the times and the discretion of the memory that draws it."""

    memory: MemoryId
    source: EntityId
    type: str
    target: EntityId
    opens: int
    closes: int
    recorded: int
    believed_until: int
    surfaces: bool
    """Whether its memory surfaces by itself: packs and profiles may use it."""


def schema() -> tantivy.Schema:
    """The fields of every index."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("memory", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="basic")
    for many in ("about", "domains"):
        builder.add_text_field(many, tokenizer_name="raw", index_option="basic", fast=True)
    for one in ("kinds", "surfaces", "draws"):
        builder.add_text_field(one, tokenizer_name="raw", index_option="basic")
    for bound in ("level", "opens", "closes", "recorded", "believed_until", "tells_from", "tells_to"):
        builder.add_integer_field(bound, indexed=True, fast=True)
    builder.add_unsigned_field("standing", fast=True)
    for stored in ("row", "edge"):
        builder.add_bytes_field(stored, stored=True)
    return builder.build()


def document(version: Version, former: Iterable[Version], *, surfaces: bool) -> tantivy.Document:
    """The document of a version.

    Args:
        version: what may be served.
        former: the versions before it in its chain, if in the same view; what only they said leads to it.
        surfaces: whether it surfaces by itself.
    """
    memory, state = version.memory, version.state
    opens, closes = valid_interval(version)
    made = tantivy.Document()
    made.add_text("memory", memory.id)
    made.add_text("words", " ".join(_tokens(version, former)))
    for anchor in state.anchors:
        made.add_text("about", anchor)
    for domain in memory.domains:
        made.add_text("domains", domain)
    for kind in sorted({memory.kind, asserted_kind(memory)}):
        made.add_text("kinds", kind.value)
    if surfaces:
        made.add_text("surfaces", YES)
    made.add_integer("level", int(state.level))
    made.add_integer("opens", opens)
    made.add_integer("closes", closes)
    made.add_integer("recorded", memory.recorded_at)
    made.add_integer("believed_until", believed_until(version))
    made.add_unsigned("standing", standing(row_of(version)))
    own = own_time(memory)
    if own is not None:
        made.add_integer("tells_from", own.start)
        made.add_integer("tells_to", own.end)
    made.add_bytes("row", _packed_row(row_of(version)))
    drawn = edge_of(version, surfaces=surfaces)
    if drawn is not None:
        made.add_text("draws", YES)
        made.add_bytes("edge", _packed_edge(drawn))
    return made


def row(searcher: tantivy.Searcher, address: tantivy.DocAddress) -> Row:
    """The row of a document."""
    stored = bytes(searcher.doc(address).get_first("row") or b"").decode()
    memory, rank, confidence, since, tells_from, tells_to, *anchors = stored.split(_SEPARATOR)
    own = Period(Instant(int(tells_from)), Instant(int(tells_to))) if tells_from else None
    return Row(
        memory=MemoryId(memory),
        provenance_rank=int(rank),
        confidence=float(confidence),
        since=int(since),
        own_time=own,
        anchors=tuple(EntityId(anchor) for anchor in anchors),
    )


def edge(searcher: tantivy.Searcher, address: tantivy.DocAddress) -> Edge:
    """The edge of a document that draws one."""
    stored = bytes(searcher.doc(address).get_first("edge") or b"")
    return Edge(*json.loads(stored))


def edge_of(version: Version, *, surfaces: bool) -> Edge | None:
    """The edge that a version draws, if it draws one."""
    memory = version.memory
    if memory.relation is None:
        return None
    opens, closes = valid_interval(version)
    return Edge(
        memory=memory.id,
        source=memory.relation.subject,
        type=memory.relation.predicate,
        target=memory.relation.object,
        opens=opens,
        closes=closes,
        recorded=memory.recorded_at,
        believed_until=believed_until(version),
        surfaces=surfaces,
    )


def valid_interval(version: Version) -> tuple[int, int]:
    """When it is true in the world: start and exclusive end, as ``policies.bitemporal`` has them."""
    memory = version.memory
    opens = UNKNOWN_BEFORE if memory.valid_from is None else memory.valid_from.at
    if memory.valid_to is None or memory.kind in HAPPENED:
        return opens, UNKNOWN_AFTER
    return opens, memory.valid_to.at


def believed_until(version: Version) -> int:
    """When its record time ended, ``UNKNOWN_AFTER`` while it is believed."""
    ended = version.state.superseded_at
    return UNKNOWN_AFTER if ended is None else ended


def _tokens(version: Version, former: Iterable[Version]) -> list[str]:
    """Each word once, with its mark, in an order that is always the same."""
    counts = Counter(search_terms(" ".join((version.memory.text, *version.memory.tags))))
    by_count = {1: Mark.ONCE, 2: Mark.TWICE}
    marks = {term: by_count.get(count, Mark.OFTEN) for term, count in counts.items()}
    for earlier in former:
        for term in search_terms(earlier.memory.text):
            marks.setdefault(term, Mark.FORMERLY)
    return [marked(term, mark) for term, mark in sorted(marks.items())]


def row_of(version: Version) -> Row:
    """The row of a version."""
    memory = version.memory
    return Row(
        memory=memory.id,
        provenance_rank=memory.provenance.rank,
        confidence=memory.confidence,
        since=memory.recorded_at if memory.valid_from is None else memory.valid_from.at,
        own_time=own_time(memory),
        anchors=version.state.anchors,
    )


def standing(row: Row) -> int:
    """Orders memories of equal relevance, the best highest: provenance, confidence, recency, as one number.

    Confidence to a millionth, recency to the second, within the years 1 to 9999: as ``policies.ranking`` has
    them, ids apart.
    """
    better = 3 - row.provenance_rank
    confidence = int(row.confidence * _CONFIDENCES)
    seconds = row.since // SECOND_US + _SECONDS_BEFORE
    return (better * (_CONFIDENCES + 1) + confidence) * _SECONDS + seconds


def _packed_row(row: Row) -> bytes:
    told = ("", "") if row.own_time is None else (row.own_time.start, row.own_time.end)
    fields = (row.memory, row.provenance_rank, repr(row.confidence), row.since, *told)
    return _SEPARATOR.join(str(part) for part in (*fields, *row.anchors)).encode()


def _packed_edge(drawn: Edge) -> bytes:
    return json.dumps(astuple(drawn), separators=(",", ":")).encode()
