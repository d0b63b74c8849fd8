"""The language of a short sentence: French, English, or another."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from policies.folding import fold
from policies.language import lexicon

OTHER = "und"
_LONG = 5
"""Of more words than these, one known word tells nothing."""
_WORD = re.compile(r"[^\W\d_]+(?:'t)?")
_LATIN = re.compile(r"[a-z]")
_FRENCH_SIGNS = re.compile(
    r"\b[a-zà-ÿœ]*[çœèêûîôëé][a-zà-ÿœ]*\b|\bà\b|(?:^|(?<=[\s(«\"]))(?:qu|[ldjnmcstLDJNCS])['’](?=\w)"
)
"""Words with French accents (names, which begin with a capital, say nothing), elisions."""
_ENGLISH_SIGNS = re.compile(r"\b[a-z]{3,}(?:ing|ed)\b")
_POSSESSIVES = re.compile(r"[a-zé]['’]s\b")
_OTHER_SIGNS = re.compile(r"[¿¡ßãõìòåøčšžłąęőű]|(?:(?<=\s)|(?<=[a-z]))[ñäöü]|\b[a-z]+[íóúá]")
_ENGLISH_PAIRS = frozenset({("the", "user"), ("in", "the"), ("of", "the")})


def identify(text: str) -> str:
    """``fr``, ``en``, or ``und`` for another language or where nothing tells."""
    found = guess(text)
    return found if found in ("fr", "en") else OTHER


def guess(text: str) -> str:
    """The likeliest of the languages of ``parameters/languages.toml``, ``und`` where nothing tells.

    A word counts for every language that has it; names, numbers and loan words count for none. French and
    English, which the rules read, are preferred to another language that scores the same, never to each other.
    """
    found = _WORD.findall(fold(text))
    if not any(_LATIN.match(word) for word in found) or _mostly_other_script(found):
        return OTHER
    scores = {language: sum(word in known for word in found) for language, known in _words().items()}
    scores["fr"] += len(_FRENCH_SIGNS.findall(text)) if scores["fr"] else 0
    scores["en"] += (
        len(_POSSESSIVES.findall(text))
        + sum(pair in _ENGLISH_PAIRS for pair in pairwise(found))
        + len(_ENGLISH_SIGNS.findall(text))
    )
    if _OTHER_SIGNS.search(text):
        scores["fr"] = scores["en"] = 0
    best = max(scores.values())
    leading = [language for language in scores if scores[language] == best]
    read = [language for language in leading if language in ("fr", "en")]
    if best == 0 or (best == 1 and len(found) > _LONG):
        return OTHER
    if len(read) > 1:
        return _first_told(found)
    return read[0] if read else leading[0]


def _first_told(found: list[str]) -> str:
    """Of French and English, that of the first word that only one of them has: names and addresses come later."""
    english, french = _words()["en"], _words()["fr"]
    for word in found:
        if (word in english) != (word in french):
            return "en" if word in english else "fr"
    return OTHER


def _mostly_other_script(found: list[str]) -> bool:
    other = sum(not word.isascii() and not _LATIN.match(word) for word in found)
    return other * 2 > len(found)


@cache
def _words() -> dict[str, frozenset[str]]:
    return {
        language: lexicon.words("languages", language)
        for language in ("en", "fr", "es", "de", "it", "pt", "nl")
    }
