"""What a sentence denies."""

from __future__ import annotations

import pytest

from policies.language.negation import negated


@pytest.mark.parametrize(
    "sentence",
    [
        "Je n'aime pas le café.",
        "J'aime pas le café.",
        "Marie ne travaille plus chez Acme.",
        "Il ne boit jamais.",
        "Personne ne vient.",
        "I don't like coffee.",
        "I do not like coffee.",
        "Marie no longer works at Acme.",
        "I never drink coffee.",
        "She cannot come.",
        "She isn’t vegan.",
        "I have no children.",
        "Nobody came.",
    ],
)
def test_a_negation_is_seen(sentence: str) -> None:
    assert negated(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "J'aime le café.",
        "Not only does he sing, he dances.",
        "Ce n'est pas mal.",
        "Il y a plus de monde.",
        "Plus tard, je viendrai.",
        "C'est une personne aimable.",
        "It is without sugar.",
        "No problem, I like it.",
        "He didn't just come.",
        "",
    ],
)
def test_what_denies_nothing_is_no_negation(sentence: str) -> None:
    assert not negated(sentence)
