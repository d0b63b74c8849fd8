"""Walking the entity edges of a view: what is near a question's entities, and the shortest path between two.

Only edges asserted by a memory that the view may be served count, and of those only what is true at the time
asked about; never that two entities are anchors of one memory. The walk is our own, level by level over edges
already filtered: engines filter a shortest path afterwards and miss a longer one that is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from policies.registry import Registry
from policies.terms import EntityId, MemoryId
from service.reading.index import Edge, Filters, Snapshot

_NEAR_HOPS = 2
_NEAR_MAX = 64


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One edge as it is walked: to ``end``, from whichever side. Ids are canonical."""

    end: EntityId
    memory: MemoryId
    source: EntityId
    type: str
    target: EntityId


Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """The edges that one question may walk."""

    snapshot: Snapshot
    registry: Registry
    """What the view may know of it: an edge to anything else is none."""
    filters: Filters
    """Times and discretion of the memories that draw the edges."""

    def near(self, entities: Iterable[EntityId]) -> dict[EntityId, Path]:
        """What lies one or two edges from some entities, with a shortest way there.

        The owner, whom everything leads to, is neither reached nor passed.
        """
        owner = self.registry.owner.id if self.registry.owner else None
        begun = {entity for entity in entities if entity != owner}
        reached: dict[EntityId, Path] = {}
        for path in self._outwards(sorted(begun), _NEAR_HOPS, closed={owner} if owner else set()):
            reached[path[-1].end] = path
            if len(reached) == _NEAR_MAX:
                break
        return reached

    def shortest(self, source: EntityId, target: EntityId, hops_max: int) -> Path | None:
        """The shortest path of at most so many edges, None without one; of several, the first by ids."""
        if source == target:
            return ()
        return next((path for path in self._outwards([source], hops_max) if path[-1].end == target), None)

    def _outwards(
        self, begun: list[EntityId], hops_max: int, closed: Iterable[EntityId] = ()
    ) -> Iterator[Path]:
        """A shortest path to every entity in reach, nearest first, then by the ids on the way."""
        seen = {*begun, *closed}
        level: list[tuple[EntityId, Path]] = [(entity, ()) for entity in begun]
        for _ in range(hops_max):
            following: list[tuple[EntityId, Path]] = []
            for entity, path in level:
                for step in self.steps(entity):
                    if step.end not in seen:
                        seen.add(step.end)
                        following.append((step.end, (*path, step)))
                        yield following[-1][1]
            level = following

    def steps(self, entity: EntityId) -> list[Step]:
        """The edges that leave an entity, by where they lead and by memory."""
        edges = self.snapshot.edges.touching(self.registry.group(entity))
        steps = (self._step(entity, edge) for edge in edges if _admits(self.filters, edge))
        return sorted(step for step in steps if step is not None)

    def _step(self, entity: EntityId, edge: Edge) -> Step | None:
        source, target = self.registry.entity(edge.source), self.registry.entity(edge.target)
        if source is None or target is None or source.id == target.id:
            return None
        end = target.id if source.id == entity else source.id
        return Step(end, edge.memory, source.id, edge.type, target.id)


def _admits(filters: Filters, edge: Edge) -> bool:
    if filters.open_only and not edge.surfaces:
        return False
    if filters.closes_after is not None and edge.closes <= filters.closes_after:
        return False
    if filters.opens_before is not None and edge.opens >= filters.opens_before:
        return False
    if filters.recorded_before is not None and edge.recorded >= filters.recorded_before:
        return False
    return filters.believed_after is None or edge.believed_until > filters.believed_after
