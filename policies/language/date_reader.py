"""Reads date expressions: "3 mars", "last summer", "12/05/2024", "in the 1990s", "demain à 14h30"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from policies.folding import fold
from policies.language import lexicon
from policies.language.partials import Partial, bounded, months_on, shifted, whole_day
from policies.terms import Precision
from policies.text import Word, is_stop_word

_YEAR_MIN, _YEAR_MAX = 1900, 2099
_MINUTES_OF_DAY = 24 * 60


def _table(key: str) -> dict[str, int]:
    return {fold(name): value for name, value in lexicon.load("dates")[key].items()}


Phrases = dict[str, tuple[tuple[str, ...], ...]]
"""Phrases as folded words, by their first word, the longest first."""


def phrases(key: str) -> Phrases:
    """The phrases of a list of ``dates.toml``."""
    found: Phrases = {}
    for phrase in sorted({tuple(fold(entry).split()) for entry in lexicon.entries("dates", key)}):
        found[phrase[0]] = (*found.get(phrase[0], ()), phrase)
    return {first: tuple(sorted(listed, key=len, reverse=True)) for first, listed in found.items()}


def _named(key: str) -> dict[str, list[tuple[tuple[str, ...], Any]]]:
    """The phrases of a table and what each stands for, by their first word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], Any]]] = {}
    named = [(tuple(fold(name).split()), value) for name, value in lexicon.load("dates")[key].items()]
    for phrase, value in sorted(named, key=lambda entry: (-len(entry[0]), entry[0])):
        found.setdefault(phrase[0], []).append((phrase, value))
    return found


_MONTHS = _table("months")
_SHY_MONTHS = _table("months_beside_a_number")
_WEEKDAYS = _table("weekdays")
_NUMBERS = _table("numbers")
_SEASONS = _table("seasons")
_SEASONAL = lexicon.words("dates", "words.seasonal")
_UNITS: dict[str, str] = {fold(name): unit for name, unit in lexicon.load("dates")["units"].items()}
_DAYS: dict[str, list[tuple[tuple[str, ...], int]]] = _named("days")
_FEASTS: dict[str, list[tuple[tuple[str, ...], tuple[int, int]]]] = _named("feasts")
_NEXT, _LAST, _THIS = phrases("modifiers.next"), phrases("modifiers.last"), phrases("modifiers.this")
_LEAD = phrases("modifiers.lead")
_AGO, _AHEAD, _BACK = phrases("roles.ago"), phrases("roles.ahead"), phrases("roles.back")
_AVOIR = lexicon.words("tense", "avoir")
_COUNTED = lexicon.words("dates", "words.counted")

_HIER = ("hier",)  # French only: German has it too, for "here"
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|e|eme|re)?")
_CLOCK = re.compile(r"(\d{1,2})(?:h|:|h:)(\d{2})?(am|pm)?|(\d{1,2})(am|pm)")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_DAY_THEN_CLOCK = re.compile(r"(\d{2})t(\d{2}):(\d{2})(?::\d{2})?z?")
_DECADE = re.compile(r"(\d{3}0)s")
_FIGURES = re.compile(r"[0-9]{4}")
_HAN_DATE = re.compile(r"(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})日)?)?")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads date expressions from the words of one text."""

    text: str
    words: tuple[Word, ...]
    today: date
    day_first: bool | None
    """Whether 12/05 is 12 May; None: it cannot be told."""

    def phrase(self, index: int, choices: Phrases) -> int:
        """How many words of one of the phrases stand at ``index``; 0 for none."""
        for phrase in choices.get(self.folded(index), ()):
            if self.folded_from(index, len(phrase)) == phrase:
                return len(phrase)
        return 0

    def folded(self, index: int) -> str:
        """The folded word at ``index``; empty beyond the ends."""
        return self.words[index].folded if 0 <= index < len(self.words) else ""

    def folded_from(self, index: int, count: int) -> tuple[str, ...]:
        """``count`` folded words from ``index``."""
        return tuple(word.folded for word in self.words[index : index + count])

    def glue(self, index: int) -> str:
        """What stands between the word at ``index`` and the one before it."""
        if not 0 <= index < len(self.words):
            return "."
        start = self.words[index - 1].end if index else 0
        return self.text[start : self.words[index].start].strip(" \u00a0\u202f")

    def read(self, index: int, *, led: bool) -> tuple[Partial, int] | None:
        """The date expression that begins at ``index``, and the index after it.

        Args:
            index: of a word.
            led: a word that leads dates in stands before it ("since", "in"): a bare year or "March" is a date.
        """
        start, led = self._skip_lead(index, led)
        found = (
            self._relative(index)
            or self._relative(start)
            or self._numeric(start)
            or self._calendar(start, led=led)
        )
        if found is None:
            return None
        partial, after = found
        return self._with_clock(partial, after)

    def _skip_lead(self, index: int, led: bool) -> tuple[int, bool]:
        for _ in range(3):
            skipped = self.phrase(index, _LEAD)
            if not skipped:
                break
            index, led = index + skipped, True
        return index, led

    # Relative to today

    def _relative(self, index: int) -> tuple[Partial, int] | None:
        for phrase, offset in _DAYS.get(self.folded(index), ()):
            if self.folded_from(index, len(phrase)) == phrase and (phrase != _HIER or self.day_first):
                return whole_day(shifted(self.today, offset)), index + len(phrase)
        return self._distance(index) or self._turned(index)

    def _distance(self, index: int) -> tuple[Partial, int] | None:
        """As in "two years ago", "il y a deux ans", "in 3 weeks"."""
        back = self.phrase(index, _BACK)
        ahead = 0 if back else self.phrase(index, _AHEAD)
        counted = self._count(index + back + ahead)
        if counted is None:
            return None
        count, unit, after = counted
        ago = 0 if back or ahead else self.phrase(after, _AGO)
        if not (back or ahead or ago):
            return None
        moved = self._moved(unit, count if ahead else -count)
        return replace(moved, distance=bool(ahead)), after + ago

    def _count(self, index: int) -> tuple[int, str, int] | None:
        """A number of days, weeks, months or years, and the index after it."""
        number = _number(self.folded(index))
        if number is None:
            return None
        unit = _UNITS.get(self.folded(index + 1))
        return None if unit is None else (number, unit, index + 2)

    def since_count(self, index: int) -> tuple[Partial, int] | None:
        """As in "(for) two years" after "depuis" or with a perfect: the date so long before today."""
        counted = self._count(index)
        if counted is None:
            return None
        count, unit, after = counted
        return self._moved(unit, -count), after

    def _moved(self, unit: str, count: int) -> Partial:
        if unit in ("day", "week"):
            days = count * (7 if unit == "week" else 1)
            return whole_day(shifted(self.today, days))
        if unit == "month":
            year, month = months_on(self.today.year, self.today.month, count)
            return Partial(Precision.MONTH, year, month)
        return Partial(Precision.YEAR, bounded(self.today.year + count))

    def _turned(self, index: int) -> tuple[Partial, int] | None:
        """As in "next Friday", "vendredi prochain", "last year", "cet été", "this week"."""
        for turn, choices in ((1, _NEXT), (-1, _LAST), (0, _THIS)):
            before = self.phrase(index, choices)
            if before:
                found = self._named_period(index + before)
                if found is not None:
                    return self._at_turn(found[0], turn), found[1]
        found = self._named_period(index)
        if found is not None:
            for turn, choices in ((1, _NEXT), (-1, _LAST)):
                behind = self.phrase(found[1], choices)
                if behind:
                    return self._at_turn(found[0], turn), found[1] + behind
        return None

    def _named_period(self, index: int) -> tuple[str | Partial, int] | None:
        word = self.folded(index)
        if word in _UNITS and _UNITS[word] != "day":
            return _UNITS[word], index + 1
        if word in _WEEKDAYS:
            return Partial(Precision.DAY, weekday=_WEEKDAYS[word]), index + 1
        if self._is_season(index):
            return Partial(Precision.MONTH, month=_SEASONS[word], months=3), index + 1
        month = _MONTHS.get(word, _SHY_MONTHS.get(word))
        if month is not None:
            return Partial(Precision.MONTH, month=month), index + 1
        for phrase, feast in _FEASTS.get(word, ()):
            if self.folded_from(index, len(phrase)) == phrase:
                return Partial(Precision.DAY, month=feast[0], day=feast[1]), index + len(phrase)
        return None

    def _at_turn(self, period: str | Partial, turn: int) -> Partial:
        if isinstance(period, Partial):
            return replace(period, turn=turn)
        if period == "week":
            monday = shifted(self.today, 7 * turn - self.today.weekday())
            return Partial(Precision.DAY, span=(monday, shifted(monday, 7)), turn=turn)
        if period == "month":
            year, month = months_on(self.today.year, self.today.month, turn)
            return Partial(Precision.MONTH, year, month, turn=turn)
        return Partial(Precision.YEAR, bounded(self.today.year + turn), turn=turn)

    def names_day(self, index: int) -> bool:
        """Whether "today", "après-demain" or the like begins at ``index``."""
        return any(
            self.folded_from(index, len(phrase)) == phrase and phrase != _HIER
            for phrase, _ in _DAYS.get(self.folded(index), ())
        )

    def day_with_year(self, index: int, month: int | None) -> tuple[Partial, int] | None:
        """The second day of "June 3-5, 2024": a bare number of that month."""
        day = _day(self.folded(index))
        if day is None or month is None:
            return None
        return self._with_year(Partial(Precision.DAY, month=month, day=day), index + 1)

    # In figures

    def _numeric(self, index: int) -> tuple[Partial, int] | None:
        word = self.folded(index)
        dotted = _DOTTED.fullmatch(word)
        if dotted:
            return _of_day(int(dotted[3]), int(dotted[2]), int(dotted[1])), index + 1
        han = _HAN_DATE.search(word)
        if han:
            return _of(int(han[1]), int(han[2] or 0), int(han[3] or 0)), index + 1
        separator = self.glue(index + 1)
        if separator not in ("-", "/") or not word.isdecimal():
            return None
        if len(word) == 4:
            return self._iso(index, separator)
        return self._slashed(index, separator)

    def _iso(self, index: int, separator: str) -> tuple[Partial, int] | None:
        """2024-05-12, 2024-05, 2024-05-12T14:30."""
        month = self.folded(index + 1)
        if len(month) != 2 or not month.isdecimal() or not 1 <= int(month) <= 12:
            return None
        year, day = int(self.folded(index)), self.folded(index + 2)
        if self.glue(index + 2) == separator:
            timed = _DAY_THEN_CLOCK.fullmatch(day)
            if timed:
                partial = _of(year, int(month), int(timed[1]))
                minute = _minute(int(timed[2]), int(timed[3]))
                known = minute is not None
                return replace(
                    partial, minute=minute, precision=Precision.INSTANT
                ) if known else partial, index + 3
            if day.isdecimal() and len(day) <= 2:
                return _of(year, int(month), int(day)), index + 3
        return (_of(year, int(month), 0), index + 2) if separator == "-" else None

    def _slashed(self, index: int, separator: str) -> tuple[Partial, int] | None:
        """12/05/2024, 12/05 where it is day first, 05/2024."""
        one, two, three = self.folded(index), self.folded(index + 1), self.folded(index + 2)
        if not two.isdecimal() or len(one) > 2:
            return None
        if len(two) == 4 and separator == "/" and 1 <= int(one) <= 12:
            return _of(int(two), int(one), 0), index + 2
        if len(two) > 2:
            return None
        if self.glue(index + 2) == separator and three.isdecimal() and len(three) == 4:
            return self._ordered(int(three), int(one), int(two)), index + 3
        if separator == "/" and self.day_first and 1 <= int(two) <= 12 and int(one) <= 31 and len(two) == 2:
            return Partial(Precision.DAY, month=int(two), day=int(one)), index + 2
        return None

    def _ordered(self, year: int, one: int, two: int) -> Partial:
        if self.day_first or (one > 12 >= two):
            return _of_day(year, two, one)
        if two > 12:
            return _of_day(year, one, two)
        return replace(_of_day(year, two, one), two_readings=self.day_first is None and one != two)

    # In words

    def _calendar(self, index: int, *, led: bool) -> tuple[Partial, int] | None:
        word = self.folded(index)
        if word in _WEEKDAYS:
            return self._weekday(index, led)
        decade = _DECADE.fullmatch(word)
        if decade:
            return Partial(Precision.YEAR, int(decade[1]), years=10), index + 1
        if word in ("annees",) and self.folded(index + 1).isdecimal():
            return self._french_decade(index)
        if led and self._is_season(index):
            return self._with_year(Partial(Precision.MONTH, month=_SEASONS[word], months=3), index + 1)
        if word[:1] in "qt" and word[1:] in ("1", "2", "3", "4") and self._year(index + 1):
            return self._with_year(Partial(Precision.MONTH, month=3 * int(word[1:]) - 2, months=3), index + 1)
        for phrase, feast in _FEASTS.get(self.folded(index), ()) if led else ():
            if self.folded_from(index, len(phrase)) == phrase:
                return self._with_year(
                    Partial(Precision.DAY, month=feast[0], day=feast[1]), index + len(phrase)
                )
        return self._day_and_month(index) or self._month(index, led) or self._bare_year(index, led)

    def _weekday(self, index: int, led: bool) -> tuple[Partial, int] | None:
        dated = self._skip_lead(index + 1, True)[0]
        followed = self._day_and_month(dated) or self._day_and_month(index + 1)
        if followed is not None:
            return followed
        return Partial(Precision.DAY, weekday=_WEEKDAYS[self.folded(index)]), index + 1

    def _french_decade(self, index: int) -> tuple[Partial, int] | None:
        number = int(self.folded(index + 1))
        if number < 100:
            number += 1900 if number >= 30 else 2000
        if number % 10 or not _YEAR_MIN <= number <= _YEAR_MAX:
            return None
        return Partial(Precision.YEAR, number, years=10), index + 2

    def _day_and_month(self, index: int) -> tuple[Partial, int] | None:
        """As in "3 mars 2021", "le 1er mai", "3rd of March", "March 3, 2021"."""
        word = self.folded(index)
        day = _day(word)
        if day is not None:
            between = 1 if self.folded(index + 1) in ("of", "de") else 0
            month = self._any_month(index + 1 + between)
            told = not word.isalpha() or between or self.folded(index - 1) == "le"
            if month is not None and (told or self.folded(index + 1) in _MONTHS):
                return self._with_year(Partial(Precision.DAY, month=month, day=day), index + 2 + between)
            return None
        month = self._any_month(index)
        follows = self.folded(index + 1)
        if month is None or not follows[:1].isdigit():
            return None
        day = _day(follows)
        if day is None or self.glue(index + 1) or self.folded(index + 2) in _COUNTED:
            return None
        return self._with_year(Partial(Precision.DAY, month=month, day=day), index + 2)

    def _any_month(self, index: int) -> int | None:
        return _MONTHS.get(self.folded(index), _SHY_MONTHS.get(self.folded(index)))

    def _month(self, index: int, led: bool) -> tuple[Partial, int] | None:
        month = self._any_month(index)
        year = self._year(index + 1) or self._year(index + 2)
        if month is None or not (year or (led and self._is_month_by_itself(index))):
            return None
        return self._with_year(Partial(Precision.MONTH, month=month), index + 1)

    def _is_season(self, index: int) -> bool:
        """Whether a season stands there: "été" after "a" or "ont" is a participle."""
        auxiliary = self.folded(index - 1) in _AVOIR and self.words[index - 1].surface not in ("à", "À")
        if self.folded(index) in _SEASONS and self.folded(index + 1) in _SEASONAL:
            return False  # "a summer house"
        return self.folded(index) in _SEASONS and not (auxiliary and self.folded(index) == "ete")

    def _is_month_by_itself(self, index: int) -> bool:
        """Whether a month's name is one without a year: "in May" and "en mars", not "may", "sept" or "un Mars"."""
        word = self.folded(index)
        if word in _MONTHS:
            return True
        if word == "mars":
            return self.folded(index - 1) not in ("un", "une", "sur", "le", "de", "d")
        return word in ("march", "may") and self.words[index].surface[0].isupper()

    def _with_year(self, partial: Partial, index: int) -> tuple[Partial, int]:
        skipped = 1 if self.folded(index) in ("of", "de", "in") and self._year(index + 1) else 0
        year = self._year(index + skipped) or self._year_of_another_age(index)
        if year is None or self.glue(index) not in ("", ",", "."):
            return partial, index
        return replace(partial, year=year), index + skipped + 1

    def _year(self, index: int) -> int | None:
        word = self.folded(index)
        if len(word) != 4 or not word.isdecimal() or not _YEAR_MIN <= int(word) <= _YEAR_MAX:
            return None
        return None if self._is_measured(index) else int(word)

    def _is_measured(self, index: int) -> bool:
        """Whether a number is of euros, percents, people: "2000 €"."""
        following = self.text[self.words[index].end :][:3].lstrip(" \u00a0\u202f")
        if following[:1] in ("€", "$", "£", "%", "°") and following:
            return True
        return self.folded(index + 1) in _COUNTED and self.glue(index + 1) == ""

    def _year_of_another_age(self, index: int) -> int | None:
        """As in "14 July 1789", "le 31 décembre 9999": not "le 3 mars 1500 personnes", which counts."""
        word = self.folded(index)
        if not _FIGURES.fullmatch(word) or word == "0000":
            return None
        counts = not self.glue(index + 1) and not is_stop_word(self.folded(index + 1))
        return None if counts or self._is_measured(index) else int(word)

    def _bare_year(self, index: int, led: bool) -> tuple[Partial, int] | None:
        year = self._year(index)
        before = self.glue(index)[-1:]
        if year is None or not (led or before == "(") or before in ("€", "$", "£"):
            return None
        return Partial(Precision.YEAR, year), index + 1

    def _with_clock(self, partial: Partial, index: int) -> tuple[Partial, int]:
        """As in "… à 14h30", "… at 2 pm" after a day."""
        if partial.precision is not Precision.DAY:
            return partial, index
        at = index + 1 if self.folded(index) in ("a", "at", "vers", "um", "alle", "las") else index
        clock = self._clock(at)
        if clock is None:
            return partial, index
        minute, after = clock
        return replace(partial, minute=minute, precision=Precision.INSTANT), after

    def _clock(self, index: int) -> tuple[int, int] | None:
        word, unit = self.folded(index), self.folded(index + 1)
        found = _CLOCK.fullmatch(word)
        half = unit if unit in ("am", "pm") else ""
        if found is not None:
            hour, minutes = int(found[1] or found[4]), int(found[2] or 0)
            half = found[3] or found[5] or half
            after = index + (2 if unit in ("am", "pm") and not (found[3] or found[5]) else 1)
        elif word.isdecimal() and len(word) <= 2 and (half or unit in ("h", "heures", "uhr")):
            has_minutes = (
                unit == "h" and self.folded(index + 2).isdecimal() and len(self.folded(index + 2)) == 2
            )
            hour, minutes = int(word), int(self.folded(index + 2)) if has_minutes else 0
            after = index + (3 if has_minutes else 2)
        else:
            return None
        if half:
            hour = hour % 12 + (12 if half == "pm" else 0)
        minute = _minute(hour, minutes)
        return None if minute is None else (minute, after)


def _of(year: int, month: int, day: int) -> Partial:
    if day:
        return _of_day(year, month, day)
    return Partial(Precision.MONTH, year, month) if month else Partial(Precision.YEAR, year)


def _of_day(year: int, month: int, day: int) -> Partial:
    return Partial(Precision.DAY, year, month, day)


def _day(word: str) -> int | None:
    found = _ORDINAL.fullmatch(word)
    number = int(found[1]) if found else _NUMBERS.get(word) if word.isalpha() else None
    return number if number is not None and 1 <= number <= 31 else None


def _number(word: str) -> int | None:
    if word.isdecimal() and len(word) <= 3:
        return int(word)
    return _NUMBERS.get(word)


def _minute(hour: int, minutes: int) -> int | None:
    minute = hour * 60 + minutes
    return minute if minutes < 60 and minute < _MINUTES_OF_DAY else None
