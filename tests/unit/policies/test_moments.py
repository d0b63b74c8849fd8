"""Dates as arguments and as served, in the owner's zone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from policies.errors import IntervalReversed, InvalidDate, NaiveDateTime
from policies.moments import (
    DAY_US,
    check_interval,
    day_of,
    local,
    parse,
    parse_end,
    parse_said_at,
    parse_start,
    parse_turn,
    show_end,
    show_recorded,
    show_start,
    start_of_day,
)
from policies.terms import Instant, Moment, Precision

PARIS = ZoneInfo("Europe/Paris")
NEW_YORK = ZoneInfo("America/New_York")


def utc(*parts: int) -> Instant:
    return Instant(int(datetime(*parts, tzinfo=UTC).timestamp()) * 1_000_000)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("2021", utc(2020, 12, 31, 23), utc(2021, 12, 31, 23), Precision.YEAR),
        ("2021-03", utc(2021, 2, 28, 23), utc(2021, 3, 31, 22), Precision.MONTH),
        ("2021-12", utc(2021, 11, 30, 23), utc(2021, 12, 31, 23), Precision.MONTH),
        ("2024-02", utc(2024, 1, 31, 23), utc(2024, 2, 29, 23), Precision.MONTH),
        ("2021-03-28", utc(2021, 3, 27, 23), utc(2021, 3, 28, 22), Precision.DAY),
        (" 2021-07-01 ", utc(2021, 6, 30, 22), utc(2021, 7, 1, 22), Precision.DAY),
        ("2021-07-01T10:00Z", utc(2021, 7, 1, 10), utc(2021, 7, 1, 10, 1), Precision.INSTANT),
        (
            "2021-07-01 10:00:30+02:00",
            utc(2021, 7, 1, 8, 0, 30),
            utc(2021, 7, 1, 8, 0, 31),
            Precision.INSTANT,
        ),
        ("2021-07-01t10:00:00-0530", utc(2021, 7, 1, 15, 30), utc(2021, 7, 1, 15, 30, 1), Precision.INSTANT),
    ],
)
def test_a_date_covers_its_period_in_the_owners_zone(
    text: str, start: Instant, end: Instant, precision: Precision
) -> None:
    stated = parse(text, PARIS)
    assert (stated.period.start, stated.period.end, stated.precision) == (start, end, precision)


def test_an_instant_with_a_fraction_covers_a_microsecond() -> None:
    stated = parse("2021-07-01T10:00:00.1234567Z", PARIS)
    assert stated.period.start == utc(2021, 7, 1, 10) + 123_456
    assert stated.period.end == stated.period.start + 1


@pytest.mark.parametrize("text", ["2021-07-01T10:00", "2021-07-01 10:00:00", "2021-07-01T10:00:00.5"])
def test_a_naive_date_time_is_refused_by_name(text: str) -> None:
    with pytest.raises(NaiveDateTime) as refusal:
        parse(text, PARIS, field="valid_from")
    assert refusal.value.field == "valid_from"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "21",
        "20210701",
        "2021-7-1",
        "2021-13",
        "2021-02-30",
        "0000",
        "10000",
        "2021-07-01T24:00Z",
        "2021-07-01T10:60Z",
        "2021-07-01T10:00:60Z",
        "2021-07-01T10:00+24:00",
        "2021-07-01T10:00+01:60",
        "٢٠٢١",
        "2021-W05",
        "2021-03-04T10Z",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(InvalidDate):
        parse(text, PARIS)


def test_an_instant_that_the_owners_calendar_cannot_show_is_refused() -> None:
    with pytest.raises(InvalidDate):
        parse("0001-01-01T00:00:00+14:00", NEW_YORK)
    with pytest.raises(InvalidDate):
        parse("9999-12-31T23:59:59-12:00", PARIS)


@pytest.mark.parametrize(
    "zone", ["Europe/Paris", "America/New_York", "Pacific/Kiritimati", "Pacific/Honolulu"]
)
@pytest.mark.parametrize("text", ["0001", "0001-01", "0001-01-01", "9999-01", "9999-12-31"])
def test_the_first_and_last_years_are_dates_like_others(zone: str, text: str) -> None:
    assert show_start(parse_start(text, ZoneInfo(zone)), ZoneInfo(zone)) == text
    assert parse("9999", ZoneInfo(zone)).period.end > parse("9999-12-31", ZoneInfo(zone)).period.start


@pytest.mark.parametrize(
    ("text", "shown", "precision"),
    [
        ("2024-06", "2024-07-01", Precision.MONTH),
        ("2024-12", "2025-01-01", Precision.MONTH),
        ("2024", "2025-01-01", Precision.YEAR),
        ("2024-07-01", "2024-07-01", Precision.DAY),
        ("2024-07-01T10:00:00+02:00", "2024-07-01T10:00:00+02:00", Precision.INSTANT),
    ],
)
def test_a_partial_end_closes_after_its_period_and_a_full_one_is_the_end(
    text: str, shown: str, precision: Precision
) -> None:
    ends = parse_end(text, PARIS)
    assert (show_end(ends, PARIS), ends.precision) == (shown, precision)


@pytest.mark.parametrize("text", ["9999", "9999-12"])
def test_an_end_after_the_last_year_is_refused(text: str) -> None:
    with pytest.raises(InvalidDate):
        parse_end(text, PARIS)


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Pacific/Kiritimati", "UTC"])
def test_nothing_ends_where_the_calendar_begins(zone: str) -> None:
    for text in ("0001-01-01", f"0001-01-01T00:00:00{_offset_of_year_one(zone)}"):
        for read in (parse_end, parse_turn):
            with pytest.raises(InvalidDate) as refusal:
                read(text, ZoneInfo(zone), field="valid_to")
            assert refusal.value.field == "valid_to"
        assert show_start(parse_start(text, ZoneInfo(zone)), ZoneInfo(zone)) == text
    for partial in ("0001", "0001-01"):
        assert parse_end(partial, ZoneInfo(zone)).at > parse_start(partial, ZoneInfo(zone)).at
        with pytest.raises(InvalidDate):
            parse_turn(partial, ZoneInfo(zone))
    assert parse_turn("0001-01-02", ZoneInfo(zone)) == parse_start("0001-01-02", ZoneInfo(zone))
    assert parse_turn("9999-12-31", ZoneInfo(zone)) == parse_end("9999-12-31", ZoneInfo(zone))


def _offset_of_year_one(zone: str) -> str:
    shown = show_start(Moment(start_of_day(date(1, 1, 1), ZoneInfo(zone)), Precision.INSTANT), ZoneInfo(zone))
    return shown.removeprefix("0001-01-01T00:00:00")


def test_what_another_zone_put_beyond_the_calendar_is_told_as_its_end() -> None:
    first = parse_start("0001-01-01", PARIS)
    assert show_start(first, NEW_YORK) == "0001-01-01"
    assert show_end(Moment(Instant(first.at - 1), Precision.DAY), PARIS) == "0001-01-01"
    assert show_recorded(Instant(2**63 - 1), PARIS).startswith("9999-12-31T23:59:59")


@pytest.mark.parametrize(
    "text", ["2021", "2021-03", "2021-03-04", "2021-03-04T10:00:00+01:00", "1890-05-05T10:00:00+00:09:21"]
)
def test_a_beginning_is_served_as_precise_as_it_is_known(text: str) -> None:
    assert show_start(parse_start(text, PARIS), PARIS) == text


def test_record_times_are_served_in_whole_seconds_rounded_down() -> None:
    assert show_recorded(Instant(utc(2021, 7, 1, 8) + 999_999), PARIS) == "2021-07-01T10:00:00+02:00"
    assert show_recorded(Instant(-1), PARIS) == "1970-01-01T00:59:59+01:00"


def test_a_day_that_begins_within_a_clock_change_begins_when_the_clock_has_changed() -> None:
    sao_paulo = ZoneInfo("America/Sao_Paulo")
    begins = start_of_day(date(2018, 11, 4), sao_paulo)
    assert local(begins, sao_paulo) == datetime.fromisoformat("2018-11-04T01:00")
    assert parse("2018-11-04", sao_paulo).period.end - begins == DAY_US - DAY_US // 24


def test_a_midnight_that_occurs_twice_is_the_first() -> None:
    havana = ZoneInfo("America/Havana")
    assert (
        parse("2024-11-03", havana).period.end - start_of_day(date(2024, 11, 3), havana)
        == DAY_US + DAY_US // 24
    )


def test_a_day_that_a_zone_skipped_is_no_empty_period() -> None:
    period = parse("2011-12-30", ZoneInfo("Pacific/Apia")).period
    assert period.end == period.start + 1


def test_something_said_needs_a_day_at_least() -> None:
    assert parse_said_at("2021-07-01", PARIS) == utc(2021, 6, 30, 22)
    assert parse_said_at("2021-07-01T10:00Z", PARIS) == utc(2021, 7, 1, 10)
    for partial in ("2021", "2021-07"):
        with pytest.raises(InvalidDate):
            parse_said_at(partial, PARIS)


def test_the_day_of_an_instant_is_the_owners() -> None:
    late = utc(2021, 7, 1, 23)
    assert day_of(late, PARIS) == date(2021, 7, 2)
    assert day_of(late, NEW_YORK) == date(2021, 7, 1)


def test_an_interval_ends_after_it_begins() -> None:
    one, two = Moment(Instant(1), Precision.DAY), Moment(Instant(2), Precision.DAY)
    for begins, ends in ((None, None), (one, None), (None, one), (one, two)):
        check_interval(begins, ends)
    for begins, ends in ((one, one), (two, one)):
        with pytest.raises(IntervalReversed):
            check_interval(begins, ends)
