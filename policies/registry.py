"""The owner's list of entities, folded from the registry entries of the ledger (G11).

Merges are reversible: a merged entity keeps its own line and points at another; the last of such a line, the
*canonical* entity, answers for the whole group, whose level is the highest of its members'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from policies.decision import RegistryChange, RegistryOp
from policies.errors import DirectiveRefused
from policies.folding import fold
from policies.parameters import Parameters
from policies.terms import Entity, EntityId, Level


@dataclass(frozen=True)
class Registry:
    """The registry as of its last entry. Immutable; ``apply`` gives the next one."""

    parameters: Parameters
    entities: Mapping[EntityId, Entity] = field(default_factory=dict[EntityId, Entity])
    """Every registered entity by id, the merged ones included, in the order of registration."""
    touched: Mapping[EntityId, int] = field(default_factory=dict[EntityId, int])
    """By entity: sequence of the last entry that may have changed its level or what it is merged into."""
    seq: int = 0
    """Sequence of the last registry entry; 0 without any."""

    @cached_property
    def owner(self) -> Entity | None:
        """The owner's own entity."""
        return next((entity for entity in self.entities.values() if entity.owner), None)

    def canonical(self, entity: EntityId) -> EntityId:
        """The entity that answers for this one after merges; itself when it is unknown or not merged."""
        return _canonical(self.entities, entity)

    def entity(self, entity: EntityId) -> Entity | None:
        """The canonical entity of an id, None for an unknown one."""
        return self.entities.get(self.canonical(entity))

    def group(self, entity: EntityId) -> tuple[EntityId, ...]:
        """Every entity that shares this one's canonical entity, itself included, sorted."""
        return self._groups.get(self.canonical(entity), (entity,))

    def level(self, entity: EntityId) -> Level:
        """The level of an entity's group today; S3 for an unknown one, so that nothing leaks by mistake."""
        levels = (self.entities[member].level for member in self.group(entity) if member in self.entities)
        return max(levels, default=Level.S3)

    def names(self, entity: EntityId) -> tuple[str, ...]:
        """Every name and alias of an entity's group, the canonical name first."""
        canonical = self.canonical(entity)
        members = sorted(self.group(entity), key=lambda member: (member != canonical, member))
        known = (self.entities[member] for member in members if member in self.entities)
        return tuple(dict.fromkeys(name for one in known for name in (one.name, *one.aliases)))

    def all_names(self) -> Iterator[tuple[str, EntityId]]:
        """Every name and alias with the canonical entity that answers to it, in the order of registration."""
        for entity in self.entities.values():
            for name in (entity.name, *entity.aliases):
                yield name, self.canonical(entity.id)

    def named(self, name: str, *, level: Level = Level.S3) -> tuple[Entity, ...]:
        """The canonical entities that answer to a name or alias (compared folded), sorted by id.

        Args:
            name: as given; also an ``ent:`` id.
            level: entities above it are as if they were not registered.
        """
        found = {self.canonical(EntityId(name))} if EntityId(name) in self.entities else set[EntityId]()
        found |= self._by_name.get(fold(name), frozenset())
        return tuple(self.entities[entity] for entity in sorted(found) if self.level(entity) <= level)

    def within(self, level: Level) -> Registry:
        """The registry as a tool of this level knows it: what is above is as if it were not registered."""
        seen = {entity.id: entity for entity in self.entities.values() if self.level(entity.id) <= level}
        return self if len(seen) == len(self.entities) else replace(self, entities=seen)

    def apply(self, change: RegistryChange, seq: int) -> Registry:
        """The registry after one more entry.

        Raises:
            DirectiveRefused: the change breaks a rule of the registry; ``details['problem']`` says which.
        """
        return registry_of(self.parameters, [(seq, change)], after=self)

    def touched_at(self, seq: int) -> tuple[EntityId, ...]:
        """The entities that this entry touched, sorted: chains anchored on them are projected anew."""
        return tuple(sorted(entity for entity, last in self.touched.items() if last == seq))

    @cached_property
    def _groups(self) -> dict[EntityId, tuple[EntityId, ...]]:
        groups: dict[EntityId, list[EntityId]] = {}
        for entity in self.entities:
            groups.setdefault(self.canonical(entity), []).append(entity)
        return {canonical: tuple(sorted(members)) for canonical, members in groups.items()}

    @cached_property
    def _by_name(self) -> dict[str, frozenset[EntityId]]:
        index: dict[str, frozenset[EntityId]] = {}
        for name, entity in self.all_names():
            index[fold(name)] = index.get(fold(name), frozenset()) | {entity}
        return index


def registry_of(
    parameters: Parameters, changes: Iterable[tuple[int, RegistryChange]], *, after: Registry | None = None
) -> Registry:
    """The registry that these entries (sequence, change), in order, make of the one they come after.

    Raises:
        DirectiveRefused: a change breaks a rule of the registry; ``details['problem']`` says which.
    """
    before = after or Registry(parameters)
    draft = _Draft(parameters, dict(before.entities), dict(before.touched), before.seq)
    for seq, change in changes:
        draft.apply(change, seq)
    return Registry(parameters, draft.entities, draft.touched, draft.seq)


@dataclass
class _Draft:
    """A registry being folded."""

    parameters: Parameters
    entities: dict[EntityId, Entity]
    touched: dict[EntityId, int]
    seq: int

    def apply(self, change: RegistryChange, seq: int) -> None:
        if change.op is RegistryOp.REGISTER:
            self._register(change, seq)
            self.touched[change.entity] = seq
        else:
            entity = self._known(change.entity)
            if change.op is RegistryOp.ALIAS:
                self._alias(entity, change)
            elif change.op is RegistryOp.LEVEL:
                self._level(entity, change)
            elif change.op is RegistryOp.MERGE:
                self._merge(entity, self._known(change.other))
            elif change.op is RegistryOp.UNMERGE:
                self._touch(entity.id, seq)
                self._unmerge(entity)
            else:
                self._never_merge(entity, self._known(change.other))
        if change.op in (RegistryOp.LEVEL, RegistryOp.MERGE, RegistryOp.UNMERGE):
            self._touch(change.entity, seq)
        self.seq = seq

    def _known(self, entity: EntityId | None) -> Entity:
        if entity is None or entity not in self.entities:
            raise DirectiveRefused(problem="entity.unknown")
        return self.entities[entity]

    def _register(self, change: RegistryChange, seq: int) -> None:
        if change.entity in self.entities:
            raise DirectiveRefused(problem="entity.registered")
        if change.name is None or not fold(change.name) or change.type is None:
            raise DirectiveRefused(problem="entity.incomplete")
        if change.owner and any(entity.owner for entity in self.entities.values()):
            raise DirectiveRefused(problem="entity.second_owner")
        default = self.parameters.entity_level(change.type, owner=change.owner)
        self.entities[change.entity] = Entity(
            id=change.entity,
            name=change.name,
            type=change.type,
            level=default if change.level is None else change.level,
            aliases=_distinct((), change.aliases, change.name),
            owner=change.owner,
            registered_seq=seq,
        )

    def _alias(self, entity: Entity, change: RegistryChange) -> None:
        aliases = _distinct(entity.aliases, change.aliases, entity.name)
        self.entities[entity.id] = replace(entity, aliases=aliases)

    def _level(self, entity: Entity, change: RegistryChange) -> None:
        if change.level is None:
            raise DirectiveRefused(problem="entity.incomplete")
        self.entities[entity.id] = replace(entity, level=change.level)

    def _merge(self, entity: Entity, into: Entity) -> None:
        if entity.merged_into is not None:
            raise DirectiveRefused(problem="merge.already")
        if entity.owner:
            raise DirectiveRefused(problem="merge.owner")
        target = _canonical(self.entities, into.id)
        if target == entity.id:
            raise DirectiveRefused(problem="merge.circle")
        ours, theirs = self._group(entity.id), self._group(target)
        if any(other in theirs for member in ours for other in self.entities[member].never_merge):
            raise DirectiveRefused(problem="merge.forbidden")
        self.entities[entity.id] = replace(entity, merged_into=into.id)

    def _unmerge(self, entity: Entity) -> None:
        if entity.merged_into is None:
            raise DirectiveRefused(problem="merge.none")
        self.entities[entity.id] = replace(entity, merged_into=None)

    def _never_merge(self, entity: Entity, other: Entity) -> None:
        if _canonical(self.entities, entity.id) == _canonical(self.entities, other.id):
            raise DirectiveRefused(problem="merge.already")
        for one, two in ((entity, other), (other, entity)):
            barred = tuple(sorted({*one.never_merge, two.id}))
            self.entities[one.id] = replace(one, never_merge=barred)

    def _group(self, entity: EntityId) -> set[EntityId]:
        canonical = _canonical(self.entities, entity)
        return {member for member in self.entities if _canonical(self.entities, member) == canonical}

    def _touch(self, entity: EntityId, seq: int) -> None:
        for member in self._group(entity):
            self.touched[member] = seq


def _canonical(entities: Mapping[EntityId, Entity], entity: EntityId) -> EntityId:
    # Merges never close a circle, so that the line ends.
    while (known := entities.get(entity)) is not None and known.merged_into is not None:
        entity = known.merged_into
    return entity


def _distinct(known: tuple[str, ...], more: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The aliases known and new, without those that fold to one before (or to the name, or to nothing)."""
    seen, kept = {fold(name), ""}, list[str]()
    for alias in (*known, *more):
        if fold(alias) not in seen:
            seen.add(fold(alias))
            kept.append(alias)
    return tuple(kept)
