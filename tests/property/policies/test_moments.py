"""What is served can be asked again: dates survive the round trip in every zone."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.errors import InvalidDate, NaiveDateTime
from policies.moments import day_of, parse, parse_end, parse_start, show_end, show_start, start_of_day
from policies.terms import Instant, Moment, Precision
from tests.support.strategies import instants

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
