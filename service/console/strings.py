"""Every string of the console, in French and English, with plurals, dates and numbers as each language has them.

The catalogue is ``strings/*.toml``: the name of the file and that of the table make the key, ``tools.revoke``. A
sentence that counts has one form for each plural category of its language (CLDR), chosen by ``n``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo

from babel import Locale, negotiate_locale
from babel.dates import format_datetime
from babel.numbers import format_decimal

from policies import moments
from policies.errors import InvariantBroken
from policies.terms import Instant, Moment, Precision

LANGUAGES = ("fr", "en")
_FOLDER = Path(__file__).with_name("strings")
_DAY = "d MMMM y"
_MOMENTS = {Precision.YEAR: "y", Precision.MONTH: "MMMM y", Precision.DAY: _DAY}
_BEFORE = re.compile(r" (?=[;?!%])")
_WIDE = re.compile(r"(?<=«) | (?=[:»])")

Forms = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Strings:
    """The catalogue in one language; called with a key, it gives the sentence."""

    language: str
    zone: ZoneInfo
    """The owner's, for dates."""

    def __call__(self, key: str, **values: object) -> str:
        """The sentence of a key, its placeholders filled.

        Args:
            key: area and name, ``tools.revoke``.
            values: of the placeholders; numbers are written as the language does. ``n`` chooses the plural.

        Raises:
            InvariantBroken: there is no such key, or a placeholder has no value.
        """
        found = catalogue()[self.language].get(key)
        if found is None:
            raise InvariantBroken(f"no string {key} in {self.language}")
        if not isinstance(found, str):
            category = self._locale.plural_form(cast("int", values["n"]))
            found = found.get(category, found["other"])
        try:
            return found.format_map({name: self._shown(value) for name, value in values.items()})
        except (KeyError, IndexError, ValueError) as fault:
            raise InvariantBroken(f"string {key} in {self.language}: {fault}") from fault

    def has(self, key: str) -> bool:
        """Whether there is such a key: of something that is named by data, a reason or a domain."""
        return key in catalogue()[self.language]

    def number(self, value: float) -> str:
        """A number as the language writes it."""
        return format_decimal(value, locale=self._locale)

    def when(self, at: Instant) -> str:
        """A day and a time of day in the owner's zone."""
        return self._written(at, "d MMM y, HH:mm")

    def day(self, at: Instant) -> str:
        """A day in the owner's zone."""
        return self._written(at, _DAY)

    def moment(self, moment: Moment) -> str:
        """A date as precisely as it is known: ``2021``, ``mars 2021``, ``3 mars 2021``."""
        if moment.precision is Precision.INSTANT:
            return self.when(moment.at)
        return self._written(moment.at, _MOMENTS[moment.precision])

    def iso(self, at: Instant) -> str:
        """The instant for machines, in the owner's zone, in whole seconds."""
        return moments.show_recorded(at, self.zone)

    def spaced(self, sentence: str) -> str:
        """A sentence that is not of the catalogue, with the spaces that the language does not break a line at."""
        return _spaced(sentence) if self.language == "fr" else sentence

    @property
    def _locale(self) -> Locale:
        return _locale(self.language)

    def _written(self, at: Instant, pattern: str) -> str:
        local = moments.local(at, self.zone)
        if self.language == "fr" and local.day == 1:
            pattern = pattern.replace("d ", "d'er' ", 1)  # which CLDR leaves to the reader
        return format_datetime(local, pattern, locale=self._locale)

    def _shown(self, value: object) -> object:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return self.number(cast("float", value)) if is_number else value


@cache
def catalogue() -> Mapping[str, Mapping[str, str | Forms]]:
    """All strings: by language, then by key."""
    by_language: dict[str, dict[str, str | Forms]] = {language: {} for language in LANGUAGES}
    for path in sorted(_FOLDER.glob("*.toml")):
        for name, sentences in tomllib.loads(path.read_text("utf-8")).items():
            for language in LANGUAGES:
                by_language[language][f"{path.stem}.{name}"] = _set(sentences[language], language)
    return by_language


def _set(sentence: str | Forms, language: str) -> str | Forms:
    """A sentence, or each of its forms, with the spaces that French does not break a line at."""
    if language != "fr":
        return sentence
    if isinstance(sentence, str):
        return _spaced(sentence)
    return {category: _spaced(form) for category, form in sentence.items()}


def _spaced(sentence: str) -> str:
    return _BEFORE.sub("\u202f", _WIDE.sub("\u00a0", sentence))


def preferred(accept_language: str) -> str | None:
    """The language of ours that a browser's ``Accept-Language`` (RFC 9110 section 12.5.4) prefers; None: neither."""
    wanted: list[tuple[float, str]] = []
    for part in accept_language.split(",")[:20]:
        tag, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if weight > 0:
            wanted.append((-weight, tag.strip().split("-")[0].lower()))
    return negotiate_locale([tag for _, tag in sorted(wanted, key=lambda one: one[0])], list(LANGUAGES))


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)
