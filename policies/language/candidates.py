"""Which registered entities a run of words may name, and which of them what stands beside it excludes (G11)."""

from __future__ import annotations

from policies.language import context as beside
from policies.language import gazetteer, lexicon
from policies.language.context import Context
from policies.language.roster import Name, Roster, trait, units_of
from policies.language.runs import Run, is_title
from policies.terms import EntityId, EntityType
from policies.text import Word, is_stop_word, words

_LEGAL = lexicon.words("names", "organisations.legal")
_OF_PLACES = lexicon.words("names", "heads.of_places")
_PEOPLE = (EntityType.PERSON, EntityType.ANIMAL)
_BEARING_NAMES = ("place", "organisation", "thing", "animal")
_FRENCH_ARTICLES = lexicon.words("grammar", "french_articles")
_PLACING = frozenset({"a", "au", "aux", "dans", "en", "sur"})
_HYPHENS = ("-", "‐", "‑")


class Candidates:
    """The registered names as one text may tell them."""

    def __init__(self, context: Context, roster: Roster) -> None:
        self.context = context
        self.roster = roster
        self.registry = roster.registry

    def whole_at(self, index: int) -> list[Name]:
        """The registered names that stand whole at a word and may be meant there."""
        return [
            name for name in self.roster.whole_at(self.context.words, index) if self._may_stand(name, index)
        ]

    def _may_stand(self, name: Name, index: int) -> bool:
        """A common word that is somebody's name ("pierre", "orange") is theirs only with a capital."""
        token = name.tokens[0] if len(name.tokens) == 1 else ""
        if not token or name.lower or not gazetteer.is_common(token):
            return True
        if gazetteer.is_also_word(token) or name.type in (
            *_PEOPLE,
            EntityType.ORGANISATION,
            EntityType.PLACE,
        ):
            capital = self.context.words[index].surface[0].isupper()
            return capital or self.context.verb_after(index + 1) is not None
        return True

    def whole_inside(self, run: Run) -> tuple[int, int, set[EntityId]] | None:
        """A registered name that stands whole in the run and that nothing beside it contradicts."""
        for index in range(run.start, run.end):
            whole = self.whole_at(index)
            if not whole:
                continue
            last = index + len(whole[0].tokens)
            kept = [name for name in whole if not self._contradicted(name, run, index, last)]
            if not kept:
                continue
            entities = {name.entity for name in kept}
            if len(whole[0].tokens) == 1:
                # "Lyon" is the town, whole, and not the club of Lyon in part; "Paul" may be either Paul.
                in_part = self.in_part(Run(index, last, run.initial, run.capital))
                entities |= {entity for entity in in_part if self._is_of(entity, _PEOPLE)}
            entities = self.known_there(self._fitting(entities, run), index, last)
            if entities:
                return index, last, entities
        return None

    def _contradicted(self, name: Name, run: Run, first: int, last: int) -> bool:
        """Whether words of the run beside a whole name make it another's ("Paul" in "Paul Martin")."""
        hyphened = first > run.start and self.context.glue(first) in _HYPHENS
        if hyphened or (last < run.end and self.context.glue(last) in _HYPHENS):
            return True
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
            if name.type in _PEOPLE:
                return True
            if gazetteer.is_given(token) and index < first:
                return True
        return False

    def in_part(self, run: Run) -> set[EntityId]:
        """The entities that what is told of a name may be part of."""
        start = self.after_titles(run)
        found = [word for word in self.context.words[start : run.end] if word.folded not in _LEGAL]
        while len(found) > 1 and beside.cue_of(found[0].folded) and not gazetteer.is_given(found[0].folded):
            found = found[1:]
        if not found or (len(found) == 1 and not self._telling_part(found[0], run)):
            return set()
        units = units_of(tuple(found), self.context.text)
        entities = {name.entity for name in self.roster.with_units(units)}
        return self.known_there(self._fitting(entities, run), run.start, run.end)

    def known_there(self, entities: set[EntityId], start: int, end: int) -> set[EntityId]:
        """The candidates of the name ``[start, end)``, unless what leads to it tells that it is nobody known.

        As "another Paul", "la rue Paul Durand".
        """
        if len(entities) != 1 or not self._is_of(next(iter(entities)), _PEOPLE):
            return entities
        other = self.context.led_by(start, beside.BEFORE_OTHERS) or self._names_a_thing(start, end)
        return set[EntityId]() if other else entities

    def _names_a_thing(self, start: int, end: int) -> bool:
        """Whether a name is that of the noun before it, as in French: "le voilier Claire", "avenue Paul Durand"."""
        if self.context.glue(start) or beside.cue_of(self.context.folded(start - 1)) not in _BEARING_NAMES:
            return False
        article = self.context.folded(start - 2)
        if self.context.verb_after(end) in ("person", "either"):
            return False
        if article in _PLACING or self.context.folded(start - 3) in _PLACING:
            # "Au restaurant Claire prend…" tells where; "dans la rue Claire" ends with the name.
            following = self.context.folded(end)
            return not following or bool(self.context.glue(end)) or is_stop_word(following)
        return article in _FRENCH_ARTICLES or self.context.begins_sentence(start - 1)

    def _telling_part(self, word: Word, run: Run) -> bool:
        """Whether one word may be part of a name there: a common word needs more than a capital ("Petit")."""
        if not gazetteer.is_common(word.folded):
            return True
        if not run.capital or not run.initial or self.after_titles(run) > run.start:
            return word.surface[0].isupper()
        index = run.end
        owns = self.context.glue(index)[:1] in ("'", "’") and self.context.folded(index) == "s"
        acts = self.context.verb_after(index) is not None or is_stop_word(self.context.folded(index))
        acts = acts or (gazetteer.is_given(word.folded) and not is_stop_word(word.folded))
        return owns or acts or self.context.cue_after(index) == "person"

    def after_titles(self, run: Run) -> int:
        """The index after the forms of address that a run begins with."""
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
        if run.end - run.start > 1 and self.context.folded(run.end - 1) in _LEGAL:
            kept = {entity for entity in kept if not self._is_of(entity, _PEOPLE)}
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
        return {entity for entity in entities if self._is_of(entity, types)} or entities

    def _is_of(self, entity: EntityId, types: tuple[EntityType, ...]) -> bool:
        known = self.registry.entity(entity)
        return known is not None and known.type in types

    def _other_sex(self, entity: EntityId, title: str) -> bool:
        known = self.registry.entity(entity)
        if not title or known is None or known.type is not EntityType.PERSON:
            return False
        first = words(known.name)[0].folded
        return gazetteer.sex(first) not in (None, title)

    def told_beside(self, start: int, end: int, entities: set[EntityId]) -> set[EntityId]:
        """Of several candidates for the words ``[start, end)``, the one whose role stands beside them."""
        near = {trait(token) for token in self.context.around(start, end)}
        own = {trait(self.context.folded(index)) for index in range(start, end)}
        told = {entity for entity in entities if (self.roster.traits(entity) - own) & near}
        return told if len(told) == 1 else entities
