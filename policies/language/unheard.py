"""Words that no lexicon knows, where a sentence has them stand for a remedy, an ailment or a state of somebody.

What is taken, what is suffered from and what somebody probably is may go by any name: where the word is no
common one, the rules do not know better than the owner.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

from policies.language import gazetteer
from policies.language.bearers import Cues
from policies.language.phrases import PhraseSet, phrase_set
from policies.language.tokens import Token

_SHORT = 5
_QUALIFIERS = 3


@cache
def _frames(key: str) -> PhraseSet:
    return phrase_set("conclusions", key)


def unheard_of(tokens: tuple[Token, ...], cues: Cues, *, hedged: bool) -> bool:
    """Whether a sentence gives a person a remedy, an ailment or (``hedged``) a state by an unknown word.

    Args:
        tokens: of one sentence.
        cues: who and what is in it.
        hedged: whether it guesses: then what somebody is counts too.
    """
    if not cues.people:
        return False
    frames = ("takes", "suffers", "is") if hedged else ("takes", "suffers")
    ordered = sorted(cues.all)
    return any(
        _unknown_at(tokens, cues, hit.end)
        for key in frames
        for hit in _frames(key).find(tokens, accents=True)
        if ordered[max(0, bisect_left(ordered, hit.end) - 1)] in cues.people
    )


def _unknown_at(tokens: tuple[Token, ...], cues: Cues, place: int) -> bool:
    """Whether the word at ``place``, small words skipped, is an unknown one."""
    skipped = _frames("skipped")
    for index in range(place, min(place + _QUALIFIERS + 1, len(tokens))):
        if skipped.found_in(tokens[index : index + 1]):
            continue
        return index not in cues.all and index not in cues.named and _is_unknown(tokens[index])
    return False


def _is_unknown(token: Token) -> bool:
    word = token.folded
    return (
        len(word) >= _SHORT
        and word.isalpha()
        and not gazetteer.is_common(word)
        and not gazetteer.is_place(word)
        and not gazetteer.is_thing(word)
        and not gazetteer.is_given(word)
        and not _frames("everyday").found_in((token,))
    )
