"""``mem_gates``: what became of proposals, what awaits the owner, whom the registry does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from cypher.console_urls import ruling_url
from cypher.inbox import ProposalView
from policies import access, moments, reasons
from policies.errors import UnknownId
from policies.lifecycle import FINAL, InboxState
from policies.parameters import parameters
from policies.terms import Grant, MemoryId, Outcome, OutcomeRecord, ProposalId
from service.calls import Answer, Call
from service.rendering import page, word
from service.tools import schemas
from service.tools.tool import Tool

SETTLED = "settled"
"""All that a tool is told of a proposal that was classified outside what it may be served."""
SCANNED_MAX = 1_000
"""How many proposals one page is looked for among: the cursor goes on from there."""

Row = dict[str, Any]


def answer(call: Call) -> Answer:
    """List the caller's own proposals (everybody's, for a tool that sees all) as the view asks.

    Raises:
        UnknownId: the proposal that is asked for is not one that the caller may know of.
    """
    chosen = call.arguments.get("view", "outcomes")
    if "proposal" in call.arguments:
        rows, state = [_one(call, call.arguments["proposal"])], None
    elif chosen == "anchor_reviews":
        rows, state = _reviews(call)
    else:
        rows, state = _outcomes(call, chosen)
    following = call.next_cursor(state)
    lines = [_line(row) for row in rows] or [word("none", call.language)]
    text = page(lines, following, call.language)
    structured = {"view": chosen, "items": rows, "next_cursor": following}
    return Answer(structured, text, tuple(row["memory"] for row in rows if row.get("memory")))


def sees_all(grant: Grant) -> bool:
    """Whether the tool sees every tool's proposals: the scope that looks back, limited to no domain."""
    return parameters().scope(grant.scope).history and grant.domains is None


def _outcomes(call: Call, chosen: str) -> tuple[list[Row], Row | None]:
    """A page of outcomes, and where the next one begins."""
    wanted = _WANTED[chosen]
    most, scanned = call.house.parameters.limits.list_items, 0
    rows: list[Row] = []
    after = (call.cursor_state() or {}).get("after")
    more = True
    while more and len(rows) < most and scanned < SCANNED_MAX:
        found = call.inbox.view(
            grant=None if sees_all(call.grant) else call.grant.id,
            after=None if after is None else ProposalId(after),
            limit=most,
        )
        more = len(found) == most
        for view, row in zip(found, _rows(call, found), strict=True):
            scanned += 1
            after = view.proposal.id
            # That a settled proposal is in another list, or leaves a gap in its page, would tell what became of it.
            told = chosen == "outcomes" or row["outcome"] != SETTLED
            if told and not view.proposal.is_directive and wanted(view):
                rows.append(row)
                if len(rows) == most:
                    more = more or view is not found[-1]
                    break
    return rows, {"after": after} if more else None


def _one(call: Call, proposal: str) -> Row:
    grant = None if sees_all(call.grant) else call.grant.id
    found = call.inbox.view(grant=grant, ids=[ProposalId(proposal)], limit=1)
    if not found or found[0].proposal.is_directive:
        raise UnknownId(field="proposal")
    return _rows(call, found)[0]


def _rows(call: Call, views: Sequence[ProposalView]) -> list[Row]:
    ids = [memory for view in views if view.outcome is not None for memory in view.outcome.memories]
    versions = call.reader.versions(ids) if ids else {}
    known = {memory for memory, version in versions.items() if access.in_scope(version, call.view)}
    return [_row(call, view, known) for view in views]


def _row(call: Call, view: ProposalView, known: AbstractSet[MemoryId]) -> Row:
    outcome = view.outcome
    row: Row = {"proposal": view.proposal.id} | dict.fromkeys(_OF_AN_OUTCOME)
    if outcome is None:
        return row
    if _is_beyond(call, outcome, known):
        words = call.in_language(en="Settled outside what you may see.", fr="Réglé hors de votre portée.")
        return row | {"outcome": SETTLED, "explanation": words}
    # A tool that may not read is told nothing but codes and sentences that quote nobody.
    details = outcome.details if call.grant.may_read else {}
    shown = [memory for memory in outcome.memories if memory in known]
    return row | {
        "outcome": outcome.outcome.shown(call.house.handle),
        "reason": outcome.reason,
        "explanation": reasons.explanation(outcome.reason, call.language, details),
        "memory": shown[-1] if shown and outcome.outcome in FINAL else None,
        "url": ruling_url(call.house.address, outcome),
        "decided_at": moments.show_recorded(outcome.decided_at, call.house.zone),
    }


def _is_beyond(call: Call, outcome: OutcomeRecord, known: AbstractSet[MemoryId]) -> bool:
    """Whether the outcome lies outside what the caller may be served: all it learns is that it is settled."""
    if outcome.level > call.view.level:
        return True
    made = outcome.outcome in (Outcome.COMMITTED, Outcome.DUPLICATE) and bool(outcome.memories)
    return made and known.isdisjoint(outcome.memories)


def _reviews(call: Call) -> tuple[list[Row], Row | None]:
    """A page of anchor reviews, and where the next one begins."""
    most = call.house.parameters.limits.list_items
    after = (call.cursor_state() or {}).get("after")
    grant = None if sees_all(call.grant) else call.grant.id
    found = call.inbox.anchor_reviews(grant=grant, after=after, limit=most)
    registry = call.reader.registry().within(call.view.level)
    told = _told(call, [proposal for review in found for proposal in review.proposals])
    rows: list[Row] = []
    for review in found:
        proposals = [proposal for proposal in review.proposals if proposal in told]
        if not proposals:
            continue
        # What answers to the name above the caller's scope is to it as if it did not exist.
        entity = None if review.entity is None else registry.entity(review.entity)
        closed_at = None if entity is None else review.closed_at
        zone = call.house.zone
        rows.append(
            {
                "name": review.name,
                "type": None if review.type is None else review.type.value,
                "opened_at": moments.show_recorded(review.opened_at, zone),
                "closed_at": None if closed_at is None else moments.show_recorded(closed_at, zone),
                "entity": None if entity is None else {"id": entity.id, "name": entity.name},
                "proposals": proposals,
            }
        )
    return rows, {"after": found[-1].key} if len(found) == most else None


def _told(call: Call, proposals: Sequence[ProposalId]) -> set[ProposalId]:
    """Those of some rejected proposals that the caller may know more of than that they are settled."""
    told: set[ProposalId] = set()
    for start in range(0, len(proposals), SCANNED_MAX):
        views = call.inbox.view(ids=proposals[start : start + SCANNED_MAX], limit=SCANNED_MAX)
        told |= {row["proposal"] for row in _rows(call, views) if row["outcome"] != SETTLED}
    return told


def _line(row: Row) -> str:
    if "name" in row:
        entity = "" if row["entity"] is None else f" → {row['entity']['name']} [{row['entity']['id']}]"
        return f"{row['name']}{entity} ({', '.join(row['proposals'])})"
    parts = [row["proposal"], row["outcome"] or "…", row["reason"], row["explanation"], row["memory"]]
    return " · ".join(part for part in parts if part)


_OF_AN_OUTCOME = ("outcome", "reason", "explanation", "memory", "url", "decided_at")

_WANTED: dict[str, Callable[[ProposalView], bool]] = {
    "outcomes": lambda _: True,
    "arbitrations": lambda view: view.state is InboxState.NEEDS_OWNER,
    "duplicates": lambda view: view.outcome is not None and view.outcome.outcome is Outcome.DUPLICATE,
}

TOOL = Tool(
    name="mem_gates",
    title="What became of proposals",
    description=(
        "Tell what became of your own proposals: pending (no outcome yet), committed, duplicate, rejected "
        "with the reason and what to do, waiting for the owner, or settled beyond your scope. `view` asks for "
        "those that await the owner's ruling (`arbitrations`), for `duplicates`, or for people and "
        "organisations that your proposals name and the owner has not registered (`anchor_reviews`)."
    ),
    input_schema=schemas.arguments(
        {
            "view": {
                **schemas.choice("What to list.", "outcomes", "arbitrations", "duplicates", "anchor_reviews"),
                "default": "outcomes",
            },
            "proposal": schemas.text("One proposal, by its prop: id."),
            "cursor": schemas.CURSOR,
        }
    ),
    output_schema=schemas.GATES_RESULT,
    answer=answer,
)
