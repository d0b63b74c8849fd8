"""A context pack: the little that an assistant should know before it answers, within a budget (G4).

Only what surfaces by itself; rules only when the owner attested or ruled them (G16). ``tokens`` counts the
very text that is given, citations and headings included, so that what is promised is what arrives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from policies import budget, moments
from policies.bitemporal import HAPPENED, AsOf, asserted_kind
from policies.ranking import Verdict, verdict
from policies.terms import Kind, Memory, MemoryId, Version
from service.reading.asking import Asking, Found, ask
from service.reading.call import Call
from service.reading.edges import Step
from service.reading.items import Answer, Shown
from service.reading.phrases import say
from service.reading.rules import rules

_CANDIDATES_MAX = 240
"""How far down the order a pack looks for what still fits."""
_RULES_MAX = 3
_RULES = frozenset({Kind.RULE})
_RELATIONS = frozenset({Kind.RELATION})
_FACTS = frozenset(Kind) - _RULES - _RELATIONS


@dataclass(frozen=True, slots=True)
class PackArguments:
    """The arguments of a pack, checked for type and length only."""

    topic: str
    about: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    max_tokens: int = 1500


def context_pack(call: Call, arguments: PackArguments) -> Answer:
    """Gather what surfaces on a topic.

    Returns:
        ``{verdict, items, relations, tokens, context_prompt, notices}``; best first, general rules before.

    Raises:
        EntityUnknown, EntityAmbiguous, DomainUnknown: what the view does not have.
    """
    as_of = AsOf(call.now)
    asking = ask(
        call, arguments.topic, as_of, about=arguments.about, domains=arguments.domains, open_only=True
    )
    owner = call.registry.owner
    text = _Text(call.shown(as_of), call.view.language, owner.name if owner else "")
    found = islice(asking.found(), _CANDIDATES_MAX)
    first = list(islice(found, call.parameters.budget.pack_items))
    best = max((one.relevance.score for one in first), default=0.0)
    reached = verdict([best], call.parameters.ranking)
    # Rules that hold whatever the topic go with an answer, and are none by themselves.
    rules = [] if reached is Verdict.UNKNOWN else _general_rules(asking)
    why: dict[MemoryId, Found] = {}
    chosen = budget.fill_pack(
        (version for _, version in asking.versions(_once(chain(rules, first, found), why))),
        budget=call.parameters.budget,
        max_tokens=arguments.max_tokens,
        owner=owner.id if owner else None,
        cost=lambda versions: budget.tokens(text.of(versions)),
    )
    notices = asking.notices()
    if reached is not Verdict.CERTAIN:
        notices.append(say(f"notice.{reached.value}", call.view.language))
    prompt = text.of(chosen)
    items = [(version, asking.why(why[version.memory.id], version)) for version in chosen]
    return {
        "verdict": reached.value,
        "items": [text.shown.item(version, reason) for version, reason in items],
        "relations": _relations(call, chosen, text.shown),
        "tokens": budget.tokens(prompt),
        "context_prompt": prompt,
        "notices": notices,
    }


def _once(found: Iterable[Found], why: dict[MemoryId, Found]) -> Iterator[Found]:
    """What was found, a rule that is found twice only once; ``why`` remembers each."""
    for one in found:
        if one.memory not in why:
            why[one.memory] = one
            yield one


def _general_rules(asking: Asking) -> list[Found]:
    """The first few rules that are about nobody but the owner."""
    search, owner = asking.search, asking.call.registry.owner
    filters = replace(search.filters, closes_after=search.when.closes_after)
    about_owner = frozenset({owner.id} if owner else ())
    found = rules(search.snapshot, filters, asking.call.parameters.ranking, about_only=about_owner)
    return found[:_RULES_MAX]


def _relations(call: Call, versions: Sequence[Version], shown: Shown) -> list[Answer]:
    """The entity edges that the chosen memories draw: walked edges, never that they share an anchor."""
    drawn: list[Answer] = []
    for version in versions:
        relation = version.memory.relation
        ends = None if relation is None else (relation.subject, relation.object)
        if relation is None or ends is None or any(call.registry.entity(end) is None for end in ends):
            continue
        source, target = (call.registry.canonical(end) for end in ends)
        drawn.append(shown.edge(Step(target, version.memory.id, source, relation.predicate, target)))
    return drawn


@dataclass(frozen=True, slots=True)
class _Text:
    """The text that an assistant reads."""

    shown: Shown
    language: str
    owner_name: str

    def of(self, versions: Sequence[Version]) -> str:
        """What some memories say, by section, each with its citation; empty for none."""
        if not versions:
            return ""
        parts = [say("pack.title", self.language, owner=self.owner_name)]
        for section, held in (("rules", _RULES), ("facts", _FACTS), ("relations", _RELATIONS)):
            lines = [self._line(version) for version in versions if version.memory.kind in held]
            if lines:
                parts += [say(f"pack.{section}", self.language, owner=self.owner_name), *lines]
        return "\n".join(parts)

    def _line(self, version: Version) -> str:
        dates = ", ".join(self._dates(version.memory))
        text = " ".join(version.memory.text.split())
        return f"- {text}{f' ({dates})' if dates else ''} [{version.memory.id}]"

    def _dates(self, memory: Memory) -> list[str]:
        zone, told = self.shown.zone, list[str]()
        if memory.valid_from is not None:
            begins = moments.show_start(memory.valid_from, zone)
            happened = asserted_kind(memory) in HAPPENED
            told.append(say("pack.happened" if happened else "pack.since", self.language, date=begins))
        if memory.valid_to is not None:
            ends = moments.show_end(memory.valid_to, zone)
            told.append(say("pack.until", self.language, date=ends))
        return told
