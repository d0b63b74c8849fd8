"""Who and what a sentence names, and what the registry makes of it (G11).

A name is a run of capitalised words that are not merely the beginning of a sentence, or any name that the
registry knows, however it is written. Part of a registered name is a candidate unless something beside it
contradicts it; one candidate resolves, several are ambiguous. The rest is told apart by lexicons and by the words
around it: an unregistered person or organisation, a mere mention (place, product, work…), or unclear.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.language import gazetteer, lexicon
from policies.language.candidates import Candidates
from policies.language.context import Context
from policies.language.mention import Mention as Mention
from policies.language.mention import MentionStatus as MentionStatus
from policies.language.nature import Nature, nature_of
from policies.language.owner import is_first_person, owner_told
from policies.language.roster import roster_of
from policies.language.runs import Run, capitals_tell, is_title, runs
from policies.language.unspaced import names_of_people
from policies.registry import Registry
from policies.terms import EntityId, EntityType
from policies.text import is_stop_word, words

_COORDINATING = lexicon.words("grammar", "coordinating")
_BREATH_WORDS_MAX = 4
_LED_IN_MAX = 3
_LED_CHARACTERS = 24
_FROM_ONE = lexicon.words("grammar", "from_one")
_TO_ANOTHER = lexicon.words("grammar", "to_another")
_LEGAL = lexicon.words("names", "organisations.legal")
_STATUS = {
    Nature.PERSON: MentionStatus.UNREGISTERED,
    Nature.ORGANISATION: MentionStatus.UNREGISTERED,
    Nature.PLACE: MentionStatus.MERE,
    Nature.THING: MentionStatus.MERE,
    Nature.UNCLEAR: MentionStatus.UNCLEAR,
}
_TYPE = {
    Nature.PERSON: EntityType.PERSON,
    Nature.ORGANISATION: EntityType.ORGANISATION,
    Nature.PLACE: EntityType.PLACE,
}


def mentions(text: str, registry: Registry, language: str = "und") -> tuple[Mention, ...]:
    """Every name in the text, in the order of the text, without overlap.

    First-person words ("je", "my", "the user") are mentions resolved to the owner.
    """
    reading = _Reading(text, registry, language)
    found = [*reading.unspaced(), *_coordinated(text, [*reading.named()])]
    owner = owner_told(reading.context, found, registry.owner, language)
    if owner is not None:
        found.append(owner)
    return tuple(sorted(found, key=lambda mention: (mention.start, mention.end)))


class _Reading:
    """One text being read for names."""

    def __init__(self, text: str, registry: Registry, language: str) -> None:
        self.text = text
        self.registry = registry
        self.roster = roster_of(registry)
        self.context = Context(text, words(text))
        self.language = language
        self.candidates = Candidates(self.context, self.roster)
        self.telling = capitals_tell(self.context.words, language)
        self.glossed: dict[int, EntityId] = {}

    # Names that the registry knows

    def unspaced(self) -> Iterator[Mention]:
        """Names in scripts without blanks: registered ones anywhere, the longest first; then those of others."""
        taken: list[tuple[int, int]] = []
        for written in sorted(
            {name for name, _ in self.roster.unspaced}, key=lambda name: (-len(name), name)
        ):
            start = self.text.find(written)
            end = start + len(written)
            if start < 0 or _overlaps(start, end, taken):
                continue
            taken.append((start, end))
            same = {entity for name, entity in self.roster.unspaced if name == written}
            mention = self._known(start, end, same)
            if mention.status is MentionStatus.RESOLVED:
                self.glossed[end] = mention.candidates[0]
            yield mention
        for start, end in names_of_people(self.text):
            if not _overlaps(start, end, taken):
                taken.append((start, end))
                yield Mention(self.text[start:end], start, end, MentionStatus.UNREGISTERED, EntityType.PERSON)

    def named(self) -> Iterator[Mention]:
        """Runs, and registered names that hold no capital, in order."""
        index = 0
        for run in runs(self.context, self.roster, telling=self.telling):
            yield from self._whole_names(index, run.start)
            yield from self._of_run(run)
            index = run.end
        yield from self._whole_names(index, len(self.context.words))

    def _whole_names(self, start: int, end: int) -> Iterator[Mention]:
        """Registered names told whole, without capitals ("maman", "le vélo rouge")."""
        index = start
        while index < end:
            whole = self.candidates.whole_at(index)
            last = index + max((len(name.tokens) for name in whole), default=0)
            if index < last <= end:
                entities = self.candidates.known_there({name.entity for name in whole}, index, last)
                yield (
                    self._decided(index, last, entities)
                    if entities
                    else self._mention(index, last, Nature.PERSON)
                )
                index = last
            else:
                index += 1

    # Runs

    def _of_run(self, run: Run) -> Iterator[Mention]:
        glossed = self._glossed(run)
        if glossed is not None:
            first, last = self.context.words[run.start].start, self.context.words[run.end - 1].end
            yield self._known(first, last, {glossed})
            return
        start = self._trimmed(run)
        if start >= run.end:
            yield from self._whole_names(run.start, run.end)
            return
        yield from self._of_words(Run(start, run.end, run.initial and start == run.start, run.capital))

    def _glossed(self, run: Run) -> EntityId | None:
        """As in "李明 (Li Ming)": the same name in other letters."""
        between = self.context.glue(run.start)
        before = self.context.words[run.start - 1].end if run.start else -1
        return self.glossed.get(before) if between in ("(", "（", "/") else None

    def _of_words(self, run: Run) -> Iterator[Mention]:
        led = self._led_in(run)
        if led is not None:
            first, last, entities = led
            yield self._decided(first, last, entities)
            if last < run.end:
                yield from self._of_run(Run(last, run.end, initial=False, capital=run.capital))
            return
        inside = self.candidates.whole_inside(run)
        if inside is not None:
            first, last, entities = inside
            if first > run.start:
                yield from self._of_run(Run(run.start, first, run.initial, run.capital))
            while last < run.end and self.context.folded(last) in _LEGAL:
                last += 1
            yield self._decided(first, last, entities)
            if last < run.end:
                yield from self._of_run(Run(last, run.end, initial=False, capital=run.capital))
            return
        entities = self.candidates.in_part(run)
        if entities:
            yield self._decided(run.start, run.end, entities)
            return
        nature = nature_of(self.context, run, self.language)
        if nature is None:
            yield from self._tail(run)
            return
        start = self.candidates.after_titles(run)
        yield self._mention(start if start < run.end else run.start, run.end, nature)

    def _led_in(self, run: Run) -> tuple[int, int, set[EntityId]] | None:
        """A registered name that begins with words before the run: "la Halle", "la ferme du Loup"."""
        for first in range(max(0, run.start - _LED_IN_MAX), run.start):
            whole = self.candidates.whole_at(first)
            last = first + max((len(name.tokens) for name in whole), default=0)
            if run.start < last <= run.end:
                return first, last, {name.entity for name in whole}
        return None

    def _tail(self, run: Run) -> Iterator[Mention]:
        """A run whose first word is only the first of its sentence."""
        if run.end - run.start > 1:
            yield from self._of_run(Run(run.start + 1, run.end, initial=False, capital=run.capital))

    def _trimmed(self, run: Run) -> int:
        """Where the run begins without what is no part of a name: "I", days, stop-words at the head of a sentence."""
        start = run.start
        while start < run.end and self._is_idle(start, run):
            start += 1
        return start

    def _is_idle(self, index: int, run: Run) -> bool:
        word = self.context.words[index]
        if self.roster.whole_at(self.context.words, index) and not is_stop_word(word.folded):
            return False
        if is_first_person(self.context, index):
            return True
        if len(word.folded) == 1 and self.context.glue(index + 1).startswith("."):
            return False  # an initial
        if gazetteer.is_date_word(word.folded):
            return not self._is_named_like_a_month(index)
        if run.initial and index == run.start and run.end - index > 1 and gazetteer.is_address(word.folded):
            return True
        first = index == run.start and (run.initial or not run.capital)
        if not first or not is_stop_word(word.folded) or is_title(word.folded):
            return False
        return not (gazetteer.is_given(word.folded) and self.context.verb_after(index + 1) is not None)

    def _is_named_like_a_month(self, index: int) -> bool:
        """As in "April is my neighbour", "June's car"."""
        if not gazetteer.is_given(self.context.folded(index)):
            return False
        cue = self.context.cue_after(index + 1) or self.context.cue_before(index)
        return cue == "person" or self.context.verb_after(index + 1) == "person"

    # Deciding

    def _decided(self, start: int, end: int, entities: set[EntityId]) -> Mention:
        """One candidate attaches; of several, the one that the words beside it tell."""
        if len(entities) > 1:
            entities = self.candidates.told_beside(start, end, entities)
        return self._known(self.context.words[start].start, self.context.words[end - 1].end, entities)

    def _known(self, start: int, end: int, entities: set[EntityId]) -> Mention:
        candidates = tuple(sorted(entities))
        known = self.registry.entity(candidates[0])
        status = MentionStatus.RESOLVED if len(candidates) == 1 else MentionStatus.AMBIGUOUS
        kind = known.type if known is not None and len(candidates) == 1 else None
        return Mention(self.text[start:end], start, end, status, kind, candidates)

    def _mention(self, start: int, end: int, nature: Nature) -> Mention:
        first, last = self.context.words[start].start, self.context.words[end - 1].end
        return Mention(self.text[first:last], first, last, _STATUS[nature], _TYPE.get(nature))


def _coordinated(text: str, named: list[Mention]) -> Iterator[Mention]:
    """What is told in one breath with a thing is a thing too.

    As in "Obsidian for notes and Todoist for tasks", "from Firefox to Vivaldi".
    """
    before: Mention | None = None
    for mention in named:
        thing = before is not None and before.status is MentionStatus.MERE and before.type is None
        if mention.status is MentionStatus.UNCLEAR and thing and before is not None:
            between = [word.folded for word in words(text[before.end : mention.start])]
            beside = bool(_COORDINATING & set(between))
            changed = len(between) == 1 and between[0] in _TO_ANOTHER and _leads_from(text, before)
            if len(between) <= _BREATH_WORDS_MAX and (beside or changed):
                mention = replace(mention, status=MentionStatus.MERE)
        yield mention
        before = mention


def _leads_from(text: str, mention: Mention) -> bool:
    """Whether a change leads away from what is named: "from X", "replaced X"."""
    led = words(text[max(0, mention.start - _LED_CHARACTERS) : mention.start])
    return bool(led) and led[-1].folded in _FROM_ONE


def _overlaps(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return any(start < two and one < end for one, two in taken)
