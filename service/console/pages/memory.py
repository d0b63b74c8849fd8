"""One memory: all that qualifies it, in words; where it comes from; and its whole chain as a history."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from cypher.browsing import Reclassified
from policies.bitemporal import AsOf, follower
from policies.errors import PageUnknown
from policies.terms import Instant, Kind, Level, Memory, MemoryId, Status, Version
from service.console.filters import domain_label
from service.console.site import Page
from service.console.telling import Named, Telling, Told, predicate
from service.console.timeline import timeline
from service.console.visit import Visit

OWNER = "owner"
"""The speaker of evidence that is the owner's own words."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a chain's history: a version that was recorded, or a reclassification."""

    at: Instant
    told: Told | None = None
    """The version that was recorded."""
    reclassified: Reclassified | None = None


@dataclass(frozen=True, slots=True)
class Floor:
    """Why a memory's level is what it is: something that it may not be below."""

    named: str
    level: Level


def memory(visit: Visit) -> Response:
    """The page of one memory.

    Raises:
        PageUnknown: there is none of this id.
        InvalidDate, NaiveDateTime: what the page is asked as of is no date.
    """
    house = visit.house
    identifier = MemoryId(visit.path("id"))
    chain = house.reader.chain_of(identifier)
    if not chain:
        raise PageUnknown
    moment = timeline(visit, house.browsing.extent(house.reader.head().seq))
    telling = Telling(visit, moment.as_of)
    versions = {version.memory.id: telling.told(version) for version in chain}
    this = versions[identifier]
    today = Telling(visit, AsOf(house.clock.now())).told(this.version)
    reclassified = house.browsing.reclassifications(list(versions))
    relation = this.memory.relation
    return visit.page(
        "memory.html",
        this=this,
        today=today,
        now=_now(chain, versions, this),
        follower=_follower(chain, versions, this),
        moment=moment,
        then=[one for one in versions.values() if one.is_visible],
        steps=_history(versions, reclassified),
        floors=_floors(this.memory, telling, visit),
        is_reclassified=any(identifier in one.memories for one in reclassified),
        domains=[(domain, domain_label(visit, domain)) for domain in this.memory.domains],
        pictured=_pictured(this, telling),
        relation=None if relation is None else _relation(this.memory, telling, visit),
        put_back=_put_back(today, _now(chain, versions, this)),
        can_act=today.status not in (Status.SUPERSEDED, Status.RETRACTED, Status.ERASED)
        and this.memory.kind is not Kind.RETRACTION,
    )


def _now(chain: list[Version], versions: dict[MemoryId, Told], this: Told) -> Told | None:
    """What is believed today in place of a version that is not; None if nothing is, or it is itself."""
    following = this.version
    while following.state.superseded_at is not None:
        later = follower(chain, following.memory.id)
        if later is None:
            return None
        following = later
    is_other = following.memory.id != this.id and following.memory.kind is not Kind.RETRACTION
    return versions[following.memory.id] if is_other else None


def _put_back(today: Told, now: Told | None) -> str:
    """The page where the owner undoes what was done to a version; empty where nothing was that they could undo."""
    memory = today.memory
    undone = today.status in (Status.RETRACTED, Status.SUPERSEDED)
    if not undone or not memory.text or memory.kind in (Kind.RETRACTION, Kind.CLOSURE):
        return ""
    # To correct what was closed leaves it closed: it is true again by a declaration.
    corrects = now is not None and now.memory.kind is not Kind.CLOSURE
    return f"{now.path}/correct?from={memory.id}" if now and corrects else f"/declare?from={memory.root}"


def _follower(chain: list[Version], versions: dict[MemoryId, Told], this: Told) -> Told | None:
    """What took the place of a version, or succeeded it."""
    following = follower(chain, this.id)
    return None if following is None else versions[following.memory.id]


def _history(versions: dict[MemoryId, Told], reclassified: list[Reclassified]) -> list[Step]:
    """Everything that happened to a chain, oldest first."""
    steps = [Step(told.memory.recorded_at, told=told) for told in versions.values()]
    steps += [Step(one.recorded_at, reclassified=one) for one in reclassified]
    return sorted(steps, key=lambda step: step.at)


def _floors(memory: Memory, telling: Telling, visit: Visit) -> list[Floor]:
    """What a memory's level may not be below: its domains' floors and its entities' levels, above S0."""
    parameters = visit.house.parameters
    domains = [
        Floor(domain_label(visit, domain), found.floor)
        for domain in memory.domains
        if (found := parameters.domains.get(domain)) is not None
    ]
    entities = [
        Floor(telling.named(anchor).name, telling.registry.level(anchor)) for anchor in memory.anchors
    ]
    return [floor for floor in (*domains, *entities) if floor.level > Level.S0]


def _pictured(this: Told, telling: Telling) -> Named | None:
    """What to show the memory's surroundings of: whom it is about besides the owner, whom everything is about."""
    owner = telling.registry.owner
    others = [anchor for anchor in this.anchors if owner is None or anchor.id != owner.id]
    return next(iter((*others, *this.anchors)), None)


def _relation(memory: Memory, telling: Telling, visit: Visit) -> tuple[Named, str, Named] | None:
    """The relation that a memory asserts: from whom, in words, to whom."""
    relation = memory.relation
    if relation is None:
        return None
    return (
        telling.named(relation.subject),
        predicate(relation.predicate, visit.language),
        telling.named(relation.object),
    )


PAGES = (Page("/memories/{id}", get=memory),)
