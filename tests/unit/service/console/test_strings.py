"""The catalogue: typography, dates as precise as they are known."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from policies import moments
from service.console.strings import LANGUAGES, Strings, catalogue

PARIS = ZoneInfo("Europe/Paris")


@pytest.mark.parametrize(
    ("text", "french", "english"),
    [
        ("2021", "2021", "2021"),
        ("2021-03", "mars 2021", "March 2021"),
        ("2021-03-05", "5 mars 2021", "5 March 2021"),
        ("2021-03-05T14:00:00+01:00", "5 mars 2021, 14:00", "5 Mar 2021, 14:00"),
    ],
)
def test_a_date_is_told_as_precisely_as_it_is_known(text: str, french: str, english: str) -> None:
    moment = moments.parse_start(text, PARIS)
    assert Strings("fr", PARIS).moment(moment) == french
    assert Strings("en", PARIS).moment(moment) == english


def test_french_breaks_no_line_before_its_high_punctuation() -> None:
    for key, sentence in catalogue()["fr"].items():
        for form in [sentence] if isinstance(sentence, str) else sentence.values():
            assert not any(part in form for part in (" :", " ;", " ?", " !", " »", "« ")), key


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    french, english = (catalogue()[language] for language in LANGUAGES)
    assert french.keys() == english.keys()
    for key, sentence in french.items():
        assert isinstance(sentence, str) == isinstance(english[key], str), key
