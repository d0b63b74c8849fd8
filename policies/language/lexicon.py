"""The words of French and English that the rules know, read from ``policies/parameters/*.toml`` once.

A lexicon file is a flat TOML of named lists of words (or of tables). Word lists are compared in folded form,
so the files are written as people write: with accents and capitals.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, cast

from policies.folding import fold

_FOLDER = Path(__file__).resolve().parent.parent / "parameters"


@cache
def load(name: str) -> dict[str, Any]:
    """The content of ``policies/parameters/<name>.toml``. Read once; treat it as read-only."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def entries(name: str, key: str) -> tuple[str, ...]:
    """A list of the lexicon as written. ``key`` may be dotted.

    A multi-line string is the compact form for single words, split at blanks; phrases need a TOML list.
    """
    value: Any = load(name)
    for part in key.split("."):
        value = value[part]
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(cast("list[str]", value))


@cache
def words(name: str, key: str) -> frozenset[str]:
    """A list of the lexicon, each entry folded."""
    return frozenset(fold(entry) for entry in entries(name, key))
