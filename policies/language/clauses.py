"""Verb phrases in a sentence, whose they are and what follows them: shared by attributes and relations."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from policies.language import lexicon
from policies.language.context import Context, cue_of
from policies.language.dates import date_spans
from policies.language.names import Mention, MentionStatus
from policies.language.roster import trait
from policies.terms import EntityId
from policies.text import words

_SKIPPED = lexicon.words("grammar", "skipped")
_FIRST_PERSON = lexicon.words("grammar", "first_person")
_POSSESSIVES = lexicon.words("grammar", "possessives")
_USER = lexicon.words("grammar", "user")
_OF = lexicon.words("grammar", "of")
_ADDRESS = lexicon.words("grammar", "address")
_ENDS = lexicon.words("attributes", "words.ends")
_ARTICLES = lexicon.words("attributes", "words.articles")
_VALUE_WORDS_MAX = 8


class PhraseTable:
    """Phrases with what they stand for, found word by word; adverbs and negations inside do not hinder."""

    def __init__(self, listed: dict[str, tuple[str, ...]]) -> None:
        """Index ``{meaning: phrases}`` by first word, the longest phrase first."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for meaning, phrases in listed.items():
            for phrase in phrases:
                tokens = tuple(word.folded for word in words(phrase))
                self._by_first.setdefault(tokens[0], []).append((tokens, meaning))
        for found in self._by_first.values():
            found.sort(key=lambda entry: (-len(entry[0]), entry))

    def at(self, context: Context, index: int) -> tuple[str, int, tuple[str, ...]] | None:
        """The meaning of the longest phrase at ``index``, the index after it, and the phrase."""
        for tokens, meaning in self._by_first.get(context.folded(index), ()):
            after = _after(context, index, tokens)
            if after is not None:
                return meaning, after, tokens
        return None


def _after(context: Context, index: int, tokens: tuple[str, ...]) -> int | None:
    place = index + 1
    for token in tokens[1:]:
        skipped = 0
        while context.folded(place) != token and context.folded(place) in _SKIPPED and skipped < 3:
            place, skipped = place + 1, skipped + 1
        if context.folded(place) != token or any(mark in context.glue(place) for mark in ",.;:!?()"):
            return None
        place += 1
    return place


@dataclass(frozen=True, slots=True)
class Whose:
    """Whom or what a phrase is about: a registered entity, or somebody told by a role beside one."""

    entity: EntityId | None
    role: str = ""
    """The trait of the noun between ("sister" for "Paul's sister"): it is not the entity's own."""


@dataclass(frozen=True, slots=True)
class Value:
    """What follows a phrase."""

    folded: str
    """An entity's id where the value is one, else its folded words without articles; empty for nothing."""
    surface: str
    capital: bool
    """A name, or something written like one."""


class Clauses:
    """One sentence with its names and dates, asked about whose a phrase is and what it says."""

    def __init__(self, text: str, mentions: tuple[Mention, ...], owner: EntityId | None) -> None:
        self.text = text
        self.owner = owner
        self.context = Context(text, words(text))
        self.resolved = {
            index: mention
            for mention in mentions
            if mention.status is MentionStatus.RESOLVED and mention.candidates
            for index, word in enumerate(self.context.words)
            if mention.start <= word.start < mention.end
        }
        self.named = {
            index
            for mention in mentions
            for index, word in enumerate(self.context.words)
            if mention.start <= word.start < mention.end
        }
        spans = date_spans(text)
        self.dated = {
            index
            for index, word in enumerate(self.context.words)
            if any(start <= word.start < end for start, end in spans)
        }

    def whose(self, index: int) -> Whose | None:
        """Whose the phrase at ``index`` is: the nearest before it in its sentence; None where nobody is told."""
        role = ""
        for before in range(index - 1, -1, -1):
            if any(mark in self.context.glue(before + 1) for mark in ".;!?\n"):
                return None
            word = self.context.folded(before)
            mention = self.resolved.get(before)
            if mention is not None and mention.candidates[0] != self.owner:
                return self._of_mention(before, mention, role)
            if word in _FIRST_PERSON or word in _USER:
                return Whose(self.owner)
            if word in _POSSESSIVES:
                return Whose(self.owner, role)
            if mention is not None:
                return self._of_mention(before, mention, role)
            if cue_of(word) and not role:
                role = trait(word)
        return None

    def _of_mention(self, index: int, mention: Mention, role: str) -> Whose:
        entity = mention.candidates[0]
        first = index
        while self.resolved.get(first - 1) is mention:
            first -= 1
        if role and self.context.folded(index + 1) == "s":
            return Whose(entity, role)
        before = first - 1
        while self.context.folded(before) in ("la", "l", "le", "the"):
            before -= 1
        noun = self.context.folded(before - 1)
        if self.context.folded(before) in _OF and cue_of(noun) and before - 1 not in self.named:
            return Whose(entity, trait(noun))
        return Whose(entity)

    def entity_from(self, index: int) -> EntityId | None:
        """The registered entity told at ``index``, articles and a form of address before it aside."""
        place = index
        while place < index + 4 and place not in self.resolved and self._leads_name(place):
            place += 1
        mention = self.resolved.get(place)
        if mention is not None and not any(mark in self.context.glue(place) for mark in ",;:!?("):
            return mention.candidates[0]
        if place == index and self.context.folded(place) in ("me", "us", "moi", "nous"):
            return self.owner
        return None

    def _leads_name(self, index: int) -> bool:
        folded = self.context.folded(index)
        return folded in _ARTICLES or folded in _ADDRESS or cue_of(folded) is not None

    def _is_article(self, index: int) -> bool:
        """Whether an article, a possessive or a preposition stands there ("thé" folds to "the")."""
        if self.context.folded(index) not in _ARTICLES or index in self.resolved:
            return False
        return "é" not in unicodedata.normalize("NFC", self.context.words[index].surface)

    def value_from(
        self, index: int, *, dates: bool = False, until: frozenset[str] = frozenset()
    ) -> Value | None:
        """What is told from ``index`` on, to the end of the clause.

        Args:
            index: of the first word.
            dates: the value may be a date.
            until: words that end it too.
        """
        start = index
        while start < index + 3 and self._is_article(start):
            if any(mark in self.context.glue(start) for mark in ",.;!?("):
                return None
            start += 1
        mention = self.resolved.get(start)
        if mention is not None and not any(mark in self.context.glue(start) for mark in ",.;!?("):
            return Value(mention.candidates[0], mention.surface, capital=True)
        end = start
        while end < len(self.context.words) and end < start + _VALUE_WORDS_MAX:
            if end > index and any(mark in self.context.glue(end) for mark in ",.;:!?()"):
                break
            if end in self.dated and not dates:
                break
            word = self.context.folded(end)
            if end > start and end not in self.dated and (word in _ENDS or word in until):
                break
            end += 1
        return self.value_between(start, end)

    def value_between(self, start: int, end: int) -> Value | None:
        """The words ``[start, end)`` as a value, articles at their head left out."""
        while start < end and self._is_article(start):
            start += 1
        if start >= end:
            return None
        mention = self.resolved.get(start)
        if mention is not None:
            return Value(mention.candidates[0], mention.surface, capital=True)
        found = self.context.words[start:end]
        capital = found[0].surface[0].isupper() or start in self.named
        return Value(
            " ".join(word.folded for word in found), self.text[found[0].start : found[-1].end], capital
        )
