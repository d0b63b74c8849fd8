"""Dates as callers write them and as they are served, and the instants they stand for.

A date is ISO 8601: ``2021``, ``2021-03``, ``2021-03-04``, or a date-time, refused without its offset.
Dates are days of the owner's zone, within the years 1 to 9999, and so are those that are shown: what lies beyond, or
did in another zone, is told as the nearest end of the calendar. Intervals are half-open. A local time that a
clock change skips is read with the offset before it, one that occurs twice is the first (RFC 5545, 3.3.5).
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from policies.errors import IntervalReversed, InvalidDate, NaiveDateTime
from policies.terms import Instant, Moment, Precision

SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US
# Local times are reckoned without a zone, then shifted: within a zone, datetime would ignore clock changes.
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001
_MICROSECOND = timedelta(microseconds=1)
_FIRST_US = (datetime(1, 1, 1) - _EPOCH) // _MICROSECOND  # noqa: DTZ001
_LAST_US = (datetime(9999, 12, 31) - _EPOCH) // _MICROSECOND + DAY_US - 1  # noqa: DTZ001
"""The ends of the calendar, as local times."""
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2})"
    r"(?:[Tt ](?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"(?P<offset>[Zz]|[+-]\d{2}:?\d{2}(?::\d{2})?)?)?)?)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open span of time, ``[start, end)``."""

    start: Instant
    end: Instant


@dataclass(frozen=True, slots=True)
class Stated:
    """A date as a caller stated it: the period it covers and how precise it is."""

    period: Period
    precision: Precision


def parse(text: str, zone: ZoneInfo, *, field: str | None = None) -> Stated:
    """What a date stands for. An instant covers its last stated unit: a minute, a second or a microsecond.

    Args:
        text: an ISO date, partial date or instant; blanks around it do not count.
        zone: the owner's.
        field: the argument it comes from, for the error.

    Raises:
        NaiveDateTime: a date-time without its offset.
        InvalidDate: anything else that is not such a date, or a date that does not exist.
    """
    found = _ISO.fullmatch(text.strip())
    if found is None:
        raise InvalidDate(field=field)
    if found["hour"] and not found["offset"]:
        raise NaiveDateTime(field=field)
    try:
        if found["hour"]:
            return _instant(found, zone)
        return _date(found, zone)
    except (ValueError, OverflowError) as error:
        raise InvalidDate(field=field) from error


def parse_start(text: str, zone: ZoneInfo, *, field: str | None = "valid_from") -> Moment:
    """The beginning of what a date stands for: a ``valid_from``.

    Raises:
        NaiveDateTime: a date-time without its offset.
        InvalidDate: not a date.
    """
    stated = parse(text, zone, field=field)
    return Moment(stated.period.start, stated.precision)


def parse_end(text: str, zone: ZoneInfo, *, field: str | None = "valid_to") -> Moment:
    """The exclusive end that a date stands for: a ``valid_to``.

    A year or a month closes after its period; a full date or an instant is the end itself, as served.

    Raises:
        NaiveDateTime: a date-time without its offset.
        InvalidDate: not a date, or an end after the year 9999 or before anything of the year 1.
    """
    stated = parse(text, zone, field=field)
    whole = stated.precision in (Precision.DAY, Precision.INSTANT)
    return _end(Moment(stated.period.start if whole else stated.period.end, stated.precision), zone, field)


def parse_turn(text: str, zone: ZoneInfo, *, field: str | None = "effective") -> Moment:
    """Where one thing ends and the next begins: the beginning of what a date stands for, with something before it.

    Raises:
        NaiveDateTime: a date-time without its offset.
        InvalidDate: not a date, or nothing of the calendar is before it.
    """
    return _end(parse_start(text, zone, field=field), zone, field)


def parse_said_at(text: str, zone: ZoneInfo, *, field: str | None = "said_at") -> Instant:
    """When something was said: an instant, or the beginning of a full date.

    Raises:
        NaiveDateTime: a date-time without its offset.
        InvalidDate: not a date, or only a year or a month.
    """
    stated = parse(text, zone, field=field)
    if stated.precision in (Precision.YEAR, Precision.MONTH):
        raise InvalidDate(field=field)
    return stated.period.start


def check_interval(valid_from: Moment | None, valid_to: Moment | None) -> None:
    """Refuse an interval that ends before or when it begins.

    Raises:
        IntervalReversed: it does.
    """
    if valid_from is not None and valid_to is not None and valid_to.at <= valid_from.at:
        raise IntervalReversed(field="valid_to")


def show_start(moment: Moment, zone: ZoneInfo) -> str:
    """A ``valid_from`` as served: in the owner's zone, as precise as known (``2021-03``)."""
    if moment.precision is Precision.INSTANT:
        return _show_instant(moment.at, zone)
    day = local(moment.at, zone).date().isoformat()
    return {Precision.YEAR: day[:4], Precision.MONTH: day[:7]}.get(moment.precision, day)


def show_end(moment: Moment, zone: ZoneInfo) -> str:
    """A ``valid_to`` as served: the exclusive end, always a full date or an instant."""
    if moment.precision is Precision.INSTANT:
        return _show_instant(moment.at, zone)
    return local(moment.at, zone).date().isoformat()


def show_recorded(at: Instant, zone: ZoneInfo) -> str:
    """A record time as served: in the owner's zone, whole seconds, rounded down."""
    return _show_instant(Instant(at - at % SECOND_US), zone)


def local(at: Instant, zone: ZoneInfo) -> datetime:
    """The local time of an instant, without its zone; beyond the calendar, the nearest end of it."""
    return _EPOCH + timedelta(microseconds=min(max(at + _offset_us(at, zone), _FIRST_US), _LAST_US))


def day_of(at: Instant, zone: ZoneInfo) -> date:
    """The day of an instant in the owner's zone."""
    return local(at, zone).date()


def start_of_day(day: date, zone: ZoneInfo) -> Instant:
    """The instant at which a day begins in the owner's zone."""
    return _at(datetime(day.year, day.month, day.day), zone)  # noqa: DTZ001


def _end(ends: Moment, zone: ZoneInfo, field: str | None) -> Moment:
    """An exclusive end that can be told, and so can the last moment before it."""
    if not (_is_told(ends.at, zone) and _is_told(Instant(ends.at - 1), zone)):
        raise InvalidDate(field=field)
    return ends


def _is_told(at: Instant, zone: ZoneInfo) -> bool:
    """Whether the owner's calendar has an instant."""
    return _FIRST_US <= at + _offset_us(at, zone) <= _LAST_US


def _instant(found: re.Match[str], zone: ZoneInfo) -> Stated:
    offset = _offset(found["offset"])
    stated = datetime(
        int(found["year"]),
        int(found["month"]),
        int(found["day"]),
        int(found["hour"]),
        int(found["minute"]),
        int(found["second"] or 0),
        int((found["fraction"] or "")[:6].ljust(6, "0")),
        tzinfo=timezone(offset),
    )
    start = Instant((stated.replace(tzinfo=None) - _EPOCH - offset) // _MICROSECOND)
    if not _is_told(start, zone):
        raise ValueError("beyond the owner's calendar")
    span = 1 if found["fraction"] else SECOND_US if found["second"] else 60 * SECOND_US
    return Stated(Period(start, Instant(start + span)), Precision.INSTANT)


def _date(found: re.Match[str], zone: ZoneInfo) -> Stated:
    year, month, day = int(found["year"]), int(found["month"] or 1), int(found["day"] or 1)
    first = date(year, month, day)
    if found["day"]:
        precision, last = Precision.DAY, first
    elif found["month"]:
        precision, last = Precision.MONTH, first.replace(day=monthrange(year, month)[1])
    else:
        precision, last = Precision.YEAR, date(year, 12, 31)
    start = start_of_day(first, zone)
    return Stated(Period(start, max(_end_of_day(last, zone), Instant(start + 1))), precision)


def _end_of_day(day: date, zone: ZoneInfo) -> Instant:
    if day == date.max:
        return Instant(start_of_day(day, zone) + DAY_US)
    return start_of_day(date.fromordinal(day.toordinal() + 1), zone)


def _offset(text: str) -> timedelta:
    if text in "Zz":
        return timedelta(0)
    digits = text[1:].replace(":", "").ljust(6, "0")
    hours, minutes, seconds = int(digits[:2]), int(digits[2:4]), int(digits[4:])
    if max(minutes, seconds) > 59:
        raise ValueError("an offset of more than 59 minutes")
    magnitude = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return -magnitude if text[0] == "-" else magnitude


def _at(naive: datetime, zone: ZoneInfo) -> Instant:
    offset = naive.replace(tzinfo=zone).utcoffset() or timedelta(0)
    return Instant((naive - _EPOCH - offset) // _MICROSECOND)


def _offset_us(at: Instant, zone: ZoneInfo) -> int:
    # The first and last days have their neighbours' offset: zones reach beyond datetime there.
    earliest = (datetime(1, 1, 2) - _EPOCH) // _MICROSECOND  # noqa: DTZ001
    latest = (datetime(9999, 12, 30) - _EPOCH) // _MICROSECOND  # noqa: DTZ001
    within = timedelta(microseconds=min(max(at, earliest), latest))
    offset = (_EPOCH.replace(tzinfo=UTC) + within).astimezone(zone).utcoffset() or timedelta(0)
    return offset // _MICROSECOND


def _show_instant(at: Instant, zone: ZoneInfo) -> str:
    offset = timezone(timedelta(microseconds=_offset_us(at, zone)))
    return local(at, zone).replace(tzinfo=offset).isoformat()
