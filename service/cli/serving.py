"""``serve``, ``mcp`` and ``demo``: the processes that assistants talk to."""

from __future__ import annotations

import signal
from typing import Annotated

import typer
from rich.markup import escape

from cypher.cli import terminal, tr
from cypher.runtime import SystemClock, configure_logging
from cypher.settings import checked_graph_url
from service.machine_links import first_run_link
from service.supervisor import supervise


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    app.command(
        "serve",
        help=tr(
            "Serve the memory to assistants, and curate it.", "Servir la mémoire aux assistants, et la tenir."
        ),
    )(serve)
    app.command(
        "mcp",
        help=tr(
            "Serve one assistant over standard input and output.",
            "Servir un assistant par l'entrée et la sortie standard.",
        ),
    )(mcp)
    app.command(
        "demo",
        help=tr("See what Mnemo does, in about a minute.", "Voir ce que fait Mnemo, en une minute environ."),
    )(demo)


def serve(
    host: Annotated[
        str | None, typer.Option("--host", help=tr("Address to listen on.", "Adresse d'écoute."))
    ] = None,
    port: Annotated[int | None, typer.Option("--port", min=1, max=65535, help=tr("Port.", "Port."))] = None,
) -> None:
    """Run engine, curator and web until Ctrl-C."""
    configure_logging()
    settings = terminal().settings(host=host, port=port)
    owner = escape(settings.facts.owner)
    url = escape(settings.address)

    def ready() -> None:
        say = terminal().say
        say(
            tr(
                f"[green]Mnemo serves the memory of {owner}[/green] at [bold]{url}/mcp[/bold]",
                f"[green]Mnemo sert la mémoire de {owner}[/green] sur [bold]{url}/mcp[/bold]",
            )
        )
        if link := first_run_link(settings, SystemClock()):
            say(
                tr(
                    "Choose your passphrase for the console here, once:",
                    "Choisissez votre phrase de passe pour la console ici, une seule fois :",
                )
            )
            say(f"[bold]{escape(link.url)}[/bold]", whole=True)
        say(tr("Stop with Ctrl-C. Nothing is lost.", "Arrêt par Ctrl-C. Rien ne se perd."))

    terminal().say(
        tr(
            "Starting the engine, the curator and the service…",
            "Démarrage du moteur, du curateur et du service…",
        )
    )
    supervise(settings, ready)
    terminal().say(tr("Stopped.", "Arrêté."))


def mcp(
    name: Annotated[
        str,
        typer.Option("--as", help=tr("The grant to serve under.", "L'autorisation sous laquelle servir.")),
    ],
) -> None:
    """Speak MCP on standard input and output under a named grant, until the input closes."""
    from service.stdio import run_stdio

    run_stdio(terminal().settings(), name)


def demo(
    graph: Annotated[
        str | None,
        typer.Option("--graph", help=tr("Play on this Neo4j, bolt://…", "Jouer sur ce Neo4j, bolt://…")),
    ] = None,
) -> None:
    """Play the main job on an invented memory, with the real service, and leave nothing behind.

    A Neo4j must be empty, or hold what an earlier demonstration left.
    """
    from service.demo.stage import Stage
    from service.demo.story import tell_story

    # Asked to end, it still stops its service and removes its folder.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with Stage(terminal().lang, checked_graph_url(graph)) as stage:
        tell_story(stage)
