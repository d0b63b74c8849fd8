"""What a proposal or a directive says of a memory, read from its payload into typed arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast
from zoneinfo import ZoneInfo

from policies import moments
from policies.directives import Verb
from policies.errors import InvariantBroken
from policies.terms import Discretion, Instant, Kind, Level, MemoryId, Moment, Proposal

Change = Literal["correction", "succession"]


@dataclass(frozen=True, slots=True)
class Named:
    """A relation as it was passed: subject and object by name or id."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Arguments:
    """Every argument that ``remember``, ``correct``, ``retract`` and ``declare`` may carry."""

    statement: str
    said_at: Instant
    """When it was said; the receipt where the proposer does not tell."""
    words: str | None = None
    said_at_given: bool = False
    anchors: tuple[str, ...] = ()
    """By name or id."""
    domains: tuple[str, ...] = ()
    kind: Kind | None = None
    relation: Named | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    event: str | None = None
    tags: tuple[str, ...] = ()
    level: Level | None = None
    discretion: Discretion | None = None
    reason: str | None = None
    target: MemoryId | None = None
    change: Change = "correction"
    effective: Moment | None = None
    """When a succession takes place, where the proposer tells."""

    @property
    def beside(self) -> tuple[str, ...]:
        """Every other text that would be kept with the statement."""
        predicate = self.relation.predicate if self.relation else None
        return tuple(text for text in (*self.tags, self.event, predicate, self.reason) if text)


def read_arguments(proposal: Proposal, zone: ZoneInfo) -> Arguments:
    """The arguments of a proposal whose payload was checked when it was submitted.

    Raises:
        InvalidDate: a date does not parse (a directive's dates are first read here).
        NaiveDateTime: a date-time without its offset.
        IntervalReversed: the interval ends before or when it begins.
    """
    payload = proposal.payload
    given_at = _text(payload, "said_at")
    said_at = moments.parse_said_at(given_at, zone) if given_at else proposal.submitted_at
    valid_from, valid_to, effective = (
        _text(payload, name) for name in ("valid_from", "valid_to", "effective")
    )
    kind, level, discretion, target = (_text(payload, name) for name in ("kind", "level", "discretion", "id"))
    arguments = Arguments(
        statement=_text(payload, "text" if proposal.action == Verb.DECLARE else "statement") or "",
        said_at=said_at,
        words=_text(payload, "words"),
        said_at_given=given_at is not None,
        anchors=_texts(payload, "anchors"),
        domains=_texts(payload, "domains"),
        kind=Kind(kind) if kind else None,
        relation=_relation(payload),
        valid_from=moments.parse_start(valid_from, zone) if valid_from else None,
        valid_to=moments.parse_end(valid_to, zone) if valid_to else None,
        event=_text(payload, "event"),
        tags=_texts(payload, "tags"),
        reason=_text(payload, "reason"),
        level=Level[level] if level else None,
        discretion=Discretion(discretion) if discretion else None,
        target=MemoryId(target) if target else None,
        change=cast("Change", payload.get("change") or "correction"),
        effective=moments.parse_turn(effective, zone) if effective else None,
    )
    moments.check_interval(arguments.valid_from, arguments.valid_to)
    return arguments


def day_moment(at: Instant, zone: ZoneInfo) -> Moment:
    """The beginning of an instant's day in the owner's zone."""
    return moments.parse_start(moments.day_of(at, zone).isoformat(), zone)


def _text(payload: dict[str, object], name: str) -> str | None:
    value = payload.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvariantBroken(f"{name} of a payload is not text")
    return value


def _texts(payload: dict[str, object], name: str) -> tuple[str, ...]:
    return tuple(cast("list[str]", payload.get(name) or []))


def _relation(payload: dict[str, object]) -> Named | None:
    given = cast("dict[str, str] | None", payload.get("relation"))
    return None if given is None else Named(given["subject"], given["predicate"], given["object"])
