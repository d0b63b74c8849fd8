"""How a new statement meets a believed memory: succession, conflict, the same, or nothing."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from policies.language.analysis import Analysis, analyse
from policies.language.conflicts import Meeting, meet
from policies.moments import parse_said_at
from policies.terms import Kind
from tests.support.memories import version
from tests.support.people import people

PARIS = ZoneInfo("Europe/Paris")
SAID_AT = parse_said_at("2024-05-15T10:00:00+02:00", PARIS)
REGISTRY = people()


def analysed(text: str) -> Analysis:
    return analyse(text, said_at=SAID_AT, zone=PARIS, registry=REGISTRY)


def meeting(believed: str, statement: str, **qualifications: Any) -> Meeting:
    """How the statement meets a memory of the believed text, whose times are those its text tells."""
    old = analysed(believed)
    whole: dict[str, Any] = {"text": believed, "valid_from": old.valid_from, "valid_to": old.valid_to}
    return meet(analysed(statement), version(**(whole | qualifications)), old)


@pytest.mark.parametrize(
    ("believed", "statement", "expected"),
    [
        ("Marie travaille chez Acme.", "Marie travaille chez Globex.", "conflict"),
        ("Marie worked at Acme from 2018 to 2020.", "Marie works at Globex since 2021.", "none"),
        ("Marie works at Globex since 2021.", "Marie worked at Acme from 2018 to 2020.", "none"),
        ("Marie habite à Lyon.", "Marie a déménagé de Lyon à Paris en mars.", "succession"),
        ("Marie lives in Lyon.", "Marie moved from Lyon to Paris in March.", "succession"),
        ("Marie lives in Lyon.", "Marie moved from Lyon to Paris.", "conflict"),
        ("Marie lives in Lyon.", "Marie moved to Paris in March.", "conflict"),
        ("J'aime le café.", "Je n'aime pas le café.", "conflict"),
        ("J'aime le café.", "Je n'aime plus le café.", "conflict"),
        ("J'aime le café.", "Louis déteste le café.", "conflict"),
        ("I like coffee.", "I don't like coffee any more.", "conflict"),
        ("I like coffee.", "The user likes coffee.", "same"),
        ("I like coffee.", "I really like coffee!", "same"),
        ("Je n'aime pas le café.", "J'aime le thé.", "none"),
        ("J'aime le thé.", "Je n'aime pas le café.", "none"),
        ("Marie travaille chez Acme.", "Marie ne travaille plus chez Acme depuis mai.", "succession"),
        ("Marie travaille chez Acme.", "Marie ne travaille plus chez Acme.", "conflict"),
        ("Le loyer est de 900 euros.", "Le loyer est de 950 euros.", "conflict"),
        ("Le loyer est de 900 euros.", "Le loyer est passé de 900 à 950 euros en janvier.", "succession"),
        ("Marie est née le 3 mars 1990.", "Marie est née le 4 mars 1990.", "conflict"),
        ("Marie est mariée avec Paul Durand.", "Marie est mariée avec 王芳.", "conflict"),
        ("Marie aime le vélo.", "Paul Durand aime le vélo.", "none"),
        ("Marie a un chat.", "Marie a un chien.", "none"),
        ("Marie owes Paul Durand 20 euros.", "Paul Durand owes Marie 20 euros.", "none"),
        ("Ma couleur préférée est le bleu.", "Ma couleur préférée est le vert.", "conflict"),
        ("Ma sœur habite à Nantes.", "J'habite à Lyon.", "none"),
        ("Marie's sister lives in Nantes.", "Marie lives in Lyon.", "none"),
        ("Marie habite à Lyon.", "D'après mes notes, Marie habite à Lyon (mem:abcdefghij).", "same"),
        ("Marie travaille chez Acme.", "L'employeur de Marie est Acme.", "same"),
        ("Marie joue du piano.", "Marie ne joue pas du piano.", "conflict"),
        ("Marie est venue vendredi.", "Marie est venue samedi.", "none"),
        ("La réunion est le 3 juin.", "La réunion est le 4 juin.", "conflict"),
        ("Je suis végétarien.", "Je ne suis pas végétarien.", "conflict"),
        ("I never eat meat.", "I eat meat.", "conflict"),
        ("Marie quitte Acme pour Globex en juin.", "Marie travaille chez Globex depuis juin.", "none"),
        ("Marie travaille chez Acme.", "En juin, Marie a quitté Acme pour Globex.", "succession"),
        ("Mon dentiste est Paul Durand.", "Mon dentiste est Marie.", "conflict"),
        ("J'ai choisi Python.", "Je n'ai pas choisi Python.", "conflict"),
        ("Marie worked at Acme.", "Marie works at Acme.", "conflict"),
        ("Marie does not work at Acme.", "Marie works at Acme.", "conflict"),
        ("Marie ne travaille plus chez Acme.", "Marie a quitté Acme en mai.", "none"),
        ("Marie est venue.", "Marie est venue le 3 mai 2024.", "none"),
        ("…", "!!", "same"),
        ("…", "?! ok", "none"),
        ("Marie habite à Lyon.", "Marie ne mange pas de viande.", "none"),
        ("Marie dort.", "Paul Durand ne dort pas.", "none"),
        ("Marie dort.", "Je ne dors pas, Marie.", "none"),
        ("Je mange.", "Je ne mange pas.", "conflict"),
    ],
)
def test_a_statement_meets_what_is_believed(believed: str, statement: str, expected: str) -> None:
    assert meeting(believed, statement).value == expected


@pytest.mark.parametrize("kind", [Kind.RULE, Kind.FAILURE, Kind.RETRACTION])
def test_rules_failures_and_retractions_meet_nothing(kind: Kind) -> None:
    assert meeting("J'aime le café.", "Je n'aime pas le café.", kind=kind) is Meeting.NONE


def test_the_same_words_at_another_time_are_not_the_same() -> None:
    assert meeting("Marie habite à Lyon.", "Marie habite à Lyon depuis 2020.") is Meeting.NONE
    assert meeting("Marie habite à Lyon depuis 2020.", "Marie habite à Lyon depuis 2020.") is Meeting.SAME
    assert meeting("Marie habite à Lyon depuis 2020.", "Marie habite à Lyon.") is Meeting.SAME
