"""Phrases of a lexicon found in a text: the one matcher of the language rules.

A lexicon phrase is words with a few signs, written as people write (accents, capitals):

- ``word`` that word; ``diabet*`` any word that begins so, ``*ing`` that ends so (never first in a phrase); ``be|is|was`` one of these;
- ``?very`` that word or nothing; ``~`` up to three words of the same clause; ``~~`` up to six;
- ``<kin>`` any phrase element of the list of that name given to ``PhraseSet``;
- ``,`` and line ends separate phrases; ``^`` at the head of a phrase: only where a sentence begins.

Matching is over folded words (see ``policies.text``), contractions written out, in time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from policies.language.lexicon import load
from policies.text import words

_SENTENCE_ENDS = frozenset(".!?…\n;。！？；")
_CLAUSE_MARKS = frozenset(",:()[]\"«»“”—–、，：（）")
_APOSTROPHES = frozenset("'’‘ʼ`´")
_ELIDED = frozenset("l d j n s c m t qu lorsqu puisqu jusqu quoiqu dell all un nell sull".split())
_ENGLISH_ENDINGS = {"s": "'s", "m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_NEGATED = {"can": "can", "won": "will", "shan": "shall", "ain": "is"}
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]")
_GAPS = {"~": 3, "~~": 6}


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word, or a mark that ends a clause or a sentence, with its place in the text."""

    folded: str
    start: int
    end: int

    @property
    def ends_sentence(self) -> bool:
        """Whether this is a full stop or the like."""
        return self.folded in _SENTENCE_ENDS

    @property
    def is_mark(self) -> bool:
        """Whether this is punctuation rather than a word."""
        return self.folded in _SENTENCE_ENDS or self.folded in _CLAUSE_MARKS


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found: tokens ``[start, end)``."""

    start: int
    end: int
    phrase: str


@lru_cache(maxsize=4096)
def tokenise(text: str) -> tuple[Token, ...]:
    """Words and marks in order. Contractions are written out ("she's" is "she 's", "don't" "do not"), elisions
    set apart ("l'asthme" is "l asthme"), and scripts without blanks give one token a character.
    """
    found: list[Token] = []
    place = 0
    for word in words(text):
        found.extend(_marks(text, place, word.start))
        joined = word.start > 0 and text[word.start - 1] in _APOSTROPHES and place == word.start - 1
        found.extend(_word_tokens(word.folded, word.start, word.end, found[-1] if joined and found else None, found))
        place = word.end
    found.extend(_marks(text, place, len(text)))
    return tuple(found)


def _marks(text: str, start: int, end: int) -> Iterator[Token]:
    for index in range(start, end):
        if text[index] in _SENTENCE_ENDS or text[index] in _CLAUSE_MARKS:
            yield Token(text[index], index, index + 1)


def _word_tokens(
    folded: str, start: int, end: int, joined_to: Token | None, found: list[Token]
) -> Iterator[Token]:
    if joined_to is not None and joined_to.folded not in _ELIDED:
        if folded == "t" and joined_to.folded.endswith("n"):
            found[-1] = Token(
                _NEGATED.get(joined_to.folded, joined_to.folded[:-1]), joined_to.start, joined_to.end
            )
            folded = "not"
        elif joined_to.folded == "aujourd":
            found.pop()
            folded, start = "aujourdhui", joined_to.start
        else:
            folded = _ENGLISH_ENDINGS.get(folded, folded)
    if _UNSPACED.search(folded):
        yield from (Token(character, start, end) for character in folded)
    elif " " in folded:
        yield from (Token(part, start, end) for part in folded.split(" "))
    else:
        yield Token(folded, start, end)


@dataclass(frozen=True, slots=True)
class _Element:
    words: frozenset[str]
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...] = ()
    gap: int = 0

    def accepts(self, token: str) -> bool:
        return token in self.words or token.startswith(self.prefixes) or token.endswith(self.suffixes)


@dataclass(frozen=True, slots=True)
class _Pattern:
    phrase: str
    elements: tuple[_Element, ...]
    at_beginning: bool


class PhraseSet:
    """Phrases compiled together. Immutable once built."""

    def __init__(self, phrases: Iterable[str], classes: Mapping[str, Iterable[str]] | None = None) -> None:
        """Compile.

        Args:
            phrases: as described at the top of this module.
            classes: what ``<name>`` stands for: elements of one word each.
        """
        named = {name: tuple(members) for name, members in (classes or {}).items()}
        self._exact: dict[str, list[_Pattern]] = {}
        self._prefixed: dict[str, list[_Pattern]] = {}
        for phrase in phrases:
            for pattern in _compiled(phrase, named):
                self._index(pattern)
        self._lengths = sorted({len(prefix) for prefix in self._prefixed})

    def _index(self, pattern: _Pattern) -> None:
        first = pattern.elements[0]
        for word in first.words:
            self._exact.setdefault(word, []).append(pattern)
        for prefix in first.prefixes:
            self._prefixed.setdefault(prefix, []).append(pattern)

    def find(self, tokens: tuple[Token, ...]) -> list[Hit]:
        """Every phrase found, by place; the longest first where several begin at one place."""
        hits: list[Hit] = []
        for index, token in enumerate(tokens):
            here: dict[int, Hit] = {}
            for pattern in self._candidates(token.folded):
                if pattern.at_beginning and index > 0 and not tokens[index - 1].ends_sentence:
                    continue
                end = _match(pattern.elements, 1, tokens, index + 1)
                if end is not None:
                    here.setdefault(end, Hit(index, end, pattern.phrase))
            hits.extend(here[end] for end in sorted(here, reverse=True))
        return hits

    def found_in(self, tokens: tuple[Token, ...]) -> bool:
        """Whether any phrase is found."""
        return bool(self.find(tokens))

    def _candidates(self, word: str) -> Iterator[_Pattern]:
        yield from self._exact.get(word, ())
        for length in self._lengths:
            if length > len(word):
                break
            yield from self._prefixed.get(word[:length], ())


def phrases_of(lexicon: str, key: str) -> tuple[str, ...]:
    """The phrases of a list of a lexicon file: a string, split at commas and line ends, or a TOML list.

    ``key`` may be dotted. What follows ``#`` on a line is a note.
    """
    value: object = load(lexicon)
    for part in key.split("."):
        value = value[part]  # type: ignore[index]
    if isinstance(value, str):
        lines = (line.split("#", 1)[0] for line in value.splitlines())
        return tuple(entry.strip() for line in lines for entry in line.split(",") if entry.strip())
    return tuple(str(entry) for entry in value)  # type: ignore[attr-defined]


def phrase_set(lexicon: str, *keys: str, classes: Iterable[str] = ()) -> PhraseSet:
    """The named lists of a lexicon file compiled together; ``classes`` names the lists that ``<name>`` may use."""
    return PhraseSet(
        [phrase for key in keys for phrase in phrases_of(lexicon, key)],
        {name: phrases_of(lexicon, name) for name in classes},
    )


def _compiled(phrase: str, classes: Mapping[str, tuple[str, ...]]) -> Iterator[_Pattern]:
    at_beginning = phrase.startswith("^")
    variants: list[tuple[_Element, ...]] = [()]
    for part in phrase.removeprefix("^").split():
        optional = part.startswith("?")
        choices = _choices(part.removeprefix("?"), classes)
        grown = [variant + choice for variant in variants for choice in choices]
        variants = variants + grown if optional else grown
    for elements in variants:
        if elements:
            yield _Pattern(phrase, elements, at_beginning)


def _choices(part: str, classes: Mapping[str, tuple[str, ...]]) -> list[tuple[_Element, ...]]:
    """What one part of a phrase may be: choices of one word make one element, longer ones stand by themselves."""
    if part in _GAPS:
        return [(_Element(frozenset(), (), gap=_GAPS[part]),)]
    exact: set[str] = set()
    prefixes: list[str] = []
    suffixes: list[str] = []
    longer: list[tuple[_Element, ...]] = []
    for choice in part.split("|"):
        for member in classes[choice[1:-1]] if choice.startswith("<") else (choice,):
            *first, last = (token.folded for token in tokenise(member.strip("*")))
            if first:
                heads = tuple(_exactly(word) for word in first)
                longer.append((*heads, _Element(frozenset(), (last,)) if member.endswith("*") else _exactly(last)))
            elif member.endswith("*"):
                prefixes.append(last)
            elif member.startswith("*"):
                suffixes.append(last)
            else:
                exact.add(last)
    if exact or prefixes or suffixes:
        longer.append((_Element(frozenset(exact), tuple(prefixes), tuple(suffixes)),))
    return longer


def _exactly(word: str) -> _Element:
    return _Element(frozenset({word}), ())


def _match(elements: tuple[_Element, ...], index: int, tokens: tuple[Token, ...], place: int) -> int | None:
    """Where the rest of a pattern ends when it begins at ``place``, or None."""
    if index == len(elements):
        return place
    element = elements[index]
    if not element.gap:
        if place < len(tokens) and element.accepts(tokens[place].folded):
            return _match(elements, index + 1, tokens, place + 1)
        return None
    for skipped in range(element.gap + 1):
        end = _match(elements, index + 1, tokens, place + skipped)
        if end is not None:
            return end
        if place + skipped >= len(tokens) or tokens[place + skipped].is_mark:
            return None
    return None
