"""Who and what a sentence names, and what the registry makes of it (G11).

A name is a run of capitalised words that are not merely the beginning of a sentence, or any name that the
registry knows, however it is written. Part of a registered name is a candidate unless something beside it
contradicts it; one candidate resolves, several are ambiguous. The rest is told apart by lexicons and by the words
around it: an unregistered person or organisation, a mere mention (place, product, work…), or unclear.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from policies.language import context as beside
from policies.language import gazetteer, lexicon
from policies.language.context import Context
from policies.language.nature import Nature, nature_of
from policies.language.roster import Name, roster_of, trait, units_of
from policies.language.runs import Run, capitals_tell, is_title, runs
from policies.language.unspaced import names_of_people
from policies.registry import Registry
from policies.terms import EntityId, EntityType
from policies.text import Word, is_stop_word, words

_OWNER = lexicon.words("names", "owner.words")
_OWNER_ELSEWHERE = lexicon.words("names", "owner.others")
_OWNER_UNSPACED = lexicon.entries("names", "owner.unspaced")
_OWNER_PHRASES = frozenset(tuple(phrase.split()) for phrase in lexicon.words("names", "owner.phrases"))
_OF = lexicon.words("grammar", "of")
_IMPLIED = lexicon.words("names", "owner.implied")
_LEGAL = lexicon.words("names", "organisations.legal")
_OF_PLACES = lexicon.words("names", "heads.of_places")
_PEOPLE = (EntityType.PERSON, EntityType.ANIMAL)


class MentionStatus(StrEnum):
    """What the registry and the rules make of a name."""

    RESOLVED = "resolved"
    """Exactly one registered entity: ``candidates[0]``."""
    AMBIGUOUS = "ambiguous"
    """Several registered entities, and nothing beside the name decides."""
    UNREGISTERED = "unregistered"
    """A person or an organisation that is not registered."""
    MERE = "mere"
    """A place, product, technology, work, event, language… that may stay a mere mention."""
    UNCLEAR = "unclear"
    """A name; whether a person's, an organisation's or a thing's, the rules cannot tell."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One name in a text, ``text[start:end] == surface``."""

    surface: str
    start: int
    end: int
    status: MentionStatus
    type: EntityType | None = None
    """The registered type if resolved, else what the rules take it for, if anything."""
    candidates: tuple[EntityId, ...] = ()
    """Canonical ids of registered entities, sorted."""


def mentions(text: str, registry: Registry, language: str = "und") -> tuple[Mention, ...]:
    """Every name in the text, in the order of the text, without overlap.

    First-person words ("je", "my", "the user") are mentions resolved to the owner.
    """
    reading = _Reading(text, registry, language)
    found = [*reading.unspaced(), *reading.named()]
    found.extend(reading.owner(found))
    return tuple(sorted(found, key=lambda mention: (mention.start, mention.end)))


class _Reading:
    """One text being read for names."""

    def __init__(self, text: str, registry: Registry, language: str) -> None:
        self.text = text
        self.registry = registry
        self.roster = roster_of(registry)
        self.context = Context(text, words(text))
        self.language = language
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
            whole = [
                name
                for name in self.roster.whole_at(self.context.words, index)
                if self._may_stand(name, index)
            ]
            last = index + max((len(name.tokens) for name in whole), default=0)
            if index < last <= end:
                yield self._decided(index, last, {name.entity for name in whole})
                index = last
            else:
                index += 1

    def _may_stand(self, name: Name, index: int) -> bool:
        """A common word that is somebody's name ("pierre", "orange") is theirs only with a capital."""
        if len(name.tokens) > 1 or name.lower or not gazetteer.is_common(name.tokens[0]):
            return True
        if gazetteer.is_also_word(name.tokens[0]) or name.type in (
            *_PEOPLE,
            EntityType.ORGANISATION,
            EntityType.PLACE,
        ):
            return self.context.words[index].surface[0].isupper()
        return True

    # Runs

    def _of_run(self, run: Run) -> Iterator[Mention]:
        glossed = self._glossed(run)
        if glossed is not None:
            first, last = self.context.words[run.start].start, self.context.words[run.end - 1].end
            yield self._known(first, last, {glossed})
            return
        start, end = self._trimmed(run)
        if start >= end:
            yield from self._whole_names(run.start, run.end)
            return
        yield from self._of_words(Run(start, end, run.initial and start == run.start, run.capital))

    def _glossed(self, run: Run) -> EntityId | None:
        """As in "李明 (Li Ming)": the same name in other letters."""
        between = self.context.glue(run.start)
        before = self.context.words[run.start - 1].end if run.start else -1
        return self.glossed.get(before) if between in ("(", "（", "/") else None

    def _of_words(self, run: Run) -> Iterator[Mention]:
        inside = self._whole_inside(run)
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
        candidates = self._in_part(run)
        if candidates:
            yield self._decided(run.start, run.end, candidates)
            return
        nature = nature_of(self.context, run, self.language)
        if nature is None:
            yield from self._tail(run)
            return
        status = {
            Nature.PERSON: MentionStatus.UNREGISTERED,
            Nature.ORGANISATION: MentionStatus.UNREGISTERED,
            Nature.UNCLEAR: MentionStatus.UNCLEAR,
        }.get(nature, MentionStatus.MERE)
        kind = {
            Nature.PERSON: EntityType.PERSON,
            Nature.ORGANISATION: EntityType.ORGANISATION,
            Nature.PLACE: EntityType.PLACE,
        }.get(nature)
        start = self._after_titles(run)
        yield self._mention(start if start < run.end else run.start, run.end, status, kind)

    def _tail(self, run: Run) -> Iterator[Mention]:
        """A run whose first word is only the first of its sentence."""
        if run.end - run.start > 1:
            yield from self._of_run(Run(run.start + 1, run.end, initial=False, capital=run.capital))

    def _trimmed(self, run: Run) -> tuple[int, int]:
        """The run without what is no part of a name: "I", days, stop-words at the head of a sentence."""
        start, end = run.start, run.end
        while start < end and self._is_idle(start, run):
            start += 1
        while end > start and gazetteer.is_date_word(self.context.folded(end - 1)) and end - start > 1:
            end -= 1
        return start, end

    def _is_idle(self, index: int, run: Run) -> bool:
        word = self.context.words[index]
        if self.roster.whole_at(self.context.words, index) and not is_stop_word(word.folded):
            return False
        if word.surface == "I" or word.folded in _OWNER:
            return (
                len(word.folded) > 1 or word.surface == "I" or self.context.glue(index + 1)[:1] in ("'", "’")
            )
        if gazetteer.is_date_word(word.folded):
            return not self._is_named_like_a_month(index)
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

    def _whole_inside(self, run: Run) -> tuple[int, int, set[EntityId]] | None:
        """A registered name that stands whole in the run and that nothing beside it contradicts."""
        for index in range(run.start, run.end):
            whole = self.roster.whole_at(self.context.words, index)
            whole = [name for name in whole if self._may_stand(name, index)]
            if not whole:
                continue
            last = index + len(whole[0].tokens)
            kept = [name for name in whole if not self._contradicted(name, run, index, last)]
            if not kept:
                continue
            entities = {name.entity for name in kept}
            if len(whole[0].tokens) == 1:
                entities |= self._in_part(Run(index, last, run.initial, run.capital))
            return index, last, self._fitting(entities, run)
        return None

    def _contradicted(self, name: Name, run: Run, first: int, last: int) -> bool:
        """Whether words of the run beside a whole name make it another's ("Paul" in "Paul Martin")."""
        for index in (*range(run.start, first), *range(last, run.end)):
            token = self.context.folded(index)
            if is_title(token) or token in _LEGAL or is_stop_word(token) or token.isdigit():
                continue
            if name.type is EntityType.PLACE:
                if token not in _OF_PLACES:
                    return True
                continue
            if index < first and (gazetteer.is_common(token) or beside.cue_of(token)):
                continue
            if trait(token) in self.roster.traits(name.entity):
                continue
            if name.type in _PEOPLE or self.context.glue(last) in ("-", "‐", "‑"):
                return True
            if gazetteer.is_given(token) and index < first:
                return True
        return False

    def _in_part(self, run: Run) -> set[EntityId]:
        """The entities that what is told of a name may be part of."""
        start = self._after_titles(run)
        found = [word for word in self.context.words[start : run.end] if word.folded not in _LEGAL]
        while len(found) > 1 and beside.cue_of(found[0].folded) and not gazetteer.is_given(found[0].folded):
            found = found[1:]
        if not found or (len(found) == 1 and not self._telling_part(found[0], run)):
            return set()
        units = units_of(tuple(found), self.text)
        entities = {name.entity for name in self.roster.with_units(units)}
        return self._fitting(entities, run)

    def _telling_part(self, word: Word, run: Run) -> bool:
        """Whether one word may be part of a name there: a common word needs more than a capital ("Petit")."""
        if not gazetteer.is_common(word.folded):
            return True
        if not run.capital or not run.initial or self._after_titles(run) > run.start:
            return word.surface[0].isupper()
        index = run.end
        owns = self.context.glue(index)[:1] in ("'", "’") and self.context.folded(index) == "s"
        acts = self.context.verb_after(index) is not None or is_stop_word(self.context.folded(index))
        acts = acts or (gazetteer.is_given(word.folded) and not is_stop_word(word.folded))
        return owns or acts or self.context.cue_after(index) == "person"

    def _after_titles(self, run: Run) -> int:
        start = run.start
        while start < run.end and is_title(self.context.folded(start)):
            start += 1
        return start

    def _fitting(self, entities: set[EntityId], run: Run) -> set[EntityId]:
        """Candidates that neither the form of address nor the words around contradict."""
        titles = [
            beside.TITLES[self.context.folded(i)]
            for i in range(run.start - 1, run.end)
            if i >= 0 and is_title(self.context.folded(i)) and self._is_address(i)
        ]
        kept = {entity for entity in entities if not any(self._other_sex(entity, sex) for sex in titles)}
        if len(kept) < 2:
            return kept
        if titles or self.context.cue_before(run.start) == "person":
            kept = self._of_type(kept, _PEOPLE)
        elif (
            self.context.led_by(run.start, beside.ORGANISATION_BEFORE)
            or self.context.folded(run.end - 1) in _LEGAL
        ):
            kept = self._of_type(kept, (EntityType.ORGANISATION,))
        return kept

    def _is_address(self, index: int) -> bool:
        return self.context.words[index].surface[0].isupper() or self.context.folded(index) != "m"

    def _of_type(self, entities: set[EntityId], types: tuple[EntityType, ...]) -> set[EntityId]:
        kept = {e for e in entities if (known := self.registry.entity(e)) and known.type in types}
        return kept or entities

    def _other_sex(self, entity: EntityId, title: str) -> bool:
        known = self.registry.entity(entity)
        if not title or known is None or known.type is not EntityType.PERSON:
            return False
        first = words(known.name)[0].folded
        return gazetteer.sex(first) not in (None, title)

    # Deciding

    def _decided(self, start: int, end: int, entities: set[EntityId]) -> Mention:
        """One candidate attaches; of several, the one that the words beside it tell."""
        if len(entities) > 1:
            near = {trait(token) for token in self.context.around(start, end)}
            own = {trait(self.context.folded(index)) for index in range(start, end)}
            told = {entity for entity in entities if (self.roster.traits(entity) - own) & near}
            if len(told) == 1:
                entities = told
        return self._known(self.context.words[start].start, self.context.words[end - 1].end, entities)

    def _known(self, start: int, end: int, entities: set[EntityId]) -> Mention:
        candidates = tuple(sorted(entities))
        known = self.registry.entity(candidates[0])
        status = MentionStatus.RESOLVED if len(candidates) == 1 else MentionStatus.AMBIGUOUS
        kind = known.type if known is not None and len(candidates) == 1 else None
        return Mention(self.text[start:end], start, end, status, kind, candidates)

    def _mention(self, start: int, end: int, status: MentionStatus, kind: EntityType | None) -> Mention:
        first, last = self.context.words[start].start, self.context.words[end - 1].end
        return Mention(self.text[first:last], first, last, status, kind)

    # The owner

    def owner(self, named: list[Mention]) -> Iterator[Mention]:
        """The first word that speaks of the owner, if one does."""
        owner = self.registry.owner
        if owner is None:
            return
        taken = [(mention.start, mention.end) for mention in named]
        for index, word in enumerate(self.context.words):
            if any(one <= word.start < two for one, two in taken):
                continue
            length = self._owner_at(index, word)
            if length:
                last = self.context.words[index + length - 1]
                yield Mention(
                    self.text[word.start : last.end],
                    word.start,
                    last.end,
                    MentionStatus.RESOLVED,
                    owner.type,
                    (owner.id,),
                )
                return
        told = [*self._owner_unspaced(owner.id, owner.type)]
        if not told and self._is_implied(named):
            told = [Mention("", 0, 0, MentionStatus.RESOLVED, owner.type, (owner.id,))]
        yield from told

    def _owner_at(self, index: int, word: Word) -> int:
        for count in (4, 3, 2, 1):
            phrase = tuple(one.folded for one in self.context.words[index : index + count])
            if (
                len(phrase) == count
                and phrase in _OWNER_PHRASES
                and (count > 1 or self.context.begins_sentence(index))
            ):
                return count
        apostrophe = self.context.glue(index + 1)[:1] in ("'", "’")
        if word.surface == "I":
            return 1
        if word.folded in ("m", "j") and not apostrophe:
            return 0
        elsewhere = self.language not in ("fr", "en") and word.folded in _OWNER_ELSEWHERE
        if word.folded not in _OWNER and not elsewhere and not (word.folded == "m" and apostrophe):
            return 0
        return 1

    def _is_implied(self, named: list[Mention]) -> bool:
        """Whether nobody is told, or the sentence begins without a subject ("Prefers tea", "RDV avec Paul")."""
        if all(mention.status is MentionStatus.MERE for mention in named):
            return True
        first = self.context.words[0] if self.context.words else None
        return first is not None and first.folded in _IMPLIED and first.start not in {m.start for m in named}

    def _owner_unspaced(self, owner: EntityId, kind: EntityType) -> Iterator[Mention]:
        for written in _OWNER_UNSPACED:
            start = self.text.find(written)
            if start >= 0:
                end = start + len(written)
                yield Mention(written, start, end, MentionStatus.RESOLVED, kind, (owner,))
                return


def _overlaps(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return any(start < two and one < end for one, two in taken)
