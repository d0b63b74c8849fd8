"""Why something became what it became, told to the owner: what it means to them, not what a tool should do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from policies.reasons import explanation
from service.console.strings import Strings


def told_reason(reason: str, t: Strings, details: Mapping[str, object] | None = None) -> str:
    """The sentence of a reason code, in the owner's language.

    Args:
        reason: a code of ``policies.reasons``.
        t: the strings.
        details: the outcome's.
    """
    key = f"reasons.{reason}"
    if not t.has(key):
        return explanation(reason, t.language, details)
    names = cast("list[str]", (details or {}).get("names", []))
    return t(key, names=", ".join(names) or t("reasons.nobody_named"))
