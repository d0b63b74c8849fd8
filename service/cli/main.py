"""The entry of ``mnemo``: fixes the language, assembles the commands, tells every error and its exit code."""

from __future__ import annotations

import io
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.markup import escape

from cypher.cli import (
    EXIT_OF,
    EndWith,
    ExitCode,
    OutputRefused,
    hoist_common_options,
    open_terminal,
    terminal,
    tr,
)
from cypher.runtime import configure_logging
from policies.errors import InvalidArgument, MnemoError
from service.cli.refusals import refusal_of
from service.cli.usage import error_of, nearest, speak
from service.failures import LANGUAGES

INTERRUPTED = 130
"""What a shell tells of a program that Ctrl-C ended."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    os.umask(0o077)  # whatever a command or its children write is for this account alone
    _ready_streams()
    words = hoist_common_options(sys.argv[1:] if arguments is None else arguments)
    _open_terminal(words)
    configure_logging(logging.WARNING)
    # The commands carry their help in the language just chosen, so they are imported only now.
    try:
        sys.exit(_run(words))
    except (BrokenPipeError, OutputRefused) as fault:
        is_gone = isinstance(fault, BrokenPipeError)
        if not is_gone:
            terminal().tell(
                tr(
                    "The answer could not be written: the output is full.",
                    "La réponse n'a pas pu être écrite.",
                )
            )
        # What is left of the output must not be written, and fail, at the very end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.NEGATIVE if is_gone else ExitCode.UNAVAILABLE)


def _ready_streams() -> None:
    """Somewhere to write, whoever called us closed a stream; and characters that one lacks as question marks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  (for the whole process)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(words: Sequence[str]) -> int:
    """Run one command; the code to end with."""
    try:
        command = typer.main.get_command(build_app())
        speak(command)
        ended: object = command.main(args=words, prog_name="mnemo", standalone_mode=False)
        if ended == INTERRUPTED:
            terminal().say(tr("Stopped.", "Arrêté."))
        sys.stdout.flush()
        return ended if isinstance(ended, int) else ExitCode.DONE
    except EndWith as end:
        sys.stdout.flush()
        return end.code
    except MnemoError as error:
        return _tell(error)
    except typer.TyperException as fault:
        return _tell_usage(fault)
    except (KeyboardInterrupt, typer.Abort):
        terminal().say(tr("Stopped.", "Arrêté."))
        return INTERRUPTED
    except (BrokenPipeError, OutputRefused):
        raise
    except OSError as fault:
        # What the file system refuses in the home is the person's to mend, and no fault of ours.
        refused = refusal_of(fault, terminal().home)
        return _tell_fault(fault) if refused is None else _tell(refused)
    except Exception as fault:  # noqa: BLE001  (the last line: nobody must see a stack trace)
        return _tell_fault(fault)


def build_app() -> typer.Typer:
    """All commands of this package, and those that others registered under ``mnemo.commands``."""
    from service.cli import (
        connect,
        entities,
        gates,
        grants,
        looking,
        owner,
        reading,
        serving,
        stores,
        telling,
    )

    app = typer.Typer(
        name="mnemo",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        help=tr(
            "Mnemo: your memory, kept as a ledger that your AI assistants read and never write.",
            "Mnemo : votre mémoire, tenue comme un grand livre que vos assistants IA lisent sans jamais y écrire.",
        ),
    )
    app.callback(no_args_is_help=True)(_common_options)
    for family in (stores, serving, owner, grants, connect, entities, telling, reading, gates, looking):
        family.add_to(app)
    for entry in sorted(entry_points(group="mnemo.commands"), key=lambda found: found.name):
        app.add_typer(cast("typer.Typer", entry.load()))
    return app


def _show_version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"mnemo {version('mnemo')}\n")
        raise EndWith(ExitCode.DONE)


def _common_options(
    home: Annotated[
        Path | None,
        typer.Option("--home", help=tr("Where Mnemo keeps everything.", "Où Mnemo garde tout.")),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", help=tr("Which store to work on.", "Sur quel dépôt travailler.")),
    ] = None,
    lang: Annotated[str | None, typer.Option("--lang", help="fr, en")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=tr("Answer as one JSON object.", "Répondre par un objet JSON."))
    ] = False,
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_show_version,
            help=tr("Print the version.", "Afficher la version."),
        ),
    ] = False,
) -> None:
    # Read by ``_open_terminal`` before the commands were built; declared here for the help and the checks.
    if lang is not None and lang not in LANGUAGES:
        raise InvalidArgument(field="--lang", problem="choice", allowed=list(LANGUAGES))


def _open_terminal(words: Sequence[str]) -> None:
    values: dict[str, str] = {}
    flags: set[str] = set()
    position = 0
    while position < len(words) and words[position].startswith("--") and words[position] != "--":
        name, equals, value = words[position].partition("=")
        if name == "--json":
            flags.add(name)
        elif name in ("--home", "--store", "--lang"):
            if not equals:
                position += 1
                value = words[position] if position < len(words) else ""
            values[name] = value
        position += 1
    lang = values.get("--lang")
    open_terminal(
        home=Path(values["--home"]).expanduser().absolute() if values.get("--home") else None,
        store=values.get("--store") or None,
        as_json="--json" in flags,
        lang=lang if lang in ("fr", "en") else None,
    )


def _tell_fault(fault: Exception) -> ExitCode:
    """Keep where an unexpected fault happened in the home, and say so. Its message may quote a memory."""
    places = traceback.extract_tb(fault.__traceback__)
    kept = terminal().home / "faults.log"
    try:
        with kept.open("a", encoding="utf-8") as file:
            file.write("\n".join([type(fault).__name__, *traceback.format_list(places), ""]))
        place = escape(str(kept))
    except OSError:  # there is no home, or it cannot be written
        last = places[-1]
        place = escape(f"{type(fault).__name__}, {last.filename}:{last.lineno}")
    code = _tell(MnemoError())
    terminal().say(tr(f"Where it happened: {place}", f"À quel endroit : {place}"))
    return code


def _tell_usage(fault: typer.TyperException) -> ExitCode:
    """Say how the command is called. Called with nothing at all it has shown its help already."""
    error = error_of(fault)
    if error is None:
        return ExitCode.USAGE
    code = _tell(error)
    if meant := nearest(fault):
        listed = ", ".join(meant)
        terminal().tell(tr(f"Did you mean {listed}?", f"Vouliez-vous dire {listed} ?"))
    return code


def _tell(error: MnemoError) -> ExitCode:
    """Say the error in the person's language and give the exit code."""
    from service.failures import told

    shown = told(error, terminal().lang, to_owner=True)
    if terminal().as_json:
        terminal().answer({"error": shown}, lambda _: None)
    terminal().tell(str(shown["message"]), style="red")
    if shown["remedy"]:
        terminal().tell(str(shown["remedy"]))
    return EXIT_OF[error.category]
