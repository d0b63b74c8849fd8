"""``status``, ``doctor``, ``log``: how the store is, what is wrong with it, who read what."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import EndWith, ExitCode, indented, show_facts, terminal, tr
from cypher.keys import check_keys
from cypher.owner import OwnerSession
from cypher.runtime import RandomIds, SystemClock
from cypher.schedule import Nightly
from cypher.service_log import ServiceLog
from cypher.settings import Settings
from policies import moments
from policies.errors import AddressUnanswered, GrantUnknown, MnemoError, StoreInvalid
from policies.lifecycle import InboxState
from policies.terms import GrantId, Instant, MemoryId
from service.cli.refusals import refusal_of
from service.failures import told
from service.grants import CLI_GRANT, open_grants
from service.reachability import Reachability
from service.supervisor import check_bind

LOG_LIMIT_MAX = 1_000


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    for name, command, help_text in (
        ("status", status, tr("How the store is.", "L'état du dépôt.")),
        (
            "doctor",
            doctor,
            tr("Check everything, and say what to mend.", "Tout vérifier, et dire quoi réparer."),
        ),
        ("log", log, tr("Which assistant read what.", "Quel assistant a lu quoi.")),
    ):
        app.command(name, help=help_text)(command)


def status() -> None:
    """What the ledger holds, what waits, and who is at work."""
    settings = terminal().settings()
    zone = settings.zone
    clock = SystemClock()
    with OwnerSession(settings) as session:
        now = clock.now()
        head = session.reader.head()
        curator = session.inbox.curator()
        entities = session.registry().entities.values()
        answer: dict[str, object] = {
            "now": moments.show_recorded(now, zone),
            "store": settings.store,
            "home": str(settings.home),
            "owner": settings.facts.owner,
            "engine": "neo4j" if settings.graph_url else "embedded",
            "entries": head.seq,
            "entities": sum(entity.merged_into is None for entity in entities),
            "pending": session.inbox.count(InboxState.PENDING),
            "arbitrations": session.inbox.count(InboxState.NEEDS_OWNER),
            "anchor_reviews": session.inbox.open_reviews(),
            "curator": curator.alive_until > now,
            "next_run": _next_run(settings, now),
        }
    labels = {
        "now": tr("now", "maintenant"),
        "store": tr("store", "dépôt"),
        "home": tr("home", "dossier"),
        "owner": tr("owner", "propriétaire"),
        "engine": tr("engine", "moteur"),
        "entries": tr("ledger entries", "écritures"),
        "entities": tr("entities", "entités"),
        "pending": tr("proposals waiting", "propositions en attente"),
        "arbitrations": tr("waiting for you", "en attente de vous"),
        "anchor_reviews": tr("names to register", "noms à inscrire"),
        "curator": tr("curator at work", "curateur au travail"),
        "next_run": tr("next run", "prochain passage"),
    }

    def show(console: Console) -> None:
        engine = answer["engine"]
        told = {**answer, "engine": tr("embedded", "embarqué") if engine == "embedded" else "Neo4j"}
        show_facts(console, [(labels[name], _word(value)) for name, value in told.items()])

    terminal().answer(answer, show)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes", "oui") if value else tr("no", "non")
    return "–" if value is None else str(value)


def doctor() -> None:
    """Exit code 1 when something needs mending."""
    settings = terminal().settings()
    checks: list[tuple[str, Callable[[], None]]] = [
        (tr("keys", "clés"), lambda: check_keys(settings.keys_dir)),
        (tr("permissions", "droits"), lambda: _check_permissions(settings)),
        (tr("address", "adresse"), lambda: check_bind(settings)),
        (tr("grants", "autorisations"), lambda: _check_grants(settings)),
        (tr("engine and ledger", "moteur et grand livre"), lambda: _check_ledger(settings)),
    ]
    found = [_checked(name, check) for name, check in checks]
    found += _check_reachable(settings)

    def show(console: Console) -> None:
        for row in found:
            mark = "[green]✓[/green]" if row["ok"] else "[red]✗[/red]"
            console.print(f"{mark} {row['check']}")
            if not row["ok"]:
                indented(console, f"{row['problem']} {row['remedy']}")

    ok = all(row["ok"] for row in found)
    terminal().answer({"ok": ok, "checks": found}, show)
    if not ok:
        raise EndWith(ExitCode.NEGATIVE)


def log(
    tool: Annotated[
        str | None, typer.Option("--as", help=tr("Only this assistant.", "Cet assistant seul."))
    ] = None,
    memory: Annotated[str | None, typer.Option("--memory", help="mem:…")] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=LOG_LIMIT_MAX, metavar="N", help=f"1–{LOG_LIMIT_MAX}")
    ] = 50,
) -> None:
    """The newest calls first: who, which tool, which memories were served. Never what was said."""
    settings = terminal().settings()
    with open_grants(settings, SystemClock(), RandomIds()) as grants:
        names = {CLI_GRANT.id: CLI_GRANT.name} | {grant.id: grant.name for grant in grants.ever()}
    wanted = next((GrantId(key) for key, name in names.items() if name == tool), None)
    if tool is not None and wanted is None:
        raise GrantUnknown(name=tool)
    with OwnerSession(settings) as session:
        calls = ServiceLog(session.engine.graph).read(
            grant=wanted, memory=None if memory is None else MemoryId(memory), limit=limit
        )
    rows = [
        {
            "at": moments.show_recorded(call.at, settings.zone),
            "name": names.get(call.grant, call.grant),
            "tool": call.tool,
            "verdict": call.verdict,
            "served": list(call.served),
            "duration_ms": call.duration_us / 1_000,
        }
        for call in calls
    ]

    def show(console: Console) -> None:
        if not rows:
            console.print(tr("No call.", "Aucun appel."))
        for row in rows:
            console.print(
                f"{row['at']}  [bold]{escape(str(row['name']))}[/bold]  {row['tool']}  {row['verdict']}"
            )
            for served in calls[rows.index(row)].served:
                console.print(f"    {served}")

    terminal().answer(rows, show)


def _checked(name: str, check: Callable[[], None]) -> dict[str, object]:
    try:
        try:
            check()
        except OSError as fault:
            if (refused := refusal_of(fault, terminal().home)) is None:
                raise
            raise refused from fault
    except MnemoError as error:
        shown = told(error, terminal().lang, to_owner=True)
        found = {"code": error.code, "problem": shown["message"], "remedy": shown["remedy"]}
        return {"check": name, "ok": False, **found}
    return {"check": name, "ok": True, "code": None, "problem": None, "remedy": None}


def _check_reachable(settings: Settings) -> list[dict[str, object]]:
    """What clients meet at the public address. One of this machine alone may well not be served now."""
    public = Reachability(settings, SystemClock())
    first = _checked(tr("public address", "adresse publique"), public.answers)
    if not first["ok"]:
        is_asleep = first["code"] == AddressUnanswered.code and public.is_of_this_machine
        return [] if is_asleep else [first]
    checks = [
        (tr("what it answers", "ce qu'elle répond"), public.is_ours),
        (tr("calls through it", "appels qui y passent"), public.passes_calls),
        (tr("clock", "horloge"), public.keeps_time),
    ]
    if not public.is_of_this_machine:
        checks.append(("proxy", public.is_told_of_proxies))
    return [first, *(_checked(name, check) for name, check in checks)]


def _check_permissions(settings: Settings) -> None:
    """The store's directory and all in it is for this account alone; so is the engine's password."""
    if os.name != "posix":
        return
    places = [settings.store_dir, *settings.store_dir.rglob("*"), settings.home / "engine"]
    for path in places:
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue  # an index that is being rewritten
        if mode & (stat.S_IRWXG | stat.S_IRWXO) and not stat.S_ISLNK(mode):
            shown = path.relative_to(settings.home)
            problem = tr(
                f"others than its owner can read {shown}",
                f"d'autres que son propriétaire peuvent lire {shown}",
            )
            raise StoreInvalid(store=settings.store, problem=problem)


def _check_grants(settings: Settings) -> None:
    with open_grants(settings, SystemClock(), RandomIds()) as grants:
        grants.listed()


def _check_ledger(settings: Settings) -> None:
    with OwnerSession(settings) as session:
        session.reader.head()


def _next_run(settings: Settings, now: Instant) -> str | None:
    due = Nightly(settings.nightly, settings.zone).next_after(now)
    return None if due is None else moments.show_recorded(due, settings.zone)
