"""Why something became what it became, or was refused, told to the owner: in words for a person at a page.

What is told to assistants speaks of arguments and tools, and says what a tool should do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from policies.errors import MnemoError
from policies.reasons import explanation
from service.console.strings import Strings
from service.failures import problem_of, told


def told_reason(reason: str, t: Strings, details: Mapping[str, object] | None = None) -> str:
    """The sentence of a reason code, in the owner's language.

    Args:
        reason: a code of ``policies.reasons``.
        t: the strings.
        details: the outcome's.
    """
    key = f"reasons.{reason}"
    if not t.has(key):
        return t.spaced(explanation(reason, t.language, details))
    names = cast("list[str]", (details or {}).get("names", []))
    return t(key, names=", ".join(names) or t("reasons.nobody_named"))


def told_failure(error: MnemoError, t: Strings) -> dict[str, object]:
    """The public face of an error (see ``service.failures.told``), its sentences for a page."""
    failure = told(error, t.language)
    name = f"fields.{error.field}"
    values = {
        "field": t(name) if t.has(name) else error.field or "…",
        "problem": problem_of(error, t.language),
    }
    for part, key in (("message", f"failures.{error.code}"), ("remedy", f"failures.{error.code}.remedy")):
        failure[part] = t(key, **values) if t.has(key) else t.spaced(str(failure[part]))
    return failure
