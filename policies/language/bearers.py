"""Who and what a text speaks of: the people, animals and things that may bear what is said in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from policies.language import lexicon
from policies.language.phrases import Hit, PhraseSet, phrase_set
from policies.language.tokens import Token

POSSESSIVES = lexicon.words("health", "small.possessives") | {"'s"}
"""Words that tell whose something is."""
_PRONOUNS_OF_THINGS = frozenset({"il", "elle", "ils", "elles", "it"})


@dataclass(frozen=True, slots=True)
class _Lexicon:
    people: PhraseSet
    things: PhraseSet
    animals: PhraseSet


@cache
def _lexicon() -> _Lexicon:
    return _Lexicon(*(phrase_set("health", key) for key in ("people", "things", "animals")))


@dataclass(frozen=True, slots=True)
class Cues:
    """The tokens that stand for people, things and animals."""

    people: frozenset[int] = frozenset()
    things: frozenset[int] = frozenset()
    animals: frozenset[int] = frozenset()
    named: frozenset[int] = frozenset()
    """Which of them are names: "Laurie" ends like a disease and is none."""

    @staticmethod
    def of(
        tokens: tuple[Token, ...],
        people: Iterable[tuple[int, int]],
        things: Iterable[tuple[int, int]],
        language: str = "",
    ) -> Cues:
        """Read a text.

        Args:
            tokens: of ``tokenise``.
            people: where persons are named in it, as characters ``[start, end)``.
            things: where organisations, places, projects, objects… are.
            language: the text's, where it is known.
        """
        known = _lexicon()
        named = _named(tokens, people)
        named_things = _named(tokens, things) - named
        persons = _covered_by(known.people.find(tokens, language=language)) - named_things
        animals = {hit.start for hit in known.animals.find(tokens, accents=True)} - named - named_things
        found = {hit.start for hit in known.things.find(tokens, accents=True)} - persons - named - animals
        found |= named_things
        # "My laptop" is the laptop; and what "il" stands for, after a thing alone, is the thing.
        persons -= {i for i in persons if tokens[i].folded in POSSESSIVES and i + 1 in found}
        pronouns = {i for i in persons if tokens[i].folded in _PRONOUNS_OF_THINGS}
        if found and not (persons - pronouns) | named:
            persons -= {i for i in pronouns if i > min(found)}
        return Cues(
            frozenset(persons | named), frozenset(found), frozenset(animals), frozenset(named | named_things)
        )

    def within(self, start: int, end: int) -> Cues:
        """The cues among the tokens ``[start, end)``, counted from there."""

        def cut(indices: frozenset[int]) -> frozenset[int]:
            return frozenset(index - start for index in indices if start <= index < end)

        return Cues(cut(self.people), cut(self.things), cut(self.animals), cut(self.named))

    @property
    def all(self) -> frozenset[int]:
        """Everything that may bear something."""
        return self.people | self.things | self.animals


def _covered_by(hits: list[Hit]) -> set[int]:
    return {index for hit in hits for index in range(hit.start, hit.end)}


def _named(tokens: tuple[Token, ...], spans: Iterable[tuple[int, int]]) -> set[int]:
    places = tuple(spans)
    return {
        index
        for index, token in enumerate(tokens)
        if any(start < token.end and token.start < end for start, end in places)
    }
