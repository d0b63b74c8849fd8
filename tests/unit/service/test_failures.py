from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from policies import errors
from policies.errors import EntityAmbiguous, InvalidArgument, MnemoError, RateLimited
from service.failures import http_status, in_words, sentences_of, told

ROOT = Path(__file__).parents[3]


def all_errors() -> Iterator[type[MnemoError]]:
    pending: list[type[MnemoError]] = [MnemoError]
    while pending:
        error = pending.pop()
        yield error
        pending += error.__subclasses__()


CODES = sorted({error.code for error in all_errors()})


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_sentence_and_a_remedy_in_both_languages(code: str) -> None:
    sentences = sentences_of(code)
    assert sentences is not None
    for language in ("fr", "en"):
        sentence, remedy = sentences[language]
        assert sentence
        assert remedy


@pytest.mark.parametrize("code", CODES)
def test_both_languages_fill_the_same_placeholders(code: str) -> None:
    sentences = sentences_of(code)
    assert sentences is not None
    french, english = (
        {name for part in sentences[language] for _, name, _, _ in string.Formatter().parse(part)}
        for language in ("fr", "en")
    )
    assert french == english


def test_the_documented_list_of_codes_is_the_closed_list_in_the_code() -> None:
    page = (ROOT / "docs/errors.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page if line.startswith("| `")]
    categories = {code.strip("`"): category for code, category, *_ in rows}
    sentences = {code.strip("`"): (message, remedy) for code, _, _, message, remedy in rows}
    assert categories == {error.code: error.category for error in all_errors()}
    assert sentences == {code: (sentences_of(code) or {})["en"] for code in CODES}


def test_what_is_told_has_the_pinned_shape() -> None:
    failure = told(RateLimited("log only", retry_after_s=7), "en")
    assert failure == {
        "code": "rate.limited",
        "category": "unavailable",
        "message": "Too many calls in a minute.",
        "remedy": "Wait 7 seconds and try again.",
        "field": None,
        "retry_after": 7,
    }


def test_the_message_of_the_exception_is_never_told() -> None:
    assert "log only" not in in_words(told(RateLimited("log only"), "fr"))


def test_a_placeholder_without_its_value_does_not_become_a_fault() -> None:
    for error in all_errors():
        for language in ("fr", "en"):
            assert "{" not in in_words(told(error(), language))


PROBLEM = re.compile(r'problem="([a-z_.]+)"(?: if \w[\w ]* else "([a-z_.]+)")?')


def test_every_problem_that_is_named_by_a_word_has_its_sentence() -> None:
    named = {
        word
        for package in ("policies", "cypher", "curator", "service")
        for file in (ROOT / package).rglob("*.py")
        for found in PROBLEM.finditer(file.read_text("utf-8"))
        for word in found.groups()
        if word is not None
    }
    assert named
    for word in named:
        for language in ("fr", "en"):
            sentence = str(told(InvalidArgument(field="x", problem=word), language)["message"])
            assert not sentence.endswith(f": {word}."), word


def test_what_a_caller_sent_is_repeated_without_being_read_as_a_template() -> None:
    failure = told(InvalidArgument(field="{0.__class__}", problem="{oops}"), "en")
    assert "{0.__class__}" in str(failure["message"])
    assert "{oops}" in str(failure["message"])


def test_candidates_are_named_with_their_ids() -> None:
    paul = {"id": "ent:a", "name": "Paul Durand"}
    martin = {"id": "ent:b", "name": "Paul Martin"}
    failure = told(EntityAmbiguous(field="about", candidates=[paul, martin]), "fr")
    assert "Paul Durand (ent:a), Paul Martin (ent:b)" in str(failure["message"])


def test_edges_have_the_statuses_that_are_pinned() -> None:
    statuses = {error.code: http_status(error()) for error in all_errors()}
    pinned = {
        errors.GrantRefused: 401,
        errors.OriginRefused: 403,
        errors.BodyTooSlow: 408,
        errors.BodyTooLarge: 413,
        errors.HostRefused: 421,
        errors.RateLimited: 429,
        errors.LedgerUnavailable: 503,
    }
    for error, status in pinned.items():
        assert statuses[error.code] == status


def test_at_the_command_line_remedies_are_commands_and_arguments_are_options() -> None:
    told_owner = {
        code: [told(error(field="valid_at"), language, to_owner=True) for language in ("fr", "en")]
        for error in all_errors()
        for code in [error.code]
    }
    for code, failures in told_owner.items():
        for failure in failures:
            said = f"{failure['message']} {failure['remedy']}"
            assert not re.search(r"\bmem_|input schema|schéma d'entrée", said), code
            assert failure["field"] == "valid_at", "scripts read the same as ever"
    assert "`--valid-at`" in str(told_owner["time.invalid"][0]["message"])
