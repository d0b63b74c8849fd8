"""Changes of a value told in one sentence."""

from __future__ import annotations

import pytest

from policies.language.changes import read_change
from policies.language.names import mentions
from tests.support.people import OWNER, people

REGISTRY = people()


def told(sentence: str) -> tuple[str, str, str, str] | None:
    """Subject, key, old and new value, entities as @name."""
    found = read_change(sentence, mentions(sentence, REGISTRY, "fr"), OWNER)
    if found is None:
        return None
    parts = (found.subject or "", found.key, found.old_value, found.new_value)
    return tuple(part.replace("ent:", "@") for part in parts)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("sentence", "subject", "key", "old", "new"),
    [
        ("Marie moved from Lyon to Paris in March.", "@marie", "residence", "@lyon", "paris"),
        ("Marie a déménagé de Lyon à Paris en mars.", "@marie", "residence", "@lyon", "paris"),
        ("En mars, Marie a quitté Acme pour Globex.", "@marie", "employer", "@acme", "@globex"),
        ("Marie left Acme for Globex in 2022.", "@marie", "employer", "@acme", "@globex"),
        ("Marie left Acme in May.", "@marie", "employer", "@acme", ""),
        ("Le loyer est passé de 900 à 950 euros en janvier.", "", "rent", "900", "950 euros"),
        ("My rent went from 900 to 950 euros.", "@louis", "rent", "900", "950 euros"),
        ("I switched from coffee to tea.", "@louis", "change", "coffee", "tea"),
        ("Je suis passé du café au thé.", "@louis", "change", "cafe", "the"),
        (
            "Marie ne travaille plus chez Acme mais chez Globex depuis mars.",
            "@marie",
            "employer",
            "@acme",
            "@globex",
        ),
        ("Marie no longer works at Acme since May.", "@marie", "employer", "@acme", ""),
        ("Marie now works at Globex instead of Acme.", "@marie", "employer", "@acme", "@globex"),
        ("J'ai remplacé ma Clio par une Zoé.", "@louis", "change", "clio", "zoe"),
        ("I moved to Lyon.", "@louis", "residence", "", "@lyon"),
        ("Marie moved to Lyon from Paris.", "@marie", "residence", "paris", "@lyon"),
        ("Marie ne travaille plus chez Acme mais dort bien.", "@marie", "employer", "@acme", ""),
        ("I resigned from Acme in June.", "@louis", "employer", "@acme", ""),
        ("J'habite à Lyon au lieu de Paris.", "@louis", "residence", "paris", "@lyon"),
    ],
)
def test_a_change_tells_the_old_and_the_new_value(
    sentence: str, subject: str, key: str, old: str, new: str
) -> None:
    assert told(sentence) == (subject, key, old, new)


@pytest.mark.parametrize(
    "sentence",
    [
        "I went to the beach.",
        "Marie est passée à la maison.",
        "Marie moved. To Lyon she went.",
        "Marie left early.",
        "Nobody left.",
        "J'ai changé.",
        "J'ai remplacé.",
        "J'ai remplacé la lampe.",
        "J'ai remplacé la lampe par.",
        "Marie works at Globex instead of.",
        "J'aime le thé.",
        "",
    ],
)
def test_what_tells_no_change_gives_none(sentence: str) -> None:
    assert told(sentence) is None
