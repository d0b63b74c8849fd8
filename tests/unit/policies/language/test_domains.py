from __future__ import annotations

import pytest

from policies.language.domains import read_domains, tells_troubles


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("The user prefers tea over coffee", ("food",)),
        ("User's sister Claire lives in Lyon", ("family", "home")),
        ("Le loyer est de 900 €", ("finance", "home")),
        ("It costs €12", ("finance",)),
        ("Louis vote à gauche", ("politics",)),
        ("Claire is getting divorced", ("couple",)),
        ("Claire présente son projet", ("projects",)),
        ("Claire moved from Paris to Lyon", ("home",)),
        ("The database moved from SQLite to Postgres", ("technology",)),
        ("The parent process stops", ()),
        ("Nothing to place", ()),
    ],
)
def test_words_place_a_sentence(text: str, domains: tuple[str, ...]) -> None:
    assert read_domains(text) == domains


def test_the_troubles_of_a_couple_are_told_apart() -> None:
    assert tells_troubles("Claire is getting divorced")
    assert not tells_troubles("Claire is getting married")
