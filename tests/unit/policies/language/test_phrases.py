from __future__ import annotations

import pytest

from policies.language.phrases import PhraseSet, phrase_set, phrases_of
from policies.language.tokens import tokenise


def _found(phrases: list[str], text: str, *, accents: bool = False, language: str = "") -> list[str]:
    tokens = tokenise(text)
    hits = PhraseSet(phrases, {"kin": ("sister", "sage-femme"), "comma": (",",)}).find(
        tokens, accents=accents, language=language
    )
    return [" ".join(token.folded for token in tokens[hit.start : hit.end]) for hit in hits]


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("diabet*", "a diabetic cat", ["diabetic"]),
        ("*itis", "his arthritis", ["arthritis"]),
        ("be|is sick", "it is sick", ["is sick"]),
        ("very ?very sick", "very sick, very very sick", ["very sick", "very very sick", "very sick"]),
        ("must ~ sick", "must be a bit sick", ["must be a bit sick"]),
        ("must ~ sick", "must be a very little bit sick", []),
        ("must ~~ sick", "must be a very little bit sick", ["must be a very little bit sick"]),
        ("must ~ sick", "must, be sick", []),
        ("must ~ sick", "must", []),
        ("<kin> of", "a sister of, sage-femme of", ["sister of", "sage femme of"]),
        ("burn-out*", "burn-outs", ["burn outs"]),
        ("l'|un|sous-chef ami", "l'ami, un ami, sous-chef ami", ["l ami", "un ami", "sous chef ami"]),
        ("from now ?<comma> you", "from now, you", ["from now , you"]),
        ("^use", "use it; use, to use", ["use", "use"]),
        ("?only", "only", ["only"]),
        ("糖尿病", "他患有糖尿病", ["糖 尿 病"]),
    ],
)
def test_a_phrase_is_found(phrase: str, text: str, expected: list[str]) -> None:
    assert sorted(_found([phrase], text)) == sorted(expected)


def test_the_longest_comes_first_where_two_begin_together() -> None:
    assert _found(["sick", "sick of"], "sick of it") == ["sick of", "sick"]


def test_accents_count_where_they_are_asked_to() -> None:
    assert _found(["raté"], "the rate") == ["rate"]
    assert _found(["raté"], "the rate", accents=True) == []
    assert _found(["déprim*"], "il déprime", accents=True) == ["deprime"]
    assert _found(["deprim*"], "il déprime", accents=True) == []
    assert _found(["raté"], "Raté.", accents=True) == ["rate"]


def test_a_phrase_of_another_language_is_not_looked_for() -> None:
    assert _found(["@en son"], "son livre", language="fr") == []
    assert _found(["@en son"], "her son", language="en") == ["son"]
    assert _found(["@en son"], "son") == ["son"]


def test_found_in_tells_whether_any_is() -> None:
    phrases = PhraseSet(["sick"])
    assert phrases.found_in(tokenise("sick"))
    assert not phrases.found_in(tokenise("well"))


def test_lists_of_a_lexicon_are_split_at_commas_and_lines() -> None:
    assert phrases_of("instructions", "comma") == (",",)
    assert "be" in phrases_of("health", "copulas")
    assert phrases_of("health", "small.complement") == ("de d du des of di von van del",)
    assert phrase_set("health", "practitioners").found_in(tokenise("a dentist"))
