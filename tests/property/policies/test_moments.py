"""What is served can be asked again: dates survive the round trip in every zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.errors import InvalidDate, NaiveDateTime
from policies.moments import (
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
from tests.support.strategies import all_zones, any_instants, instants

_zones = st.sampled_from(
    ["UTC", "Europe/Paris", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Kiritimati"]
).map(ZoneInfo)
_days = st.dates(min_value=date(1, 1, 2), max_value=date(9999, 12, 30))


@given(_zones, _days, st.sampled_from([4, 7, 10]))
def test_a_date_is_served_as_it_was_stated(zone: ZoneInfo, day: date, length: int) -> None:
    stated = day.isoformat()[:length]
    assert show_start(parse_start(stated, zone), zone) == stated


@given(_zones, _days.filter(lambda day: day.year < 9999), st.sampled_from([4, 7, 10]))
def test_an_end_that_was_served_is_the_same_end_when_asked_again(
    zone: ZoneInfo, day: date, length: int
) -> None:
    ends = parse_end(day.isoformat()[:length], zone)
    assert parse_end(show_end(ends, zone), zone).at == ends.at


@given(_zones, instants)
def test_an_instant_survives_being_served(zone: ZoneInfo, at: Instant) -> None:
    moment = Moment(at, Precision.INSTANT)
    assert parse_start(show_start(moment, zone), zone) == moment


@given(_zones, _days)
def test_days_follow_one_another_without_gap(zone: ZoneInfo, day: date) -> None:
    begins = start_of_day(day, zone)
    ends = start_of_day(date.fromordinal(day.toordinal() + 1), zone)
    assert parse(day.isoformat(), zone).period.end == ends > begins
    assert day_of(begins, zone) == day
    assert day_of(Instant(ends - 1), zone) == day


@given(all_zones, any_instants, st.sampled_from(Precision))
def test_whatever_instant_stands_in_the_ledger_is_shown(
    zone: ZoneInfo, at: Instant, precision: Precision
) -> None:
    moment = Moment(at, precision)
    for shown in (show_start(moment, zone), show_end(moment, zone), show_recorded(at, zone)):
        assert 1 <= int(shown[:4]) <= 9999
    assert local(at, zone).date() == day_of(at, zone)


_edges = st.one_of(
    st.sampled_from(["0001", "9999", "0001-01", "9999-12", "0001-01-01", "0001-01-02", "9999-12-31"]),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["0001-01-01T00:00", "0001-01-02T09:59", "9999-12-30T14:01", "9999-12-31T23:59"]),
        st.sampled_from(["", ":00", ":59", ":59.999999"]),
        st.builds("{}{:02}:{:02}".format, st.sampled_from("+-"), st.integers(0, 23), st.integers(0, 59)),
    ),
)


@given(all_zones, _edges, st.sampled_from([parse, parse_start, parse_end, parse_turn, parse_said_at]))
def test_a_date_at_either_end_of_the_calendar_is_read_or_refused(
    zone: ZoneInfo, text: str, read: Callable[..., object]
) -> None:
    try:
        found = read(text, zone)
    except InvalidDate:
        return
    if isinstance(found, Moment):
        assert show_start(found, zone)[:4] in ("0001", "0002", "9999")
        assert local(found.at, zone) != local(Instant(found.at - 1), zone) or read is parse_start


@given(_zones, st.text(max_size=30))
def test_no_text_makes_the_parser_fail_otherwise(zone: ZoneInfo, text: str) -> None:
    try:
        parse(text, zone)
    except (InvalidDate, NaiveDateTime):
        return
    assert text.strip()[:4].isdecimal()


@given(
    _zones,
    st.from_regex(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,7})?)?([zZ]|[+-]\d\d:?\d\d)?", fullmatch=True),
)
def test_no_almost_date_makes_the_parser_fail_otherwise(zone: ZoneInfo, text: str) -> None:
    try:
        stated = parse(text, zone)
    except (InvalidDate, NaiveDateTime):
        return
    with pytest.raises(NaiveDateTime):
        parse(text[:16], zone)
    assert stated.period.start < stated.period.end
