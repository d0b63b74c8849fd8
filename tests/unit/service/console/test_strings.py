"""The catalogue of the console: both languages say everything, and nothing is said that no page says."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from babel import Locale

import service.console
from policies.errors import InvariantBroken
from policies.terms import Instant, Moment, Precision
from service.console.strings import LANGUAGES, Strings, catalogue, preferred

CONSOLE = Path(service.console.__file__).parent
PARIS = ZoneInfo("Europe/Paris")
DAY_US = 86_400_000_000
NEW_YEAR = Instant(int(datetime(2027, 1, 1, 7, 5, tzinfo=UTC).timestamp() * 1_000_000))
KEY = re.compile(r"""\bt\(\s*["']([a-z_]+\.[A-Za-z0-9_-]+)["']\s*[,)]""")
BEGINNING = re.compile(r"""["']([a-z_]+\.[A-Za-z0-9_.-]*)(?:["']\s*~|\{)""")
NAMED_BY_DATA = ("failures.", "fields.", "menu.", "reasons.", "scopes.")
"""Areas whose strings are named by what comes in: a code, an argument, a page, a scope."""
DONE = re.compile(r"""done=["']([a-z_0-9]+)["']|\?done=([a-z_0-9]+)["']""")


def sources() -> Iterator[str]:
    for pattern in ("**/*.html", "**/*.py"):
        for path in CONSOLE.glob(pattern):
            yield path.read_text("utf-8")


def forms_of(key: str, language: str) -> list[str]:
    said = catalogue()[language][key]
    return [said] if isinstance(said, str) else list(said.values())


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_string_that_a_page_names_exists() -> None:
    named = {key for source in sources() for key in KEY.findall(source)}
    named |= {f"done.{one or two}" for source in sources() for one, two in DONE.findall(source)}
    assert named - catalogue()["en"].keys() == set()


def test_every_string_is_said_somewhere() -> None:
    text = "\n".join(sources())
    # What begins with an area alone says nothing of what follows it: that must stand somewhere by itself.
    begun = tuple({one for one in BEGINNING.findall(text) if not one.endswith(".") or one.count(".") > 1})
    made = tuple(re.findall(r"""f"([a-z]+_)\{""", text))

    def is_said(key: str) -> bool:
        name, table = key.partition(".")[2], key.rpartition(".")[0]
        words = [name, re.sub("_(hint|means|now)$", "", name), *([table] if "." in table else [])]
        stands = any(f'"{one}"' in text or f"?done={one}" in text for one in words) or name.startswith(made)
        return key in text or key.startswith((*begun, *NAMED_BY_DATA)) or stands

    assert {key for key in catalogue()["en"] if not is_said(key)} == set()


def test_both_languages_fill_the_same_placeholders() -> None:
    for key in catalogue()["en"]:
        filled = [
            {name for form in forms_of(key, language) for name in placeholders(form)}
            for language in LANGUAGES
        ]
        assert filled[0] == filled[1], key


def test_what_counts_has_a_form_for_every_plural_of_its_language() -> None:
    for language in LANGUAGES:
        categories = set(Locale.parse(language).plural_form.tags) | {"other"}
        for key, said in catalogue()[language].items():
            if not isinstance(said, str):
                assert categories == set(said), (key, language)


def test_no_string_is_markup() -> None:
    for language in LANGUAGES:
        for key in catalogue()[language]:
            assert not any("<" in sentence for sentence in forms_of(key, language)), key


def test_french_puts_its_spaces_where_they_belong() -> None:
    """Never an ordinary space before ``; : ! ? %`` or within ``« »``: a line must not break there."""
    for key in catalogue()["fr"]:
        for sentence in forms_of(key, "fr"):
            assert not re.search(r"(?<=[\w}]) [;:!?%](?=[\s.]|$)|« | »", sentence), key


def test_dates_numbers_and_plurals_are_those_of_the_language() -> None:
    french, english = Strings("fr", PARIS), Strings("en", PARIS)
    assert english.when(NEW_YEAR) == "1 Jan 2027, 08:05"
    assert french.when(NEW_YEAR) == "1er janv. 2027, 08:05"
    assert french.day(NEW_YEAR) == "1er janvier 2027"
    assert french.day(Instant(NEW_YEAR + 10 * DAY_US)) == "11 janvier 2027"
    assert french.moment(Moment(NEW_YEAR, Precision.MONTH)) == "janvier 2027"
    assert english.day(NEW_YEAR) == "1 January 2027"
    assert english.number(1234567) == "1,234,567"
    assert french.number(1234567) == "1\u202f234\u202f567"
    assert english.iso(NEW_YEAR) == "2027-01-01T08:05:00+01:00"
    assert english("signing.hint", n=1).startswith("At least 1 character.")
    assert french("signing.hint", n=0).startswith("Au moins 0 caractère.")


def test_a_sentence_from_elsewhere_gets_the_spaces_of_the_page_and_keeps_those_it_has() -> None:
    french, english = Strings("fr", PARIS), Strings("en", PARIS)
    spaced = "Il dit\u00a0: «\u00a0oui\u00a0»\u202f; 80\u202f%."
    assert french.spaced("Il dit : « oui » ; 80 %.") == spaced
    assert french.spaced(spaced) == spaced
    assert english.spaced("80 % : so") == "80 % : so"


def test_a_string_that_does_not_exist_or_is_not_filled_is_a_fault_of_ours() -> None:
    english = Strings("en", PARIS)
    with pytest.raises(InvariantBroken):
        english("site.no_such_string")
    with pytest.raises(InvariantBroken):
        english("signing.lead")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr", "fr"),
        ("fr-CH, en;q=0.9", "fr"),
        ("de, en-US;q=0.7, fr;q=0.3", "en"),
        ("en;q=0, fr;q=0.1", "fr"),
        ("*", None),
        ("de", None),
        ("", None),
        ("," * 1_000, None),
    ],
)
def test_the_language_is_what_the_browser_prefers(accepted: str, language: str | None) -> None:
    assert preferred(accepted) == language
