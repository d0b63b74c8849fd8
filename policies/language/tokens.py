"""A text as the tokens that phrases are looked for in: words written out, and marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from policies.language.identify import identify
from policies.language.lexicon import words as words_of
from policies.text import Word, words

_SENTENCE_ENDS = frozenset(".!?…\n;。！？；")
_CLAUSE_MARKS = frozenset(',:()[]"«»“”—–、，：（）')
_APOSTROPHES = frozenset("'’‘ʼ`´")
_ELIDED = words_of("languages", "elided")
_ENGLISH_ENDINGS = {"s": "'s", "m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_NEGATED = {"can": "can", "won": "will", "shan": "shall", "ain": "is"}
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]")


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word, or a mark that ends a clause or a sentence, with its place in the text."""

    folded: str
    start: int
    end: int
    shown: str = ""
    """In lower case, with its accents; empty for a mark."""

    @property
    def ends_sentence(self) -> bool:
        """Whether this is a full stop or the like."""
        return self.folded in _SENTENCE_ENDS

    @property
    def is_mark(self) -> bool:
        """Whether this is punctuation rather than a word."""
        return self.folded in _SENTENCE_ENDS or self.folded in _CLAUSE_MARKS


@lru_cache(maxsize=4096)
def tokenise(text: str) -> tuple[Token, ...]:
    """Words and marks in order.

    Contractions are written out ("don't" is "do not"), elisions set apart ("l'asthme" is "l asthme"), and scripts
    without blanks give one token a character.
    """
    found: list[Token] = []
    place = 0
    for word in words(text):
        found.extend(_marks(text, place, word.start))
        joined = word.start > 0 and text[word.start - 1] in _APOSTROPHES and place == word.start - 1
        found.extend(_joined(found.pop() if found else None, _token(word)) if joined else [_token(word)])
        place = word.end
    found.extend(_marks(text, place, len(text)))
    return tuple(part for token in found for part in _parts(token))


def accents_count(text: str) -> bool:
    """Whether "rate" and "raté" are two words in this text: it shows its accents, or is English."""
    return any(ord(character) > 127 and character.isalpha() for character in text) or identify(text) == "en"


def _marks(text: str, start: int, end: int) -> Iterator[Token]:
    for index in range(start, end):
        if text[index] in _SENTENCE_ENDS or text[index] in _CLAUSE_MARKS:
            yield Token(text[index], index, index + 1)


def _token(word: Word) -> Token:
    shown = unicodedata.normalize("NFC", word.surface).casefold()
    return Token(word.folded, word.start, word.end, shown)


def _joined(before: Token | None, word: Token) -> list[Token]:
    """Two words on either side of an apostrophe."""
    ending = _ENGLISH_ENDINGS.get(word.folded, word.folded)
    if before is None:
        return [replace(word, folded=ending, shown=ending)]
    if before.folded in _ELIDED:
        return [before, word]
    if word.folded == "t" and before.folded.endswith("n"):
        verb = _NEGATED.get(before.folded, before.folded[:-1])
        return [replace(before, folded=verb, shown=verb), replace(word, folded="not", shown="not")]
    if before.folded == "aujourd":
        return [Token("aujourdhui", before.start, word.end, "aujourdhui")]
    return [before, replace(word, folded=ending, shown=ending)]


def _parts(token: Token) -> Iterator[Token]:
    """A run of a script without blanks is one token a character; what folding writes in two words is two."""
    if _UNSPACED.search(token.folded):
        yield from (replace(token, folded=character, shown=character) for character in token.folded)
    elif token.folded == "cannot":
        yield from (replace(token, folded=part, shown=part) for part in ("can", "not"))
    elif " " in token.folded:
        yield from (replace(token, folded=part, shown=part) for part in token.folded.split(" "))
    else:
        yield token
