"""Health, psychology and the like in a text: not there, stated plainly, or concluded (G10).

A finding needs a word of the body or the mind (``parameters/health.toml``) that a person bears. Words that are
also said of servers and budgets count only where their bearer is a person; a practised profession, a subject of
study, an insurance or a figure of speech is nobody's health. A finding beside a hedge, an appearance, a
deduction or an unfinished "so…" was inferred. Where the rules cannot tell: ``UNSURE``, for the owner.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from policies.language import lexicon
from policies.language.bearers import POSSESSIVES, Cues
from policies.language.conclusions import concluded, deduces, explaining
from policies.language.findings import Health
from policies.language.identify import identify
from policies.language.phrases import Hit, PhraseSet, phrases_of
from policies.language.tokens import Token, accents_count, tokenise
from policies.language.unheard import unheard_of

Spans = Iterable[tuple[int, int]]
"""Places of names in the text, as characters ``[start, end)``."""

_COMPLEMENT = lexicon.words("health", "small.complement")
_BY = lexicon.words("health", "small.by")
_ENDS_TOPIC = lexicon.words("health", "small.ends_topic")
_NOT_ITS_OWN = lexicon.words("health", "small.not_its_own")
_BEFORE_ANOTHER = lexicon.words("health", "small.before_another")
_TOPIC_REACH = 4
_COMPLEMENT_REACH = 6
_SHORT_SENTENCE = 5
_FIRST_PERSON = frozenset({"i", "me", "my", "je", "j", "m", "moi", "mon", "ma", "mes"})
_CONSEQUENCES = frozenset({"so", "therefore", "hence", "thus", "consequently", "donc", "alors", "du", "as"})
_CERTAIN = ("conditions", "care", "remedies", "function", "fertility")
_DOUBTFUL = ("aids", "doubts", "idioms", "roots", "endings")


@dataclass(frozen=True, slots=True)
class _Lexicon:
    strong: PhraseSet
    weak: PhraseSet
    slight: PhraseSet
    innocent: PhraseSet
    topics: PhraseSet
    hedges: PhraseSet
    plain: PhraseSet
    figurative: PhraseSet
    copulas: frozenset[str]


def _classes() -> dict[str, tuple[str, ...]]:
    """What ``<name>`` stands for in the phrases of both files."""
    of_health = {name: phrases_of("health", name) for name in ("practitioners", "ailments", "body", "parts")}
    return of_health | {name: phrases_of("medicine", name) for name in ("bodily", "clipped", "ailing")}


@cache
def _lexicon() -> _Lexicon:
    def of(*keys: str, medicine: tuple[str, ...] = ()) -> PhraseSet:
        return PhraseSet(
            [
                *(phrase for key in keys for phrase in phrases_of("health", key)),
                *(phrase for key in medicine for phrase in phrases_of("medicine", key)),
            ],
            _classes(),
        )

    return _Lexicon(
        strong=of("strong", "seeing", medicine=_CERTAIN),
        weak=of("weak", medicine=("mind", *_DOUBTFUL)),
        slight=of("slight", medicine=_DOUBTFUL),
        innocent=of("innocent", medicine=("ordinary",)),
        topics=of("topics"),
        hedges=of("hedges"),
        plain=of("plain"),
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
    marks = Cues.of(tokens, people, things, identify(text))
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
    nobody = Cues()
    return any(
        _Sentence(tokens[start:end], nobody, False, accents).hedged for start, end in _sentences(tokens)
    )


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
    nobody = Cues()
    return end - start <= _SHORT_SENTENCE and _Sentence(tokens[start:end], nobody, False, accents).hedged


class _Sentence:
    """One sentence with the places of people, things and animals in it."""

    def __init__(self, tokens: tuple[Token, ...], cues: Cues, somebody: bool, accents: bool) -> None:
        self.tokens = tokens
        self.accents = accents
        """Whether they count in the weak words. In what exonerates they always do, in the strong words never."""
        self.cues = cues
        self.ordered = sorted(cues.all)
        self.somebody = somebody
        """A person is in the text, perhaps in another sentence."""

    @property
    def hedged(self) -> bool:
        known = _lexicon()
        if any(token.folded in "?？" for token in self.tokens):
            return True
        plain = _covered(known.plain.find(self.tokens, accents=True))
        hedges = [hit for hit in known.hedges.find(self.tokens) if hit.end - 1 not in plain]
        if self.cues.people and all(self.tokens[index].folded in _FIRST_PERSON for index in self.cues.people):
            # "I take cortisone, so I sleep badly": whoever tells two facts of themselves infers nothing.
            hedges = [hit for hit in hedges if self.tokens[hit.start].folded not in _CONSEQUENCES]
        return bool(hedges)

    def finding(self, hedged: bool, last: str) -> Health:
        known = _lexicon()
        exonerated = _covered(known.innocent.find(self.tokens, accents=True))
        topics = known.topics.find(self.tokens, accents=True)
        worst = concluded(self.tokens, self.cues, somebody=self.somebody, last=last)
        if worst is Health.NONE and unheard_of(self.tokens, self.cues, hedged=hedged):
            worst = Health.UNSURE
        hedged = hedged or deduces(self.tokens, self.cues)
        inferred = frozenset(range(len(self.tokens))) if hedged else explaining(self.tokens, self.cues)
        slight = {hit.start for hit in known.slight.find(self.tokens, accents=self.accents)}
        findings = [worst]
        for hit, strong in self._hits():
            if hit.end - 1 in exonerated or self._is_topic(hit, topics):
                continue
            if strong:
                findings.append(self._strong(hit, hit.start in inferred))
            else:
                findings.append(self._weak(hit, hit.start in inferred, hit.start in slight))
        return max(findings, key=lambda health: health.gravity)

    def _hits(self) -> Iterator[tuple[Hit, bool]]:
        """The words of health, and whether they are so whoever bears them; a name only ends like one."""
        known = _lexicon()
        for hit in known.strong.find(self.tokens):
            if not self._is_name(hit):
                yield hit, True
        for hit in known.weak.find(self.tokens, accents=self.accents):
            if not self._is_name(hit):
                yield hit, False

    def _is_name(self, hit: Hit) -> bool:
        return "*" in hit.phrase and hit.end == hit.start + 1 and hit.start in self.cues.named

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
            return Health.UNSURE if hedged and self._apart(bearer, hit) else Health.NONE
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
        before = self._before(hit)
        if before is not None:
            return before
        after = bisect_left(self.ordered, hit.end)
        return self.ordered[after] if after < len(self.ordered) else None

    def _before(self, hit: Hit) -> int | None:
        """The nearest person, thing or animal before a word that is no complement of another."""
        place = bisect_left(self.ordered, hit.start) - 1
        while place > 0 and self.tokens[self.ordered[place] - 1].folded in _COMPLEMENT:
            place -= 1
        return self.ordered[place] if place >= 0 else None

    def _apart(self, bearer: int | None, hit: Hit) -> bool:
        """Whether a word stands in another clause than the thing before it, and somebody is told of too."""
        if bearer is None or bearer > hit.start or not self.cues.people:
            return False
        return any(self.tokens[index].is_mark for index in range(bearer, hit.start))

    def _of_a_thing(self, hit: Hit) -> bool:
        """Whether a word is a thing's attribute ("the sick server", "un serveur malade"), or joined to it by a verb."""
        if hit.end in self.cues.things and self.tokens[hit.end].folded not in _NOT_ITS_OWN:
            return True
        if hit.start - 1 in self.cues.things:
            return True
        before = self._before(hit)
        if before is None or before not in self.cues.things:
            return False
        between = [token.folded for token in self.tokens[before + 1 : hit.start]]
        # "The plants have a fungal disease": one more word may qualify the state.
        if between[-1] not in _BEFORE_ANOTHER:
            between.pop()
        return all(word in _lexicon().copulas for word in between)

    def _figurative(self, hit: Hit, doubtful: bool) -> bool:
        """Whether what a person suffers from, or is paralysed by, is a thing."""
        if not doubtful and not _lexicon().figurative.found_in(
            self.tokens[hit.start : hit.end], accents=True
        ):
            return False
        if hit.end >= len(self.tokens) or self.tokens[hit.end].folded not in _BY:
            return False
        reach = range(hit.end, min(hit.end + _COMPLEMENT_REACH, len(self.tokens)))
        return any(index in self.cues.things for index in reach)

    def _is_topic(self, hit: Hit, topics: list[Hit]) -> bool:
        """Whether a word is what somebody studies, sells or practises, and nobody's own."""
        if hit.start > 0 and self.tokens[hit.start - 1].folded in POSSESSIVES:
            return False
        return any(
            topic.start <= hit.start
            and hit.start <= topic.end + _TOPIC_REACH
            and not any(
                self.tokens[i].is_mark or self.tokens[i].folded in _ENDS_TOPIC
                for i in range(topic.end, hit.start + 1)
            )
            and not any(i in self.cues.people for i in range(topic.end, hit.start))
            for topic in topics
        )


def _covered(covers: list[Hit]) -> set[int]:
    """The tokens of some phrases: a phrase whose last word, which bears its sense, is one of them is covered."""
    return {index for cover in covers for index in range(cover.start, cover.end)}
