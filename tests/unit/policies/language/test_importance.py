from __future__ import annotations

import pytest

from policies.language.findings import Importance
from policies.language.importance import find_importance

DERIVED = """\
He mentions it all the time
elle en parle souvent donc c'est important
The garden keeps coming up
clearly his top priority
Seems to matter a lot to Claire
Punctuality obviously matters to the user
Louis parle souvent de son jardin
Ponctualité : visiblement très important pour lui
It came up in every conversation
Louis n'arrête pas d'en parler
Paul has asked about Japan five times, so the trip matters to him
Habla de su perro todo el tiempo
Er spricht ständig von seinem Garten
Louis devotes every evening to the garden, so it must be his main concern
Inès ne lâche jamais ce sujet
The cello has come up nine times this month
Given the number of messages about it, the move is what counts for Louis
Vu le temps que Claire y passe, la poterie compte plus que tout
Louis a parlé du bateau une bonne dizaine de fois cette semaine
Every chat with Louis ends on sailing
Louis never fails to mention the bees
Louis habla del barco en cada mensaje
The user seems to care a great deal about punctuality""".splitlines()
NONE = """\
Family is very important to the user
Louis talks to Claire every day
Elle parle souvent italien
The launch is important for the company
The user's top priority for the project is latency
Louis tient à la ponctualité
Louis spends two hours a day on the train
Louis repeats the exercise three times a week
Louis a reçu trois messages de la mairie hier
Claire loves her garden above all
The meeting was long. It clearly rained.
On en a parlé à la réunion de mardi""".splitlines()


@pytest.mark.parametrize("text", DERIVED)
def test_frequency_and_impressions_derive_importance(text: str) -> None:
    assert find_importance(text) is Importance.DERIVED


@pytest.mark.parametrize("text", NONE)
def test_what_is_merely_told_derives_none(text: str) -> None:
    assert find_importance(text) is Importance.NONE


@pytest.mark.parametrize(
    "words",
    [
        "C'est très important pour moi",
        "remember this, it matters",
        "It means a lot to me",
        "J'y tiens énormément",
    ],
)
def test_only_the_owners_words_declare(words: str) -> None:
    assert find_importance("The user never works on Sundays", words) is Importance.DECLARED
    assert find_importance(words) is not Importance.DECLARED


def test_words_that_declare_nothing_change_nothing() -> None:
    assert find_importance("The user never works on Sundays", "jamais le dimanche") is Importance.NONE


def test_what_the_statement_derives_the_words_do_not_mend() -> None:
    assert find_importance("He mentions it all the time", "it's important to me") is Importance.DERIVED
