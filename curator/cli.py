"""The curator's commands: ``curate``, ``rule``, ``verify``, ``rebuild`` (entry point ``mnemo.commands``)."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import (
    EndWith,
    ExitCode,
    ask_for_passkey,
    outcome_word,
    show_outcome,
    shown_outcome,
    terminal,
    tr,
)
from cypher.engine import connect
from cypher.graph import Graph
from cypher.inbox import Inbox
from cypher.owner import OwnerSession
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import Settings
from policies.directives import Ruling
from policies.errors import CuratorUnavailable, InvalidArgument
from policies.reasons import NEEDS_PASSKEY, explanation
from policies.terms import Outcome, ProposalId, RunId

if TYPE_CHECKING:
    from curator.curating import Curator

POLL_S = 0.1
LEAD_S_MAX = 30.0
"""How long a lease that nobody renews is waited for before giving up."""
INBOX_PAGE = 200
REBUILD_S_MAX = 3_600.0

app = typer.Typer()


@app.command(
    "curate", help=tr("Decide what was proposed, now.", "Décider maintenant de ce qui a été proposé.")
)
def curate(
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help=tr("Say what would be decided; write nothing.", "Dire la décision ; ne rien écrire."),
        ),
    ] = False,
) -> None:
    """Run over the inbox: here, or in the living curator's process, which is asked to and waited for."""
    settings = terminal().settings()
    with connect(settings) as engine:
        curator = _curator(settings, engine.graph)
        answer = curator.rehearse().to_json() if dry_run else _run(curator)
        answer["outcomes"] = _explained(answer, Inbox(engine.graph), settings)
    findings = cast("list[str]", answer.pop("findings", []))
    terminal().answer(answer, lambda console: _show_run(console, answer, settings.facts.handle))
    for finding in findings:
        terminal().say(f"[red]{escape(finding)}[/red]")
    if findings:
        raise EndWith(ExitCode.NEGATIVE)


def _explained(answer: dict[str, object], inbox: Inbox, settings: Settings) -> list[dict[str, object]]:
    """The outcomes of a run in full; a rehearsal's are not in the inbox and have their reason alone."""
    brief = cast("list[dict[str, object]]", answer["outcomes"])
    ids = [ProposalId(str(outcome["proposal"])) for outcome in brief]
    found: dict[str, dict[str, object]] = {}
    for start in range(0, len(ids), INBOX_PAGE):
        page = ids[start : start + INBOX_PAGE]
        for view in inbox.view(ids=page, limit=INBOX_PAGE):
            if view.outcome is not None:
                found[view.proposal.id] = shown_outcome(view.outcome, settings)
    return [
        found.get(str(outcome["proposal"]))
        or {
            **outcome,
            "explanation": explanation(str(outcome["reason"]), terminal().lang, {}, to_owner=True),
            "url": None,
        }
        for outcome in brief
    ]


@app.command("rule", help=tr("Settle an arbitration.", "Trancher un arbitrage."))
def rule(
    arbitration: Annotated[str, typer.Argument(help=tr("The proposal, prop:…", "La proposition, prop:…"))],
    ruling: Annotated[
        str,
        typer.Argument(metavar=tr("RULING", "DÉCISION"), help="keep-old, keep-new, keep-both, reject"),
    ],
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            "--anchor",
            help=tr("Who an ambiguous name means; repeatable.", "Qui désigne un nom ambigu ; répétable."),
        ),
    ] = None,
    seen: Annotated[
        list[str] | None,
        typer.Option(
            "--seen",
            help=tr(
                "mem:… that it contradicts too, and that you have seen; repeatable.",
                "mem:… qu'elle contredit aussi, et que vous avez vu ; répétable.",
            ),
        ),
    ] = None,
    begins: Annotated[
        str | None,
        typer.Option(
            "--from",
            help=tr(
                "The old was true until then: a succession. ISO date.",
                "L'ancien était vrai jusque-là : une succession. Date ISO.",
            ),
        ),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait",
            help=tr(
                "Where your passkey must confirm it, wait until it did.",
                "S'il y faut votre clé d'accès, attendre qu'elle confirme.",
            ),
        ),
    ] = False,
) -> None:
    """Submit the ruling and wait until the curator has carried it out."""
    if ruling not in set(Ruling):
        raise InvalidArgument(field=tr("RULING", "DÉCISION"), problem="choice", allowed=list(Ruling))
    settings = terminal().settings()
    payload: dict[str, object] = {"proposal": arbitration, "ruling": ruling}
    if anchor:
        payload["anchors"] = anchor
    if seen:
        payload["seen"] = seen
    if begins is not None:
        payload["from"] = begins
    with OwnerSession(settings) as session:
        outcome = session.direct("rule", payload)
        if wait and outcome.reason == NEEDS_PASSKEY:
            ask_for_passkey(outcome, settings)
            outcome = session.settled(outcome.proposal)
    show_outcome(outcome, settings, action="rule")


@app.command(
    "verify",
    help=tr("Check that the ledger is what was recorded.", "Vérifier que le grand livre est intact."),
)
def verify() -> None:
    """Chain, checkpoints, invariants, projection; exit code 1 and the first broken entry if any is wrong."""
    settings = terminal().settings()
    with connect(settings) as engine:
        found = _curator(settings, engine.graph).verify()

    def show(console: Console) -> None:
        if found.ok:
            console.print(
                tr(
                    f"[green]The ledger is intact[/green]: {found.size} entries, root {found.root[:16]}…",
                    f"[green]Le grand livre est intact[/green] : {found.size} écritures, racine {found.root[:16]}…",
                )
            )
        else:
            where = f" {found.first_bad}" if found.first_bad is not None else ""
            console.print(
                tr(
                    f"[red]The ledger is not what was recorded[/red]{where}: ",
                    f"[red]Le grand livre n'est pas ce qui fut inscrit[/red]{where} : ",
                )
                + escape(found.reason or "")
            )

    terminal().answer(found.to_json(), show)
    if not found.ok:
        raise EndWith(ExitCode.NEGATIVE)


@app.command(
    "rebuild",
    help=tr("Make anew what is derived from the ledger.", "Refaire ce qui découle du grand livre."),
)
def rebuild() -> None:
    """Have the projection dropped and made anew, here or by the living curator, and wait for it."""
    settings = terminal().settings()
    with connect(settings) as engine:
        curator = _curator(settings, engine.graph)
        curator.ask_rebuild()
        deadline = time.monotonic() + REBUILD_S_MAX
        while not curator.is_rebuilt():
            with curator.leadership as lead:
                # Whoever takes the lease makes an outdated projection anew; who has it, within seconds.
                if not lead.try_take() and time.monotonic() > deadline:
                    raise CuratorUnavailable("nobody rebuilds, and the lease is not free")
            time.sleep(POLL_S)
        found = curator.verify()
    answer = {"rebuilt": True, "ok": found.ok}
    done = tr("[green]Rebuilt.[/green]", "[green]Refait.[/green]")
    terminal().answer(answer, lambda console: console.print(done))
    if not found.ok:
        raise EndWith(ExitCode.NEGATIVE)


def _curator(settings: Settings, graph: Graph) -> Curator:
    # Its rules of language take half a second to import: only the commands that curate pay for it.
    from curator.curating import Curator

    return Curator(settings, graph, SystemClock(), RandomIds())


def _run(curator: Curator) -> dict[str, object]:
    """Run as the curator if nobody is, else ask the one that is and wait for it."""
    asked: RunId | None = None
    deadline = time.monotonic() + LEAD_S_MAX
    while True:
        with curator.leadership as lead:
            if lead.try_take():
                stop = threading.Event()
                curator.serve_lane(stop)
                # One that was asked of a curator which died meanwhile is begun anew here.
                report = curator.run(curator.asked_run(), stop)
                return {**report.to_json(), "findings": report.findings}
        if asked is None:
            asked = curator.request_run()
            terminal().say(tr("Asking the curator that is running…", "Demande au curateur en marche…"))
        run = curator.inbox.run_state(asked)
        if run is not None and run.state == "finished":
            return dict(run.summary)
        if curator.is_alive():
            deadline = time.monotonic() + LEAD_S_MAX
        elif time.monotonic() > deadline:
            raise CuratorUnavailable("nobody curates, and the lease is not free")
        time.sleep(POLL_S)


def _show_run(console: Console, answer: dict[str, object], handle: str) -> None:
    counts = cast("dict[str, int]", answer["counts"])
    if not counts:
        console.print(tr("Nothing was waiting.", "Rien n'attendait."))
    for outcome, count in counts.items():
        console.print(f"{count:>6}  {outcome_word(outcome, handle)}")
        if outcome == Outcome.NEEDS_OWNER.shown(handle):
            console.print("        mnemo gates --view arbitrations")
