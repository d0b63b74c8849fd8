"""The one normaliser: what is compared, indexed, deduplicated, refused."""

from __future__ import annotations

import unicodedata

import pytest

from policies.folding import fold, visible
from policies.language import lexicon
from policies.text import (
    dedup_key,
    is_idle,
    is_stop_word,
    same_saying,
    says_nothing,
    search_terms,
    stem,
    stems,
    tokens,
    unsafe_character,
    without_citations,
    words,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("L’Hôpital", "l'hopital"),
        ("Раul", "paul"),  # the first two letters are Cyrillic
        ("ＦＵＬＬ　width", "full width"),
        ("Cœur  et\tŒuvre", "coeur et oeuvre"),
        ("Straße – “Ça va” …", 'strasse - "ca va" ...'),
        ("in\u200bvi\u00adsible\ufeff", "invisible"),
        ("e\u0301te\u0301", "ete"),
        ("が", "が"),  # a voicing mark is no accent
        ("हिन्दी", "हिन्दी"),
        ("", ""),
    ],
)
def test_folding_levels_case_accents_typography_and_look_alikes(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_what_is_visible_keeps_case_and_accents() -> None:
    assert visible("É\u200bt’") == "Ét'"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L’hôpital de Paul", ("l", "hopital", "de", "paul")),
        ("C++ et C#", ("c++", "et", "c#")),
        ("12 500,50 €", ("12500.50",)),
        ("12,500 and 3,5", ("12500", "and", "3.5")),
        ("14h30", ("14h30",)),
        ("王芳喜欢茶 ok", ("王芳喜欢茶", "ok")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("?!…", ()),
    ],
)
def test_tokens_are_folded_words(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


def test_words_stand_where_they_say() -> None:
    text = "L'e\u0301te\u0301 de Jean-Pierre, 3,5 km."
    assert [(word.surface, word.folded) for word in words(text)][:2] == [
        ("L", "l"),
        ("e\u0301te\u0301", "ete"),
    ]
    assert all(text[word.start : word.end] == word.surface for word in words(text))


@pytest.mark.parametrize(
    "forms",
    [
        ("travaille", "travaillent", "travailler", "travaillé"),
        ("work", "works", "worked", "working"),
        ("employé", "employée", "employées", "employés"),
        ("run", "running", "runs"),
    ],
)
def test_the_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stems(form) for form in forms}) == 1


def test_unspaced_scripts_give_characters_and_pairs() -> None:
    assert stems("王芳") == ("王", "芳", "王芳")


def test_a_word_that_is_too_long_or_not_latin_is_its_own_stem() -> None:
    assert stem("x" * 100) == "x" * 100
    assert stem("чай") == "чай"


def test_search_terms_leave_out_stop_words_unless_there_is_nothing_else() -> None:
    assert search_terms("le thé de la maison") == search_terms("thé maison")
    assert search_terms("the house") == search_terms("house")
    assert search_terms("who am I") == ("who", "am", "i")
    assert is_stop_word("the")
    assert [is_idle(word) for word in words("the thé")] == [True, False]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Paul doesn't like “Lyon” (mem:abcdefgh2345)", "paul does not like Lyon."),
        ("J’aime le café !", "j'aime le cafe"),
        ("I can't", "I cannot"),
        ("I'm here, they've left, it's late", "i am here they have left it is late"),
        ("Marie aime le thé [mem:aaaa2222], (mem:bbbb3333).", "Marie aime le thé"),
        ("e\u0301te\u0301", "été"),
    ],
)
def test_two_sayings_of_the_same_thing_share_their_key(one: str, two: str) -> None:
    assert dedup_key(one) == dedup_key(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Paul likes Lyon", "Paul doesn't like Lyon"),
        ("Paul owes Marie 20 euros", "Marie owes Paul 20 euros"),
        ("20 euros", "30 euros"),
        ("3,500 kg", "3500 kg"),
        ("C++", "C#"),
        ("see mem:aaaa2222 first", "see first"),
    ],
)
def test_negation_numbers_and_order_make_a_difference(one: str, two: str) -> None:
    assert dedup_key(one) != dedup_key(two)


def test_anchors_and_domains_are_part_of_the_key_whatever_their_order() -> None:
    assert dedup_key("x", ("a", "b"), ("d",)) == dedup_key("x", ("b", "a", "a"), ("d",))
    assert dedup_key("x", ("a",)) != dedup_key("x", (), ("a",))


def test_a_saying_and_its_citations() -> None:
    assert same_saying("Won't go (mem:abcd2345)") == "will not go"
    assert without_citations("Tea (mem:abcd2345) ") == "Tea ("


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a\ud800b", "lone surrogate U+D800"),
        ("a\x00b", "NUL"),
        ("a\u202eb", "RIGHT-TO-LEFT OVERRIDE"),
        ("a\u2066b", "LEFT-TO-RIGHT ISOLATE"),
        ("plain é 王 😀", None),
    ],
)
def test_unsafe_characters_are_named(text: str, name: str | None) -> None:
    assert unsafe_character(text) == name


@pytest.mark.parametrize("text", ["", "…!?", "\u200b\u2060", "\u3164", "👍", "́"])
def test_a_text_without_letter_or_digit_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["a", "7", "王", "½", "MATCH (n) DETACH DELETE n", "title:a AND b~2"])
def test_anything_else_says_something(text: str) -> None:
    assert not says_nothing(text)


def test_lists_of_a_lexicon_are_read_as_written_or_folded() -> None:
    assert "été" not in lexicon.words("dates", "modifiers.next")
    assert lexicon.entries("stopwords", "accented") == ("thé",)
    assert "the" in lexicon.words("stopwords", "accented")
    assert "depuis" in lexicon.entries("dates", "roles.since")


def test_every_stop_word_is_in_folded_form_once_read() -> None:
    folded = lexicon.words("stopwords", "french")
    assert all(unicodedata.is_normalized("NFC", word) and fold(word) == word for word in folded)
