"""What the picture of the memory holds: entities, the relations between them and the memories about them.

It is bounded: the memories last recorded, around one entity where one is chosen, and whom they are about. A memory
that asserts a relation is that relation's line, and no node of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cypher.browsing import Wanted
from policies.bitemporal import AsOf
from policies.registry import Registry
from policies.terms import Entity, EntityId, EntityType, Level
from service.console.telling import Telling, Told, predicate
from service.console.visit import Visit

ENTITIES_MAX = 120
MEMORIES_MAX = 150
RELATIONS_MAX = 300


@dataclass(frozen=True, slots=True)
class Asked:
    """What the picture is to be of."""

    focus: EntityId | None = None
    type: EntityType | None = None
    domain: str = ""
    up_to: Level = Level.S3
    relations_only: bool = False
    private: bool = False
    """Whether what is served on request only is in it, though neither its domain nor an entity was chosen."""


@dataclass(frozen=True, slots=True)
class Line:
    """A relation, by the memory that asserts it."""

    source: EntityId
    predicate: str
    """In words."""
    target: EntityId
    told: Told


@dataclass(frozen=True, slots=True)
class Shown:
    """An entity of the picture, with what is shown of it."""

    entity: Entity
    level: Level
    lines: tuple[Line, ...]
    memories: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn, and listed beside it."""

    entities: tuple[Shown, ...]
    """The one in the middle first, then those with most about them."""
    lines: tuple[Line, ...]
    memories: tuple[Told, ...]
    loose: tuple[Told, ...]
    """Those of the memories that are about none of the entities."""
    is_part: bool
    """Whether there is more than is shown."""


def picture(visit: Visit, asked: Asked, as_of: AsOf) -> Picture:
    """Choose what to show."""
    telling = Telling(visit, as_of)
    wanted = Wanted(
        entities=(asked.focus,) if asked.focus else (),
        domain=asked.domain or None,
        levels=tuple(level for level in Level if level <= asked.up_to),
        on_request=asked.private or bool(asked.domain or asked.focus),
    )
    relating, more_relating = _read(visit, telling, replace(wanted, relates=True), as_of, RELATIONS_MAX)
    recorded, more = (
        ([], False) if asked.relations_only else _read(visit, telling, wanted, as_of, MEMORIES_MAX)
    )
    entities, more_entities = _entities(telling.registry, asked, [*relating, *recorded])
    if asked.focus and entities:
        # What ties its neighbours to each other belongs to its surroundings.
        near = replace(wanted, entities=tuple(entities), relates=True)
        among, _ = _read(visit, telling, near, as_of, RELATIONS_MAX)
        relating = list({one.id: one for one in (*relating, *among)}.values())[:RELATIONS_MAX]
    lines = _lines(telling.registry, relating, entities, visit.language)
    drawn = {line.told.id for line in lines}
    memories = [
        one
        for one in recorded
        if one.id not in drawn and (asked.type is None or not entities.isdisjoint(_about(one)))
    ]
    return Picture(
        entities=_shown(telling.registry, asked, entities, lines, memories),
        lines=lines,
        memories=tuple(memories),
        loose=tuple(one for one in memories if entities.isdisjoint(_about(one))),
        is_part=more or more_relating or more_entities,
    )


def _read(visit: Visit, telling: Telling, wanted: Wanted, as_of: AsOf, most: int) -> tuple[list[Told], bool]:
    """The memories last recorded of those wanted, and whether there are more."""
    listed = visit.house.browsing.memories(wanted, as_of, limit=most + 1)
    versions = visit.house.reader.versions([one.memory for one in listed[:most]])
    told = [telling.told(versions[one.memory]) for one in listed[:most] if one.memory in versions]
    return told, len(listed) > most


def _entities(registry: Registry, asked: Asked, found: Sequence[Told]) -> tuple[set[EntityId], bool]:
    """Whom the memories are about: those with most of them, of the type asked for; and whether there are more."""
    weights = Counter(entity for one in found for entity in (*_about(one), *_ends(registry, one)))
    if asked.focus:
        weights.setdefault(asked.focus, 0)
    known = [
        entity
        for entity in sorted(weights, key=lambda one: (one != asked.focus, -weights[one], one))
        if (named := registry.entities.get(entity)) is not None
        and (asked.type in (None, named.type) or entity == asked.focus)
    ]
    return set(known[:ENTITIES_MAX]), len(known) > ENTITIES_MAX


def _lines(
    registry: Registry, relating: Iterable[Told], entities: set[EntityId], language: str
) -> tuple[Line, ...]:
    """The relations between entities of the picture."""
    found: list[Line] = []
    for one in relating:
        ends = _ends(registry, one)
        if one.memory.relation is not None and ends and entities.issuperset(ends) and ends[0] != ends[1]:
            found.append(Line(ends[0], predicate(one.memory.relation.predicate, language), ends[1], one))
    return tuple(found)


def _shown(
    registry: Registry,
    asked: Asked,
    entities: set[EntityId],
    lines: Sequence[Line],
    memories: Sequence[Told],
) -> tuple[Shown, ...]:
    shown = [
        Shown(
            registry.entities[entity],
            registry.level(entity),
            tuple(line for line in lines if entity in (line.source, line.target)),
            tuple(one for one in memories if entity in _about(one)),
        )
        for entity in entities
    ]
    return tuple(
        sorted(
            shown,
            key=lambda one: (
                one.entity.id != asked.focus,
                -len(one.lines) - len(one.memories),
                one.entity.name,
                one.entity.id,
            ),
        )
    )


def _about(one: Told) -> tuple[EntityId, ...]:
    return one.version.state.anchors


def _ends(registry: Registry, one: Told) -> tuple[EntityId, ...]:
    """The entities that a memory's relation ties, as they are called today; none without a relation."""
    relation = one.memory.relation
    if relation is None:
        return ()
    return registry.canonical(relation.subject), registry.canonical(relation.object)


def as_graph(found: Picture) -> dict[str, list[dict[str, object]]]:
    """The picture as the script of the page draws it: plain JSON."""
    known = {shown.entity.id for shown in found.entities}
    about = [(one, entity) for one in found.memories for entity in _about(one) if entity in known]
    return {
        "nodes": [*map(_entity_node, found.entities), *map(_memory_node, found.memories)],
        "edges": [*map(_relation_edge, found.lines), *(_about_edge(one, entity) for one, entity in about)],
    }


def _entity_node(shown: Shown) -> dict[str, object]:
    return {
        "id": shown.entity.id,
        "label": shown.entity.name,
        "shape": "entity",
        "level": shown.level.name,
        "weight": len(shown.lines) + len(shown.memories),
        "path": f"/entities/{shown.entity.id}",
    }


def _memory_node(one: Told) -> dict[str, object]:
    level = one.version.state.level.name
    return {"id": one.id, "label": one.memory.text, "shape": "memory", "level": level, "path": one.path}


def _relation_edge(line: Line) -> dict[str, object]:
    return {
        "id": f"line {line.told.id}",
        "source": line.source,
        "target": line.target,
        "label": line.predicate,
        "shape": "relation",
        "path": line.told.path,
    }


def _about_edge(one: Told, entity: EntityId) -> dict[str, object]:
    return {"id": f"{one.id} {entity}", "source": one.id, "target": entity, "shape": "about"}
