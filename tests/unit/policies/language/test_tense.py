"""The tense of a sentence: enough to choose between two years."""

from __future__ import annotations

import pytest

from policies.language.tense import Tense, is_imperfect, tense


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Paul a acheté une voiture", Tense.PAST),
        ("Paul n'a pas encore signé", Tense.PAST),
        ("Marie est née en 1990", Tense.PAST),
        ("Elle s'est mariée en mars", Tense.PAST),
        ("She moved to Lyon", Tense.PAST),
        ("Il était prof", Tense.PAST),
        ("Je vivais à Lyon", Tense.PAST),
        ("Paul habite à Lyon", Tense.PRESENT),
        ("Marie est mariée", Tense.PRESENT),
        ("I am married", Tense.PRESENT),
        ("I like red", Tense.PRESENT),
        ("Il a un chien", Tense.PRESENT),
        ("Il a Paul", Tense.PRESENT),
        ("Il a", Tense.PRESENT),
        ("Il est", Tense.PRESENT),
        ("Il est parti", Tense.PAST),
        ("Il s'est Paul", Tense.PRESENT),
        ("J'aimerais apprendre", Tense.PRESENT),
        ("La réunion est à Talais", Tense.PRESENT),
        ("je vais déménager en mars", Tense.FUTURE),
        ("je vais à Paris", Tense.PRESENT),
        ("il va", Tense.PRESENT),
        ("We will meet", Tense.FUTURE),
        ("Nous déménagerons en mars", Tense.FUTURE),
        ("La caméra marche", Tense.PRESENT),
        ("", Tense.PRESENT),
    ],
)
def test_the_first_verb_that_is_not_in_the_present_decides(sentence: str, expected: Tense) -> None:
    assert tense(sentence) is expected


def test_an_imperfect_is_told_by_its_form() -> None:
    assert is_imperfect("travaillait")
    assert not is_imperfect("jamais")
    assert not is_imperfect("aimerait")
