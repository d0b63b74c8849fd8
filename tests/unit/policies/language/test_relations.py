"""Ties between two registered entities told in sentences."""

from __future__ import annotations

import pytest

from policies.language.names import mentions
from policies.language.relations import predicate_label, predicates, read_relation
from tests.support.people import OWNER, people

REGISTRY = people()


def told(sentence: str) -> str:
    """ "@subject predicate @object", or nothing."""
    found = read_relation(sentence, mentions(sentence, REGISTRY, "fr"), OWNER)
    return " ".join((found.subject, found.predicate, found.object) if found else ()).replace("ent:", "@")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Marie moved from Lyon to Paris in March.", ""),
        ("Marie a déménagé de Lyon à Paris en mars.", ""),
        ("En mars, Marie a quitté Acme pour Globex.", ""),
        ("Marie left Acme for Globex in 2022.", ""),
        ("Marie left Acme in May.", ""),
        ("Le loyer est passé de 900 à 950 euros en janvier.", ""),
        ("My rent went from 900 to 950 euros.", ""),
        ("I switched from coffee to tea.", ""),
        ("Je suis passé du café au thé.", ""),
        ("Marie ne travaille plus chez Acme mais chez Globex depuis mars.", ""),
        ("Marie no longer works at Acme since May.", ""),
        ("Marie now works at Globex instead of Acme.", "@marie works_for @globex"),
        ("J'ai remplacé ma Clio par une Zoé.", ""),
        ("I moved to Lyon.", "@louis lives_in @lyon"),
        ("I went to the beach.", ""),
        ("Marie est passée à la maison.", ""),
        ("Marie is Paul Durand's sister.", "@marie sibling_of @pauld"),
        ("Marie est la sœur de Paul Durand.", "@marie sibling_of @pauld"),
        ("Ma sœur Marie habite à Lyon.", "@marie sibling_of @louis"),
        ("Marie est ma sœur.", "@marie sibling_of @louis"),
        ("Mon dentiste est Paul Durand.", ""),
        ("Marie works for Acme.", "@marie works_for @acme"),
        ("Je travaille chez Globex.", "@louis works_for @globex"),
        ("Louis Moreau works for Globex.", "@louis works_for @globex"),
        ("Louis habite à Lyon depuis 2014.", "@louis lives_in @lyon"),
        ("Acme employs Marie.", "@marie works_for @acme"),
        ("Marie est mariée avec Paul Durand.", "@marie married_to @pauld"),
        ("Marie et Paul Durand sont mariés.", ""),
        ("Le vélo rouge appartient à Marie.", "@marie owns @velo"),
        ("Marie dirige Acme.", "@marie manages @acme"),
        ("L'employeur de Marie est Globex.", "@marie works_for @globex"),
        ("Marie's employer is Globex.", "@marie works_for @globex"),
        ("Marie travaille sur le projet Mercure.", "@marie works_on @merc"),
        ("Le projet Mercure est dirigé par Marie.", "@marie manages @merc"),
        ("Paul Durand, le frère de Marie, habite à Lyon.", "@pauld sibling_of @marie"),
        ("王芳 est une amie de Marie.", "@wang friend_of @marie"),
        ("Marie knows 王芳.", "@marie knows @wang"),
        ("Marie n'est pas la sœur de Paul Durand.", ""),
        ("I met Marie in Lyon.", "@louis knows @marie"),
        ("Le vélo rouge est chez Marie.", ""),
        ("I am Marie's brother.", "@louis sibling_of @marie"),
        ("Marie is friends with Paul Durand.", "@marie friend_of @pauld"),
        ("Marie travaille avec Paul Durand chez Acme.", "@marie colleague_of @pauld"),
        ("Acme a embauché Marie.", "@marie works_for @acme"),
        ("Marie lives in Acme.", ""),
        ("Ma sœur habite à Lyon.", ""),
        ("Le frère de quelqu'un est Paul Durand.", ""),
        ("Marie hired me.", ""),
        ("Marie est la sœur de Marie.", ""),
        ("Sœur de Marie.", ""),
        ("Marie married me.", "@marie married_to @louis"),
        ("My friend says Marie married me.", "@marie married_to @louis"),
        ("Marie's big brother is Paul Durand.", "@pauld sibling_of @marie"),
        ("Marie est une grande sœur.", ""),
        ("Works for Acme.", ""),
        ("Mon frère, Paul Durand, est là.", "@pauld sibling_of @louis"),
        ("Marie parle de mon frère.", ""),
        ("Il est mon frère.", ""),
        ("", ""),
    ],
)
def test_a_relation_is_told_between_two_entities(sentence: str, expected: str) -> None:
    assert told(sentence) == expected


def test_every_predicate_reads_in_both_languages() -> None:
    assert "works_for" in predicates()
    assert all(predicate_label(name, "fr") != predicate_label(name, "en") for name in predicates())
    assert predicate_label("works_for", "de") == predicate_label("works_for", "en")
    assert predicate_label("invented", "fr") == "invented"
