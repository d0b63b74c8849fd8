"""How two entities are linked: the shortest walk over the entity edges in view."""

from __future__ import annotations

from dataclasses import dataclass

from policies.bitemporal import AsOf
from service.reading.call import Call, bounds
from service.reading.edges import Walk
from service.reading.items import Answer


@dataclass(frozen=True, slots=True)
class PathArguments:
    """The arguments of a path, checked for type and length only."""

    source: str
    target: str
    max_hops: int = 4


def path(call: Call, arguments: PathArguments) -> Answer:
    """The shortest path between two entities, of several the first by ids.

    Returns:
        ``{found, hops: [{source, type, target, memory}]}``. Edges are walked in both directions and told in
        their own. No hops from an entity to itself.

    Raises:
        EntityUnknown, EntityAmbiguous: an end that is not one entity in view.
    """
    as_of = AsOf(call.now)
    source = call.entity(arguments.source, field="source")
    target = call.entity(arguments.target, field="target")
    _, when = bounds(as_of)
    walk = Walk(call.snapshot(as_of), call.registry, when)
    hops_max = min(arguments.max_hops, call.parameters.limits.path_hops_max)
    found = walk.shortest(source, target, hops_max)
    shown = call.shown(as_of)
    return {"found": found is not None, "hops": [shown.edge(step) for step in found or ()]}
