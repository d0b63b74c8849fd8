"""The moment that a page is asked about, on both axes, and the two sliders that choose it.

Time is chosen in days of the owner's zone, by a date field or by a slider beside it that a script brings to life.
The axis of valid time begins with the earliest date that a memory tells, that of record time with the ledger's first
entry; both end now, where nothing is chosen. What was recorded within a few days is told apart by minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from cypher.browsing import Extent
from policies import moments
from policies.bitemporal import AsOf
from policies.errors import InvalidDate, NaiveDateTime
from policies.terms import Instant
from service.console.visit import Visit

VALID_AT, KNOWN_AT = "valid_at", "known_at"
_TICKS_MAX = 12
_MONTHS = (1, 3, 6, 12, 24, 60, 120, 600, 1_200)
"""How many months may lie between two ticks."""
_EARLIEST = datetime(1000, 1, 1)  # noqa: DTZ001  (local times, as in policies.moments)
"""What lies before it is no date to slide to."""
_SHORT = timedelta(days=3)
"""An axis of record time that is shorter goes by minutes."""
_DAY, _MINUTE = timedelta(days=1), timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Axis:
    """One slider, from ``first`` to ``last``: days, or minutes. Times are local, as the fields of a form have them."""

    name: str
    given: str
    """What the page was asked about, as it was given: an ISO date, partial or not; empty for now."""
    asked: str
    """The same with its offset, if it is a time: as ``policies.moments.parse`` takes it."""
    unit: str
    """``day`` or ``minute``."""
    value: str
    """What the date field shows."""
    first: str
    last: str
    first_shown: str
    last_shown: str
    shown: str
    """The chosen time in words; empty for now."""
    length: int
    position: int
    ticks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The moment that a page is asked about."""

    as_of: AsOf
    valid: Axis
    known: Axis

    @property
    def is_set(self) -> bool:
        """Whether it is another than today."""
        return bool(self.valid.given or self.known.given)

    @property
    def query(self) -> Mapping[str, str]:
        """What a link carries that keeps the moment."""
        return {axis.name: axis.given for axis in (self.valid, self.known) if axis.given}


def timeline(visit: Visit, extent: Extent) -> Timeline:
    """The moment that a request asks about.

    Raises:
        InvalidDate: it is none.
    """
    house = visit.house
    zone, now = house.settings.zone, house.clock.now()
    valid_at, known_at = (_asked(visit.query(name).strip(), name, zone) for name in (VALID_AT, KNOWN_AT))
    valid = moments.parse(valid_at, zone, field=VALID_AT).period if valid_at else None
    known = moments.parse(known_at, zone, field=KNOWN_AT).period.end if known_at else None
    return Timeline(
        as_of=AsOf(now, valid_at=valid, known_before=known),
        valid=_axis(visit, VALID_AT, valid_at, valid.start if valid else None, extent.valid_from),
        # What was known on a day is what was known at its end.
        known=_axis(visit, KNOWN_AT, known_at, Instant(known - 1) if known else None, extent.recorded_at),
    )


def _asked(text: str, name: str, zone: ZoneInfo) -> str:
    """A date, or a time with its offset: one without is the owner's own, as their date fields send it."""
    try:
        if text:
            moments.parse(text, zone, field=name)
    except NaiveDateTime:
        try:
            return datetime.fromisoformat(text).replace(tzinfo=zone).isoformat(timespec="minutes")
        except ValueError as error:
            raise InvalidDate(field=name) from error
    return text


def _axis(visit: Visit, name: str, asked: str, chosen: Instant | None, first: Instant | None) -> Axis:
    zone, now = visit.house.settings.zone, visit.house.clock.now()
    last = moments.local(now, zone)
    begins = last if first is None else max(min(moments.local(first, zone), last), _EARLIEST)
    by_minute = name == KNOWN_AT and last - begins < _SHORT
    step = _MINUTE if by_minute else _DAY
    begins, last = _cut(begins, by_minute=by_minute), _cut(last, by_minute=by_minute)
    at = None if chosen is None else _cut(moments.local(chosen, zone), by_minute=by_minute)
    length = (last - begins) // step

    def field(local: datetime) -> str:
        return local.isoformat(timespec="minutes") if by_minute else local.date().isoformat()

    def words(at: Instant) -> str:
        return visit.t.when(at) if by_minute else visit.t.day(at)

    return Axis(
        name=name,
        given=visit.query(name).strip(),
        asked=asked,
        unit="minute" if by_minute else "day",
        value="" if at is None else field(at),
        first=field(begins),
        last=field(last),
        first_shown=words(now if first is None else first),
        last_shown=words(now),
        shown="" if chosen is None else words(chosen),
        length=length,
        position=length if at is None else min(max((at - begins) // step, 0), length),
        ticks=()
        if by_minute
        else tuple((tick - begins.date()).days for tick in _ticks(begins.date(), last.date())),
    )


def _cut(local: datetime, *, by_minute: bool) -> datetime:
    """The beginning of a minute or of a day."""
    cut = local.replace(second=0, microsecond=0)
    return cut if by_minute else cut.replace(hour=0, minute=0)


def _ticks(first: date, last: date) -> list[date]:
    """The beginnings of months or years between two days, about a dozen at most."""
    months = (last.year - first.year) * 12 + last.month - first.month
    step = next((step for step in _MONTHS if months <= step * _TICKS_MAX), _MONTHS[-1])
    found: list[date] = []
    number = -(-(first.year * 12 + first.month - 1) // step) * step
    while (tick := date(number // 12, number % 12 + 1, 1)) <= last:
        if tick >= first:
            found.append(tick)
        number += step
    return found
