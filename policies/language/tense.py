"""Whether a sentence tells of the past, the present or the future: enough to choose between two years."""

from __future__ import annotations

import unicodedata
from enum import StrEnum

from policies.language import lexicon
from policies.text import Word, is_stop_word, words

_AVOIR = lexicon.words("tense", "avoir")
_ETRE = lexicon.words("tense", "etre")
_BE = lexicon.words("tense", "be")
_PARTICIPLES_OF_ETRE = lexicon.words("tense", "participles_of_etre")
_PARTICIPLES = lexicon.words("tense", "participles")
_PASTS = lexicon.words("tense", "pasts")
_NOT_PASTS = lexicon.words("tense", "not_pasts")
_FUTURES = lexicon.words("tense", "futures")
_NOT_FUTURES = lexicon.words("tense", "not_futures")
_GOING = lexicon.words("tense", "going")
_ADVERBS = lexicon.words("tense", "adverbs")
_PARTICIPLE_ENDINGS = ("é", "ée", "és", "ées", "i", "ie", "is", "it", "u", "ue", "us", "ues")
_FUTURE_ENDINGS = ("rai", "ras", "ra", "rons", "rez", "ront")
_IMPERFECT_ENDINGS = ("ait", "ais", "aient")
_CONDITIONAL_ENDINGS = ("rait", "rais", "raient")
_INFINITIVE_ENDINGS = ("er", "ir", "re")


class Tense(StrEnum):
    """What time a sentence tells of."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


def tense(text: str) -> Tense:
    """The tense of a sentence: the first of its verbs that is not in the present decides."""
    found = words(text)
    for index, word in enumerate(found):
        told = _tense_at(found, index, word)
        if told is not None:
            return told
    return Tense.PRESENT


def _tense_at(found: tuple[Word, ...], index: int, word: Word) -> Tense | None:
    if word.folded in _FUTURES:
        return Tense.FUTURE
    following = _after_adverbs(found, index + 1)
    if word.folded in _GOING:
        leads = (
            following is not None
            and following.folded.endswith(_INFINITIVE_ENDINGS)
            and not _capital(following)
        )
        return Tense.FUTURE if leads else None
    before = found[index - 1].folded if index else ""
    if word.folded in _AVOIR and word.surface not in ("à", "À"):
        return Tense.PAST if _is_participle(following) else None
    if word.folded in _ETRE:
        reflexive = before in ("s", "me", "m", "se", "t", "nous", "vous")
        if following is None or (following.folded not in _PARTICIPLES_OF_ETRE and not reflexive):
            return None
        return Tense.PAST if _is_participle(following) else None
    if _capital(word) and index:
        return None
    return _tense_of_form(word, before)


def _tense_of_form(word: Word, before: str) -> Tense | None:
    """The tense that a verb's form alone tells."""
    folded = word.folded
    if folded in _PASTS:
        return Tense.PAST
    if folded in _NOT_PASTS or is_stop_word(folded):
        return None
    if folded.endswith("ed") and len(folded) > 4 and before not in _BE:
        return Tense.PAST
    if len(folded) > 5 and folded.endswith(_FUTURE_ENDINGS) and folded not in _NOT_FUTURES:
        return Tense.FUTURE
    return Tense.PAST if is_imperfect(folded) else None


def is_imperfect(folded: str) -> bool:
    """Whether a folded word has the form of a French imparfait ("vivais", "travaillait")."""
    if len(folded) < 6 or folded in _NOT_PASTS or is_stop_word(folded):
        return False
    return folded.endswith(_IMPERFECT_ENDINGS) and not folded.endswith(_CONDITIONAL_ENDINGS)


def _after_adverbs(found: tuple[Word, ...], index: int) -> Word | None:
    while index < len(found) and found[index].folded in _ADVERBS and found[index].surface != "né":
        index += 1
    return found[index] if index < len(found) else None


def _is_participle(word: Word | None) -> bool:
    if word is None or _capital(word):
        return False
    if word.folded in _PARTICIPLES or word.folded in _PARTICIPLES_OF_ETRE:
        return True
    shown = unicodedata.normalize("NFC", word.surface)
    return len(shown) > 2 and not is_stop_word(word.folded) and shown.endswith(_PARTICIPLE_ENDINGS)


def _capital(word: Word) -> bool:
    return word.surface[:1].isupper()
