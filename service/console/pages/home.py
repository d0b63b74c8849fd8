"""The overview: what waits for the owner, what there is, whether all is well."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from starlette.responses import Response

from cypher.inbox import ProposalView
from cypher.reader import Tally
from policies.lifecycle import InboxState
from policies.terms import Level
from service.console.arbitration import Subject, subject_of
from service.console.filters import domain_label
from service.console.pages.runs import counts_of, findings_of, is_curated, next_run
from service.console.proposed import ProposalTelling
from service.console.site import Page
from service.console.visit import Visit

RECENT = 6
TOOLS = 5
_LOOKED_THROUGH = 100
"""How many of what waits for the owner are looked through for what a passkey must confirm."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many memories are of one level, or in one domain."""

    key: str
    label: str
    memories: int
    percent: int
    """Of the greatest of its list: the length of its bar."""


def home(visit: Visit) -> Response:
    """The overview."""
    house = visit.house
    inbox = house.inbox
    tally = house.reader.tally()
    tools = sorted(house.grants.listed(), key=lambda one: one.last_used_at or 0, reverse=True)
    registry = house.reader.registry()
    entities = [one for one in registry.entities.values() if one.merged_into is None]
    told = ProposalTelling(visit)
    confirmations = [
        told.told(view)
        for view in inbox.view(state=InboxState.NEEDS_OWNER, limit=_LOOKED_THROUGH)
        if _confirms(view)
    ]
    last = inbox.runs(limit=1)
    memories = sum(one.memories for one in tally)
    return visit.page(
        "home.html",
        arbitrations=inbox.count(InboxState.NEEDS_OWNER) - len(confirmations),
        confirmations=confirmations,
        reviews=inbox.open_reviews(),
        failing=inbox.count(InboxState.RETRYING),
        pending=inbox.count(InboxState.PENDING),
        memories=memories,
        levels=_by_level(visit, tally),
        domains=_by_domain(visit, tally),
        entities=len(entities),
        tools=tools[:TOOLS],
        tools_count=len(tools),
        is_curated=is_curated(visit),
        last_run=last[0] if last else None,
        counts=counts_of(visit, last[0]) if last else [],
        findings=findings_of(last[0]) if last else [],
        next_at=next_run(visit),
        recent=[told.told(view) for view in inbox.view(limit=RECENT)],
        # The owner alone is registered when a store is made.
        steps=_steps(memories, len(entities) - 1, len(tools)),
    )


def _confirms(view: ProposalView) -> bool:
    return view.outcome is not None and subject_of(view.outcome) is Subject.PASSKEY


def _steps(memories: int, entities: int, tools: int) -> list[tuple[str, str, bool]]:
    """What to do first: a key of the strings, where, and whether it is done; nothing once all is."""
    steps = [
        ("tools", "/tools", tools > 0),
        ("entities", "/entities/new", entities > 0),
        ("declare", "/declare", memories > 0),
    ]
    return [] if all(done for _, _, done in steps) else steps


def _by_level(visit: Visit, tally: list[Tally]) -> list[Share]:
    counted = Counter[str]()
    for one in tally:
        counted[one.level.name] += one.memories
    named = [(level.name, visit.t(f"terms.level.{level.name}")) for level in Level]
    return _shares([(key, label, counted[key]) for key, label in named])


def _by_domain(visit: Visit, tally: list[Tally]) -> list[Share]:
    """The domains that have any, the fullest first."""
    counted = Counter[str]()
    for one in tally:
        counted.update(dict.fromkeys(one.domains, one.memories))
    found = [(key, domain_label(visit, key), number) for key, number in counted.items()]
    return _shares(sorted(found, key=lambda one: (-one[2], one[1])))


def _shares(counted: list[tuple[str, str, int]]) -> list[Share]:
    most = max((number for _, _, number in counted), default=0)
    return [
        Share(key, label, number, round(100 * number / most) if most else 0) for key, label, number in counted
    ]


PAGES = (Page("/", get=home),)
