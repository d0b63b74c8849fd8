from __future__ import annotations

import re

from policies.language.lexicon import load
from policies.reasons import explanation, reason_codes


def test_both_languages_know_the_same_reasons() -> None:
    assert set(load("phrases.en")) == set(load("phrases.fr"))
    assert {"committed", "duplicate", "health.inferred", "conflict"} <= reason_codes()
    assert "other" not in reason_codes()


def test_every_reason_is_told_in_both_languages() -> None:
    for code in reason_codes():
        english, french = explanation(code, "en"), explanation(code, "fr")
        assert english.endswith(".")
        assert french.endswith(".")
        assert english != french
        assert "{" not in english + french


def test_names_are_told_where_the_reader_may_see_them() -> None:
    details = {"names": ["Zoé", "Yuki"]}
    assert "Zoé, Yuki" in explanation("name.unregistered", "fr", details)
    assert "a name in the text" in explanation("name.unregistered", "en")


def test_a_reason_without_a_sentence_is_told_all_the_same() -> None:
    assert explanation("quite.unheard_of", "en") == explanation("other", "en")


def test_what_a_ruling_would_contradict_is_named_to_the_owner() -> None:
    details = {"conflicts": ["mem:one", "mem:two"]}
    assert "mem:one, mem:two" in explanation("unsettled.conflict", "fr", details)


def test_the_owner_is_addressed_and_not_spoken_of() -> None:
    assert set(load("phrases.owner.en")) == set(load("phrases.owner.fr"))
    for code in reason_codes() | set(load("phrases.owner.en")):
        english, french = (explanation(code, language, to_owner=True) for language in ("en", "fr"))
        if code not in ("entity.second_owner", "merge.owner", "directive.proof"):
            assert not re.search(r"(?<!mnemo )\bowner\b", english), english
            assert "propriétaire" not in french, french
        assert "mem_" not in english + french
        assert "Propose" not in english


def test_a_conflict_with_what_its_proposer_may_not_see_is_told_to_the_owner_alone() -> None:
    details = {"same": True}
    assert "may not see" in explanation("conflict", "en", details, to_owner=True)
    assert "may not see" not in explanation("conflict", "en", details)
