"""What is read by its address, and completions: one memory, one entity, names that begin so."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from policies import access, bitemporal
from policies.bitemporal import AsOf
from policies.errors import UnknownId
from policies.folding import fold
from policies.ranking import Relevance
from policies.terms import EntityId, MemoryId, Version
from service.reading.asking import Found, fetched
from service.reading.call import Call, bounds
from service.reading.candidates import place_of
from service.reading.edges import Walk
from service.reading.index import Filters, Snapshot
from service.reading.items import ASKED_BY_ID, Answer, Why
from service.reading.recall import served_by_id

_COMPLETIONS_MAX = 100
"""As many as the protocol allows in one answer."""
_ABOUT = Relevance(1.0, {"anchors": 1.0})


def memory(call: Call, identifier: str) -> Answer:
    """One memory as an item; of a superseded one its visible successor.

    Raises:
        UnknownId: nothing in view answers to the id.
    """
    as_of = AsOf(call.now)
    version = served_by_id(call, MemoryId(identifier), as_of)
    if version is None:
        raise UnknownId(field="id")
    return call.shown(as_of).item(version, ASKED_BY_ID)


def entity(call: Call, identifier: str) -> Answer:
    """One entity: names, the edges in view, and the first memories about it.

    Returns:
        ``{id, name, type, aliases, count, relations, items}``; ``count`` is of all memories about it that are
        true now and found when asked for.

    Raises:
        UnknownId: no such entity, or nothing in view is anchored on it.
    """
    known = call.registry.entities.get(EntityId(identifier))
    found = None if known is None else call.registry.entity(known.id)
    as_of = AsOf(call.now)
    _, when = bounds(as_of)
    snapshot = call.snapshot(as_of)
    if found is None or not snapshot.matching(Filters(about=((found.id,),))):
        raise UnknownId(field="id")
    name, *aliases = call.registry.names(found.id)
    about = replace(when, about=((found.id,),))
    shown = call.shown(as_of)
    walk = Walk(snapshot, call.registry, when)
    return {
        "id": found.id,
        "name": name,
        "type": found.type.value,
        "aliases": aliases,
        "count": snapshot.matching(about),
        "relations": [
            shown.edge(step) for step in islice(walk.steps(found.id), call.parameters.budget.page_items)
        ],
        "items": [shown.item(v, Why(1.0, _ABOUT.parts)) for v in _first_about(call, snapshot, about, as_of)],
    }


def complete(call: Call, prefix: str) -> list[str]:
    """Names and aliases of which a word begins so, of entities that something which surfaces is about.

    Those that begin so themselves first, then by name; at most 100.
    """
    _, when = bounds(AsOf(call.now))
    anchored = call.snapshot(AsOf(call.now)).tally("about", replace(when, open_only=True))
    wanted = fold(prefix)
    names = {
        name
        for anchor in anchored
        if (entity := call.registry.entity(EntityId(anchor))) is not None
        for name in call.registry.names(entity.id)
        if _begins(fold(name), wanted)
    }
    return sorted(names, key=lambda name: (not fold(name).startswith(wanted), fold(name), name))[
        :_COMPLETIONS_MAX
    ]


def _first_about(call: Call, snapshot: Snapshot, about: Filters, as_of: AsOf) -> list[Version]:
    numbers = call.parameters.ranking
    most = call.parameters.budget.page_items
    rows, _ = snapshot.best(about, limit=most)
    first = [Found(row.memory, _ABOUT, place_of(row, _ABOUT.score, numbers)) for row in rows[:most]]
    served = fetched(
        call, first, lambda v: access.is_topical(v, call.view) and bitemporal.is_visible(v, as_of)
    )
    return [version for _, version in served]


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted) or any(word.startswith(wanted) for word in name.split())
