"""Whether a text says that something matters to the owner, and on what ground (G10: no derived salience).

Declared: the owner's own words say so. Derived: how often, how long or how warmly something is mentioned, or an
impression or inference ("clearly his top priority", "il y tient visiblement") beside a word of importance.
What a statement merely reports ("it is very important to the user") is neither: it is kept as it is told, and
no salience comes of it.
"""

from __future__ import annotations

from functools import cache

from policies.language.findings import Importance
from policies.language.phrases import Hit, PhraseSet, phrase_set
from policies.language.tokens import Token, tokenise

_LEXICON = "importance"


def find_importance(statement: str, words: str | None = None) -> Importance:
    """What a statement, with the owner's words if they came with it, says of importance.

    Args:
        statement: what is to be kept.
        words: the owner's own, verbatim. Only they can declare.
    """
    if _derived(tokenise(statement)):
        return Importance.DERIVED
    declared = words is not None and _set("declared").found_in(tokenise(words))
    return Importance.DECLARED if declared else Importance.NONE


def _derived(tokens: tuple[Token, ...]) -> bool:
    innocent = _set("innocent").find(tokens)
    if _bare(_set("frequency"), tokens, innocent):
        return True
    return any(
        _bare(_set("words"), sentence, _set("innocent").find(sentence)) and _set("grounds").found_in(sentence)
        for sentence in _sentences(tokens)
    )


def _bare(phrases: PhraseSet, tokens: tuple[Token, ...], innocent: list[Hit]) -> bool:
    return any(
        not any(cover.start <= hit.start and hit.end <= cover.end for cover in innocent)
        for hit in phrases.find(tokens)
    )


def _sentences(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    found: list[list[Token]] = [[]]
    for token in tokens:
        found[-1].append(token)
        if token.ends_sentence:
            found.append([])
    return [tuple(sentence) for sentence in found if sentence]


@cache
def _set(key: str) -> PhraseSet:
    return phrase_set(_LEXICON, key, classes=("n", "nfr", "comma"))
