"""Ties between two registered entities that a sentence tells, for the edges of the graph."""

from __future__ import annotations

from typing import Any

from policies.language import lexicon
from policies.language.clauses import Clauses, PhraseTable
from policies.language.names import Mention
from policies.language.negation import negated
from policies.terms import EntityId, EntityType, Relation

_LEXICON: dict[str, Any] = lexicon.load("relations")


def _listed(part: str) -> dict[str, tuple[str, ...]]:
    return {
        name: lexicon.entries("relations", f"{name}.{part}")
        for name, told in _LEXICON.items()
        if part in told
    }


def _nouns(part: str) -> dict[str, str]:
    return {
        noun: name
        for name, told in _LEXICON.items()
        if part in told
        for noun in lexicon.words("relations", f"{name}.{part}")
    }


_VERBS, _BACK = PhraseTable(_listed("verbs")), PhraseTable(_listed("back"))
_NOUNS, _NOUNS_BACK = _nouns("nouns"), _nouns("nouns_back")
_BE = lexicon.words("grammar", "be")
_BE_BEFORE = _BE - {"s"}
_OF = lexicon.words("grammar", "of")
_POSSESSIVES = lexicon.words("grammar", "possessives")
_BETWEEN_MAX = 4
_PERSONS = frozenset({EntityType.PERSON, EntityType.ANIMAL})
_OBJECTS = {
    "works_for": {EntityType.ORGANISATION},
    "lives_in": {EntityType.PLACE},
    "located_in": {EntityType.PLACE},
    "born_in": {EntityType.PLACE},
    "studied_at": {EntityType.ORGANISATION, EntityType.PLACE},
    "knows": {EntityType.PERSON},
    "married_to": {EntityType.PERSON},
    "partner_of": {EntityType.PERSON},
    "colleague_of": {EntityType.PERSON},
}
"""Types that the object of a predicate may have; any, where it is not listed."""


def read_relation(text: str, mentions: tuple[Mention, ...], owner: EntityId | None = None) -> Relation | None:
    """The one relation that the text asserts between two resolved mentions: the first whose predicate is known.

    None for a negated text.
    """
    if negated(text):
        return None
    clauses = Clauses(text, mentions, owner)
    types = {mention.candidates[0]: mention.type for mention in clauses.resolved.values()}
    for index in range(len(clauses.context.words)):
        found = _by_verb(clauses, index) or _by_noun(clauses, index)
        if found is not None and found.subject != found.object and _fits(found, types, owner):
            return found
    return None


def predicate_label(predicate: str, language: str) -> str:
    """How a predicate reads in ``fr`` or ``en``; itself where the lexicon does not know it."""
    told = _LEXICON.get(predicate, {})
    return str(told.get(language, told.get("en", predicate)))


def predicates() -> tuple[str, ...]:
    """Every predicate of the lexicon, sorted."""
    return tuple(sorted(_LEXICON))


def _fits(found: Relation, types: dict[EntityId, EntityType | None], owner: EntityId | None) -> bool:
    allowed = _OBJECTS.get(found.predicate)
    kind = EntityType.PERSON if found.object == owner else types.get(found.object)
    return allowed is None or kind in allowed


def _by_verb(clauses: Clauses, index: int) -> Relation | None:
    for table, backwards in ((_VERBS, False), (_BACK, True)):
        found = table.at(clauses.context, index)
        if found is None:
            continue
        predicate, after, _ = found
        whose = clauses.whose(index)
        value = clauses.entity_from(after)
        if whose is None or whose.entity is None or whose.role or value is None:
            continue
        if backwards:
            return Relation(value, predicate, whose.entity)
        return Relation(whose.entity, predicate, value)
    return None


def _by_noun(clauses: Clauses, index: int) -> Relation | None:
    """As in "Marie is Paul's sister", "Marie est la sœur de Paul", "my sister Marie", "la sœur de Paul est Marie"."""
    word = clauses.context.folded(index)
    predicate = _NOUNS.get(word)
    backwards = predicate is None
    predicate = predicate or _NOUNS_BACK.get(word)
    if predicate is None or index in clauses.resolved:
        return None
    holder, after = _holder(clauses, index)
    if holder is None:
        return None
    bearer = _bearer(clauses, index, after, holder)
    if bearer is None:
        return None
    return Relation(holder, predicate, bearer) if backwards else Relation(bearer, predicate, holder)


def _holder(clauses: Clauses, index: int) -> tuple[EntityId | None, int]:
    """Whose sister (employer, friend) is told, and the index after that."""
    context = clauses.context
    if context.folded(index + 1) in _OF:
        for place in range(index + 2, index + 5):
            mention = clauses.resolved.get(place)
            if mention is not None:
                return mention.candidates[0], _end_of(clauses, place)
        return None, index + 1
    for before in range(index - 1, max(-1, index - 4), -1):
        if context.folded(before) in _POSSESSIVES:
            return clauses.owner, index + 1
        if context.folded(before) == "s" and before - 1 in clauses.resolved:
            return clauses.resolved[before - 1].candidates[0], index + 1
    return None, index + 1


def _bearer(clauses: Clauses, index: int, after: int, holder: EntityId) -> EntityId | None:
    """Who is told to be that: right behind ("my sister Marie", "my sister is Marie"), or before "is"."""
    context = clauses.context
    place = after
    while place < after + _BETWEEN_MAX and (
        context.folded(place) in _BE or context.folded(place) in ("le", "la", "the", "dr", "m", "mme")
    ):
        place += 1
    mention = clauses.resolved.get(place)
    if (
        mention is not None
        and mention.candidates[0] != holder
        and context.glue(place) in ("", ",", ".", "'", "’")
    ):
        return mention.candidates[0]
    be = index - 1
    while be > max(0, index - 6) and context.folded(be) not in _BE_BEFORE and "," not in context.glue(be + 1):
        be -= 1
    apposed = "," in context.glue(be + 1)
    if context.folded(be) not in _BE_BEFORE and not apposed:
        return None
    who = clauses.resolved.get(be if apposed else be - 1) or clauses.resolved.get(be - 2)
    if who is None or who.candidates[0] == holder:
        first_person = context.folded(be - 1) in ("i", "je", "j") and clauses.owner != holder
        return clauses.owner if first_person else None
    return who.candidates[0]


def _end_of(clauses: Clauses, index: int) -> int:
    mention = clauses.resolved[index]
    while clauses.resolved.get(index) is mention:
        index += 1
    return index
