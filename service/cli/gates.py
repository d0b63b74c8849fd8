"""``gates``: what became of proposals, and what waits for the owner, with the command that settles it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import indented, outcome_word, ruling_command, shown_outcome, terminal, tr
from cypher.console_urls import console_address, review_url
from cypher.inbox import ProposalView
from policies import moments
from policies.folding import fold
from policies.lifecycle import InboxState
from policies.reasons import explanation
from policies.terms import MemoryId, Outcome, OutcomeRecord, ProposalId
from service.cli.local import LocalHouse, local_house

Row = dict[str, Any]

DIRECTIVES_MAX = 1_000
"""How many of the owner's own directives that wait are listed."""
_ARBITRATIONS = "arbitrations"
_SAYING = (
    "text",
    "statement",
    "name",
    "entity",
    "alias",
    "into",
    "other",
    "memory",
    "id",
    "level",
    "discretion",
)
"""Arguments of a directive that say what it would do, in the order they are told."""


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    app.command(
        "gates",
        help=tr(
            "What became of proposals, and what waits for you.",
            "Ce que sont devenues les propositions, et ce qui vous attend.",
        ),
    )(gates)


def gates(
    view: Annotated[
        str | None, typer.Option("--view", help="outcomes, arbitrations, duplicates, anchor_reviews")
    ] = None,
    proposal: Annotated[str | None, typer.Option("--proposal", help="prop:…")] = None,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help=tr("The next page.", "La page suivante."))
    ] = None,
) -> None:
    """Every tool's proposals, what they say, and what awaits your ruling or your passkey.

    With ``--json``: the tool's own object, and for each outcome what was proposed, by whom, and what it meets. Among
    the arbitrations are directives of your own that wait; ``action`` is then their verb, and ``by`` is null.
    """
    with local_house() as house:
        answer = _asked(house, view, proposal, cursor)

    def show(console: Console) -> None:
        if not answer["items"]:
            waiting = answer["view"] in (_ARBITRATIONS, "anchor_reviews")
            console.print(
                tr("Nothing waits for you.", "Rien ne vous attend.") if waiting else tr("Nothing.", "Rien.")
            )
        for row in answer["items"]:
            (_show_outcome if "proposal" in row else _show_review)(console, row)
        if answer["next_cursor"]:
            console.print(tr("More, with:", "La suite, avec :"))
            console.print(f"--cursor {answer['next_cursor']}", soft_wrap=True)

    terminal().answer(answer, show)


def _asked(
    house: LocalHouse, view: str | None, proposal: str | None, cursor: str | None
) -> Mapping[str, Any]:
    """What the tool answers, told to the owner; and the owner's own directives, which no tool is told of."""
    inbox = house.calls.house.ledger.current().inbox
    one = [] if proposal is None else inbox.view(ids=[ProposalId(proposal)], limit=1)
    if one and one[0].proposal.is_directive:
        return {"view": view or "outcomes", "items": _rows(house, one), "next_cursor": None}
    found = house.ask("mem_gates", {"view": view, "proposal": proposal, "cursor": cursor}).structured
    items = cast("list[Row]", found["items"])
    if found["view"] == "anchor_reviews" and proposal is None:
        return {**found, "items": [_review(house, row) for row in items]}
    ids = [ProposalId(row["proposal"]) for row in items]
    views = {one.proposal.id: one for one in inbox.view(ids=ids, limit=len(ids))} if ids else {}
    rows = _rows(house, [views[one] for one in ids])
    # Once, before the first page: what waits for a passkey is the owner's most pressing matter.
    is_first = found["view"] == _ARBITRATIONS and proposal is None and cursor is None
    own = inbox.view(directives=True, state=InboxState.NEEDS_OWNER, limit=DIRECTIVES_MAX) if is_first else []
    return {**found, "items": [*_rows(house, own), *rows]}


def _rows(house: LocalHouse, views: Sequence[ProposalView]) -> list[Row]:
    """Proposals with the owner's side of them: what a tool is never told, and a ruling needs."""
    met = {view.proposal.id: _met(view) for view in views}
    wanted = [memory for memories in met.values() for memory in memories]
    texts = house.calls.house.ledger.current().reader.versions(wanted) if wanted else {}
    rows: list[Row] = []
    for view in views:
        proposal, outcome = view.proposal, view.outcome
        told = _UNDECIDED if outcome is None else _told(house, outcome, proposal.action)
        rows.append(
            {
                "proposal": proposal.id,
                **{name: told[name] for name in _UNDECIDED},
                "action": proposal.action,
                "statement": _says(view),
                "by": None if proposal.is_directive else proposal.grant_name,
                "against": [
                    {"id": one, "text": texts[one].memory.text} for one in met[proposal.id] if one in texts
                ],
            }
        )
    return rows


def _told(house: LocalHouse, outcome: OutcomeRecord, action: str) -> dict[str, object]:
    told = shown_outcome(outcome, house.settings, action=action)
    names = cast("list[str]", outcome.details.get("names") or [])
    if outcome.reason == "name.unregistered" and names:
        registry = house.calls.house.ledger.current().reader.registry()
        if all(map(registry.named, names)):
            told["explanation"] = explanation(
                f"{outcome.reason}.then", terminal().lang, outcome.details, to_owner=True
            )
    return told


_UNDECIDED: Mapping[str, object] = dict.fromkeys(
    ("outcome", "reason", "explanation", "memory", "url", "decided_at")
)


def _met(view: ProposalView) -> list[MemoryId]:
    """The memories that a proposal contradicts, or would change."""
    details = {} if view.outcome is None else view.outcome.details
    payload = view.proposal.payload
    named = [*cast("list[object]", details.get("conflicts", [])), payload.get("id"), payload.get("memory")]
    return list(dict.fromkeys(MemoryId(str(one)) for one in named if one))


def _says(view: ProposalView) -> str | None:
    payload = view.proposal.payload
    if not view.proposal.is_directive:
        return cast("str | None", payload.get("statement"))
    return " · ".join(str(payload[name]) for name in _SAYING if payload.get(name)) or None


def _review(house: LocalHouse, row: Row) -> Row:
    """A name that waits, with the page where it is answered; to the owner, one that was dismissed is closed."""
    key, zone = fold(str(row["name"])), house.settings.zone
    found = house.calls.house.ledger.current().inbox.anchor_review(key)
    closed_at = None if found is None else found.closed_at
    return {
        **row,
        "closed_at": None if closed_at is None else moments.show_recorded(closed_at, zone),
        "url": review_url(console_address(house.settings), key),
    }


def _show_outcome(console: Console, row: Row) -> None:
    handle = terminal().settings().facts.handle
    word = outcome_word(row["outcome"], handle)
    waits = row["outcome"] == Outcome.NEEDS_OWNER.shown(handle)
    console.print(f"[bold]{row['proposal']}[/bold]")
    by = tr("you", "vous") if row["by"] is None else str(row["by"])
    colour = "yellow" if waits else "dim"
    said = f"[{colour}]{word}[/{colour}] · {escape(_what(row['action']))} · {escape(by)}"
    console.print(f"  {said}")
    if row["statement"]:
        indented(console, tr(f"“{row['statement']}”", f"« {row['statement']} »"))
    for met in row["against"]:
        indented(console, f"≠ {met['text']}")
        console.print(f"    [dim]{met['id']}[/dim]", soft_wrap=True)
    if row["explanation"]:
        indented(console, str(row["explanation"]))
    settling = ruling_command(row["proposal"], str(row["reason"])) if waits else None
    for line in (row["memory"], settling, row["url"]):
        if line:
            console.print(f"  {escape(str(line))}", soft_wrap=True)


def _what(action: str) -> str:
    """What a proposal or a directive would do, in a word."""
    return tr(*_ACTIONS.get(action, (action, action)))


_ACTIONS: Mapping[str, tuple[str, str]] = {
    "remember": ("to remember", "à retenir"),
    "correct": ("a correction", "une correction"),
    "retract": ("a withdrawal", "un retrait"),
    "declare": ("a declaration", "une déclaration"),
    "reclassify": ("another level or discretion", "un autre niveau, une autre discrétion"),
    "register": ("a name to register", "un nom à inscrire"),
    "unmerge": ("a merge to undo", "une fusion à défaire"),
    "rule": ("a ruling", "un arbitrage"),
    "enrol_passkey": ("a passkey to enrol", "une clé d'accès à inscrire"),
    "withdraw_passkey": ("a passkey to withdraw", "une clé d'accès à retirer"),
}


def _show_review(console: Console, row: Row) -> None:
    name, count = str(row["name"]), len(row["proposals"])
    console.print(f"[bold]{escape(name)}[/bold]")
    indented(
        console,
        tr(
            f"named by {count} proposal{'s' if count > 1 else ''}",
            f"nommé par {count} proposition{'s' if count > 1 else ''}",
        ),
    )
    if row["entity"] is not None:
        indented(console, f"→ {row['entity']['name']}")
        console.print(f"  {row['entity']['id']}", soft_wrap=True)
        return
    if row["closed_at"] is not None:
        indented(console, tr("You are not asked about it any more.", "Il ne vous est plus demandé."))
        return
    quoted, type_ = shlex.quote(name), row["type"] or "TYPE"
    for line in (
        f"mnemo entities add {quoted} --type {type_}",
        f"mnemo entities dismiss {quoted}",
        str(row["url"]),
    ):
        console.print(f"  {escape(line)}", soft_wrap=True)
