"""The profile: what an assistant reads first. Scope, budgets, what is in view, the owner's rules, usage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from policies import access, bitemporal
from policies.bitemporal import AsOf
from policies.errors import InvalidArgument
from policies.folding import fold
from policies.terms import EntityId, Instant, Version
from policies.text import search_terms
from service.reading.asking import Found, fetched
from service.reading.call import Call, bounds
from service.reading.items import Answer, Why
from service.reading.phrases import say
from service.reading.rules import rules

SECTIONS = ("domains", "entities", "rules", "usage")


@dataclass(frozen=True, slots=True)
class ProfileArguments:
    """The arguments of a profile, checked for type and length only."""

    scope: str
    """The name of the caller's scope, told back to it."""
    section: str | None = None
    query: str = ""
    cursor: dict[str, Any] | None = None
    """The ``next_cursor`` of the page before."""


def profile(call: Call, arguments: ProfileArguments) -> Answer:
    """Describe the view: what surfaces by itself, and nothing that is found only when asked for.

    Returns:
        ``{scope, owner, budgets, domains, entities, rules, usage, next_cursor}``. Of a section that was not
        asked for: empty lists, and no usage. Without a section: the first page of each.

    Raises:
        InvalidArgument: there is no such section.
    """
    if arguments.section not in (None, *SECTIONS):
        raise InvalidArgument(field="section", problem="unknown")
    cursor = arguments.cursor or {}
    section = cursor.get("section", arguments.section)
    lists = _Lists(call, AsOf(Instant(cursor.get("now", call.now))), arguments.query)
    wanted = SECTIONS if section is None else (section,)
    pages = {name: lists.page(name, cursor.get("offset", 0)) for name in _LISTED if name in wanted}
    owner = call.registry.owner
    return {
        "scope": arguments.scope,
        "owner": None if owner is None else {"id": owner.id, "name": owner.name},
        "budgets": _budgets(call),
        **{name: pages[name].items if name in pages else [] for name in _LISTED},
        "usage": say("profile.usage", call.view.language) if "usage" in wanted else None,
        "next_cursor": next((page.next_cursor for page in pages.values() if page.next_cursor), None),
    }


@dataclass(frozen=True, slots=True)
class _Page:
    items: list[Answer]
    next_cursor: Answer | None


class _Lists:
    """The lists of one profile, each in an order of its own that nothing but names and rank decides."""

    def __init__(self, call: Call, as_of: AsOf, query: str) -> None:
        self._call = call
        self._as_of = as_of
        self._query = query
        self._shown = call.shown(as_of)
        self._snapshot = call.snapshot(as_of)
        _, when = bounds(as_of)
        self._filters = replace(when, open_only=True)

    def page(self, name: str, offset: int) -> _Page:
        """A page of a list, and where the next one begins."""
        parameters = self._call.parameters
        whole: list[Any] = _LISTED[name](self)
        end = offset + (parameters.budget.page_items if name == "rules" else parameters.limits.list_items)
        items = whole[offset:end]
        following = {"section": name, "offset": end, "now": self._as_of.now} if end < len(whole) else None
        return _Page(self._shown_rules(items) if name == "rules" else items, following)

    def domains(self) -> list[Answer]:
        """Every domain that the view may have memories of, with how many surface."""
        view, counts = self._call.view, self._snapshot.tally("domains", self._filters)
        known = [
            domain
            for domain in self._call.parameters.domains.values()
            if domain.floor <= view.level and (view.domains is None or domain.id in view.domains)
        ]
        labelled = [(domain.id, domain.labels.get(view.language, domain.labels["en"])) for domain in known]
        return [
            {"id": domain, "label": label, "count": counts.get(domain, 0)}
            for domain, label in labelled
            if self._is_asked(domain, label)
        ]

    def entities(self) -> list[Answer]:
        """Every entity that something in view, which surfaces, is anchored on; by name."""
        registry = self._call.registry
        anchored = (
            registry.entity(EntityId(anchor)) for anchor in self._snapshot.tally("about", self._filters)
        )
        known = [entity for entity in anchored if entity is not None]
        asked = [entity for entity in known if self._is_asked(*registry.names(entity.id))]
        return [
            {"id": entity.id, "name": entity.name, "type": entity.type.value}
            for entity in sorted(asked, key=lambda entity: (fold(entity.name), entity.id))
        ]

    def rules(self) -> list[Found]:
        """The owner's rules for assistants."""
        numbers = self._call.parameters.ranking
        return rules(self._snapshot, self._filters, numbers, saying=search_terms(self._query))

    def _shown_rules(self, found: Sequence[Found]) -> list[Answer]:
        versions = fetched(self._call, found, self._may_serve)
        return [self._shown.item(v, Why(one.relevance.score, one.relevance.parts)) for one, v in versions]

    def _may_serve(self, version: Version) -> bool:
        return access.surfaces(version, self._call.view) and bitemporal.is_visible(version, self._as_of)

    def _is_asked(self, *names: str) -> bool:
        return any(fold(self._query) in fold(name) for name in names)


_LISTED = {"domains": _Lists.domains, "entities": _Lists.entities, "rules": _Lists.rules}


def _budgets(call: Call) -> Answer:
    """How much is served at once, so that an assistant can plan."""
    budget, limits = call.parameters.budget, call.parameters.limits
    return {
        "pack_items": budget.pack_items,
        "pack_items_per_entity": budget.pack_items_per_entity,
        "pack_items_per_event": budget.pack_items_per_event,
        "pack_tokens": {
            "default": budget.pack_tokens_default,
            "min": budget.pack_tokens_min,
            "max": budget.pack_tokens_max,
        },
        "recall_items": budget.page_items,
        "path_hops": limits.path_hops_max,
    }
