"""A question asked of one view: understood, searched, what is found fetched from the ledger and checked."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from policies import access, bitemporal, ranking
from policies.access import Aim
from policies.bitemporal import AsOf
from policies.ranking import Question, Relevance, Statistics
from policies.terms import EntityId, MemoryId, Version
from policies.text import search_terms
from service.reading import candidates
from service.reading.call import About, Call, bounds, kinds
from service.reading.candidates import Place, Search
from service.reading.edges import Path, Walk
from service.reading.items import Why
from service.reading.phrases import say
from service.reading.question import Asked, understand

_AIMED_MAX = 1_000
_FETCHED = 24


class Moved(Exception):
    """What was found is so no longer: the ledger went on under the call, which is answered anew."""


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that answers, with its relevance and its place in the order."""

    memory: MemoryId
    relevance: Relevance
    place: Place


@dataclass(frozen=True, slots=True)
class Asking:
    """One question asked of one view, as of one moment."""

    call: Call
    as_of: AsOf
    asked: Asked
    about: About
    search: Search
    paths: Mapping[EntityId, Path]
    """What is near the question's entities, and how it is reached."""
    aims: bool
    """Whether ``about`` reaches what is served on request only."""

    def found(self, after: Place | None = None) -> Iterator[Found]:
        """Everything relevant, best first, after a place."""
        ordered = candidates.ordered(self.search, self.call.parameters.ranking, after)
        topical = (Found(one.row.memory, one.relevance, one.place) for one in ordered)
        aimed = (one for one in self._aimed() if after is None or one.place > after)
        return heapq.merge(topical, aimed, key=lambda found: found.place)

    def versions(self, found: Iterator[Found]) -> Iterator[tuple[Found, Version]]:
        """What was found with its version, fetched from the ledger a few at a time as it is asked for.

        Raises:
            Moved: one of them may be served no longer.
        """
        while some := list(islice(found, _FETCHED)):
            yield from self.fetched(some)

    def fetched(self, found: Sequence[Found]) -> list[tuple[Found, Version]]:
        """What was found with its version, checked once more against the view and the time asked about.

        Raises:
            Moved: one of them may be served no longer.
        """
        return fetched(self.call, found, self._may_serve)

    def why(self, found: Found, version: Version) -> Why:
        """Why a memory answers: its relevance, and the edges that led to it if its anchors are not named."""
        anchors = version.state.anchors
        direct = self.search.question.anchors.intersection(anchors)
        reached = [self.paths[anchor] for anchor in anchors if anchor in self.paths]
        led = not direct and bool(reached) and found.relevance.parts.get("anchors", 0.0) > 0
        path = min(reached, key=lambda path: (len(path), path)) if led else ()
        return Why(found.relevance.score, found.relevance.parts, path)

    def notices(self) -> list[str]:
        """What the asker should know of how the question was understood."""
        language, shown = self.call.view.language, self.call.shown(self.as_of)
        told = [
            say(
                "notice.ambiguous_name",
                language,
                name=ambiguity.name,
                candidates=", ".join(entity["name"] for entity in shown.entities(ambiguity.candidates)),
            )
            for ambiguity in self.asked.ambiguities
        ]
        if self.search.past:
            told.append(say("notice.closed_found", language))
        return told

    def frozen(self) -> dict[str, Any]:
        """What a later page needs so that its order continues this one's, whatever is recorded in between."""
        known = self.search.statistics
        return {
            "now": self.as_of.now,
            "documents": known.documents,
            "frequencies": [known.frequencies[term] for term in sorted(self.search.question.terms)],
        }

    def _may_serve(self, version: Version) -> bool:
        times = (self.as_of, *self._past())
        return self._reaches(version) and any(bitemporal.is_visible(version, as_of) for as_of in times)

    def _past(self) -> list[AsOf]:
        periods = self.search.question.periods if self.search.past else ()
        return [replace(self.as_of, valid_at=period) for period in periods]

    def _reaches(self, version: Version) -> bool:
        view = self.call.view
        if self.search.filters.open_only:
            return access.surfaces(version, view)
        if access.is_topical(version, view):
            return True
        return self.aims and self._is_aimed(version)

    def _is_aimed(self, version: Version) -> bool:
        aim = Aim(entities=self.about.entities, domains=self.about.domains)
        matches = not self.search.question.terms.keys().isdisjoint(search_terms(version.memory.text))
        return access.is_aimed(version, self.call.view, aim, self.call.registry, matches=matches)

    def _aimed(self) -> list[Found]:
        """What is served on request only, aimed at by name: it is outside every index, so from the ledger."""
        if not self.aims or not self.search.question.terms:
            return []
        about, view = self.about, self.call.view
        versions = self.call.source.on_request_about(
            sorted(about.entities), sorted(about.domains), level=view.level, limit=_AIMED_MAX
        )
        aimed = [
            v for v in versions if not access.is_topical(v, view) and self._passes(v) and self._may_serve(v)
        ]
        found = [self._weighed(version) for version in aimed if not self._is_withdrawn(version)]
        return sorted(found, key=lambda one: one.place)

    def _is_withdrawn(self, version: Version) -> bool:
        """Whether it was taken back: believed once, yet no tool is served it any more."""
        if version.state.superseded_at is None or self.call.view.owner:
            return False
        return bitemporal.is_withdrawn(version, self.call.source.chain_of(version.memory.id))

    def _passes(self, version: Version) -> bool:
        memory, filters = version.memory, self.search.filters
        in_domains = not filters.domains or not set(filters.domains).isdisjoint(memory.domains)
        kind = (memory.kind, bitemporal.asserted_kind(memory))
        return in_domains and (not filters.kinds or not set(filters.kinds).isdisjoint(kind))

    def _weighed(self, version: Version) -> Found:
        """An aimed memory's relevance, from the statistics of the view, which it has no part in."""
        numbers, question = self.call.parameters.ranking, self.search.question
        said = search_terms(version.memory.text)
        strengths = {term: ranking.strength(said.count(term), numbers) for term in question.terms}
        weights = ranking.weights(question, self.search.statistics, numbers)
        if question.anchors.isdisjoint(version.state.anchors):
            # Aimed at by its domain, which stands for the entity that it does not have.
            named = replace(question, anchors=frozenset({EntityId(d) for d in self.about.domains}))
            text = ranking.text_share(weights, strengths)
            anchors = [EntityId(domain) for domain in version.memory.domains]
            relevance = ranking.blended(named, text=text, anchors=anchors, meets_date=False, ranking=numbers)
        else:
            relevance = ranking.relevance(question, version, strengths, weights, numbers)
        return Found(version.memory.id, relevance, ranking.order_key(version, relevance.score, numbers))


def fetched(
    call: Call, found: Sequence[Found], may_serve: Callable[[Version], bool]
) -> list[tuple[Found, Version]]:
    """What was found with its version, as long as it may be served.

    Raises:
        Moved: one of them may be served no longer, and there is another try.
    """
    versions = call.source.versions([one.memory for one in found])
    known = ((one, versions[one.memory]) for one in found if one.memory in versions)
    served = [(one, version) for one, version in known if may_serve(version)]
    if len(served) < len(found) and not call.last_try:
        raise Moved
    return served


def ask(
    call: Call,
    text: str,
    as_of: AsOf,
    *,
    about: Sequence[str] = (),
    domains: Sequence[str] = (),
    of_kinds: Sequence[str] = (),
    open_only: bool = False,
    frozen: Mapping[str, Any] | None = None,
) -> Asking:
    """Understand a question and make it ready to be searched.

    Args:
        call: whose view, and where the ledger stands.
        text: the question.
        as_of: the moment it is asked about.
        about: what every answer must be about (one of these), if anything.
        domains: what every answer must be in (one of these), if any.
        of_kinds: what every answer must be, if any.
        open_only: whether only what surfaces by itself answers.
        frozen: the first page's ``Asking.frozen``, for a later one.

    Raises:
        EntityUnknown: a name in ``about`` that nothing in view answers to.
        EntityAmbiguous: one that several answer to.
        DomainUnknown: a domain that the view does not have.
        InvalidArgument: a kind that does not exist.
    """
    named = call.about(about)
    record, when = bounds(as_of)
    filters = replace(
        record,
        open_only=open_only,
        domains=tuple(call.domain(domain) for domain in domains),
        kinds=kinds(of_kinds),
        about=(named.group,) if about else (),
    )
    asked = understand(
        text,
        named.entities,
        registry=call.registry,
        now=as_of.now,
        zone=call.zone,
        terms_max=call.parameters.limits.query_tokens,
    )
    question = asked.question
    snapshot = call.snapshot(as_of)
    walked = replace(
        record, open_only=open_only, closes_after=when.closes_after, opens_before=when.opens_before
    )
    paths = Walk(snapshot, call.registry, walked).near(question.anchors)
    search = Search(
        snapshot=snapshot,
        question=question,
        statistics=_thawed(frozen, question)
        or candidates.statistics(snapshot, question, open_only=open_only),
        filters=filters,
        when=when,
        near={entity: len(path) for entity, path in paths.items()},
        past=bool(question.periods) and as_of.valid_at is None and not open_only,
    )
    return Asking(call, as_of, asked, named, search, paths, aims=bool(about) and not open_only)


def _thawed(frozen: Mapping[str, Any] | None, question: Question) -> Statistics | None:
    """The statistics of the first page, unless the question is understood otherwise by now."""
    if frozen is None or len(frozen["frequencies"]) != len(question.terms):
        return None
    return Statistics(
        frozen["documents"], dict(zip(sorted(question.terms), frozen["frequencies"], strict=True))
    )
