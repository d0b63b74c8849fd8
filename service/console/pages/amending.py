"""What the owner does to one memory: says that it was wrong or has ended, takes it back, changes who may see it."""

from __future__ import annotations

from starlette.responses import Response

from policies.bitemporal import AsOf
from policies.directives import Verb
from policies.errors import MissingArgument, PageUnknown
from policies.terms import Discretion, Level, MemoryId, Version
from service.console import filters
from service.console.foresight import Foreseen, foreseen
from service.console.pages.declare import is_sensitive
from service.console.site import Page
from service.console.telling import Telling
from service.console.visit import Visit

SUCCESSION = "succession"


def correct(visit: Visit) -> Response:
    """The form that says what is right.

    Raises:
        PageUnknown: there is no such memory.
    """
    return _correcting(visit, None)


def submit_correction(visit: Visit) -> Response:
    """Submit the correction, or what follows what has ended.

    Raises:
        PageUnknown: there is no such memory.
        Refused: the curator did not take it; says why.
        MnemoError: of category ``incorrect``: no text, or a date that is none.
    """
    memory = _version(visit).memory
    statement, succeeds = visit.field("statement"), visit.field("change") == SUCCESSION
    found = foreseen(visit.house, statement, said_at=visit.house.clock.now(), domains=memory.domains)
    if is_sensitive(visit, found):
        return _correcting(visit, found)
    payload = {
        "id": memory.id,
        "statement": statement or None,
        "change": visit.field("change") or None,
        "effective": (visit.field("effective") or None) if succeeds else None,
    }
    done = "succeeded" if succeeds else "corrected"
    return visit.direct(Verb.CORRECT, payload, then="/memories/{memory}", done=done)


def _correcting(visit: Visit, warned: Foreseen | None) -> Response:
    version = _version(visit)
    return visit.page(
        "memory_correct.html",
        this=_told(visit, version),
        statement=visit.field("statement") or _former(visit) or version.memory.text,
        change=visit.field("change") or "correction",
        effective=visit.field("effective"),
        warned=warned,
        has_passkey=bool(visit.house.reader.passkeys().living),
        domains=filters.domains(visit),
        characters_max=visit.house.parameters.limits.statement_characters,
    )


def _former(visit: Visit) -> str:
    """The text of the version that is to be put back, where the form was come to from there."""
    former = MemoryId(visit.query("from"))
    found = visit.house.reader.versions([former]).get(former) if former else None
    return "" if found is None else found.memory.text


def retract(visit: Visit) -> Response:
    """The form that takes a memory back.

    Raises:
        PageUnknown: there is no such memory.
    """
    return visit.page("memory_retract.html", this=_told(visit, _version(visit)))


def submit_retraction(visit: Visit) -> Response:
    """Submit the retraction.

    Raises:
        PageUnknown: there is no such memory.
        Refused: the curator did not take it; says why.
    """
    memory = _version(visit).memory
    payload = {"id": memory.id, "reason": visit.field("reason") or None}
    return visit.direct(Verb.RETRACT, payload, then=f"/memories/{memory.id}", done="retracted")


def reclassify(visit: Visit) -> Response:
    """The form that changes a memory's level and discretion.

    Raises:
        PageUnknown: there is no such memory.
    """
    version = _version(visit)
    floor = _floor(visit, version)
    return visit.page(
        "memory_reclassify.html",
        this=_told(visit, version),
        state=version.state,
        levels=[one for one in Level if one >= floor],
        discretions=list(Discretion),
        level=visit.field("level") or version.state.level.name,
        discretion=visit.field("discretion") or version.state.discretion.value,
        floor=floor,
        has_passkey=bool(visit.house.reader.passkeys().living),
    )


def submit_reclassification(visit: Visit) -> Response:
    """Submit what has changed of the two.

    Raises:
        PageUnknown: there is no such memory.
        MissingArgument: nothing has.
        Refused: the curator did not take it; says why.
    """
    version = _version(visit)
    level, discretion = visit.field("level"), visit.field("discretion")
    payload = {
        "memory": version.memory.id,
        "level": None if level == version.state.level.name else level or None,
        "discretion": None if discretion == version.state.discretion else discretion or None,
    }
    if payload["level"] is None and payload["discretion"] is None:
        raise MissingArgument(field="level")
    return visit.direct(Verb.RECLASSIFY, payload, then=f"/memories/{version.memory.id}", done="reclassified")


def _version(visit: Visit) -> Version:
    memory = MemoryId(visit.path("id"))
    found = visit.house.reader.versions([memory]).get(memory)
    if found is None:
        raise PageUnknown
    return found


def _floor(visit: Visit, version: Version) -> Level:
    """What a memory's level is never below: its domains' floors and its entities' levels."""
    registry = visit.house.reader.registry()
    anchors = (registry.level(anchor) for anchor in version.state.anchors)
    return max(visit.house.parameters.floor(version.memory.domains), *anchors, Level.S0)


def _told(visit: Visit, version: Version) -> object:
    return Telling(visit, AsOf(visit.house.clock.now())).told(version)


PAGES = (
    Page("/memories/{id}/correct", get=correct, post=submit_correction, keeps=True),
    Page("/memories/{id}/retract", get=retract, post=submit_retraction, keeps=True),
    Page("/memories/{id}/reclassify", get=reclassify, post=submit_reclassification, keeps=True),
)
