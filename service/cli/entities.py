"""``entities``: the registry of who and what a memory may be about."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console

from cypher.cli import EndWith, ExitCode, indented, show_rows, terminal, tr
from cypher.owner import OwnerSession
from policies.directives import Verb, validated
from policies.errors import InvalidArgument, MnemoError
from policies.reasons import explanation
from policies.terms import Entity, Outcome
from service.cli.directing import Wait, direct
from service.failures import told

IMPORT_LINES_MAX = 100_000
LINE_BYTES_MAX = 64 * 1024

Name = Annotated[str, typer.Argument(help=tr("Name, alias or ent: id.", "Nom, alias ou identifiant ent:."))]


def add_to(app: typer.Typer) -> None:
    """Add this family to the command."""
    family = typer.Typer(
        no_args_is_help=True,
        help=tr(
            "The registry: who and what memories are about.",
            "Le registre : de qui et de quoi l'on se souvient.",
        ),
    )
    for name, command, help_text in (
        ("add", add, tr("Register one.", "En inscrire une.")),
        ("list", list_entities, tr("Those registered.", "Celles inscrites.")),
        ("import", import_file, tr("Register those of a JSONL file.", "Inscrire celles d'un fichier JSONL.")),
        ("alias", alias, tr("Another name for one.", "Un autre nom pour l'une.")),
        ("merge", merge, tr("Two that are the same.", "Deux qui n'en font qu'une.")),
        ("unmerge", unmerge, tr("Undo a merge.", "Défaire une fusion.")),
        ("never-merge", never_merge, tr("Two that must stay apart.", "Deux à ne jamais fusionner.")),
        (
            "dismiss",
            dismiss,
            tr("A name to be asked about no more.", "Un nom qui ne vous sera plus demandé."),
        ),
    ):
        family.command(name, help=help_text)(command)
    app.add_typer(family, name="entities")


def add(
    name: Annotated[str, typer.Argument(help=tr("Its name.", "Son nom."))],
    type_: Annotated[
        str,
        typer.Option("--type", help="person, organisation, place, object, project, concept, animal, event"),
    ],
    alias: Annotated[
        list[str] | None,
        typer.Option("--alias", help=tr("Another name; repeatable.", "Un autre nom ; répétable.")),
    ] = None,
    level: Annotated[str | None, typer.Option("--level", help="S0, S1, S2, S3")] = None,
    wait: Wait = False,
) -> None:
    """Register one entity; proposals that were refused for want of it are taken up again."""
    line = _line({"name": name, "type": type_, "aliases": alias or [], "level": level})
    direct("register", line, wait=wait)


def alias(entity: Name, other: Annotated[str, typer.Argument(help=tr("The alias.", "L'alias."))]) -> None:
    """Give an entity another name it is known by."""
    direct("alias", {"entity": entity, "alias": other})


def merge(entity: Name, into: Name) -> None:
    """Treat the first as the second from now on; ``unmerge`` undoes it."""
    direct("merge", {"entity": entity, "into": into})


def unmerge(entity: Name, wait: Wait = False) -> None:
    """Make a merged entity one of its own again."""
    direct("unmerge", {"entity": entity}, wait=wait)


def never_merge(entity: Name, other: Name) -> None:
    """Forbid that two entities are ever merged."""
    direct("never_merge", {"entity": entity, "other": other})


def dismiss(
    name: Annotated[str, typer.Argument(help=tr("The name that waits.", "Le nom qui attend."))],
) -> None:
    """Say that nobody is to be registered under a name that proposals use: what names it is not recorded.

    ``gates --view anchor_reviews`` lists those that wait. Registered one day all the same, what named it is taken up.
    """
    direct("dismiss", {"name": name})


def list_entities() -> None:
    """Every entity that is not merged into another."""
    with OwnerSession(terminal().settings()) as session:
        found = [
            _shown(entity) for entity in session.registry().entities.values() if entity.merged_into is None
        ]

    def show(console: Console) -> None:
        headings = (tr("name", "nom"), "type", tr("level", "niveau"), tr("also", "aussi"), "id")
        rows = [
            (
                str(row["name"]),
                str(row["type"]),
                str(row["level"]),
                ", ".join(cast("list[str]", row["aliases"])),
                str(row["id"]),
            )
            for row in found
        ]
        show_rows(console, headings, rows, copied=len(headings) - 1)

    terminal().answer(found, show)


def import_file(
    file: Annotated[
        Path, typer.Argument(help=tr("JSONL, or - for standard input.", "JSONL, ou - pour l'entrée."))
    ],
) -> None:
    """Register every line of a JSONL file; a line that stands already changes nothing.

    The whole file is checked before anything is submitted.
    """
    lines = _read_lines(file)
    settings = terminal().settings()
    with OwnerSession(settings) as session:
        outcomes = session.direct_many([("register", line) for line in lines])
    rows = [
        {
            "name": line["name"],
            "outcome": outcome.outcome.shown(settings.facts.handle),
            "reason": outcome.reason,
        }
        for line, outcome in zip(lines, outcomes, strict=True)
    ]
    done = sum(outcome.outcome is Outcome.COMMITTED for outcome in outcomes)
    known = sum(outcome.outcome is Outcome.DUPLICATE for outcome in outcomes)
    refused = len(rows) - done - known

    def show(console: Console) -> None:
        console.print(
            tr(
                f"{done} registered, {known} known already, {refused} refused.",
                f"{done} inscrites, {known} déjà connues, {refused} refusées.",
            )
        )
        for row, outcome in zip(rows, outcomes, strict=True):
            if outcome.outcome not in (Outcome.COMMITTED, Outcome.DUPLICATE):
                why = explanation(outcome.reason, terminal().lang, outcome.details, to_owner=True)
                indented(
                    console, f"{row['name']} : {why}" if terminal().lang == "fr" else f"{row['name']}: {why}"
                )

    terminal().answer({"registered": done, "known": known, "refused": refused, "entities": rows}, show)
    if refused:
        raise EndWith(ExitCode.REFUSED)


def _read_lines(file: Path) -> list[dict[str, object]]:
    if str(file) == "-":
        text = sys.stdin.read()
    else:
        try:
            text = file.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as fault:
            raise InvalidArgument(field="FILE", problem=tr("cannot be read", "illisible")) from fault
    found: list[dict[str, object]] = []
    # Not splitlines(): it also cuts at characters that JSON allows inside a text.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = tr(f"line {number}", f"ligne {number}")
        if number > IMPORT_LINES_MAX or len(line.encode()) > LINE_BYTES_MAX:
            raise InvalidArgument(field="FILE", problem=tr(f"{where}: too long", f"{where} : trop long"))
        try:
            value: object = json.loads(line)
        except ValueError as fault:
            raise InvalidArgument(
                field="FILE", problem=tr(f"{where}: not JSON", f"{where} : pas du JSON")
            ) from fault
        if not isinstance(value, dict):
            raise InvalidArgument(
                field="FILE", problem=tr(f"{where}: not an object", f"{where} : pas un objet")
            )
        found.append(_checked(_line(cast("dict[str, object]", value)), where))
    return found


def _checked(line: dict[str, object], where: str) -> dict[str, object]:
    """The line, if it can be submitted.

    Raises:
        InvalidArgument: it cannot; the problem says which line it is.
    """
    try:
        return validated(Verb.REGISTER, line)
    except MnemoError as fault:
        message = str(told(fault, terminal().lang, to_owner=True)["message"]).rstrip(".")
        raise InvalidArgument(field="FILE", problem=f"{where}: {message}") from fault


def _line(value: dict[str, object]) -> dict[str, object]:
    """A registration's payload; the American spelling is accepted."""
    given = {name: item for name, item in value.items() if item is not None}
    if given.get("type") == "organization":
        given["type"] = "organisation"
    return given


def _shown(entity: Entity) -> dict[str, object]:
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type.value,
        "level": entity.level.name,
        "aliases": list(entity.aliases),
        "owner": entity.owner,
    }
