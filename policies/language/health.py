"""Health, psychology and the like in a text: not there, stated plainly, or concluded (G10).

A finding needs a word of the body or the mind (``parameters/health.toml``) that a person bears. Words that are
also said of servers and budgets count only where their bearer is a person; a practised profession, a subject of
study, an insurance or a figure of speech is nobody's health. A finding beside a hedge, an appearance, a
deduction or an unfinished "so…" was inferred. Where the rules cannot tell: ``UNSURE``, for the owner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from policies.language import lexicon
from policies.language.findings import Health
from policies.language.phrases import Hit, PhraseSet, Token, accents_count, phrase_set, phrases_of, tokenise

Spans = Iterable[tuple[int, int]]
"""Places of names in the text, as characters ``[start, end)``."""

_COMPLEMENT = lexicon.words("health", "small.complement")
_BY = lexicon.words("health", "small.by")
_POSSESSIVES = lexicon.words("health", "small.possessives") | {"'s"}
_PRONOUNS_OF_THINGS = frozenset({"il", "elle", "ils", "elles", "it"})
_BEING = frozenset({"be", "been", "feel", "have", "suffer"})
_ADVERBS = lexicon.words("health", "small.adverbs")
_ENDS_TOPIC = lexicon.words("health", "small.ends_topic")
_NOT_ITS_OWN = lexicon.words("health", "small.not_its_own")
_BEFORE_ANOTHER = lexicon.words("health", "small.before_another")
_TOPIC_REACH = 4
_COMPLEMENT_REACH = 6
_SHORT_SENTENCE = 5


@dataclass(frozen=True, slots=True)
class _Lexicon:
    strong: PhraseSet
    weak: PhraseSet
    slight: PhraseSet
    innocent: PhraseSet
    topics: PhraseSet
    people: PhraseSet
    things: PhraseSet
    animals: PhraseSet
    hedges: PhraseSet
    plain: PhraseSet
    appearances: PhraseSet
    states: PhraseSet
    no_state: PhraseSet
    trailing: PhraseSet
    habits: PhraseSet
    figurative: PhraseSet
    copulas: frozenset[str]


@cache
def _lexicon() -> _Lexicon:
    def of(*keys: str) -> PhraseSet:
        return phrase_set("health", *keys, classes=("practitioners", "ailments", "body", "parts"))

    return _Lexicon(
        strong=of("strong", "seeing"),
        weak=of("weak"),
        slight=of("slight"),
        innocent=of("innocent"),
        topics=of("topics"),
        people=of("people"),
        things=of("things"),
        animals=of("animals"),
        hedges=of("hedges"),
        plain=of("plain"),
        appearances=of("appearances"),
        states=of("states"),
        no_state=of("no_state"),
        trailing=of("trailing"),
        habits=of("habits"),
        figurative=of("figurative"),
        copulas=frozenset(t.folded for entry in phrases_of("health", "copulas") for t in tokenise(entry)),
    )


def find_health(text: str, people: Spans = (), things: Spans = ()) -> Health:
    """The gravest finding of a text.

    Args:
        text: the statement, or the owner's words.
        people: where persons are named in it.
        things: where organisations, places, projects, objects… are named in it.
    """
    tokens = tokenise(text)
    accents = accents_count(text)
    marks = _Cues.of(tokens, tuple(people), tuple(things))
    sentences = _sentences(tokens)
    found = Health.NONE
    for number, (start, end) in enumerate(sentences):
        sentence = _Sentence(tokens[start:end], marks.within(start, end), bool(marks.people), accents)
        hedged = sentence.hedged or any(
            _remark(tokens, sentences, neighbour, accents) for neighbour in (number - 1, number + 1)
        )
        finding = sentence.finding(hedged, tokens[end - 1].folded if end > start else "")
        found = max(found, finding, key=lambda health: health.gravity)
    return found


def is_hedged(text: str) -> bool:
    """Whether anything in a text is hedged, concluded or asked rather than said."""
    tokens = tokenise(text)
    accents = accents_count(text)
    nobody = _Cues(frozenset(), frozenset(), frozenset())
    return any(
        _Sentence(tokens[start:end], nobody, False, accents).hedged for start, end in _sentences(tokens)
    )


@dataclass(frozen=True, slots=True)
class _Cues:
    """The tokens that stand for people, things and animals."""

    people: frozenset[int]
    things: frozenset[int]
    animals: frozenset[int]
    named: frozenset[int] = frozenset()
    """Which of them are names: "Laurie" ends like a disease and is none."""

    @staticmethod
    def of(
        tokens: tuple[Token, ...], people: tuple[tuple[int, int], ...], things: tuple[tuple[int, int], ...]
    ) -> _Cues:
        known = _lexicon()
        named = _named(tokens, people)
        named_things = _named(tokens, things) - named
        persons = _covered_by(known.people.find(tokens)) - named_things
        animals = {hit.start for hit in known.animals.find(tokens, accents=True)} - named - named_things
        found = {hit.start for hit in known.things.find(tokens, accents=True)} - persons - named - animals
        found |= named_things
        # "My laptop" is the laptop; and what "il" stands for, after a thing alone, is the thing.
        persons -= {i for i in persons if tokens[i].folded in _POSSESSIVES and i + 1 in found}
        pronouns = {i for i in persons if tokens[i].folded in _PRONOUNS_OF_THINGS}
        if found and not (persons - pronouns) | named:
            persons -= {i for i in pronouns if i > min(found)}
        return _Cues(
            frozenset(persons | named), frozenset(found), frozenset(animals), frozenset(named | named_things)
        )

    def within(self, start: int, end: int) -> _Cues:
        def cut(indices: frozenset[int]) -> frozenset[int]:
            return frozenset(index - start for index in indices if start <= index < end)

        return _Cues(cut(self.people), cut(self.things), cut(self.animals), cut(self.named))

    @property
    def all(self) -> frozenset[int]:
        return self.people | self.things | self.animals


def _covered_by(hits: list[Hit]) -> set[int]:
    return {index for hit in hits for index in range(hit.start, hit.end)}


def _named(tokens: tuple[Token, ...], spans: tuple[tuple[int, int], ...]) -> set[int]:
    return {
        index
        for index, token in enumerate(tokens)
        if any(start < token.end and token.start < end for start, end in spans)
    }


def _sentences(tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    """Ranges of tokens, each with the marks that end it."""
    ranges: list[tuple[int, int]] = []
    start = 0
    for index, token in enumerate(tokens):
        if token.ends_sentence and (index + 1 == len(tokens) or not tokens[index + 1].ends_sentence):
            ranges.append((start, index + 1))
            start = index + 1
    if start < len(tokens):
        ranges.append((start, len(tokens)))
    return ranges


def _remark(tokens: tuple[Token, ...], sentences: list[tuple[int, int]], number: int, accents: bool) -> bool:
    """Whether a neighbouring sentence is but a short hedge ("Just a guess.")."""
    if not 0 <= number < len(sentences):
        return False
    start, end = sentences[number]
    nobody = _Cues(frozenset(), frozenset(), frozenset())
    return end - start <= _SHORT_SENTENCE and _Sentence(tokens[start:end], nobody, False, accents).hedged


class _Sentence:
    """One sentence with the places of people, things and animals in it."""

    def __init__(self, tokens: tuple[Token, ...], cues: _Cues, somebody: bool, accents: bool) -> None:
        self.tokens = tokens
        self.accents = accents
        """Whether they count in the weak words. In what exonerates they always do, in the strong words never."""
        self.cues = cues
        self.somebody = somebody
        """A person is in the text, perhaps in another sentence."""

    @property
    def hedged(self) -> bool:
        known = _lexicon()
        if any(token.folded in "?？" for token in self.tokens):
            return True
        plain = known.plain.find(self.tokens, accents=True)
        return any(not _covered(hit, plain) for hit in known.hedges.find(self.tokens))

    def finding(self, hedged: bool, last: str) -> Health:
        known = _lexicon()
        innocent = known.innocent.find(self.tokens, accents=True)
        topics = known.topics.find(self.tokens, accents=True)
        worst = max(self._appearance(), self._trailing(last), key=lambda health: health.gravity)
        for hit in known.strong.find(self.tokens):
            if hit.phrase.startswith("*") and hit.start in self.cues.named:
                continue
            if not _covered(hit, innocent) and not self._is_topic(hit, topics):
                worst = max(worst, self._strong(hit, hedged), key=lambda health: health.gravity)
        slight = known.slight.find(self.tokens, accents=self.accents)
        for hit in known.weak.find(self.tokens, accents=self.accents):
            if not _covered(hit, innocent) and not self._is_topic(hit, topics):
                doubtful = any(other.start == hit.start for other in slight)
                worst = max(worst, self._weak(hit, hedged, doubtful), key=lambda health: health.gravity)
        return worst

    def _strong(self, hit: Hit, hedged: bool) -> Health:
        if self._of_a_thing(hit):
            return Health.NONE
        if self.cues.people or (self.somebody and not self.cues.all):
            return Health.INFERRED if hedged else Health.STATED
        if self.cues.all:
            return Health.UNSURE
        return Health.INFERRED if hedged else Health.UNSURE

    def _weak(self, hit: Hit, hedged: bool, doubtful: bool) -> Health:
        bearer = self._bearer(hit)
        if bearer in self.cues.things or self._of_a_thing(hit):
            return Health.NONE
        if bearer is None:
            if doubtful:
                return Health.NONE
            return Health.INFERRED if hedged and self.somebody else Health.UNSURE
        if self._figurative(hit, doubtful):
            return Health.NONE
        if bearer in self.cues.animals or doubtful:
            return Health.UNSURE
        return Health.INFERRED if hedged else Health.STATED

    def _bearer(self, hit: Hit) -> int | None:
        """The person, thing or animal that a word is said of.

        The nearest before it that is no complement of another, else the nearest after.
        """
        before = sorted(index for index in self.cues.all if index < hit.start)
        while len(before) > 1 and before[-1] > 0 and self.tokens[before[-1] - 1].folded in _COMPLEMENT:
            before.pop()
        if before:
            return before[-1]
        return min((index for index in self.cues.all if index >= hit.end), default=None)

    def _of_a_thing(self, hit: Hit) -> bool:
        """Whether a word is a thing's attribute ("the sick server", "un serveur malade"), or joined to it by a verb."""
        if hit.end in self.cues.things and self.tokens[hit.end].folded not in _NOT_ITS_OWN:
            return True
        if hit.start - 1 in self.cues.things:
            return True
        before = sorted(index for index in self.cues.all if index < hit.start)
        while len(before) > 1 and self.tokens[before[-1] - 1].folded in _COMPLEMENT:
            before.pop()
        if not before or before[-1] not in self.cues.things:
            return False
        between = [token.folded for token in self.tokens[before[-1] + 1 : hit.start]]
        # "The plants have a fungal disease": one more word may qualify the state.
        if between[-1] not in _BEFORE_ANOTHER:
            between.pop()
        return all(word in _lexicon().copulas for word in between)

    def _figurative(self, hit: Hit, doubtful: bool) -> bool:
        """Whether what a person suffers from, or is paralysed by, is a thing."""
        figurative = _lexicon().figurative.find(self.tokens, accents=True)
        if not doubtful and not any(other.start == hit.start for other in figurative):
            return False
        if hit.end >= len(self.tokens) or self.tokens[hit.end].folded not in _BY:
            return False
        reach = range(hit.end, min(hit.end + _COMPLEMENT_REACH, len(self.tokens)))
        return any(index in self.cues.things for index in reach)

    def _is_topic(self, hit: Hit, topics: list[Hit]) -> bool:
        """Whether a word is what somebody studies, sells or practises, and nobody's own."""
        if hit.start > 0 and self.tokens[hit.start - 1].folded in _POSSESSIVES:
            return False
        return any(
            topic.start <= hit.start
            and hit.start <= topic.end + _TOPIC_REACH
            and not any(
                self.tokens[i].is_mark or self.tokens[i].folded in _ENDS_TOPIC
                for i in range(topic.end, hit.start)
            )
            and not any(i in self.cues.people for i in range(topic.end, hit.start))
            for topic in topics
        )

    def _appearance(self) -> Health:
        """A state read off somebody's looks or manner, whatever it is called."""
        known = _lexicon()
        worst = Health.NONE
        for hit in known.appearances.find(self.tokens):
            bearer = max((index for index in self.cues.all if index < hit.start), default=None)
            if bearer not in self.cues.people and not (bearer is None and self.somebody and hit.start == 0):
                continue
            spoken = {token.folded for token in self.tokens[hit.start : hit.end]}
            if "to" in spoken and not spoken & _BEING:
                continue
            place = hit.end
            while place < len(self.tokens) and self.tokens[place].folded in _ADVERBS:
                place += 1
            rest = self.tokens[place : place + 1]
            if known.states.found_in(rest):
                return Health.INFERRED
            if rest and not rest[0].is_mark and not known.no_state.found_in(self.tokens[hit.end : place + 1]):
                worst = Health.UNSURE
        return worst

    def _trailing(self, last: str) -> Health:
        """An unfinished "so…": the conclusion is left to the reader."""
        if not self.cues.people:
            return Health.NONE
        spoken = [index for index, token in enumerate(self.tokens) if not token.is_mark]
        ends = {hit.end - 1 for hit in _lexicon().trailing.find(self.tokens)}
        unfinished = last == "…" or [token.folded for token in self.tokens[-2:]] == [".", "."]
        concluding = bool(spoken) and spoken[-1] in ends
        habitual = _lexicon().habits.found_in(self.tokens)
        if concluding and habitual:
            return Health.INFERRED
        return Health.UNSURE if unfinished and (concluding or habitual) else Health.NONE


def _covered(hit: Hit, covers: list[Hit]) -> bool:
    """Whether the last word of a phrase, which bears its sense, belongs to another."""
    return any(cover.start < hit.end <= cover.end for cover in covers)
