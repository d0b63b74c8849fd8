"""Declaring a memory: in the owner's own words, from nothing or from what was proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from starlette.responses import Response

from cypher.inbox import ProposalView
from policies.directives import Verb
from policies.errors import MissingArgument, PageUnknown
from policies.language import lexicon
from policies.lifecycle import InboxState
from policies.registry import Registry
from policies.terms import Discretion, EntityId, Kind, Level, ProposalId
from service.console import filters
from service.console.foresight import Foreseen, foreseen
from service.console.proposed import ProposalTelling
from service.console.site import Page
from service.console.telling import predicate
from service.console.visit import Visit

KINDS = tuple(kind for kind in Kind if kind not in (Kind.RETRACTION, Kind.CLOSURE, Kind.RELATION))
_ABOUT_FIELDS_MIN = 3
_DETAILS = ("kind", "domains", "level", "discretion", "valid_from", "valid_to", "event", "tags", "relation")
_SEPARATORS = re.compile(r"[,;\n]")


@dataclass(frozen=True, slots=True)
class Filled:
    """What the form holds, as it is typed."""

    text: str = ""
    kind: str = ""
    about: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    level: str = ""
    discretion: str = ""
    valid_from: str = ""
    valid_to: str = ""
    event: str = ""
    tags: str = ""
    relation: Mapping[str, str] = field(default_factory=dict[str, str])
    """Subject, predicate and object."""


def declare(visit: Visit) -> Response:
    """The form, empty or prefilled.

    Raises:
        PageUnknown: there is no such proposal to start from.
    """
    source = _source(visit)
    filled = _typed(visit) if visit.form else _prefilled(visit, source)
    # What is known to be sensitive is told from the start; what is typed first, when it is submitted.
    found = _foreseen(visit, filled) if filled.text else None
    return _form(visit, source, filled, found if found and is_sensitive(visit, found) else None, asks=False)


def submit(visit: Visit) -> Response:
    """Submit the declaration; what is sensitive is first shown as it will be kept.

    Raises:
        PageUnknown: there is no such proposal to start from.
        Refused: the curator did not take it; says why.
        MnemoError: of category ``incorrect``: something cannot be read.
    """
    source, filled = _source(visit), _typed(visit)
    found = _foreseen(visit, filled)
    if is_sensitive(visit, found):
        return _form(visit, source, filled, found, asks=True)
    then, done = "/memories/{memory}", "declared"
    if source is not None and source.state is InboxState.NEEDS_OWNER:
        then, done = f"/arbitrations/{source.proposal.id}", "declared_then"
    return visit.direct(Verb.DECLARE, _payload(filled), then=then, done=done)


def is_sensitive(visit: Visit, found: Foreseen) -> bool:
    """Whether the owner has still to be told how something is kept before it is submitted."""
    return (found.is_health or found.level is Level.S3) and not visit.field("sure")


def _form(
    visit: Visit, source: ProposalView | None, filled: Filled, warned: Foreseen | None, *, asks: bool
) -> Response:
    registry = visit.house.reader.registry()
    about = [*filled.about, ""]
    predicates = sorted(
        ((one, predicate(one, visit.language)) for one in lexicon.load("relations")), key=_label
    )
    return visit.page(
        "declare.html",
        filled=filled,
        about=about + [""] * (_ABOUT_FIELDS_MIN - len(about)),
        source=ProposalTelling(visit).told(source) if source else None,
        warned=warned,
        asks=asks,
        opens=_is_detailed(visit, filled),
        has_passkey=bool(visit.house.reader.passkeys().living),
        kinds=KINDS,
        domains=filters.domains(visit),
        floors={one.id: one.floor for one in visit.house.parameters.domains.values()},
        levels=list(Level),
        discretions=list(Discretion),
        names=filters.names(registry),
        predicates=predicates,
        characters_max=visit.house.parameters.limits.statement_characters,
    )


def _is_detailed(visit: Visit, filled: Filled) -> bool:
    """Whether something beyond the text is filled in, or wrong."""
    given = {name: getattr(filled, name) for name in _DETAILS}
    return any(given.values()) or (visit.failure or {}).get("field") in given


def _label(one: tuple[str, str]) -> str:
    return one[1].casefold()


def _source(visit: Visit) -> ProposalView | None:
    """The proposal that the declaration starts from."""
    given = visit.field("from") or visit.query("from")
    if not given:
        return None
    found = visit.house.inbox.view(ids=[ProposalId(given)], limit=1)
    if not found:
        raise PageUnknown
    return found[0]


def _typed(visit: Visit) -> Filled:
    ends = {name: visit.field(name) for name in ("subject", "predicate", "object")}
    return Filled(
        text=visit.field("text"),
        kind=visit.field("kind"),
        about=tuple(one.strip() for one in visit.fields("about")),
        domains=tuple(visit.fields("domains")),
        level=visit.field("level"),
        discretion=visit.field("discretion"),
        valid_from=visit.field("valid_from"),
        valid_to=visit.field("valid_to"),
        event=visit.field("event"),
        tags=visit.field("tags"),
        relation=ends if any(ends.values()) else {},
    )


def _prefilled(visit: Visit, source: ProposalView | None) -> Filled:
    """What a proposal says, with what the curator found in it; its own dates and names are the owner's to check."""
    if source is None:
        return Filled(about=tuple(visit.request.query_params.getlist("about")))
    payload = source.proposal.payload
    details = source.outcome.details if source.outcome else {}
    known = {**payload, **cast("dict[str, object]", details.get("declaration") or {})}
    registry = visit.house.reader.registry()

    def text(*names: str) -> str:
        return next((str(known[name]) for name in names if known.get(name)), "")

    def texts(name: str) -> list[str]:
        return [str(one) for one in cast("list[object]", known.get(name) or [])]

    kind, relation = text("kind"), cast("dict[str, str]", known.get("relation") or {})
    return Filled(
        text=text("text", "statement"),
        kind=kind if kind in KINDS else "",
        about=tuple(shown_name(registry, one) for one in texts("anchors")),
        domains=tuple(texts("domains")),
        level=text("level"),
        discretion=text("discretion"),
        valid_from=text("valid_from"),
        valid_to=text("valid_to"),
        event=text("event"),
        tags=", ".join(texts("tags")),
        relation={
            name: value if name == "predicate" else shown_name(registry, value)
            for name, value in relation.items()
        },
    )


def shown_name(registry: Registry, given: str) -> str:
    """An entity's name where it tells it from all others; else what was given."""
    found = registry.entity(EntityId(given)) if EntityId(given) in registry.entities else None
    return found.name if found and len(registry.named(found.name)) == 1 else given


def _payload(filled: Filled) -> dict[str, object]:
    """The arguments of the directive.

    Raises:
        MissingArgument: a relation lacks one of its three parts.
    """
    relation = dict(filled.relation)
    if relation and not all(relation.get(part) for part in ("subject", "predicate", "object")):
        raise MissingArgument(field="relation")
    tags = [one.strip() for one in _SEPARATORS.split(filled.tags) if one.strip()]
    return {
        "text": filled.text or None,
        "kind": filled.kind or None,
        "anchors": list(filled.about) or None,
        "domains": list(filled.domains) or None,
        "level": filled.level or None,
        "discretion": filled.discretion or None,
        "valid_from": filled.valid_from or None,
        "valid_to": filled.valid_to or None,
        "event": filled.event or None,
        "relation": relation or None,
        "tags": tags or None,
    }


def _foreseen(visit: Visit, filled: Filled) -> Foreseen:
    level = Level[filled.level] if filled.level in Level.__members__ else Level.S0
    found = foreseen(
        visit.house,
        filled.text,
        said_at=visit.house.clock.now(),
        about=filled.about,
        domains=filled.domains,
        beside=(filled.event, filled.tags, filled.relation.get("predicate", "")),
        kind=filled.kind,
    )
    return found.at_least(level, filled.discretion)


PAGES = (Page("/declare", get=declare, post=submit, keeps=True),)
