"""One call of reading: whose view it is, where the ledger stands, what the view may know of the registry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from policies import moments
from policies.bitemporal import AsOf
from policies.errors import (
    DomainUnknown,
    EntityAmbiguous,
    EntityUnknown,
    InvalidArgument,
    ScopeForbids,
)
from policies.language.names import MentionStatus, mentions
from policies.parameters import Parameters
from policies.registry import Registry
from policies.terms import EntityId, Instant, Kind, View
from service.reading.index import Filters, Indexes, Snapshot
from service.reading.items import Shown
from service.reading.source import Source


@dataclass(frozen=True, slots=True)
class About:
    """What ``about`` names: entities and domains of the view."""

    entities: frozenset[EntityId] = frozenset()
    domains: frozenset[str] = frozenset()

    @property
    def group(self) -> tuple[str, ...]:
        """All of it, as a filter takes it."""
        return (*sorted(self.entities), *sorted(self.domains))


@dataclass(frozen=True, slots=True)
class Call:
    """What every answer needs to know. Made anew for each call."""

    view: View
    registry: Registry
    """As if what is above the view had never been registered."""
    source: Source
    indexes: Indexes
    parameters: Parameters
    zone: ZoneInfo
    now: Instant
    seq: int
    """Where the ledger stands."""
    last_try: bool
    """Whether what has changed under the call is left out rather than answered anew."""

    def snapshot(self, as_of: AsOf) -> Snapshot:
        """The view's index, or for a question about what was known, that of all that was ever believed."""
        index = self.indexes.believed if as_of.known_before is None else self.indexes.history
        return index(self.view).snapshot(self.seq)

    def shown(self, as_of: AsOf) -> Shown:
        """How to show things to this view."""
        return Shown(self.view, self.registry, self.zone, as_of)

    def as_of(self, valid_at: str | None, known_at: str | None, now: Instant | None = None) -> AsOf:
        """The moment that a question is asked about.

        Args:
            valid_at: a date, partial or not.
            known_at: likewise; its end counts.
            now: when the first page was asked for, if this is a later one.

        Raises:
            ScopeForbids: ``known_at`` from a scope that may not look back.
            NaiveDateTime: a date-time without its offset.
            InvalidDate: not a date.
        """
        if known_at is not None and not self.view.looks_back:
            raise ScopeForbids(field="known_at")
        valid = None if valid_at is None else moments.parse(valid_at, self.zone, field="valid_at").period
        known = None if known_at is None else moments.parse(known_at, self.zone, field="known_at").period.end
        return AsOf(now=self.now if now is None else now, valid_at=valid, known_before=known)

    def domain(self, domain: str, *, field: str = "domains") -> str:
        """A domain that the view may know of.

        Raises:
            DomainUnknown: there is none, or the grant is limited to others.
        """
        if domain not in self.parameters.domains or not self._has_domain(domain):
            raise DomainUnknown(field=field, domain=domain)
        return domain

    def entity(self, name: str, *, field: str) -> EntityId:
        """The entity that an id, a name or an alias means to the view.

        Raises:
            EntityUnknown: none in view answers to it.
            EntityAmbiguous: several do.
        """
        found = [entity.id for entity in self.registry.named(name)] or self._named_in_part(name)
        if not found:
            raise EntityUnknown(field=field)
        if len(found) > 1:
            names = self.shown(AsOf(self.now)).entities(found)
            raise EntityAmbiguous(field=field, candidates=names)
        return found[0]

    def about(self, values: Iterable[str]) -> About:
        """What ``about`` names. What is a domain's id and an entity's name at once means both.

        Raises:
            EntityUnknown: it names neither an entity nor a domain of the view.
            EntityAmbiguous: it names several entities.
        """
        entities, domains = set[EntityId](), set[str]()
        for value in values:
            is_domain = value in self.parameters.domains and self._has_domain(value)
            if is_domain:
                domains.add(value)
            if not is_domain or self.registry.named(value):
                entities.add(self.entity(value, field="about"))
        return About(frozenset(entities), frozenset(domains))

    def _has_domain(self, domain: str) -> bool:
        return self.view.domains is None or domain in self.view.domains

    def _named_in_part(self, name: str) -> list[EntityId]:
        """The entities that the whole of ``name`` is a part of the name of, as in a sentence."""
        wanted = (MentionStatus.RESOLVED, MentionStatus.AMBIGUOUS)
        found = [one for one in mentions(name, self.registry) if one.status in wanted and one.surface]
        whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(name))
        return list(found[0].candidates) if whole else []


def kinds(values: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds of some names.

    Raises:
        InvalidArgument: there is no such kind.
    """
    try:
        return tuple(Kind(value) for value in values)
    except ValueError as error:
        raise InvalidArgument(field="kinds", problem="unknown") from error


def bounds(as_of: AsOf) -> tuple[Filters, Filters]:
    """What a moment makes of the filters: that of record time, and that of valid time."""
    known = as_of.known_before
    record = Filters() if known is None else Filters(recorded_before=known, believed_after=known - 1)
    if as_of.valid_at is None:
        return record, Filters(closes_after=as_of.present)
    return record, Filters(closes_after=as_of.valid_at.start, opens_before=as_of.valid_at.end)
