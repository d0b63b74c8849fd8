"""The registry: who and what memories may be about. Everything here is a directive that the owner submits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from cypher.reader import Edge
from policies.directives import Verb
from policies.errors import EntityAmbiguous, EntityUnknown, MissingArgument, PageUnknown
from policies.folding import fold
from policies.registry import Registry
from policies.terms import Entity, EntityId, EntityType, Level, MemoryId
from service.console.filters import chosen
from service.console.paging import numbered
from service.console.site import Page
from service.console.telling import by_name, predicate
from service.console.visit import Visit

PAGE = 50
RELATIONS_PAGE = 20
_SUGGESTED_MAX = 8


@dataclass(frozen=True, slots=True)
class Line:
    """One entity of the list, with what was merged into it."""

    entity: Entity
    level: Level
    """Of it and of what was merged into it."""
    merged: tuple[Entity, ...]
    memories: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation as the page of one of its ends tells it."""

    source: Entity
    predicate: str
    target: Entity
    memory: MemoryId


def entities(visit: Visit) -> Response:
    """The list, by name.

    Raises:
        InvalidArgument: a type that does not exist.
    """
    registry = visit.house.reader.registry()
    query, kind = visit.query("q").strip(), chosen(visit, "type", EntityType)
    found = [
        entity
        for entity in by_name(registry.entities.values())
        if entity.merged_into is None
        and kind in (None, entity.type)
        and any(fold(query) in fold(name) for name in registry.names(entity.id))
    ]
    page = numbered(visit, found, PAGE)
    asked = {name: value for name, value in (("q", query), ("type", kind or "")) if value}
    return visit.page(
        "entities.html",
        query=query,
        kind=kind,
        types=list(EntityType),
        count=len(found),
        lines=_lines(visit, registry, page.rows),
        former=urlencode({**asked, "page": page.former}) if page.former else "",
        following=urlencode({**asked, "page": page.following}) if page.following else "",
        suggested=urlencode({"name": query, "type": kind or ""}),
    )


def _lines(visit: Visit, registry: Registry, entities: Sequence[Entity]) -> list[Line]:
    counts = visit.house.browsing.counts_about([one.id for one in entities], visit.house.clock.now())
    return [Line(one, registry.level(one.id), _merged(registry, one.id), counts[one.id]) for one in entities]


def _merged(registry: Registry, entity: EntityId) -> tuple[Entity, ...]:
    """What was merged into an entity, at first or second hand, by name."""
    group = (registry.entities[member] for member in registry.group(entity) if member in registry.entities)
    return tuple(by_name(one for one in group if one.id != registry.canonical(entity)))


def new(visit: Visit) -> Response:
    """The form that registers one; a link may fill it."""
    default = {kind: visit.house.parameters.entity_level(kind, owner=False) for kind in EntityType}
    return visit.page(
        "entity_new.html",
        name=visit.field("name") or visit.query("name"),
        kind=visit.field("type") or visit.query("type"),
        aliases=visit.field("aliases"),
        level=visit.field("level"),
        types=list(EntityType),
        levels=list(Level),
        default=default,
    )


def register(visit: Visit) -> Response:
    """Register one."""
    name = visit.field("name")
    payload = {
        "name": name,
        "type": visit.field("type"),
        "aliases": [alias.strip() for alias in visit.field("aliases").splitlines() if alias.strip()] or None,
        "level": visit.field("level") or None,
    }
    return visit.direct(
        Verb.REGISTER, payload, then=f"/entities?{urlencode({'q': name})}", done="entity_registered"
    )


def entity(visit: Visit) -> Response:
    """One of them, and all that can be done with it.

    Raises:
        PageUnknown: there is none of this id.
    """
    registry = visit.house.reader.registry()
    one = _known(visit, registry)
    canonical = registry.entities[registry.canonical(one.id)]
    after = MemoryId(visit.query("after")) if visit.query("after") else None
    edges = visit.house.reader.edges_of([canonical.id], level=Level.S3, after=after, limit=RELATIONS_PAGE + 1)
    apart = (registry.entities[other] for other in one.never_merge if other in registry.entities)
    return visit.page(
        "entity.html",
        one=one,
        canonical=canonical,
        level=registry.level(one.id),
        names=registry.names(one.id),
        merged=_merged(registry, one.id) if one.merged_into is None else (),
        into=None if one.merged_into is None else registry.entities[one.merged_into],
        apart=by_name(apart),
        count=visit.house.browsing.counts_about([canonical.id], visit.house.clock.now())[canonical.id],
        relations=_relations(visit, registry, edges[:RELATIONS_PAGE]),
        following=edges[RELATIONS_PAGE - 1].memory if len(edges) > RELATIONS_PAGE else "",
        levels=list(Level),
        alias=visit.field("alias"),
    )


def _relations(visit: Visit, registry: Registry, edges: list[Edge]) -> list[Relation]:
    return [
        Relation(
            registry.entities[edge.source],
            predicate(edge.type, visit.language),
            registry.entities[edge.target],
            edge.memory,
        )
        for edge in edges
        if edge.source in registry.entities and edge.target in registry.entities
    ]


def _known(visit: Visit, registry: Registry) -> Entity:
    found = registry.entities.get(EntityId(visit.path("id")))
    if found is None:
        raise PageUnknown
    return found


def _page_of(visit: Visit) -> str:
    return f"/entities/{visit.path('id')}"


def add_alias(visit: Visit) -> Response:
    """Give it another name."""
    payload = {"entity": visit.path("id"), "alias": visit.field("alias")}
    return visit.direct(Verb.ALIAS, payload, then=_page_of(visit), done="entity_alias")


def change_level(visit: Visit) -> Response:
    """Give it another level: a registration of the same name and type changes nothing else."""
    one = _known(visit, visit.house.reader.registry())
    payload = {"name": one.name, "type": one.type.value, "level": visit.field("level")}
    return visit.direct(Verb.REGISTER, payload, then=_page_of(visit), done="entity_level")


def unmerge(visit: Visit) -> Response:
    """Make it one of its own again."""
    return visit.direct(
        Verb.UNMERGE, {"entity": visit.path("id")}, then=_page_of(visit), done="entity_unmerged"
    )


def keep_apart(visit: Visit) -> Response:
    """Forbid that it is ever merged with another."""
    payload = {"entity": visit.path("id"), "other": visit.field("other")}
    return visit.direct(Verb.NEVER_MERGE, payload, then=_page_of(visit), done="entity_apart")


def merging(visit: Visit) -> Response:
    """Choose what it is the same as; then see, before anything happens, what the merge will do.

    Raises:
        PageUnknown: there is none of this id.
    """
    registry = visit.house.reader.registry()
    one = _known(visit, registry)
    asked = visit.field("other") or visit.query("with").strip()
    found = (
        [other for other in registry.named(asked) if other.id != registry.canonical(one.id)] if asked else []
    )
    other = found[0] if len(found) == 1 else None
    pair = [one] if other is None else [one, other]
    counts = visit.house.browsing.counts_about([each.id for each in pair], visit.house.clock.now())
    return visit.page(
        "entity_merge.html",
        one=one,
        asked=asked,
        second=other,
        candidates=found if other is None else [],
        suggestions=[] if asked else _alike(registry, one),
        pair=[
            Line(each, registry.level(each.id), _merged(registry, each.id), counts[each.id]) for each in pair
        ],
        level=max(registry.level(each.id) for each in pair),
        is_barred=other is not None and _is_barred(registry, one, other),
        is_merged=one.merged_into is not None,
    )


def _is_barred(registry: Registry, one: Entity, other: Entity) -> bool:
    theirs = set(registry.group(other.id))
    return any(
        theirs.intersection(registry.entities[member].never_merge) for member in registry.group(one.id)
    )


def _alike(registry: Registry, one: Entity) -> list[Entity]:
    """Entities that share a word of their names with one: what may be the same."""
    words = {word for name in registry.names(one.id) for word in fold(name).split()}
    return [
        other
        for other in by_name(registry.entities.values())
        if other.merged_into is None
        and other.id != registry.canonical(one.id)
        and not _is_barred(registry, one, other)
        and words.intersection(word for name in registry.names(other.id) for word in fold(name).split())
    ][:_SUGGESTED_MAX]


def merge(visit: Visit) -> Response:
    """Merge two, under the name of the one that is kept.

    Raises:
        EntityUnknown, EntityAmbiguous: the other is not one entity.
        MissingArgument: it was not said which is kept.
    """
    registry = visit.house.reader.registry()
    one = _known(visit, registry)
    others = registry.named(visit.field("other"))
    if len(others) != 1:
        raise (
            EntityAmbiguous(field="other", candidates=_named(others))
            if others
            else EntityUnknown(field="other")
        )
    pair: Mapping[str, EntityId] = {"this": one.id, "other": others[0].id}
    kept = visit.field("keep")
    if kept not in pair:
        raise MissingArgument(field="keep")
    gone = pair["other" if kept == "this" else "this"]
    payload = {"entity": gone, "into": pair[kept]}
    return visit.direct(Verb.MERGE, payload, then=f"/entities/{pair[kept]}", done="entity_merged")


def _named(entities: tuple[Entity, ...]) -> list[dict[str, str]]:
    return [{"id": one.id, "name": one.name} for one in entities]


PAGES = (
    Page("/entities", get=entities),
    Page("/entities/new", get=new, post=register, keeps=True),
    Page("/entities/{id}", get=entity),
    Page("/entities/{id}/alias", get=entity, post=add_alias, keeps=True),
    Page("/entities/{id}/level", get=entity, post=change_level, keeps=True),
    Page("/entities/{id}/unmerge", get=entity, post=unmerge),
    Page("/entities/{id}/apart", get=merging, post=keep_apart, keeps=True),
    Page("/entities/{id}/merge", get=merging, post=merge, keeps=True),
)
