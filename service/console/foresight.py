"""How a statement would be recorded, as the rules read it: shown before the owner decides. The curator decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from policies import moments
from policies.bitemporal import HAPPENED
from policies.errors import MnemoError
from policies.language.analysis import analyse
from policies.language.findings import Health
from policies.terms import Discretion, EntityId, Instant, Kind, Level, Moment, Proposal
from service.console.house import House


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What the rules find in a statement, with what was passed along."""

    kind: Kind
    level: Level
    """At least this one: what it names may raise it."""
    domains: tuple[str, ...]
    discretion: Discretion
    anchors: tuple[EntityId, ...]
    valid_from: Moment | None
    valid_to: Moment | None
    is_health: bool
    """Whether it speaks of somebody's health, or may."""
    is_quoted: bool
    """Whether the owner's words that came along carry it."""

    def at_least(self, level: Level, discretion: str = "") -> Foreseen:
        """The same, with what the owner asks for beside."""
        asked = Discretion(discretion) if discretion in set(Discretion) else Discretion.OPEN
        strictest = max(self.discretion, asked, key=lambda one: one.rank)
        return replace(self, level=max(self.level, level), discretion=strictest)


def foreseen(
    house: House,
    statement: str,
    *,
    said_at: Instant,
    words: str | None = None,
    about: Iterable[str] = (),
    domains: Iterable[str] = (),
    beside: Iterable[str] = (),
    kind: str = "",
    valid_from: str = "",
    valid_to: str = "",
) -> Foreseen:
    """What the rules make of a statement today; arguments as they are passed to ``declare`` or proposed."""
    registry, zone, parameters = house.reader.registry(), house.settings.zone, house.parameters
    known = [one for one in domains if one in parameters.domains]
    found = analyse(
        statement, said_at=said_at, zone=zone, registry=registry, words=words, domains=known, also=beside
    )
    passed = (registry.named(name) for name in about)
    anchors = {*found.anchors, *(entities[0].id for entities in passed if len(entities) == 1)}
    if not anchors and not found.domains and registry.owner is not None:
        anchors = {registry.owner.id}
    levels = (registry.level(anchor) for anchor in anchors)
    told = Kind(kind) if kind in set(Kind) else found.kind
    begins = found.valid_from or (found.event_at if told in HAPPENED else None)
    return Foreseen(
        kind=told,
        level=max(parameters.placed_level(found.level, found.domains), found.beside.level, *levels),
        domains=found.domains,
        discretion=max(found.discretion, found.beside.discretion, key=lambda one: one.rank),
        anchors=tuple(sorted(anchors)),
        valid_from=passed_moment(valid_from, house, ends=False) or begins,
        valid_to=passed_moment(valid_to, house, ends=True) or found.valid_to,
        is_health=found.health is not Health.NONE,
        is_quoted=found.quoted,
    )


def foreseen_of(house: House, proposal: Proposal) -> Foreseen | None:
    """What the rules make of what is proposed, or was declared; None where it asserts nothing."""
    payload = proposal.payload
    statement = payload.get("statement") or payload.get("text")
    if not isinstance(statement, str):
        return None
    said_at = passed_moment(str(payload.get("said_at") or ""), house, ends=False)

    def texts(name: str) -> list[str]:
        return [str(one) for one in cast("list[object]", payload.get(name) or [])]

    return foreseen(
        house,
        statement,
        said_at=said_at.at if said_at else proposal.submitted_at,
        words=str(payload["words"]) if payload.get("words") else None,
        about=texts("anchors"),
        domains=texts("domains"),
        beside=[*texts("tags"), *_told(payload, "event"), *_told(payload.get("relation"), "predicate")],
        kind=str(payload.get("kind") or ""),
        valid_from=str(payload.get("valid_from") or ""),
        valid_to=str(payload.get("valid_to") or ""),
    )


def _told(given: object, name: str) -> list[str]:
    """The text that an argument has under a name, if it is told."""
    text = cast("Mapping[str, object]", given).get(name) if isinstance(given, Mapping) else None
    return [str(text)] if text else []


def passed_moment(given: str, house: House, *, ends: bool) -> Moment | None:
    """A date that was passed, an exclusive end if it ends something; None for one that cannot be read.

    What cannot be read is no fault here: submitting it says so.
    """
    if not given:
        return None
    read = moments.parse_end if ends else moments.parse_start
    try:
        return read(given, house.settings.zone)
    except MnemoError:
        return None
