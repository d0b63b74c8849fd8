from __future__ import annotations

import pytest

from policies.language.tokens import accents_count, tokenise


def _words(text: str) -> list[str]:
    return [token.folded for token in tokenise(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She's got l’asthme, no?", ["she", "'s", "got", "l", "asthme", ",", "no", "?"]),
        ("don't can't won't I'm we've", ["do", "not", "can", "not", "will", "not", "i", "am", "we", "have"]),
        ("aujourd'hui", ["aujourdhui"]),
        ("O'Neill's rock'n", ["o", "neill", "'s", "rock", "n"]),
        ("'s", ["'s"]),
        ("他有病。", ["他", "有", "病", "。"]),
        ("ﷺ", ["صلى", "الله", "عليه", "وسلم"]),
        ("", []),
    ],
)
def test_words_and_marks_come_in_order(text: str, expected: list[str]) -> None:
    assert _words(text) == expected


def test_tokens_tell_what_ends_a_sentence_and_what_a_clause() -> None:
    word, comma, stop = tokenise("yes,.")
    assert (word.is_mark, comma.is_mark, stop.is_mark) == (False, True, True)
    assert (comma.ends_sentence, stop.ends_sentence) == (False, True)


def test_accents_count_in_english_and_where_they_are_shown() -> None:
    assert accents_count("The rate is high")
    assert accents_count("raté")
    assert not accents_count("il a rate le train")
