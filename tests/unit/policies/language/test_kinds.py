from __future__ import annotations

import pytest

from policies.language.kinds import known_elsewhere, read_kind, tells_a_date
from policies.terms import Kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The user prefers tea over coffee", Kind.PREFERENCE),
        ("L'utilisateur n'aime pas le café", Kind.PREFERENCE),
        ("Louis a décidé de passer à Postgres", Kind.DECISION),
        ("Claire chose the train", Kind.DECISION),
        ("The migration failed because nobody tested the backup", Kind.FAILURE),
        ("La migration a échoué", Kind.FAILURE),
        ("Claire moved from Paris to Lyon", Kind.CHANGE),
        ("Louis est passé de Vim à Emacs", Kind.CHANGE),
        ("Overall, the user works best alone", Kind.INSIGHT),
        ("Claire concluded that remote days double her output", Kind.INSIGHT),
        ("En comparant mes voyages, je vois que le mardi est moins cher", Kind.INSIGHT),
        ("Paul met Claire", Kind.EVENT),
        ("Claire was born in Lyon", Kind.FACT),
        ("Claire lives in Lyon", Kind.FACT),
        ("Le rate est de 2 %", Kind.FACT),
    ],
)
def test_a_kind_is_told_by_its_words(text: str, kind: Kind) -> None:
    assert read_kind(text, dated=False, changed=False) is kind


def test_a_date_makes_an_event_of_what_is_no_state() -> None:
    assert read_kind("Claire skates", dated=True, changed=False) is Kind.EVENT
    assert read_kind("Claire skates", dated=False, changed=False) is Kind.FACT
    assert read_kind("Claire lives in Lyon", dated=True, changed=False) is Kind.FACT


def test_an_occasion_told_as_a_noun_is_an_event_only_with_its_date() -> None:
    assert read_kind("Week-end à vélo", dated=False, changed=False, lasting=True) is Kind.EVENT
    assert read_kind("Claire will be in Lisbon", dated=False, changed=False, lasting=True) is Kind.EVENT
    assert read_kind("The meeting room is red", dated=False, changed=False) is Kind.FACT


def test_an_old_and_a_new_value_make_a_change() -> None:
    assert read_kind("Claire: Paris, Lyon", dated=False, changed=True) is Kind.CHANGE


def test_a_date_may_be_the_very_value() -> None:
    assert tells_a_date("The deadline is 30 June")
    assert not tells_a_date("The party is on 30 June")


def test_some_predicates_of_other_languages_are_known() -> None:
    assert known_elsewhere("Claire wohnt in Berlin")
    assert known_elsewhere("李明喜欢喝茶")
    assert not known_elsewhere("Kertész leszek a nyáron")
