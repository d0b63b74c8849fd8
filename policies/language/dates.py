"""Dates and periods in French and English sentences, as moments of the owner's zone.

Whatever is relative is resolved against when the sentence was said, never against another clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from policies.terms import Instant, Moment


@dataclass(frozen=True, slots=True)
class DateMention:
    """One date or period in a text. ``start`` (of the text) and ``end`` are its place there."""

    surface: str
    start: int
    end: int
    role: str
    """``from`` ("since"), ``to`` ("until"), ``during`` ("from … to …", "in 2019"), ``at`` (a day, an instant)."""
    begins: Moment | None
    ends: Moment | None
    """Exclusive."""


@dataclass(frozen=True, slots=True)
class Times:
    """What the dates of a sentence say of when it is true."""

    valid_from: Moment | None = None
    valid_to: Moment | None = None
    """Exclusive."""
    event_at: Moment | None = None
    """The day (month, year, instant) at which something happens, where one is told."""
    found: tuple[DateMention, ...] = ()
    unsure: bool = False
    """A date stands there that can be read in two ways (12/05/2024 in English), or contradicts another."""


def read_times(text: str, *, said_at: Instant, zone: ZoneInfo, language: str = "und") -> Times:
    """The times of a statement.

    Args:
        text: the statement.
        said_at: what "today" is.
        zone: the owner's.
        language: ``fr`` reads 12/05/2024 day first; in ``en`` it is unsure unless only one reading exists.
    """
    del text, said_at, zone, language
    return Times()
