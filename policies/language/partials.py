"""Partial dates: what was said of a date and no more, and the days that it makes.

Where the year or the week was left out, the days depend on today and on whether the sentence looks back or ahead.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from policies.terms import Precision

_FIRST_YEAR, _LAST_YEAR = 2, 9989


@dataclass(frozen=True, slots=True)
class Partial:
    """A date as far as it was said. ``span`` where it is already days (relative to today)."""

    precision: Precision
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    months: int = 1
    """How many months a season or a quarter covers."""
    years: int = 1
    """How many years a decade covers."""
    span: tuple[date, date] | None = None
    minute: int | None = None
    """Minute of the day."""
    turn: int | None = None
    """+1 "next", -1 "last", 0 "this"."""
    distance: bool = False
    """So long after today: "in two weeks"."""
    two_readings: bool = False


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days ``[first, after)``, and the minute of the first one if it was said."""

    first: date
    after: date
    precision: Precision
    minute: int | None = None


def resolve(partial: Partial, today: date, *, ahead: bool) -> Days | None:
    """The days of a partial date. Where the year or the week was left out: the nearest one ahead or behind.

    The period that today is in counts as both. None for a date that does not exist.
    """
    if partial.year is not None and not _FIRST_YEAR <= partial.year <= _LAST_YEAR:
        return None
    if partial.span is not None:
        return Days(*partial.span, partial.precision, partial.minute)
    if partial.weekday is not None:
        return _weekday_days(partial, today, ahead=ahead)
    if partial.month is None:
        year = partial.year or bounded(today.year)
        return Days(date(year, 1, 1), date(year + partial.years, 1, 1), partial.precision)
    if partial.year is not None:
        return _days_in(partial, partial.year)
    if partial.turn is not None:
        ahead = partial.turn >= 0
    years = range(bounded(today.year - 8), bounded(today.year + 8) + 1)
    nearest = [found for year in years if (found := _days_in(partial, year))]
    if partial.turn:  # "next March" and "last March" are not the one that we are in
        nearest = [found for found in nearest if not found.first <= today < found.after]
    if ahead:
        return next((found for found in nearest if found.after > today), None)
    return next((found for found in reversed(nearest) if found.first <= today), None)


def _days_in(partial: Partial, year: int) -> Days | None:
    month = partial.month or 0
    if not 1 <= month <= 12:
        return None
    if partial.day is not None:
        if not 1 <= partial.day <= monthrange(year, month)[1]:
            return None
        first = date(year, month, partial.day)
        return Days(first, shifted(first, 1), partial.precision, partial.minute)
    return Days(date(year, month, 1), date(*months_on(year, month, partial.months), 1), partial.precision)


def _weekday_days(partial: Partial, today: date, *, ahead: bool) -> Days:
    if partial.turn is not None:
        ahead = partial.turn >= 0
    wanted = partial.weekday or 0
    distance = (wanted - today.weekday() - 1) % 7 + 1 if ahead else (wanted - today.weekday()) % 7 - 7
    first = shifted(today, distance)
    return Days(first, shifted(first, 1), partial.precision, partial.minute)


def whole_day(day: date) -> Partial:
    """One day, already known."""
    return Partial(Precision.DAY, span=(day, shifted(day, 1)))


def months_on(year: int, month: int, count: int) -> tuple[int, int]:
    """The year and month so many months after (or before) one."""
    index = year * 12 + month - 1 + count
    return bounded(index // 12), index % 12 + 1


def bounded(year: int) -> int:
    """The nearest year that dates can be reckoned with."""
    return min(max(year, _FIRST_YEAR), _LAST_YEAR)


def shifted(day: date, days: int) -> date:
    """The day so many days after (or before) one, within the years that can be reckoned with."""
    return date.fromordinal(min(max(day.toordinal() + days, 366), date.max.toordinal() - 366))
