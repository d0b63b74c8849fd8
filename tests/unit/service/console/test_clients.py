"""What a client says of itself, made harmless to read."""

from __future__ import annotations

import pytest

from service.console.clients import NAME_CHARACTERS, is_alike, mixes_alphabets, shown, shown_name
from service.stores.protocol import Client
from tests.support.memories import at


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Claude", "Claude"),
        ("  Claude\t Code ", "Claude Code"),
        ("Éditeur", "Éditeur"),
        ("a\u202eb\u2066c\u200bd\u00ade", "abcde"),
        ("a\r\nb\u2028c\x00d", "a b c d"),
        ("\ud800\ue000\uffff", ""),
        ("\U000e0041hidden tags", "hidden tags"),
        ("x" + "\u0323" * 9 + "y", "x\u0323\u0323y"),
        ("👩\u200d🔬", "👩🔬"),
        ("नमस्ते", "नमस्ते"),
        ("a" * NAME_CHARACTERS, "a" * NAME_CHARACTERS),
        ("a" * 100_000, "a" * (NAME_CHARACTERS - 1) + "…"),
        ("\u200b" * 100_000 + "late", ""),
    ],
    ids=ascii,
)
def test_a_name_keeps_what_a_person_reads_and_loses_the_rest(given: str, kept: str) -> None:
    assert shown_name(given) == kept


def test_a_word_of_two_alphabets_that_look_alike_is_told_from_two_words() -> None:
    assert mixes_alphabets("Cl\u0430ude Code")
    assert not mixes_alphabets("Claude Яндекс 助手 3000")


def test_names_that_look_the_same_are_alike_and_empty_ones_are_not() -> None:
    assert is_alike("CLAUDE", "cl\u0430ude")
    assert not is_alike("Claude", "Claude Code")
    assert not is_alike("", "\u200b")


def test_only_a_metadata_document_has_a_host() -> None:
    document = Client("https://claude.ai/client.json", "Claude", (), at(0), None)
    registered = Client("client:x", "Claude", (), at(0), None, registration_token="digest")
    assert shown(document).host == "claude.ai"
    assert shown(registered).host is None
