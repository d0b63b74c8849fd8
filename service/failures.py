"""How an error is told: one table of sentences (``failures.toml``, in French and English), one shape.

A caller sees the code, the category, the sentence and the remedy; never the message of the exception,
which is for the log.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from policies import reasons
from policies.errors import MnemoError

LANGUAGES = ("fr", "en")

# Read at once: a table that does not parse must stop the process, not an answer.
_TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("failures.toml").read_text("utf-8"))

UNSETTLED = "unsettled."

_STATUS = {
    "http.request": 400,
    "grant.refused": 401,
    "http.origin": 403,
    "http.too_slow": 408,
    "http.too_large": 413,
    "http.host": 421,
    "rate.limited": 429,
}
_STATUS_OF_CATEGORY = {
    "incorrect": 400,
    "forbidden": 403,
    "not_found": 404,
    "conflict": 409,
    "unavailable": 503,
    "fault": 500,
}


class _Details(dict[str, str]):
    """Placeholders without a value read as an ellipsis: better than a fault about a sentence."""

    def __missing__(self, key: str) -> str:
        return "…"


def told(error: MnemoError, language: str, *, to_owner: bool = False) -> dict[str, object]:
    """The public face of an error, of one shape everywhere.

    Args:
        error: what was raised.
        language: ``fr`` or ``en``; anything else reads as English.
        to_owner: whether the owner reads it at the command line, whose arguments are options and whose remedies are
            commands.

    Returns:
        ``{code, category, message, remedy, field, retry_after}``; ``retry_after`` in seconds.
    """
    tables = _TABLES
    sentences = tables["codes"].get(error.code) or tables["codes"][MnemoError.code]
    details = _details(error, language)
    if to_owner:
        sentences = tables["owner"].get(error.code, sentences)
        details["field"] = tables["options"].get(details["field"], details["field"])
    message, remedy = cast("list[str]", sentences[_chosen(language)])
    return {
        "code": error.code,
        "category": error.category,
        "message": message.format_map(details),
        "remedy": remedy.format_map(details),
        "field": error.field,
        "retry_after": error.retry_after_s,
    }


def problem_of(error: MnemoError, language: str) -> str:
    """What ``details['problem']`` stands for, in words; an ellipsis where there is none."""
    return _details(error, language)["problem"]


def in_words(failure: Mapping[str, object]) -> str:
    """The same as one readable text: sentence, remedy, code."""
    return f"{failure['message']} {failure['remedy']} ({failure['code']})"


def http_status(error: MnemoError) -> int:
    """The status of an error that is told over HTTP, outside tools."""
    return _STATUS.get(error.code) or _STATUS_OF_CATEGORY[error.category]


def sentences_of(code: str) -> Mapping[str, tuple[str, str]] | None:
    """Sentence and remedy of a code by language, placeholders unfilled; None for a code without any."""
    found = _TABLES["codes"].get(code)
    return None if found is None else {language: tuple(found[language]) for language in LANGUAGES}


def _details(error: MnemoError, language: str) -> _Details:
    shown = _Details({name: _in_words(value) for name, value in error.details.items()})
    shown["field"] = error.field or "…"
    if error.retry_after_s is not None:
        shown["retry_after"] = str(error.retry_after_s)
    words, problems = _TABLES["words"], _TABLES["problems"]
    for name in ("expected", "unit"):
        if shown.get(name) in words:
            shown[name] = words[shown[name]][_chosen(language)]
    problem = shown.get("problem", "")
    if problem in problems:
        shown["problem"] = problems[problem][_chosen(language)].format_map(shown)
    elif (reason := problem.removeprefix(UNSETTLED)) in reasons.reason_codes():
        # What a ruling leaves open is told like the outcome that it would have.
        shown["problem"] = reasons.explanation(reason, language, error.details).rstrip(".")
    return shown


def _chosen(language: str) -> str:
    return "fr" if language == "fr" else "en"


def _in_words(value: object) -> str:
    if isinstance(value, Mapping):
        entity = cast("Mapping[str, object]", value)
        return f"{entity.get('name')} ({entity.get('id')})"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_in_words(element) for element in cast("Sequence[object]", value))
    return str(value)
