"""The moment that a page is asked about, on both axes, and the two sliders that choose it.

Time is chosen in days of the owner's zone, by a date field or by a slider beside it that a script brings to life.
The axis of valid time begins with the earliest date that a memory tells, that of record time with the ledger's first
entry; both end today, where nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from cypher.browsing import Extent
from policies import moments
from policies.bitemporal import AsOf
from policies.terms import Instant
from service.console.visit import Visit

VALID_AT, KNOWN_AT = "valid_at", "known_at"
_TICKS_MAX = 12
_MONTHS = (1, 3, 6, 12, 24, 60, 120, 600, 1_200)
"""How many months may lie between two ticks."""
_EARLIEST = date(1000, 1, 1)
"""What lies before it is no date to slide to."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One slider: days from ``first`` to ``last``."""

    name: str
    given: str
    """What the page was asked about, as it was given: an ISO date, partial or not; empty for today."""
    day: str
    """The day that the date field shows."""
    first: str
    last: str
    first_shown: str
    last_shown: str
    shown: str
    """The day in words; empty for today."""
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
        NaiveDateTime: a date-time without its offset.
    """
    house = visit.house
    zone, now = house.settings.zone, house.clock.now()
    valid_at, known_at = visit.query(VALID_AT).strip(), visit.query(KNOWN_AT).strip()
    valid = moments.parse(valid_at, zone, field=VALID_AT).period if valid_at else None
    known = moments.parse(known_at, zone, field=KNOWN_AT).period.end if known_at else None
    return Timeline(
        as_of=AsOf(now, valid_at=valid, known_before=known),
        valid=_axis(visit, VALID_AT, valid_at, valid.start if valid else None, extent.valid_from, now),
        # What was known on a day is what was known at its end.
        known=_axis(
            visit, KNOWN_AT, known_at, Instant(known - 1) if known else None, extent.recorded_at, now
        ),
    )


def _axis(
    visit: Visit, name: str, given: str, chosen: Instant | None, first: Instant | None, now: Instant
) -> Axis:
    zone = visit.house.settings.zone
    last = moments.day_of(now, zone)
    begins = last if first is None else max(min(moments.day_of(first, zone), last), _EARLIEST)
    day = None if chosen is None else moments.day_of(chosen, zone)
    length = (last - begins).days

    def shown(day: date) -> str:
        return visit.t.day(moments.start_of_day(day, zone))

    return Axis(
        name=name,
        given=given,
        day="" if day is None else day.isoformat(),
        first=begins.isoformat(),
        last=last.isoformat(),
        first_shown=shown(begins),
        last_shown=shown(last),
        shown="" if day is None else shown(day),
        length=length,
        position=length if day is None else min(max((day - begins).days, 0), length),
        ticks=tuple((tick - begins).days for tick in _ticks(begins, last)),
    )


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
