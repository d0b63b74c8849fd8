"""Whether a sentence denies what it tells."""

from __future__ import annotations

from policies.language import lexicon
from policies.text import Word, words

_ENGLISH = lexicon.words("attributes", "words.denied")
_FRENCH = lexicon.words("attributes", "words.french_denied")
_NOT_ONLY = lexicon.words("grammar", "not_only")
_AUXILIARIES = lexicon.words("grammar", "contracted")
_HAVE = lexicon.words("grammar", "has_no")


def negated(text: str) -> bool:
    """Whether the main assertion of the text is a negation (not, never, no longer, ne… pas, ne… plus).

    "Not only", "pas mal", "ne… que" deny nothing; two negations in one sentence are still one denial.
    """
    found = words(text)
    return any(_denies(text, found, index) for index in range(len(found)))


def _denies(text: str, found: tuple[Word, ...], index: int) -> bool:
    word = found[index].folded
    following = found[index + 1].folded if index + 1 < len(found) else ""
    before = found[index - 1].folded if index else ""
    if word in _ENGLISH or word == "cannot":
        return following not in _NOT_ONLY and word != "without"
    if word == "t" and before in _AUXILIARIES:
        return following not in _NOT_ONLY
    if word == "no":
        return following == "longer" or before in _HAVE
    if word in _FRENCH:
        return following not in _NOT_ONLY and not (word == "personne" and not _has_ne(found, index))
    return word == "plus" and _has_ne(found, index)


def _has_ne(found: tuple[Word, ...], index: int) -> bool:
    """Whether a "ne" (or "n'") stands near, on either side: "ne… plus", "personne ne"."""
    near = (found[place].folded for place in range(max(0, index - 5), min(len(found), index + 3)))
    return any(word in ("ne", "n") for word in near)
