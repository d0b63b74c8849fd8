"""The owner's rules for assistants that a view may be served by themselves (G16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from policies.parameters import Ranking
from policies.ranking import Relevance
from policies.terms import EntityId, Kind
from service.reading.asking import Found
from service.reading.candidates import place_of
from service.reading.index import Filters, Mark, Snapshot, marked

_READ_MAX = 10_000
_HOLDS = Relevance(1.0, {"rule": 1.0})
"""A rule holds whatever is asked."""


def rules(
    snapshot: Snapshot,
    filters: Filters,
    numbers: Ranking,
    *,
    about_only: frozenset[EntityId] | None = None,
    saying: Sequence[str] = (),
) -> list[Found]:
    """The rules that pass the filters and surface, in the order of all else.

    Args:
        snapshot: the view's index.
        filters: what else they must be.
        numbers: the owner's.
        about_only: leave out rules about anything else. None: whatever they are about.
        saying: words of which a rule must say one, if there are any.
    """
    wanted = replace(filters, open_only=True, kinds=(Kind.RULE,))
    tokens = {marked(term, mark): 1 for term in saying for mark in Mark}
    if tokens:
        rows = [hit.row for hit in snapshot.search(tokens, wanted, limit=_READ_MAX).hits]
    else:
        rows, _ = snapshot.best(wanted, limit=_READ_MAX)
    held = [row for row in rows if about_only is None or about_only.issuperset(row.anchors)]
    found = (Found(row.memory, _HOLDS, place_of(row, _HOLDS.score, numbers)) for row in held)
    return sorted(found, key=lambda one: one.place)
