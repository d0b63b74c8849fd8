"""One rule for the scheduled hour, the missed night and the sleeping laptop."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from cypher.schedule import Nightly
from policies.errors import SettingInvalid
from policies.terms import Instant

PARIS = ZoneInfo("Europe/Paris")


def at(text: str) -> Instant:
    return Instant(round(datetime.fromisoformat(text).replace(tzinfo=PARIS).timestamp() * 1_000_000))


def test_the_next_run_is_at_the_owners_hour() -> None:
    assert Nightly("0 3 * * *", PARIS).next_after(at("2026-11-30T12:00")) == at("2026-12-01T03:00")


def test_a_run_at_its_very_hour_is_followed_by_the_next_nights() -> None:
    assert Nightly("0 3 * * *", PARIS).next_after(at("2026-12-01T03:00")) == at("2026-12-02T03:00")


def test_a_run_is_due_when_its_hour_has_passed_since_the_last() -> None:
    nightly = Nightly("0 3 * * *", PARIS)
    last = at("2026-11-30T03:00:05")
    assert not nightly.is_due(last=last, now=at("2026-12-01T02:59"))
    assert nightly.is_due(last=last, now=at("2026-12-01T03:00"))


def test_several_missed_nights_cost_one_run() -> None:
    nightly = Nightly("0 3 * * *", PARIS)
    now = at("2026-12-09T08:00")
    assert nightly.is_due(last=at("2026-12-01T03:00:05"), now=now)
    assert not nightly.is_due(last=now, now=now)


def test_the_hour_that_a_clock_change_skips_is_still_run() -> None:
    nightly = Nightly("30 2 * * *", PARIS)
    assert nightly.is_due(last=at("2026-03-28T02:31"), now=at("2026-03-29T04:00"))


@pytest.mark.parametrize(
    ("field", "days"),
    [
        ("0", {6}),
        ("7", {6}),
        ("1-5", {0, 1, 2, 3, 4}),
        ("*/3", {6, 2, 5}),
        ("6,0", {5, 6}),
        ("mon-fri", {0, 1, 2, 3, 4}),
        ("*", set(range(7))),
    ],
)
def test_weekdays_are_counted_as_cron_does(field: str, days: set[int]) -> None:
    nightly, found, moment = Nightly(f"0 3 * * {field}", PARIS), set[int](), at("2026-11-30T00:00")
    end = moment + timedelta(days=7) // timedelta(microseconds=1)
    while (following := nightly.next_after(moment)) is not None and following < end:
        found.add(datetime.fromtimestamp(following / 1_000_000, PARIS).weekday())
        moment = following
    assert found == days


@pytest.mark.parametrize("expression", ["61 3 * * *", "0 3 * * 9", "a b c d e", "0 3 32 * *"])
def test_an_expression_that_does_not_parse_is_refused_by_name(expression: str) -> None:
    with pytest.raises(SettingInvalid):
        Nightly(expression, PARIS)
