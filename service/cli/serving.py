"""``serve``, ``mcp`` and ``demo``: the processes that assistants talk to."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from cypher.cli import terminal, tr
from cypher.runtime import configure_logging
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


def serve(
    host: Annotated[
        str | None, typer.Option("--host", help=tr("Address to listen on.", "Adresse d'écoute."))
    ] = None,
    port: Annotated[int | None, typer.Option("--port", min=1, max=65535, help=tr("Port.", "Port."))] = None,
) -> None:
    """Run engine, curator and web until Ctrl-C."""
    configure_logging()
    settings = terminal().settings(host=host, port=port)
    url = settings.public_url or f"http://localhost:{settings.port}"

    def ready() -> None:
        say = terminal().say
        say(
            tr(
                f"[green]Mnemo serves the memory of {escape(settings.facts.owner)}[/green] at [bold]{url}/mcp[/bold]",
                f"[green]Mnemo sert la mémoire de {escape(settings.facts.owner)}[/green] sur [bold]{url}/mcp[/bold]",
            )
        )
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
