"""The entity edges of one view, by entity: few beside its memories, and walked in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from policies.terms import EntityId, MemoryId
from service.reading.index.documents import Edge


@dataclass(frozen=True, slots=True)
class Edges:
    """Every edge that the view may be served, at whatever time it is true. Immutable."""

    by_memory: Mapping[MemoryId, Edge] = field(default_factory=dict[MemoryId, Edge])
    by_entity: Mapping[EntityId, tuple[Edge, ...]] = field(default_factory=dict[EntityId, tuple[Edge, ...]])
    """Both ends lead to an edge; ordered by memory id. Ids as the memories have them, merges not applied."""

    def touching(self, entities: Iterable[EntityId]) -> tuple[Edge, ...]:
        """The edges that begin or end at one of some entities, ordered by memory id."""
        found = {edge.memory: edge for entity in entities for edge in self.by_entity.get(entity, ())}
        return tuple(found[memory] for memory in sorted(found))

    def changed(self, gone: Iterable[MemoryId], come: Iterable[Edge]) -> Edges:
        """The edges without those of some memories and with some others."""
        removed = [self.by_memory[memory] for memory in gone if memory in self.by_memory]
        added = list(come)
        if not removed and not added:
            return self
        by_memory, by_entity = dict(self.by_memory), dict(self.by_entity)
        for edge in removed:
            del by_memory[edge.memory]
        for edge in added:
            by_memory[edge.memory] = edge
        for entity in {end for edge in (*removed, *added) for end in (edge.source, edge.target)}:
            kept = {edge.memory: edge for edge in by_entity.get(entity, ()) if edge.memory in by_memory}
            kept |= {edge.memory: edge for edge in added if entity in (edge.source, edge.target)}
            by_entity[entity] = tuple(kept[memory] for memory in sorted(kept))
        return Edges(by_memory, {entity: edges for entity, edges in by_entity.items() if edges})
