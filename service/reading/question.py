"""What a question asks: its words, the registered entities that it names, the times that it tells.

Only what the view may know of the registry takes part: a name above its level is a word like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from policies import access
from policies.language.dates import DateMention, read_times
from policies.language.names import MentionStatus, mentions
from policies.language.roster import roster_of
from policies.moments import Period
from policies.ranking import Question, stated_time
from policies.registry import Registry
from policies.terms import EntityId, Instant, View
from policies.text import is_stop_word, search_terms, words

_PART_CHARACTERS_MIN = 3
_DATED_IMPORTANCE = 0.5
"""A word that belongs to a date: met by a memory's valid time rather than by its words."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A name in the question that several entities in view answer to."""

    name: str
    candidates: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as one view understands it."""

    question: Question
    ambiguities: tuple[Ambiguity, ...] = ()


def understand(
    text: str, about: frozenset[EntityId], *, registry: Registry, now: Instant, zone: ZoneInfo, terms_max: int
) -> Asked:
    """What a question asks.

    Args:
        text: the question, in whatever language.
        about: entities it is said to be about, beside those it names.
        registry: what the view may know of it (``known_to``).
        now: what "yesterday" is reckoned from.
        zone: the owner's.
        terms_max: how many of its words are used.
    """
    named = _named(text, registry)
    dates = read_times(text, said_at=now, zone=zone).found
    dated = [(date.start, date.end) for date in dates]
    asked = dict.fromkeys(search_terms(_without(text, [*named.places, *dated])), 1.0)
    for term in search_terms(" ".join(text[start:end] for start, end in dated)) if dated else ():
        asked.setdefault(term, _DATED_IMPORTANCE)
    question = Question(
        terms=dict(list(asked.items())[:terms_max]),
        anchors=(about | named.entities) - ({registry.owner.id} if registry.owner else set()),
        periods=tuple(period for period in map(_period, dates) if period is not None),
    )
    return Asked(question, named.ambiguities)


@dataclass(frozen=True, slots=True)
class _Named:
    """The registered entities that a question names."""

    entities: frozenset[EntityId]
    places: tuple[tuple[int, int], ...]
    """Where the text names them for certain: these words are asked about, and not looked for."""
    ambiguities: tuple[Ambiguity, ...]


def _named(text: str, registry: Registry) -> _Named:
    """Names as in any sentence; besides, as people type questions, parts of names in small letters."""
    owner = registry.owner.id if registry.owner else None
    entities, places, ambiguities = set[EntityId](), list[tuple[int, int]](), list[Ambiguity]()
    for mention in mentions(text, registry):
        if mention.status is MentionStatus.AMBIGUOUS:
            ambiguities.append(Ambiguity(mention.surface, mention.candidates))
        elif mention.status is not MentionStatus.RESOLVED:
            continue
        if mention.candidates != (owner,):
            entities.update(mention.candidates)
            places.append((mention.start, mention.end))
    roster = roster_of(registry)
    for word in words(text):
        covered = any(start < word.end and word.start < end for start, end in places)
        if covered or len(word.folded) < _PART_CHARACTERS_MIN or is_stop_word(word.folded):
            continue
        found = sorted({name.entity for name in roster.with_units(frozenset({(word.folded,)}))} - {owner})
        entities.update(found)
        if len(found) > 1:
            ambiguities.append(Ambiguity(word.surface, tuple(found)))
    return _Named(frozenset(entities), tuple(places), tuple(ambiguities))


def known_to(registry: Registry, view: View) -> Registry:
    """The registry as if what is above the view had never been registered."""
    entities = {
        entity.id: entity for entity in registry.entities.values() if access.resolves(entity, view, registry)
    }
    return Registry(registry.parameters, entities)


def _without(text: str, places: list[tuple[int, int]]) -> str:
    kept, start = list[str](), 0
    for begins, ends in sorted(places):
        kept.append(text[start:begins])
        start = max(start, ends)
    return " ".join((*kept, text[start:]))


def _period(date: DateMention) -> Period | None:
    return stated_time(date.begins, date.ends, lasts=date.role == "from")
