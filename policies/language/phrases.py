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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from policies.language.lexicon import load
from policies.language.tokens import Token, tokenise

_GAPS = {"~": 3, "~~": 6}


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found: tokens ``[start, end)``."""

    start: int
    end: int
    phrase: str


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


_Start = tuple["_Phrase", int]
"""A phrase, and which of its first elements."""


class _Phrase:
    """A phrase, compiled when a text has a word that it may begin with: most are never met."""

    __slots__ = ("_at_beginning", "_groups", "_language", "_parts", "_phrase")

    def __init__(self, phrase: str, classes: Mapping[str, tuple[str, ...]]) -> None:
        parts = phrase.split()
        self._phrase = phrase
        self._language = parts.pop(0)[1:] if phrase.startswith("@") else ""
        self._at_beginning = parts[0].startswith("^")
        parts[0] = parts[0].removeprefix("^")
        self._parts = [(part.removeprefix("?"), part.startswith("?"), classes) for part in parts]
        self._groups: list[list[_Pattern]] = []

    def firsts(self) -> Iterator[_Element]:
        """What it may begin with, in the order in which ``begun`` counts."""
        for part, optional, classes in self._parts:
            for choice in _choices(part, classes):
                yield choice[0]
            if not optional:
                break

    def begun(self, first: int) -> list[_Pattern]:
        """Its patterns that begin with one of its first elements."""
        if not self._groups:
            self._groups = self._compiled()
        return self._groups[first]

    def _compiled(self) -> list[list[_Pattern]]:
        groups: list[list[_Pattern]] = []
        # Variants by the group of their first element; the one that is empty so far has none.
        variants: list[tuple[int, tuple[_Element, ...]]] = [(-1, ())]
        for part, optional, classes in self._parts:
            choices = _choices(part, classes)
            new = len(groups)
            if any(not variant for _, variant in variants):
                groups.extend([] for _ in choices)
            grown = [
                (group if variant else new + number, variant + choice)
                for group, variant in variants
                for number, choice in enumerate(choices)
            ]
            variants = variants + grown if optional else grown
        for group, elements in variants:
            if elements:
                groups[group].append(_Pattern(self._phrase, elements, self._at_beginning, self._language))
        return groups


class PhraseSet:
    """Phrases looked for together."""

    def __init__(self, phrases: Iterable[str], classes: Mapping[str, Iterable[str]] | None = None) -> None:
        """Note what each may begin with.

        Args:
            phrases: as described at the top of this module.
            classes: what ``<name>`` stands for: elements of one word each.
        """
        named = {name: tuple(members) for name, members in (classes or {}).items()}
        self._exact: dict[str, list[_Start]] = {}
        self._prefixed: dict[str, list[_Start]] = {}
        self._suffixed: dict[str, list[_Start]] = {}
        for phrase in phrases:
            self._index(_Phrase(phrase, named))
        self._begun = sorted({len(prefix) for prefix in self._prefixed})
        self._ended = sorted({len(suffix) for suffix in self._suffixed})

    def _index(self, phrase: _Phrase) -> None:
        for number, first in enumerate(phrase.firsts()):
            start = phrase, number
            for word in first.words:
                self._exact.setdefault(word, []).append(start)
            for prefix in first.prefixes:
                self._prefixed.setdefault(prefix, []).append(start)
            for suffix in first.suffixes:
                self._suffixed.setdefault(suffix, []).append(start)

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
            for pattern in self._patterns(token.folded):
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

    def _patterns(self, word: str) -> Iterator[_Pattern]:
        for phrase, first in self._starts(word):
            yield from phrase.begun(first)

    def _starts(self, word: str) -> Iterator[_Start]:
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
