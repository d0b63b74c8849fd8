"""How memories and entities are told on a page: every qualification in words, in the owner's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from policies import bitemporal
from policies.bitemporal import HAPPENED, AsOf
from policies.folding import fold
from policies.language import lexicon
from policies.registry import Registry
from policies.terms import (
    Entity,
    EntityId,
    GrantId,
    Instant,
    Kind,
    Memory,
    MemoryId,
    Moment,
    Precision,
    Status,
    Version,
)
from service.console.strings import Strings
from service.console.visit import Visit
from service.grants import CLI_GRANT

_PERIODS = {
    Precision.YEAR: "month",
    Precision.MONTH: "month",
    Precision.DAY: "day",
    Precision.INSTANT: "instant",
}


@dataclass(frozen=True)
class Named:
    """An entity as a page links to it."""

    id: EntityId
    name: str


@dataclass(frozen=True)
class Told:
    """One version, as a page tells it, as of a moment."""

    version: Version
    status: Status
    is_known: bool
    """Whether it was recorded by then."""
    is_visible: bool
    """Whether a question of that moment finds it."""
    anchors: tuple[Named, ...]
    when: str
    """When it is true, in words; empty where nothing tells."""
    proposer: str
    """Name of the assistant that proposed it; empty for the owner."""

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.version.memory

    @property
    def id(self) -> MemoryId:
        """Its id."""
        return self.version.memory.id

    @property
    def path(self) -> str:
        """Its page."""
        return f"/memories/{self.version.memory.id}"


class Telling:
    """Tells the versions of one page."""

    def __init__(self, visit: Visit, as_of: AsOf) -> None:
        """Tell in the visitor's language, as of a moment."""
        self._visit = visit
        self._as_of = as_of
        self.registry: Registry = visit.house.reader.registry()

    def told(self, version: Version) -> Told:
        """One version."""
        memory, known = version.memory, self._as_of.known_before
        return Told(
            version=version,
            status=bitemporal.status(version, self._as_of),
            is_known=known is None or memory.recorded_at < known,
            is_visible=bitemporal.is_visible(version, self._as_of),
            anchors=tuple(self.named(anchor) for anchor in version.state.anchors),
            when=when(memory, self._visit.t),
            proposer="" if memory.proposed_by is None else self.tool(memory.proposed_by),
        )

    def named(self, entity: EntityId) -> Named:
        """An entity by the name that it bears today."""
        found = self.registry.entity(entity)
        return Named(entity, entity if found is None else found.name)

    def tool(self, grant: GrantId) -> str:
        """What the owner called an assistant, or calls it."""
        return self._tools.get(grant, grant)

    @cached_property
    def _tools(self) -> Mapping[GrantId, str]:
        return {CLI_GRANT.id: CLI_GRANT.name} | {one.id: one.name for one in self._visit.house.grants.ever()}


def when(memory: Memory, t: Strings) -> str:
    """When an assertion is true, in words: ``since March 2021, until 30 June 2024``; empty where nothing tells."""
    return when_true(memory.kind, memory.valid_from, memory.valid_to, t)


def when_true(kind: Kind, begins: Moment | None, ends: Moment | None, t: Strings) -> str:
    """The same of what is not recorded yet."""
    if begins is not None and kind in HAPPENED:
        return t(f"memories.on_{_PERIODS[begins.precision]}", date=t.moment(begins))
    told: list[str] = []
    if begins is not None:
        told.append(t(f"memories.since_{_PERIODS[begins.precision]}", date=t.moment(begins)))
    if ends is not None:
        told.append(t(f"memories.until_{_PERIODS[ends.precision]}", date=t.moment(_last(ends))))
    return ", ".join(told)


def predicate(name: str, language: str) -> str:
    """A predicate as it reads between two names: ``works for``."""
    known: Mapping[str, Mapping[str, str]] = lexicon.load("relations")
    return known[name][language] if name in known else name.replace("_", " ")


def by_name(entities: Iterable[Entity]) -> list[Entity]:
    """Entities in the order of their names."""
    return sorted(entities, key=lambda entity: (fold(entity.name), entity.id))


def _last(ends: Moment) -> Moment:
    """The last day (month, year) that is within an exclusive end."""
    if ends.precision is Precision.INSTANT:
        return ends
    return Moment(Instant(ends.at - 1), ends.precision)
