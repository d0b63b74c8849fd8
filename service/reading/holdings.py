"""How much a view of each level would hold: what the owner is told before allowing a scope."""

from __future__ import annotations

from dataclasses import dataclass, replace

from policies.bitemporal import AsOf
from policies.terms import EntityId, Level
from service.reading.call import Call, bounds


@dataclass(frozen=True, slots=True)
class Holding:
    """What a view holds now of what a topical question reaches: not what is only met when asked for by name."""

    memories: int
    entities: int
    """Those that any of the memories is about, the owner aside."""


def holdings(call: Call) -> dict[Level, Holding]:
    """By level, up to the view's own: what a view of that level would hold, of the same domains."""
    as_of = AsOf(call.now)
    snapshot = call.snapshot(as_of)
    _, when = bounds(as_of)
    found: dict[Level, Holding] = {}
    for level in Level:
        if level <= call.view.level:
            filters = replace(when, level_max=int(level))
            anchored = (call.registry.entity(EntityId(anchor)) for anchor in snapshot.tally("about", filters))
            others = [entity for entity in anchored if entity is not None and not entity.owner]
            found[level] = Holding(snapshot.matching(filters), len(others))
    return found
