"""Dates and periods in French and English sentences, as moments of the owner's zone.

Whatever is relative is resolved against when the sentence was said, never against another clock. A number is a
date only where a word or its form says so: "2000 euros" and "chapter 12" are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo

from policies.folding import fold
from policies.language import lexicon
from policies.language.date_reader import Reader, phrases
from policies.language.partials import Days, Partial, resolve
from policies.language.tense import Tense, is_imperfect, tense
from policies.moments import day_of, start_of_day
from policies.terms import Instant, Moment, Precision
from policies.text import words

_ANY_ZONE = ZoneInfo("UTC")
_MINUTE_US = 60_000_000
_RECURRING = lexicon.words("dates", "words.recurring")
_QUALITIES = lexicon.words("dates", "words.qualities")
_WEEKDAYS = frozenset(fold(name) for name in lexicon.load("dates")["weekdays"])
_MONTHS = frozenset(fold(name) for name in lexicon.load("dates")["months"])
_STATES = lexicon.words("dates", "words.states")
_STARTS = lexicon.words("dates", "words.starts")
_LINKING = phrases("roles.linking")


class Role(StrEnum):
    """What a date does in its sentence."""

    SINCE = "since"
    FROM = "from"
    UNTIL = "until"
    BEFORE = "before"
    AFTER = "after"
    BETWEEN = "between"
    DURING = "during"
    AT = "at"


_LED_BY = tuple((Role(name), phrases(f"roles.{name}")) for name in Role)
_BETWEEN = dict(_LED_BY)[Role.BETWEEN]


@dataclass(frozen=True, slots=True)
class DateMention:
    """One date or period in a text; ``text[start:end] == surface``, the word that leads it in included."""

    surface: str
    start: int
    end: int
    role: Role
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
    scan = _Scan(text, day_of(said_at, zone), zone, language)
    found = tuple(scan.mentions())
    return _times(found, scan)


@lru_cache(maxsize=256)
def date_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where dates stand in a text, the words that lead them in included, whatever day it is said."""
    scan = _Scan(text, date(2000, 1, 1), _ANY_ZONE, "fr")
    return tuple((mention.start, mention.end) for mention in scan.mentions())


class _Scan:
    """One text being read for dates."""

    def __init__(self, text: str, today: date, zone: ZoneInfo, language: str) -> None:
        self.reader = Reader(text, words(text), today, day_first=True if language == "fr" else None)
        self.folded = frozenset(word.folded for word in self.reader.words)
        self.zone = zone
        self.tense = tense(text)
        self.unsure = False

    def mentions(self) -> Iterator[DateMention]:
        index = 0
        while index < len(self.reader.words):
            found = self._range(index) or self._led(index) or self._plain(index)
            if found is None:
                index += 1
            else:
                mention, index = found
                if mention is not None:
                    yield mention

    def _range(self, index: int) -> tuple[DateMention | None, int] | None:
        """As in "from January to March 2020", "entre 2018 et 2020", "2018-2020", "du 3 au 5 mai"."""
        lead = self.reader.phrase(index, _BETWEEN)
        second = None
        first = self.reader.read(index + lead, led=bool(lead))
        if first is not None:
            second = self._linked(first[1], first[0])
        elif lead and self.reader.folded(index + lead).isdecimal():
            first = self._day_or_year_of_range(index + lead)
            second = self._linked(first[1], first[0])
        if first is None or second is None:
            return None
        one, two = first[0], second[0]
        if not lead and (one.precision, one.year) == (Precision.MONTH, None):
            return None
        days = self._between(one, two)
        if days is None:
            return None
        return self._mention(index, second[1], Role.BETWEEN, days[0].first, days[1].after, days[1]), second[1]

    def _day_or_year_of_range(self, index: int) -> tuple[Partial, int]:
        return Partial(Precision.DAY, day=int(self.reader.folded(index)[:4])), index + 1

    def _linked(self, index: int, first: Partial) -> tuple[Partial, int] | None:
        """The end of a range, after "to" or a dash."""
        if self.reader.glue(index) in ("-", "–", "—"):
            month = first.month if first.day is not None else None
            return self.reader.read(index, led=True) or self.reader.day_with_year(index, month)
        link = self.reader.phrase(index, _LINKING)
        return self.reader.read(index + link, led=True) if link else None

    def _between(self, one: Partial, two: Partial) -> tuple[Days, Days] | None:
        ahead = self.tense is not Tense.PAST
        last = resolve(two, self.reader.today, ahead=ahead)
        if last is None:
            return None
        if one.span is None and one.year is None and one.weekday is None:
            month = one.month or two.month
            if month is None:
                return None
            one = Partial(one.precision, last.first.year, month, one.day, months=one.months)
            if two.month is not None and month > two.month:
                one = Partial(one.precision, last.first.year - 1, month, one.day, months=one.months)
        first = resolve(one, self.reader.today, ahead=ahead)
        if first is None or first.first >= last.after:
            self.unsure = first is not None
            return None
        return first, last

    def _led(self, index: int) -> tuple[DateMention | None, int] | None:
        if self.reader.names_day(index):
            return None
        for role, choices in _LED_BY:
            lead = self.reader.phrase(index, choices)
            if not lead:
                continue
            counted = self.reader.since_count(index + lead) if role is Role.SINCE else None
            found = counted or self.reader.read(index + lead, led=True)
            if found is None:
                continue
            if role is Role.AT and self._returns(index, found[0]):
                return None, found[1]
            return self._told(index, found[1], Role.AT if role is Role.BETWEEN else role, found[0])
        return None

    def _plain(self, index: int) -> tuple[DateMention | None, int] | None:
        found = self.reader.read(index, led=False)
        if found is None or (
            found[0].precision is Precision.YEAR and found[0].years == 1 and self._bare(index)
        ):
            return None
        return self._told(index, found[1], Role.AT, found[0])

    def _bare(self, index: int) -> bool:
        return self.reader.folded(index).isdecimal() and self.reader.glue(index)[-1:] != "("

    def _returns(self, index: int, partial: Partial) -> bool:
        """As in "le lundi", "on Fridays": every week."""
        return partial.weekday is not None and partial.turn is None and self.reader.folded(index) == "le"

    def _told(self, index: int, after: int, role: Role, partial: Partial) -> tuple[DateMention | None, int]:
        days = resolve(partial, self.reader.today, ahead=self._ahead(role))
        if days is None or (partial.distance and self.tense is Tense.PAST):
            return None, after
        if role is Role.AT and self._lasts(partial, days):
            role = Role.DURING
        self.unsure = self.unsure or partial.two_readings
        return self._mention(index, after, role, days.first, days.after, days), after

    def _lasts(self, partial: Partial, days: Days) -> bool:
        """In the present tense, "this year" and a year that has begun tell a period, not a day."""
        one_day = (days.after - days.first).days <= 1
        if self.tense is not Tense.PRESENT or one_day:
            return False
        return partial.turn == 0 or (days.precision is Precision.YEAR and days.first <= self.reader.today)

    def _ahead(self, role: Role) -> bool:
        if role is Role.SINCE:
            return False
        return self.tense is not Tense.PAST

    def _mention(self, index: int, after: int, role: Role, first: date, end: date, days: Days) -> DateMention:
        start, stop = self.reader.words[index].start, self.reader.words[after - 1].end
        begins = start_of_day(first, self.zone) + (days.minute or 0) * _MINUTE_US
        ends = start_of_day(end, self.zone) if days.minute is None else begins
        return DateMention(
            surface=self.reader.text[start:stop],
            start=start,
            end=stop,
            role=role,
            begins=Moment(Instant(begins), days.precision),
            ends=Moment(Instant(ends), days.precision),
        )


def _times(found: tuple[DateMention, ...], scan: _Scan) -> Times:
    """What the dates found make of the sentence. The first of each role counts."""
    if _recurs(found, scan.folded):
        return Times(found=found, unsure=scan.unsure)
    by_role = {mention.role: mention for mention in reversed(found)}
    valid_from = valid_to = event_at = None
    for role in (Role.SINCE, Role.FROM, Role.BETWEEN, Role.DURING):
        valid_from = valid_from or (by_role[role].begins if role in by_role else None)
    if Role.AFTER in by_role and valid_from is None:
        valid_from = by_role[Role.AFTER].ends
    for role in (Role.BETWEEN, Role.DURING):
        valid_to = valid_to or (by_role[role].ends if role in by_role else None)
    if Role.UNTIL in by_role:
        valid_to = by_role[Role.UNTIL].ends
    elif Role.BEFORE in by_role:
        valid_to = by_role[Role.BEFORE].begins
    if Role.AT in by_role:
        valid_from, valid_to, event_at = _at(by_role[Role.AT], scan, valid_from, valid_to)
    reversed_ = valid_from is not None and valid_to is not None and valid_to.at <= valid_from.at
    if reversed_:
        valid_from = valid_to = None
    return Times(valid_from, valid_to, event_at, found, scan.unsure or reversed_)


def _recurs(found: tuple[DateMention, ...], told: frozenset[str]) -> bool:
    """Whether the dates come back each year or week: none of them is a particular day ("Saturday 21 March")."""
    recurring = told & _RECURRING
    if not recurring or any(mention.role is not Role.AT for mention in found):
        return False
    if recurring <= _QUALITIES and any(_is_day(mention) for mention in found):
        return False  # "the annual review on 21 May" is one
    return not any(_is_day(mention) and _WEEKDAYS & _words_of(mention) for mention in found)


def _is_day(mention: DateMention) -> bool:
    return any(character.isdigit() for character in mention.surface) and bool(_MONTHS & _words_of(mention))


def _words_of(mention: DateMention) -> set[str]:
    return {word.folded for word in words(mention.surface)}


def _at(
    mention: DateMention, scan: _Scan, valid_from: Moment | None, valid_to: Moment | None
) -> tuple[Moment | None, Moment | None, Moment | None]:
    """What a date with neither "since" nor "until" tells: a lasting state's period, a beginning, or an event."""
    if scan.folded & _STARTS:
        return valid_from or mention.begins, valid_to, mention.begins
    lasting = mention.begins is not None and mention.begins.precision in (Precision.YEAR, Precision.MONTH)
    if lasting and _tells_state(scan) and valid_from is None and valid_to is None:
        return mention.begins, mention.ends, None
    return valid_from, valid_to, mention.begins


def _tells_state(scan: _Scan) -> bool:
    """A state that lasted ("lived", "habitait"), not something that happened ("was born", "a acheté")."""
    if scan.tense is not Tense.PAST:
        return False
    read = scan.reader.words
    for index, word in enumerate(read):
        if word.folded in _STATES:
            following = scan.reader.folded(index + 1)
            passive = word.folded in ("was", "were") and (following.endswith("ed") or following in _BORN)
            if not passive:
                return True
        elif is_imperfect(word.folded):
            return True
    return False


_BORN = frozenset({"born", "built", "founded", "bought", "sold", "made", "written", "told", "given", "taken"})
