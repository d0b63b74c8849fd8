"""``connect``: an assistant is told where the memory is, and how to use it; ``--remove`` takes that back."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import indented, terminal, tr
from cypher.console_urls import console_address
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import Settings, is_loopback
from policies.errors import (
    AddressNotPublic,
    GrantNameTaken,
    GrantRefused,
    GrantUnknown,
    InvalidArgument,
)
from service.grants import CLI_GRANT, open_grants

if TYPE_CHECKING:
    from service.connect.clients import Client, Machine, Wanted
    from service.connect.files import Target, Told
    from service.connect.records import Record

KNOWN = "claude-code, claude-desktop, cursor, vscode, claude, chatgpt, inspector, other"
DEFAULT_SCOPE = "assistant-standard"
PASSED_ON = (
    "MNEMO_GRAPH_URL",
    "MNEMO_GRAPH_USER",
    "MNEMO_GRAPH_PASSWORD_FILE",
    "MNEMO_KV_URL",
    "MNEMO_KV_PASSWORD_FILE",
)
"""Settings, none of them a secret, that a program started by a client would miss if they are of this shell alone."""


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    app.command("connect", help=tr("Connect an assistant.", "Connecter un assistant."))(connect)


def connect(
    client: Annotated[str, typer.Argument(help=KNOWN)],
    project: Annotated[
        bool,
        typer.Option(
            "--project", help=tr("In this folder's files, not in yours.", "Dans les fichiers de ce dossier.")
        ),
    ] = False,
    hooks: Annotated[
        bool,
        typer.Option(
            "--hooks",
            help=tr(
                "For Claude Code: also a skill and a reminder with every question.",
                "Pour Claude Code : aussi une compétence et un rappel à chaque question.",
            ),
        ),
    ] = False,
    token: Annotated[
        bool,
        typer.Option(
            "--token", help=tr("With a token, not a sign-in.", "Par un jeton, non par une connexion.")
        ),
    ] = False,
    scope: Annotated[
        str | None,
        typer.Option(
            "--scope",
            help=tr("For Claude Desktop: how far it may see.", "Pour Claude Desktop : jusqu'où il voit."),
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--as", help=tr("For Claude Desktop: its grant.", "Pour Claude Desktop : son autorisation.")
        ),
    ] = None,
    dry: Annotated[
        bool, typer.Option("--print", help=tr("Only show it; write nothing.", "Montrer, sans rien écrire."))
    ] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help=tr("Take it all out again.", "Tout retirer."))
    ] = False,
) -> None:
    """Write the address into the assistant's own settings, and say what is left to do there.

    The assistant then signs in by itself, in the browser, and you choose how much it may see. No secret is written.
    """
    from service.connect.clients import CLIENTS, ELSEWHERE, WITH_PROJECTS

    if client not in CLIENTS:
        raise InvalidArgument(field="CLIENT", problem="choice", allowed=list(CLIENTS))
    _only(project, "--project", client, *sorted(WITH_PROJECTS))
    _only(token, "--token", client, *sorted(WITH_PROJECTS))
    _only(hooks, "--hooks", client, "claude-code")
    _only(scope is not None, "--scope", client, "claude-desktop")
    _only(name is not None, "--as", client, "claude-desktop")
    if name == CLI_GRANT.name:
        raise InvalidArgument(field="--as", problem="grant_name")
    settings = terminal().settings()
    wanted = _wanted(settings, Path.cwd() if project else None, token, hooks)
    if remove:
        _remove(client, settings, wanted, dry)
        return
    # A public address is https: the settings see to it.
    is_public = not is_loopback(urlsplit(wanted.url).hostname or "")
    if client in ELSEWHERE and not is_public:
        raise AddressNotPublic(client=ELSEWHERE[client], url=wanted.url)
    starts_program = client == "claude-desktop" and (scope is not None or name is not None or not is_public)
    _connect(client, settings, wanted, (name or client, scope) if starts_program else None, dry)


def _only(given: bool, option: str, client: str, *clients: str) -> None:
    if given and client not in clients:
        listed = ", ".join(clients)
        raise InvalidArgument(field=option, problem=tr(f"it goes with {listed}", f"il va avec {listed}"))


def _wanted(settings: Settings, project: Path | None, with_token: bool, with_hooks: bool) -> Wanted:
    from service.connect.clients import Wanted

    return Wanted(
        name="mnemo" if settings.store == "default" else f"mnemo-{settings.store}",
        url=f"{console_address(settings)}/mcp",
        owner=settings.facts.owner,
        language=terminal().lang,
        project=project,
        with_token=with_token,
        with_hooks=with_hooks,
    )


def _connect(
    client: Client, settings: Settings, wanted: Wanted, granted: tuple[str, str | None] | None, dry: bool
) -> None:
    """Write what belongs into the client's files, and say what is left to do."""
    from service.connect.clients import targets
    from service.connect.files import install
    from service.connect.records import Book

    book = Book(settings.store_dir / "connections")
    if granted is not None:
        variables = {key: os.environ[key] for key in PASSED_ON if key in os.environ}
        wanted = replace(wanted, program=_program(settings, granted[0]), variables=variables)
    # By its address Claude Desktop knows it as a connector of the account, which no file of this machine holds.
    is_account = client == "claude-desktop" and granted is None
    places = [] if is_account else targets(client, wanted, _machine())
    told = install(places, book, client, wanted.project, dry=True)
    if not dry:
        made = None if granted is None else _grant(settings, *granted)
        told = install(places, book, client, wanted.project, dry=False)
        if made is not None:
            book.note_grant(places[0].path, made)
    _answer(client, wanted, told, _next("claude" if is_account else client, wanted), dry)


def _remove(client: Client, settings: Settings, wanted: Wanted, dry: bool) -> None:
    """Take everything out: of the person's files, and of every project it was put into; or of this one's."""
    from service.connect.clients import ELSEWHERE, steps
    from service.connect.files import uninstall
    from service.connect.records import Book

    book = Book(settings.store_dir / "connections")
    records = book.of_client(client)
    if wanted.project is not None:
        records = [one for one in records if one.project == str(wanted.project)]
    told = [
        one for one in uninstall(_places(client, wanted, records), book, dry=dry) if one.action != "absent"
    ]
    made = {one.grant for one in records if one.grant is not None}
    if made and not dry:
        with open_grants(settings, SystemClock(), RandomIds()) as grants:
            for grant in grants.listed():
                if grant.id in made:
                    grants.revoke(grant.name)
    left = steps("removed-elsewhere" if client in ELSEWHERE else "removed", terminal().lang, {})
    _answer(client, wanted, told, left, dry, removed=True)


def _places(client: Client, wanted: Wanted, records: list[Record]) -> list[Target]:
    """Where something of ours may be: where the client looks now, and wherever it was put."""
    from service.connect.clients import removable
    from service.connect.files import recorded

    projects = {wanted.project: None} | {Path(one.project): None for one in records if one.project}
    places: list[Target] = []
    for project in projects:
        # What was written last is taken out first, so that the folders made for it are empty in the end.
        places += reversed(removable(client, replace(wanted, project=project), _machine()))
    known = {place.path for place in places}
    return places + [recorded(one) for one in records if Path(one.path) not in known]


def _machine() -> Machine:
    from service.connect.clients import Machine

    return Machine(sys.platform, Path.home(), os.environ)


def _program(settings: Settings, name: str) -> tuple[str, ...]:
    """How a client starts ``mnemo mcp``: by its whole path, for it has another search path and another home."""
    script = Path(sys.executable).with_name("mnemo.exe" if sys.platform == "win32" else "mnemo")
    start = [str(script)] if script.is_file() else [sys.executable, "-m", "service.cli"]
    return (*start, "--home", str(settings.home), "--store", settings.store, "mcp", "--as", name)


def _grant(settings: Settings, name: str, scope: str | None) -> str | None:
    """The id of a new grant of that name; None when there was one, of that scope if one is asked."""
    with open_grants(settings, SystemClock(), RandomIds()) as grants:
        try:
            found = grants.named(name)
        except GrantUnknown:
            return grants.grant(name, scope or DEFAULT_SCOPE).grant.id
        except GrantRefused as fault:
            raise GrantNameTaken(name=name) from fault
        if scope not in (None, found.scope):
            raise GrantNameTaken(name=name)
        return None


def _next(client: str, wanted: Wanted) -> list[str]:
    from service.connect.clients import TOKEN_VARIABLE, steps

    details = {
        "url": wanted.url,
        "name": wanted.name,
        "variable": TOKEN_VARIABLE,
        "project": str(wanted.project),
    }
    keys = [] if wanted.program is not None else ["serve"]
    if wanted.with_token:
        keys += [*(["token"] if client != "vscode" else []), f"{client}-token"]
    elif wanted.project is not None and client == "claude-code":
        keys.append("claude-code-project")
    else:
        keys.append(client)
    return [step for key in keys for step in steps(key, terminal().lang, details)]


def _answer(
    client: str, wanted: Wanted, told: list[Told], left: list[str], dry: bool, *, removed: bool = False
) -> None:
    from service.connect.clients import instruction

    words = None if removed else instruction(wanted)
    answer = {
        "client": client,
        "files": [{"path": str(one.path), "action": one.action, "content": one.content} for one in told],
        "url": wanted.url,
        "instruction": words,
        "next": left,
    }

    def show(console: Console) -> None:
        _show_files(console, told, dry, removed)
        if words is not None and not wanted.with_hooks:
            console.print(
                tr(
                    "[bold]What to tell it[/bold], unless it takes up the prompt `mnemo` by itself:",
                    "[bold]Ce qu'il faut lui dire[/bold], s'il ne reprend pas de lui-même le prompt `mnemo` :",
                )
            )
            console.print(escape(words))
            console.print()
        console.print(tr("[bold]Next[/bold]", "[bold]Ensuite[/bold]"))
        for number, step in enumerate(left, 1):
            indented(console, f"{number}. {step}")

    terminal().answer(answer, show)


def _show_files(console: Console, told: list[Told], dry: bool, removed: bool) -> None:
    verbs = {
        "created": tr("Written:", "Écrit :"),
        "changed": tr("Changed:", "Modifié :"),
        "unchanged": tr("As it should be:", "Déjà en place :"),
        "removed": tr("Taken out of:", "Retiré de :"),
        "deleted": tr("Deleted:", "Supprimé :"),
    }
    if dry and told:
        console.print(
            tr("Nothing is written. This is what belongs where:", "Rien n'est écrit. Voici ce qui va où :")
        )
    elif removed and not told:
        console.print(tr("Nothing of Mnemo is in its files.", "Il n'y a rien de Mnemo dans ses fichiers."))
    for one in told:
        verb = "" if dry else f"[green]{verbs[one.action]}[/green] "
        # A path that is broken over two lines cannot be copied.
        console.print(verb + escape(str(one.path)), soft_wrap=True)
        if dry:
            console.print(escape(one.content.rstrip()), soft_wrap=True)
    if told or removed:
        console.print()
