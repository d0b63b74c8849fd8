"""What the owner says: ``declare``, ``correct``, ``retract``, ``reclassify``; ``remember``, as a tool does."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import terminal, tr
from policies.errors import InvalidArgument
from service.cli.directing import Wait, direct
from service.cli.local import local_house

KINDS = "fact, preference, decision, change, failure, event, rule, insight"
Text = Annotated[str, typer.Argument(help=tr("What you say.", "Ce que vous dites."))]
MemoryIdArgument = Annotated[str, typer.Argument(help=tr("The memory, mem:…", "Le souvenir, mem:…"))]
About = Annotated[
    list[str] | None,
    typer.Option(
        "--about", help=tr("Who or what it is about; repeatable.", "De qui ou de quoi ; répétable.")
    ),
]
Domains = Annotated[
    list[str] | None,
    typer.Option("--domain", help=tr("A life domain; repeatable.", "Un domaine de vie ; répétable.")),
]


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    for name, command, help_text in (
        ("declare", declare, tr("Declare a memory yourself: attested.", "Déclarer un souvenir : attesté.")),
        (
            "remember",
            remember,
            tr("Propose a memory, as a tool would.", "Proposer un souvenir, comme un outil."),
        ),
        (
            "correct",
            correct,
            tr("Say that a memory was wrong, or ended.", "Dire qu'un souvenir est faux, ou fini."),
        ),
        ("retract", retract, tr("Withdraw a memory.", "Retirer un souvenir.")),
        (
            "reclassify",
            reclassify,
            tr("Change a level or discretion.", "Changer un niveau ou une discrétion."),
        ),
    ):
        app.command(name, help=help_text)(command)


def declare(
    text: Text,
    kind: Annotated[str | None, typer.Option("--kind", help=KINDS)] = None,
    about: About = None,
    domain: Domains = None,
    level: Annotated[str | None, typer.Option("--level", help="S0, S1, S2, S3")] = None,
    discretion: Annotated[
        str | None, typer.Option("--discretion", help="open, on_demand, on_request_only")
    ] = None,
    valid_from: Annotated[str | None, typer.Option("--from", help=tr("ISO date.", "Date ISO."))] = None,
    valid_to: Annotated[str | None, typer.Option("--to", help=tr("ISO date.", "Date ISO."))] = None,
    event: Annotated[
        str | None,
        typer.Option(
            "--event",
            help=tr(
                "A word that memories of one event share.", "Un mot commun aux souvenirs d'un même événement."
            ),
        ),
    ] = None,
    wait: Wait = False,
) -> None:
    """Commit an assertion in your own words, with the best provenance there is."""
    direct(
        "declare",
        {
            "text": text,
            "kind": kind,
            "anchors": about,
            "domains": domain,
            "level": level,
            "discretion": discretion,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "event": event,
        },
        wait=wait,
    )


def remember(
    text: Text,
    words: Annotated[
        str | None, typer.Option("--words", help=tr("Your own words behind it.", "Vos propres mots."))
    ] = None,
    said_at: Annotated[
        str | None, typer.Option("--said-at", help=tr("When, with its offset.", "Quand, avec son décalage."))
    ] = None,
    kind: Annotated[str | None, typer.Option("--kind", help=KINDS)] = None,
    about: About = None,
    domain: Domains = None,
    valid_from: Annotated[str | None, typer.Option("--from", help=tr("ISO date.", "Date ISO."))] = None,
    valid_to: Annotated[str | None, typer.Option("--to", help=tr("ISO date.", "Date ISO."))] = None,
    idempotency_key: Annotated[str | None, typer.Option("--key", help=tr("Once.", "Une fois."))] = None,
) -> None:
    """Put a proposal into the inbox under the built-in grant ``cli``; the curator will decide."""
    arguments = {
        "statement": text,
        "words": words,
        "said_at": said_at,
        "kind": kind,
        "anchors": about,
        "domains": domain,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "idempotency_key": idempotency_key,
    }
    with local_house() as house:
        answer = house.ask("mem_remember", arguments)
    given = answer.structured

    def show(console: Console) -> None:
        console.print(escape(str(given["message"])))
        console.print(escape(str(given["proposal"])), soft_wrap=True)
        if given["next_run"] is not None:
            console.print(
                tr(f"Next curation: {given['next_run']}", f"Prochaine curation : {given['next_run']}")
            )

    terminal().answer(dict(given), show)


def correct(
    memory: MemoryIdArgument,
    statement: Text,
    succession: Annotated[
        bool,
        typer.Option("--succession", help=tr("It was true until then.", "C'était vrai jusque-là.")),
    ] = False,
    effective: Annotated[
        str | None, typer.Option("--effective", help=tr("When it changed.", "Quand cela a changé."))
    ] = None,
    wait: Wait = False,
) -> None:
    """Replace a memory that was wrong, or continue one that was true until a date."""
    if effective is not None and not succession:
        raise InvalidArgument(field="effective", problem=tr("goes with --succession", "va avec --succession"))
    change = "succession" if succession else "correction"
    payload = {"id": memory, "statement": statement, "change": change, "effective": effective}
    direct("correct", payload, wait=wait)


def retract(
    memory: MemoryIdArgument,
    reason: Annotated[str | None, typer.Option("--reason", help=tr("Why.", "Pourquoi."))] = None,
) -> None:
    """Withdraw a memory: it is served to nobody any more, and stays in the ledger."""
    direct("retract", {"id": memory, "reason": reason})


def reclassify(
    memory: MemoryIdArgument,
    level: Annotated[str | None, typer.Option("--level", help="S0, S1, S2, S3")] = None,
    discretion: Annotated[
        str | None, typer.Option("--discretion", help="open, on_demand, on_request_only")
    ] = None,
    wait: Wait = False,
) -> None:
    """Change who may see a memory, or when it surfaces."""
    direct("reclassify", {"memory": memory, "level": level, "discretion": discretion}, wait=wait)
