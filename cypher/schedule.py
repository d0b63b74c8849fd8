"""When the nightly run is due: one rule for the scheduled hour, the missed night and the sleeping laptop.

The curator asks whether a run is due, the service when the next one is.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Protocol, cast
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger  # pyright: ignore[reportMissingTypeStubs]

from policies.errors import SettingInvalid
from policies.terms import Instant

_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
_RANGE = re.compile(r"(\*|[0-7](?:-[0-7])?)(?:/(\d+))?")


class _Trigger(Protocol):
    """What we use of APScheduler's trigger, which comes without types."""

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime | None: ...


class Nightly:
    """The nightly cron in the owner's zone.

    A run is due as soon as one of its hours lies after the last run and not after now. So a night that
    passed while the curator was down, or the machine asleep, is caught up at once, and several missed nights
    cost one run.
    """

    def __init__(self, expression: str, zone: ZoneInfo) -> None:
        """Parse a cron expression of five fields.

        Raises:
            SettingInvalid: it does not parse.
        """
        self._zone = zone
        minute, hour, day, month, weekday = expression.split()
        try:
            trigger = CronTrigger(
                minute=minute,
                hour=hour,
                day=day,
                month=month,
                day_of_week=_named_weekdays(weekday),
                timezone=zone,
            )
        except ValueError as fault:
            raise SettingInvalid(setting="MNEMO_NIGHTLY", problem="setting.cron") from fault
        self._trigger = cast("_Trigger", trigger)

    def next_after(self, moment: Instant) -> Instant | None:
        """The first scheduled hour strictly after an instant; None if there is none."""
        after = datetime.fromtimestamp((moment + 1) / 1_000_000, self._zone)
        fire = self._trigger.get_next_fire_time(None, after)
        return None if fire is None else Instant(round(fire.timestamp() * 1_000_000))

    def is_due(self, *, last: Instant, now: Instant) -> bool:
        """Whether a scheduled hour has passed since the last run."""
        due = self.next_after(last)
        return due is not None and due <= now


def _named_weekdays(field: str) -> str:
    """The weekday field by names: cron counts from Sunday, APScheduler from Monday."""

    def named(match: re.Match[str]) -> str:
        span, step = match.groups()
        first, _, last = ("0-6" if span == "*" else span).partition("-")
        days = range(int(first), int(last or first) + 1, int(step or 1))
        return ",".join(_WEEKDAYS[day] for day in days)

    return field if field == "*" else ",".join(_RANGE.sub(named, part) for part in field.split(","))
