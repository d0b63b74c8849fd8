"""Phrases of a lexicon found in a text: the one matcher of the language rules.

A lexicon phrase is words with a few signs, written as people write (accents, capitals):

- ``word`` that word; ``be|is|was`` one of these; ``diabet*`` any word that begins so, ``*ing`` that ends so;
- ``?very`` that word or nothing; ``~`` up to three words of the same clause; ``~~`` up to six;
- ``<kin>`` any phrase element of the list of that name given to ``PhraseSet``;
- ``,`` and line ends separate phrases; ``^`` at the head of a phrase: only where a clause begins; ``@en``
  before a phrase: not in a text that is known to be of another language.

Matching is over folded words (see ``policies.text``), contractions written out, in time linear in the text. Where
a text shows its accents, or is English, a caller may ask that they count: "rate" is not "raté".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from policies.language.identify import identify
from policies.language.lexicon import load
from policies.language.lexicon import words as words_of
from policies.text import Word, words

_SENTENCE_ENDS = frozenset(".!?…\n;。！？；")
_CLAUSE_MARKS = frozenset(',:()[]"«»“”—–、，：（）')
_APOSTROPHES = frozenset("'’‘ʼ`´")
_ELIDED = words_of("languages", "elided")
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


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found: tokens ``[start, end)``."""

    start: int
    end: int
    phrase: str


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


@dataclass(frozen=True, slots=True)
class _Element:
    """What one token must be; every list with accents (``shown``) and without."""

    words: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    shown_prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    gap: int = 0

    def accepts(self, token: Token, *, accents: bool) -> bool:
        if token.folded in self.words:
            return not accents or token.shown in self.shown or token.is_mark
        if token.folded.startswith(self.prefixes):
            return not accents or token.shown.startswith(self.shown_prefixes)
        return token.folded.endswith(self.suffixes)


@dataclass(frozen=True, slots=True)
class _Pattern:
    phrase: str
    elements: tuple[_Element, ...]
    at_beginning: bool
    language: str


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
        self._suffixed: dict[str, list[_Pattern]] = {}
        for phrase in phrases:
            for pattern in _compiled(phrase, named):
                self._index(pattern)
        self._begun = sorted({len(prefix) for prefix in self._prefixed})
        self._ended = sorted({len(suffix) for suffix in self._suffixed})

    def _index(self, pattern: _Pattern) -> None:
        first = pattern.elements[0]
        for word in first.words:
            self._exact.setdefault(word, []).append(pattern)
        for prefix in first.prefixes:
            self._prefixed.setdefault(prefix, []).append(pattern)
        for suffix in first.suffixes:
            self._suffixed.setdefault(suffix, []).append(pattern)

    def find(self, tokens: tuple[Token, ...], *, accents: bool = False, language: str = "") -> list[Hit]:
        """Every phrase found, by place; the longest first where several begin at one place.

        Args:
            tokens: of ``tokenise``.
            accents: whether they count.
            language: the text's, where it is known: phrases of another one are not looked for.
        """
        hits: list[Hit] = []
        for index, token in enumerate(tokens):
            here: dict[int, Hit] = {}
            for pattern in self._candidates(token.folded):
                if pattern.language and language and pattern.language != language:
                    continue
                if pattern.at_beginning and index > 0 and not tokens[index - 1].is_mark:
                    continue
                end = _match(pattern.elements, 0, tokens, index, accents)
                if end is not None:
                    here.setdefault(end, Hit(index, end, pattern.phrase))
            hits.extend(here[end] for end in sorted(here, reverse=True))
        return hits

    def found_in(self, tokens: tuple[Token, ...], *, accents: bool = False, language: str = "") -> bool:
        """Whether any phrase is found."""
        return bool(self.find(tokens, accents=accents, language=language))

    def _candidates(self, word: str) -> Iterator[_Pattern]:
        yield from self._exact.get(word, ())
        for length in self._begun:
            yield from self._prefixed.get(word[:length], ())
        for length in self._ended:
            yield from self._suffixed.get(word[-length:], ())


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
    parts = phrase.split()
    language = parts.pop(0)[1:] if phrase.startswith("@") else ""
    at_beginning = parts[0].startswith("^")
    parts[0] = parts[0].removeprefix("^")
    variants: list[tuple[_Element, ...]] = [()]
    for part in parts:
        optional = part.startswith("?")
        choices = _choices(part.removeprefix("?"), classes)
        grown = [variant + choice for variant in variants for choice in choices]
        variants = variants + grown if optional else grown
    for elements in variants:
        if elements:
            yield _Pattern(phrase, elements, at_beginning, language)


def _choices(part: str, classes: Mapping[str, tuple[str, ...]]) -> list[tuple[_Element, ...]]:
    """What one part of a phrase may be: choices of one word make one element, longer ones stand by themselves."""
    if part in _GAPS:
        return [(_Element(gap=_GAPS[part]),)]
    exact: list[Token] = []
    prefixes: list[Token] = []
    suffixes: list[Token] = []
    longer: list[tuple[_Element, ...]] = []
    for choice in part.split("|"):
        for member in classes[choice[1:-1]] if choice.startswith("<") else (choice,):
            *first, last = tokenise(member.strip("*"))
            if first:
                heads = tuple(_element([word]) for word in first)
                longer.append((*heads, _element([], [last]) if member.endswith("*") else _element([last])))
            elif member.endswith("*"):
                prefixes.append(last)
            elif member.startswith("*"):
                suffixes.append(last)
            else:
                exact.append(last)
    if exact or prefixes or suffixes:
        longer.append((_element(exact, prefixes, suffixes),))
    return longer


def _element(exact: list[Token], prefixes: Iterable[Token] = (), suffixes: Iterable[Token] = ()) -> _Element:
    return _Element(
        frozenset(word.folded for word in exact),
        frozenset(word.shown for word in exact),
        tuple(word.folded for word in prefixes),
        tuple(word.shown for word in prefixes),
        tuple(word.folded for word in suffixes),
    )


def _match(
    elements: tuple[_Element, ...], index: int, tokens: tuple[Token, ...], place: int, accents: bool
) -> int | None:
    """Where the rest of a pattern ends when it begins at ``place``, or None."""
    if index == len(elements):
        return place
    element = elements[index]
    if not element.gap:
        if place < len(tokens) and element.accepts(tokens[place], accents=accents):
            return _match(elements, index + 1, tokens, place + 1, accents)
        return None
    for skipped in range(element.gap + 1):
        end = _match(elements, index + 1, tokens, place + skipped, accents)
        if end is not None:
            return end
        if place + skipped >= len(tokens) or tokens[place + skipped].is_mark:
            return None
    return None
