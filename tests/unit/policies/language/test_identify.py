from __future__ import annotations

import pytest

from policies.language.identify import guess, identify


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The user prefers tea.", "en"),
        ("Louis aime Postgres", "fr"),
        ("Prefers window seats", "en"),
        ("Utilise Emacs", "fr"),
        ("李明 lives in Shanghai", "en"),
        ("Zoë lives in Köln", "en"),
        ("Inès is a practising Buddhist.", "en"),
        ("Claire's email address is claire@example.org.", "en"),
        ("Paul Durand vive en Lyon", "und"),
        ("李明住在上海", "und"),
        ("Анна живёт в Москве", "und"),
        ("¿Qué dice Claire?", "und"),
        ("42", "und"),
        ("Postgres", "und"),
        ("", "und"),
        ("Louis's mortgage is with Banque des Rives.", "en"),
        ("Claire lives at 4 rue des Lilas, Annecy.", "en"),
        ("The Pont Neuf crosses the Seine.", "en"),
        ("Prefiero viajar en tren que en avión.", "und"),
        ("Bakit wala ang susi sa mesa?", "und"),
        ("Siobhán lives in Dublin", "en"),
    ],
)
def test_the_language_of_a_short_sentence_is_told(text: str, language: str) -> None:
    assert identify(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("A Claire le encanta el mar.", "es"),
        ("Ich trinke lieber Tee als Kaffee.", "de"),
        ("Claire abita a Roma.", "it"),
        ("Anna woont nog niet bij haar zus", "nl"),
        ("Ele mora no Porto e não come carne", "pt"),
    ],
)
def test_other_languages_are_guessed(text: str, language: str) -> None:
    assert guess(text) == language


def test_what_two_read_languages_share_tells_neither() -> None:
    assert guess("a") == "und"
