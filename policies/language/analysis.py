"""The analysis of one statement: everything the deterministic rules can tell about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from policies.language import lexicon
from policies.language.attributes import Attribute, read_attribute
from policies.language.changes import Change, read_change
from policies.language.dates import Times, read_times
from policies.language.domains import read_domains, tells_troubles
from policies.language.findings import Health, Importance, Instruction
from policies.language.health import find_health, is_hedged
from policies.language.identify import OTHER, identify
from policies.language.importance import find_importance
from policies.language.instructions import find_instruction
from policies.language.kinds import known_elsewhere, read_kind, tells_a_date
from policies.language.names import Mention, MentionStatus, mentions
from policies.language.negation import negated
from policies.language.relations import read_relation
from policies.language.saying import Saying, read_saying
from policies.registry import Registry
from policies.terms import Discretion, EntityId, EntityType, Instant, Kind, Level, Moment, Relation
from policies.text import fold, is_stop_word, search_terms, tokens

_INFERABLE = frozenset({"intimacy", "belief", "politics"})
"""Beside health: domains in which a hedged statement is a conclusion about somebody, for the owner to judge."""
_BEARERS = frozenset({EntityType.PERSON, EntityType.ANIMAL})
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
# "Un" and "a" are articles more often than numbers.
_NUMBER_WORDS = {
    fold(word): str(number) for word, number in lexicon.load("dates")["numbers"].items() if number > 1
}


@dataclass(frozen=True, slots=True)
class Beside:
    """What the texts that are served with a statement ask for: never what it says, only to whom it may be said."""

    level: Level = Level.S0
    """The least: their domains' floors and the levels of whom they name."""
    discretion: Discretion = Discretion.OPEN
    """The strictest default of their domains."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the rules found in one statement (and in the owner's words that come with it)."""

    language: str
    """``fr``, ``en`` or ``und``."""
    kind: Kind
    level: Level | None
    """None where the rules cannot place it: its domain's floor, S1 without one."""
    floor: Level
    """The least a classifier may make of it: as placed, else the level of what is not placed."""
    domains: tuple[str, ...]
    """Life domains, sorted; those the proposer passed included."""
    discretion: Discretion
    """The strictest default of its domains."""
    beside: Beside
    health: Health
    importance: Importance
    instruction: Instruction
    valid_from: Moment | None
    valid_to: Moment | None
    """The exclusive end."""
    event_at: Moment | None
    """The day at which something is told to happen, whatever the kind."""
    mentions: tuple[Mention, ...]
    negated: bool
    attribute: Attribute | None
    """The single-valued attribute (parameter) that the statement gives a value, if one."""
    change: Change | None
    """The old and the new value, where the statement tells both."""
    relation: Relation | None
    """The entity edge that the statement asserts, where its predicate is in the lexicon."""
    saying: Saying
    """What the statement says, reduced to what is compared with other memories."""
    quoted: bool
    """The owner's words carry the statement's entities, numbers and negation."""
    unsure: tuple[str, ...] = ()
    """Why the rules cannot tell, as reason codes: for the owner, or for a model."""

    @property
    def anchors(self) -> tuple[EntityId, ...]:
        """The registered entities that the statement names, sorted."""
        found = {m.candidates[0] for m in self.mentions if m.status is MentionStatus.RESOLVED}
        return tuple(sorted(found))

    def named(self, status: MentionStatus) -> tuple[Mention, ...]:
        """The mentions of one status, in the order of the text."""
        return tuple(m for m in self.mentions if m.status is status)


def analyse(
    statement: str,
    *,
    said_at: Instant,
    zone: ZoneInfo,
    registry: Registry,
    words: str | None = None,
    domains: Iterable[str] = (),
    also: Iterable[str] = (),
) -> Analysis:
    """Everything the rules can tell of a statement.

    Args:
        statement: what is to be kept.
        said_at: what relative dates are resolved against.
        zone: the owner's.
        registry: the entities that names may resolve to.
        words: the owner's own words behind it, verbatim, if they came along.
        domains: the life domains the proposer passed; they only add.
        also: every other text that would be kept or shown with it (tags, an event's key, a reason).
    """
    language = identify(statement)
    named = mentions(statement, registry, language)
    owner = registry.owner.id if registry.owner else None
    times = read_times(statement, said_at=said_at, zone=zone, language=language)
    health = _health(statement, named, words, tuple(also))
    instruction = max(
        (find_instruction(text) for text in (statement, words or "", *also)), key=lambda found: found.gravity
    )
    change = read_change(statement, named, owner)
    attribute = read_attribute(statement, named, owner)
    kind = (
        Kind.RULE
        if instruction is not Instruction.NONE
        else read_kind(
            statement,
            dated=times.event_at is not None,
            changed=_tells_both(change),
            lasting=times.valid_from is not None and times.valid_to is not None,
        )
    )
    placed = {*read_domains(statement), *domains} | ({"health"} if health is not Health.NONE else set[str]())
    if any(mention.type is EntityType.PROJECT for mention in named):
        placed.add("projects")
    level = registry.parameters.floor(tuple(placed)) if placed else None
    if tells_troubles(statement):
        level = Level.S3
    return Analysis(
        language=language,
        kind=kind,
        level=level,
        floor=registry.parameters.unplaced_level if level is None else level,
        domains=tuple(sorted(placed)),
        discretion=registry.parameters.default_discretion(tuple(placed)),
        beside=read_beside((words or "", *also), registry),
        health=health,
        importance=find_importance(statement, words),
        instruction=instruction,
        valid_from=times.valid_from or _happens_at(statement, times, kind),
        valid_to=times.valid_to,
        event_at=times.event_at,
        mentions=named,
        negated=negated(statement),
        attribute=attribute,
        change=change,
        relation=read_relation(statement, named, owner),
        saying=read_saying(statement, named, owner),
        quoted=words is not None and carries(words, statement, named, registry),
        unsure=_unsure(statement, language, times, placed),
    )


def told_apart(
    analysis: Analysis, statement: str, named: tuple[Mention, ...], registry: Registry
) -> Analysis:
    """The analysis once it is known whom the names of the text mean: what it says of whom is read again.

    Args:
        analysis: of the statement.
        statement: the same.
        named: the mentions of its text, more of them resolved than before.
        registry: the one it was analysed under.
    """
    owner = registry.owner.id if registry.owner else None
    return replace(
        analysis,
        mentions=named,
        attribute=read_attribute(statement, named, owner),
        change=read_change(statement, named, owner),
        relation=read_relation(statement, named, owner),
        saying=read_saying(statement, named, owner),
    )


def level_of(analysis: Analysis, registry: Registry) -> Level:
    """The level a memory of this analysis has: as placed, at least its domains' floors and its anchors' levels.

    Nor is it below what is served beside.
    """
    placed = registry.parameters.placed_level(analysis.level, analysis.domains)
    return max([placed, analysis.beside.level, *(registry.level(anchor) for anchor in analysis.anchors)])


def read_beside(texts: Iterable[str], registry: Registry) -> Beside:
    """What the texts that are served with a statement ask for.

    Args:
        texts: the owner's words, tags, an event's key, a predicate.
        registry: the entities that names may resolve to. Of whom it does not hold, the level is what they would
            have once registered: to who may not know of them, those above their level are nobody.
    """
    told = [text.replace("_", " ") for text in texts if text]
    domains = tuple({domain for text in told for domain in read_domains(text)})
    levels = [level for text in told for level in _levels_named(text, registry)]
    if any(map(tells_troubles, told)):
        levels.append(Level.S3)
    parameters = registry.parameters
    return Beside(max([parameters.floor(domains), *levels]), parameters.default_discretion(domains))


def _levels_named(text: str, registry: Registry) -> Iterator[Level]:
    named = mentions(text, registry, identify(text))
    for mention in (one for one in named if one.surface):
        yield from (registry.level(entity) for entity in mention.candidates)
        if mention.status is MentionStatus.UNREGISTERED:
            yield registry.parameters.entity_level(mention.type or EntityType.PERSON)


def carries(words: str, statement: str, named: tuple[Mention, ...], registry: Registry) -> bool:
    """Whether the owner's words say what a statement says: its entities, its numbers and its negation.

    Where both are in one language, also something of its matter. What they do not carry is merely reported.
    """
    if not _numbers(statement) <= _numbers(words):
        return False
    if negated(statement) != negated(words):
        return False
    language = identify(words)
    heard, spoken = mentions(words, registry, language), f" {' '.join(tokens(words))} "
    if not all(_is_spoken(mention, heard, spoken, registry) for mention in named):
        return False
    names = {term for mention in named for term in search_terms(mention.surface)}
    matter = set(search_terms(statement)) - names
    return language != identify(statement) or not matter or bool(matter & set(search_terms(words)))


def _numbers(text: str) -> set[str]:
    """The numbers of a text, in figures or in words."""
    found = tokens(text)
    written = {_NUMBER_WORDS[token] for token in found if token in _NUMBER_WORDS}
    return written | set(_NUMBER.findall(" ".join(found)))


def _is_spoken(mention: Mention, heard: tuple[Mention, ...], spoken: str, registry: Registry) -> bool:
    """Whether the words name what the statement names: of the registered, the same one, not its namesake.

    Args:
        mention: of the statement.
        heard: what the words name.
        spoken: their tokens, blanks around each.
        registry: whose owner speaks, and need not be named.
    """
    owner = registry.owner
    if owner is not None and owner.id in mention.candidates:
        return True
    if mention.candidates:
        return any(not set(mention.candidates).isdisjoint(one.candidates) for one in heard)
    parts = tokens(mention.surface)
    telling = [part for part in parts if not is_stop_word(part)] or parts
    return all(f" {part} " in spoken for part in telling)


def _health(statement: str, named: tuple[Mention, ...], words: str | None, also: tuple[str, ...]) -> Health:
    """The finding of the statement; other texts beside it may aggravate it, or raise a doubt."""
    people = [(m.start, m.end) for m in named if m.type in _BEARERS or _may_be_somebody(m)]
    things = [(m.start, m.end) for m in named if m.type is not None and m.type not in _BEARERS]
    health = find_health(statement, people, things)
    beside = max(
        (find_health(text) for text in (words or "", *also)),
        key=lambda found: found.gravity,
        default=Health.NONE,
    )
    if health is Health.NONE:
        return Health.NONE if beside is Health.NONE else Health.UNSURE
    return max(health, beside, key=lambda found: found.gravity)


def _may_be_somebody(mention: Mention) -> bool:
    return mention.type is None and mention.status in (MentionStatus.UNREGISTERED, MentionStatus.AMBIGUOUS)


def _tells_both(change: Change | None) -> bool:
    return change is not None and bool(change.old_value) and bool(change.new_value)


def _happens_at(statement: str, times: Times, kind: Kind) -> Moment | None:
    """When what is told to happen at a date begins to be true."""
    if kind in (Kind.PREFERENCE, Kind.RULE) or (kind is Kind.FACT and tells_a_date(statement)):
        return None
    return times.event_at


def _unsure(statement: str, language: str, times: Times, placed: set[str]) -> tuple[str, ...]:
    reasons: list[str] = []
    if placed & _INFERABLE and is_hedged(statement):
        reasons.append("sensitive.inferred")
    if language == OTHER and (is_hedged(statement) or not known_elsewhere(statement)):
        reasons.append("text.not_understood")
    if statement.rstrip().endswith(("?", "？")):
        reasons.append("text.question")
    if times.unsure:
        reasons.append("time.unsure")
    return tuple(reasons)
