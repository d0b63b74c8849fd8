"""``grant``, ``tools``, ``revoke``: which assistants may do what."""

from __future__ import annotations

from typing import Annotated, cast
from zoneinfo import ZoneInfo

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import show_rows, terminal, tr
from cypher.runtime import RandomIds, SystemClock
from policies import moments
from policies.errors import DomainUnknown, InvalidArgument
from policies.terms import Grant, Instant
from service.grants import Mode, open_grants

DAYS_MAX = 36_500


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    for name, command, help_text in (
        (
            "grant",
            grant,
            tr(
                "Allow an assistant; prints its token once.",
                "Autoriser un assistant ; affiche son jeton une fois.",
            ),
        ),
        ("tools", tools, tr("The assistants that you allowed.", "Les assistants que vous avez autorisés.")),
        (
            "revoke",
            revoke,
            tr("End an assistant's access at once.", "Retirer l'accès d'un assistant, aussitôt."),
        ),
    ):
        app.command(name, help=help_text)(command)


def grant(
    name: Annotated[str, typer.Argument(help=tr("How you call it.", "Comment vous l'appelez."))],
    scope: Annotated[
        str, typer.Option("--scope", help="third-party, assistant-standard, work-context, private-full")
    ],
    domains: Annotated[
        str | None,
        typer.Option(
            "--domains", help=tr("Only these, comma-separated.", "Ceux-là seuls, séparés par des virgules.")
        ),
    ] = None,
    mode: Annotated[Mode, typer.Option("--mode", metavar="MODE", help="read, propose, both")] = "both",
    days: Annotated[
        int | None,
        typer.Option(
            "--days",
            min=1,
            max=DAYS_MAX,
            metavar="N",
            help=tr("Ends after so many days.", "Prend fin après tant de jours."),
        ),
    ] = None,
) -> None:
    """The token is shown once and kept only as a digest: put it in the assistant's settings now."""
    limited = None if domains is None else [one.strip() for one in domains.split(",") if one.strip()]
    if limited == []:
        # A limit to nothing would make a grant that is good for nothing, and looks like one without a limit.
        raise InvalidArgument(field="--domains", problem="empty")
    settings = terminal().settings()
    with open_grants(settings, SystemClock(), RandomIds()) as grants:
        try:
            made = grants.grant(name, scope, domains=limited, mode=mode, days=days)
        except DomainUnknown as fault:
            raise DomainUnknown(field="--domains") from fault
    answer = {"grant": made.grant.id, "name": made.grant.name, "scope": made.grant.scope, "token": made.token}

    def show(console: Console) -> None:
        console.print(
            tr(
                f"[green]{escape(name)}[/green] may connect with this token,",
                f"[green]{escape(name)}[/green] peut se connecter avec ce jeton,",
            )
        )
        console.print(tr("shown once:", "affiché une seule fois :"))
        console.print(made.token, soft_wrap=True)

    terminal().answer(answer, show)


def tools() -> None:
    """Every grant that is not revoked, with its limits and last use."""
    settings = terminal().settings()
    with open_grants(settings, SystemClock(), RandomIds()) as grants:
        rows = [_shown(one, settings.zone) for one in grants.listed()]

    def show(console: Console) -> None:
        if not rows:
            console.print(
                tr(
                    "No assistant yet: mnemo grant NAME --scope …",
                    "Aucun assistant : mnemo grant NOM --scope …",
                )
            )
            return
        headings = (
            tr("name", "nom"),
            tr("scope", "portée"),
            "mode",
            tr("domains", "domaines"),
            tr("ends", "fin"),
            tr("calls", "appels"),
            tr("last used", "dernier appel"),
        )
        table = [
            (
                str(row["name"]),
                str(row["scope"]),
                str(row["mode"]),
                ", ".join(cast("list[str]", row["domains"] or [])),
                str(row["expires_at"] or ""),
                str(row["calls"]),
                str(row["last_used_at"] or ""),
            )
            for row in rows
        ]
        show_rows(console, headings, table)

    terminal().answer(rows, show)


def revoke(
    name: Annotated[str, typer.Argument(help=tr("The assistant's name.", "Le nom de l'assistant."))],
) -> None:
    """Its next call is refused; the others are not touched."""
    with open_grants(terminal().settings(), SystemClock(), RandomIds()) as grants:
        ended = grants.revoke(name)
    terminal().answer(
        {"grant": ended.id, "name": ended.name, "revoked": True},
        lambda console: console.print(
            tr(f"{escape(name)} has no access any more.", f"{escape(name)} n'a plus accès.")
        ),
    )


def _shown(grant: Grant, zone: ZoneInfo) -> dict[str, object]:
    def at(instant: Instant | None) -> str | None:
        return None if instant is None else moments.show_recorded(instant, zone)

    return {
        "grant": grant.id,
        "name": grant.name,
        "scope": grant.scope,
        "domains": None if grant.domains is None else list(grant.domains),
        "mode": "both" if grant.may_read and grant.may_propose else "read" if grant.may_read else "propose",
        "client": grant.client,
        "created_at": at(grant.created_at),
        "expires_at": at(grant.expires_at),
        "last_used_at": at(grant.last_used_at),
        "calls": grant.calls,
    }
