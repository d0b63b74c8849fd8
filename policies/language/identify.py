"""The language of a short sentence: French, English, or another."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from policies.folding import fold
from policies.language import lexicon

OTHER = "und"
_WORD = re.compile(r"[^\W\d_]+(?:'t)?")
_LATIN = re.compile(r"[a-z]")
_FRENCH_SIGNS = re.compile(r"[çœèêûîôëï]|\b(?:qu|[ldjnmcst])['’]|\w+é(?:e|es|s)?\b|\bà\b", re.IGNORECASE)
_OTHER_SIGNS = re.compile(r"[ñ¿¡ßäöüãõìòåøčšžłąęő]", re.IGNORECASE)
_ENGLISH_PAIRS = frozenset({("the", "user"), ("in", "the"), ("of", "the")})


def identify(text: str) -> str:
    """``fr``, ``en``, or ``und`` for another language or where nothing tells.

    A word counts for every language that has it; names, numbers and loan words count for none.
    """
    found = _WORD.findall(fold(text))
    if not any(_LATIN.match(word) for word in found) or _mostly_other_script(found):
        return OTHER
    scores = {language: sum(word in known for word in found) for language, known in _words().items()}
    scores["fr"] += len(_FRENCH_SIGNS.findall(text)) if scores["fr"] else 0
    scores["en"] += sum(pair in _ENGLISH_PAIRS for pair in pairwise(found))
    scores["es"] += 2 * len(_OTHER_SIGNS.findall(text))
    best = max(scores.values())
    if best == 0:
        return OTHER
    leading = [language for language in scores if scores[language] == best]
    if len(leading) > 1 and set(leading) & {"fr", "en"} and not (set(leading) >= {"fr", "en"}):
        return "fr" if "fr" in leading else "en"
    return leading[0] if len(leading) == 1 and leading[0] in ("fr", "en") else OTHER


def _mostly_other_script(found: list[str]) -> bool:
    other = sum(not word.isascii() and not _LATIN.match(word) for word in found)
    return other * 2 > len(found)


@cache
def _words() -> dict[str, frozenset[str]]:
    return {language: lexicon.words("languages", language) for language in ("en", "fr", "es", "de", "it", "pt", "nl")}
