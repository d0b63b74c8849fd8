"""What reading says in words of its own, in French and English (``phrases.toml``)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")


def say(phrase: str, language: str, **values: object) -> str:
    """A phrase in a language (English for one that is not spoken here), its placeholders filled in.

    Args:
        phrase: ``section.name`` in the file.
        language: ``fr`` or ``en``.
        values: the placeholders.
    """
    section, _, name = phrase.partition(".")
    spoken = _phrases()[section][name]
    return spoken.get(language, spoken["en"]).strip().format(**values)


@cache
def _phrases() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads(_FILE.read_text("utf-8"))
