"""``init`` and ``store``: where a memory begins, and which one the commands work on."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import terminal, tr
from cypher.keys import create_keys
from cypher.owner import OwnerSession
from cypher.settings import (
    HANDLE,
    StoreFacts,
    active_store,
    checked_graph_url,
    checked_kv_url,
    checked_zone,
    load_settings,
    local_zone,
    store_dir,
    write_store_facts,
)
from policies.errors import SettingInvalid, StoreInvalid


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    app.command(
        "init", help=tr("Begin a memory: its owner, its place.", "Commencer une mémoire : à qui, où.")
    )(init)
    family = typer.Typer(
        no_args_is_help=True, help=tr("List, choose or add stores.", "Lister, choisir, ajouter.")
    )
    family.command("list", help=tr("The stores of this home.", "Les dépôts de ce dossier."))(list_stores)
    family.command("use", help=tr("Work on this store from now on.", "Travailler désormais sur ce dépôt."))(
        use_store
    )
    family.command("new", help=tr("Begin another store.", "Commencer un autre dépôt."))(new_store)
    app.add_typer(family, name="store")


Owner = Annotated[str, typer.Option("--owner", help=tr("The owner's name.", "Le nom du propriétaire."))]
Handle = Annotated[
    str | None,
    typer.Option(
        "--handle", help=tr("Short name, as in needs_<handle>.", "Nom court, comme dans needs_<nom>.")
    ),
]
Zone = Annotated[str | None, typer.Option("--timezone", help=tr("IANA time zone.", "Fuseau horaire IANA."))]
Graph = Annotated[
    str | None,
    typer.Option(
        "--graph", help=tr("A Neo4j, as bolt://…; else embedded.", "Un Neo4j, bolt://… ; sinon embarqué.")
    ),
]
Kv = Annotated[
    str | None,
    typer.Option("--kv", help=tr("A Redis, as redis://…; else SQLite.", "Un Redis ; sinon SQLite.")),
]


def init(
    owner: Owner, handle: Handle = None, timezone: Zone = None, graph: Graph = None, kv: Kv = None
) -> None:
    """Create the store, its keys and its graph, and register its owner.

    Safe to repeat: the same owner again changes nothing; another owner is refused.
    """
    home = terminal().home
    _begin(terminal().store or active_store(home), owner, handle, timezone, graph, kv)


def new_store(
    name: Annotated[str, typer.Argument(help=tr("The store's name.", "Le nom du dépôt."))],
    owner: Owner,
    handle: Handle = None,
    timezone: Zone = None,
    graph: Graph = None,
    kv: Kv = None,
) -> None:
    """Create a store beside the others; ``store use`` makes it the one that commands work on."""
    _begin(name, owner, handle, timezone, graph, kv)


def _begin(
    name: str, owner: str, handle: str | None, timezone: str | None, graph: str | None, kv: str | None
) -> None:
    home = terminal().home
    owner = unicodedata.normalize("NFC", owner).strip()
    if not owner:
        raise SettingInvalid(setting="--owner", problem="setting.empty")
    facts = StoreFacts(
        owner=owner,
        handle=_checked_handle(handle or _handle_of(owner)),
        timezone=checked_zone(timezone or local_zone()),
        lang=terminal().lang,
        graph_url=checked_graph_url(graph),
        kv_url=checked_kv_url(kv),
    )
    directory = store_dir(home, name)
    fresh = not (directory / "store.toml").is_file()
    if fresh:
        for place in (home, directory.parent, directory):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_keys(directory / "keys")
        write_store_facts(directory, facts)
    settings = load_settings(home, name)
    if settings.facts.owner != owner:
        raise StoreInvalid(store=name, problem="owner")
    terminal().say(tr("Opening the ledger…", "Ouverture du grand livre…"))
    with OwnerSession(settings) as session:
        outcome = session.direct("register", {"name": owner, "type": "person", "owner": True})
    answer: dict[str, object] = {
        "home": str(home),
        "store": name,
        "owner": owner,
        "handle": settings.facts.handle,
        "timezone": settings.facts.timezone,
        "lang": settings.facts.lang,
        "engine": "neo4j" if settings.graph_url else "embedded",
        "created": fresh,
        "outcome": outcome.outcome.shown(settings.facts.handle),
    }
    terminal().answer(answer, lambda console: _show_begun(console, answer))


def _show_begun(console: Console, answer: dict[str, object]) -> None:
    name, home = escape(str(answer["owner"])), escape(str(answer["home"]))
    console.print(
        tr(
            f"[green]The memory of {name} is ready[/green] in {home}.",
            f"[green]La mémoire de {name} est prête[/green] dans {home}.",
        )
    )
    console.print(
        tr(
            "Next: [bold]mnemo serve[/bold], then [bold]mnemo connect CLIENT[/bold] in another terminal.",
            "Ensuite : [bold]mnemo serve[/bold], puis [bold]mnemo connect CLIENT[/bold] dans un autre terminal.",
        )
    )


def list_stores() -> None:
    """Name each store of the home, its owner, and which one is active."""
    home = terminal().home
    active = active_store(home)
    found: list[dict[str, object]] = []
    for path in sorted((home / "stores").glob("*/store.toml")):
        facts = load_settings(home, path.parent.name).facts
        found.append({"store": path.parent.name, "owner": facts.owner, "active": path.parent.name == active})

    def show(console: Console) -> None:
        if not found:
            console.print(tr("No store yet: mnemo init --owner NAME", "Aucun dépôt : mnemo init --owner NOM"))
        for row in found:
            mark = "*" if row["active"] else " "
            console.print(f"{mark} {row['store']}  {escape(str(row['owner']))}")

    terminal().answer(found, show)


def use_store(
    name: Annotated[str, typer.Argument(help=tr("The store's name.", "Le nom du dépôt."))],
) -> None:
    """Remember which store commands work on when none is named."""
    home = terminal().home
    load_settings(home, name)
    draft = home / "active.new"
    draft.write_text(name + "\n", "utf-8")
    draft.replace(home / "active")
    terminal().answer(
        {"store": name, "active": True},
        lambda console: console.print(tr(f"Now working on {name}.", f"Dépôt actif : {name}.")),
    )


def _handle_of(owner: str) -> str:
    folded = unicodedata.normalize("NFKD", owner.split()[0]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "", folded) or "owner"


def _checked_handle(handle: str) -> str:
    if not HANDLE.fullmatch(handle):
        raise SettingInvalid(setting="--handle", problem="setting.handle")
    return handle
