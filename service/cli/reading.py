"""Reading the memory: ``profile``, ``pack``, ``recall``, ``path``, ``history``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer
from rich.console import Console
from rich.markup import escape

from cypher.cli import EndWith, ExitCode, flowed, indented, terminal, tr
from cypher.owner import OwnerSession
from cypher.runtime import RandomIds, SystemClock
from policies import moments
from policies.errors import UnknownId
from policies.terms import EntityId, GrantId, MemoryId, Moment, Version
from service.cli.local import local_house, show_answer
from service.grants import CLI_GRANT, open_grants
from service.rendering import item_qualities, verdict_line

if TYPE_CHECKING:
    from service.calls import Answer

Scope = Annotated[
    str | None,
    typer.Option(
        "--scope", help=tr("See it as a tool of this scope would.", "Voir comme un outil de cette portée.")
    ),
]
About = Annotated[list[str] | None, typer.Option("--about", help=tr("Repeatable.", "Répétable."))]
Domains = Annotated[list[str] | None, typer.Option("--domain", help=tr("Repeatable.", "Répétable."))]
Cursor = Annotated[str | None, typer.Option("--cursor", help=tr("The next page.", "La page suivante."))]


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    for name, command, help_text in (
        ("recall", recall, tr("Answer a question from memory.", "Répondre de mémoire à une question.")),
        (
            "pack",
            pack,
            tr("What to read before working on a topic.", "Quoi lire avant de travailler un sujet."),
        ),
        ("profile", profile, tr("What the memory holds.", "Ce que contient la mémoire.")),
        ("path", path, tr("How two entities are related.", "Comment deux entités sont liées.")),
        ("history", history, tr("Every version of a memory.", "Toutes les versions d'un souvenir.")),
    ):
        app.command(name, help=help_text)(command)


def recall(
    query: Annotated[str, typer.Argument(help=tr("The question.", "La question."))] = "",
    about: About = None,
    domain: Domains = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help=tr("Repeatable.", "Répétable."))] = None,
    valid_at: Annotated[
        str | None, typer.Option("--valid-at", help=tr("What was true then.", "Ce qui était vrai alors."))
    ] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", help=tr("What was believed then.", "Ce qui était cru alors."))
    ] = None,
    ids: Annotated[
        list[str] | None, typer.Option("--id", help=tr("mem:…; repeatable.", "mem:… ; répétable."))
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", help=tr("Most on a page.", "Au plus, par page."))
    ] = None,
    cursor: Cursor = None,
    scope: Scope = None,
) -> None:
    """Exit code 1 when nothing is relevant enough."""
    arguments = {
        "about": about,
        "domains": domain,
        "kinds": kind,
        "valid_at": valid_at,
        "known_at": known_at,
        "ids": ids,
        "limit": limit,
        "cursor": cursor,
    }
    with local_house() as house:
        answer = house.ask("mem_recall", {"query": query, **arguments}, scope)
    if scope is None:
        _show_recalled(answer)
    else:
        show_answer(answer)
    _end_if_nothing(answer.structured["items"])


def pack(
    topic: Annotated[str, typer.Argument(help=tr("The topic.", "Le sujet."))],
    about: About = None,
    domain: Domains = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", help=tr("Its budget.", "Son budget."))
    ] = None,
    scope: Scope = None,
) -> None:
    """Exit code 1 when nothing is relevant enough."""
    arguments = {"topic": topic, "about": about, "domains": domain, "max_tokens": max_tokens}
    with local_house() as house:
        answer = house.ask("mem_context_pack", arguments, scope)
    if scope is None:
        # As for a recall: the same sentence whatever the memory holds.
        own = tr(
            "Nothing comes up by itself on this topic. mnemo recall also finds what answers only when asked.",
            "Rien ne vient de soi-même sur ce sujet. mnemo recall trouve aussi ce qui ne répond que sur demande.",
        )
        answer = _to_owner(answer, own)
    show_answer(answer)
    _end_if_nothing(answer.structured["items"])


def profile(
    section: Annotated[str | None, typer.Option("--section", help="domains, entities, rules, usage")] = None,
    query: Annotated[
        str | None, typer.Option("--query", help=tr("Those that match it.", "Ce qui y répond."))
    ] = None,
    cursor: Cursor = None,
    scope: Scope = None,
) -> None:
    """Domains, entities and rules as a view has them."""
    with local_house() as house:
        show_answer(house.ask("mem_profile", {"section": section, "query": query, "cursor": cursor}, scope))


def path(
    source: Annotated[str, typer.Argument()],
    target: Annotated[str, typer.Argument()],
    max_hops: Annotated[
        int | None, typer.Option("--max-hops", help=tr("Most steps.", "Au plus, de pas."))
    ] = None,
    scope: Scope = None,
) -> None:
    """Exit code 1 when there is none."""
    with local_house() as house:
        answer = house.ask("mem_path", {"source": source, "target": target, "max_hops": max_hops}, scope)
    show_answer(answer)
    _end_if_nothing(answer.structured["hops"] or answer.structured["found"])


def history(
    memory: Annotated[str, typer.Argument(help=tr("The memory, mem:…", "Le souvenir, mem:…"))],
) -> None:
    """Every version of the chain that a memory belongs to, oldest first, on both time axes."""
    settings = terminal().settings()
    with OwnerSession(settings) as session:
        chain = session.reader.chain_of(MemoryId(memory))
        names = {entity.id: entity.name for entity in session.registry().entities.values()}
    with open_grants(settings, SystemClock(), RandomIds()) as grants:
        tools = {CLI_GRANT.id: CLI_GRANT.name} | {grant.id: grant.name for grant in grants.ever()}
    if not chain:
        raise UnknownId(field="memory")
    rows = [_shown(version, names, tools, settings.zone) for version in chain]

    def show(console: Console) -> None:
        for row in rows:
            console.print(f"[bold]{row['id']}[/bold] {row['contra'] or ''}".rstrip())
            indented(console, str(row["text"]))
            believed = f"{row['recorded_at']} → {row['superseded_at'] or tr('now', 'maintenant')}"
            true = f"{row['valid_from'] or '?'} → {row['valid_to'] or '?'}"
            indented(console, tr(f"believed {believed}", f"cru {believed}"))
            indented(console, tr(f"true {true}", f"vrai {true}"))
            qualities = (row["kind"], f"{row['provenance']} {row['confidence']}", row["sensitivity"])
            indented(console, " · ".join(map(str, (*qualities, row["discretion"]))))
            by = row["by"] or tr("you", "vous")
            indented(console, tr(f"by {by}, {row['proposal']}", f"par {by}, {row['proposal']}"))

    terminal().answer(rows, show)


def _show_recalled(answer: Answer) -> None:
    """An answer to the owner: what tells an assistant not to guess tells them how more is found."""
    language = terminal().lang
    # The same whatever the memory holds: what is kept on request only is in no count, and in no hint.
    own = tr(
        "Nothing answers this question. What you keep on request only answers when it is aimed at: with --about and "
        "words that are in it, or with --id.",
        "Rien ne répond à cette question. Ce que vous gardez sur requête seulement ne répond que si l'on y vise : avec "
        "--about et des mots qui s'y trouvent, ou avec --id.",
    )
    found = _to_owner(answer, own).structured

    def show(console: Console) -> None:
        if found["items"]:
            verdict = verdict_line(found["verdict"], language, found["best"])
            console.print(escape(tr(verdict, verdict.replace(":", " :", 1))))
        for item in found["items"]:
            console.print(f"[bold]{item['id']}[/bold]")
            indented(console, item["text"])
            indented(console, " · ".join(item_qualities(item, language)), style="dim")
        for notice in found["notices"]:
            console.print(escape(flowed(notice, console.width)), soft_wrap=True)
        if found["next_cursor"]:
            console.print(tr("More, with:", "La suite, avec :"))
            console.print(f"--cursor {found['next_cursor']}", soft_wrap=True)

    terminal().answer(dict(found), show)


def _to_owner(answer: Answer, own: str) -> Answer:
    """The answer with a sentence of the owner's in place of the one that tells an assistant not to guess."""
    # See ``local_house``: only a command that asked pays for this import.
    from service.reading.phrases import say

    spoken = say("notice.unknown", terminal().lang)
    notices = [own if notice == spoken else notice for notice in answer.structured["notices"]]
    return replace(
        answer, structured={**answer.structured, "notices": notices}, text=answer.text.replace(spoken, own)
    )


def _shown(
    version: Version, names: Mapping[EntityId, str], tools: Mapping[GrantId, str], zone: ZoneInfo
) -> dict[str, object]:
    memory, state = version.memory, version.state

    def date(moment: Moment | None) -> str | None:
        return None if moment is None else moments.show_start(moment, zone)

    return {
        "id": memory.id,
        "text": memory.text,
        "kind": memory.kind.value,
        "contra": None if memory.contra is None else memory.contra.value,
        "supersedes": memory.supersedes,
        "provenance": memory.provenance.value,
        "confidence": memory.confidence,
        "sensitivity": state.level.name,
        "discretion": state.discretion.value,
        "valid_from": date(memory.valid_from),
        "valid_to": None if memory.valid_to is None else moments.show_end(memory.valid_to, zone),
        "recorded_at": moments.show_recorded(memory.recorded_at, zone),
        "superseded_at": None
        if state.superseded_at is None
        else moments.show_recorded(state.superseded_at, zone),
        "anchors": [{"id": anchor, "name": names.get(anchor, "")} for anchor in state.anchors],
        "domains": list(memory.domains),
        "proposed_by": memory.proposed_by,
        "by": None if memory.proposed_by is None else tools.get(memory.proposed_by, memory.proposed_by),
        "proposal": memory.root,
        "evidence": None if memory.evidence is None else memory.evidence.words,
    }


def _end_if_nothing(found: object) -> None:
    if not found:
        raise EndWith(ExitCode.NEGATIVE)
