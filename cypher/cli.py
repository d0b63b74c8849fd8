"""What every command of ``mnemo`` shares, whichever package it comes from: language, output, exit codes.

A command writes one JSON object or readable text on standard output, and progress and words on standard
error. It raises ``MnemoError``; the main entry tells it in the person's language and sets the exit code.
"""

from __future__ import annotations

import json
import locale
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from cypher.console_urls import console_address, ruling_url
from cypher.settings import Settings, default_home, load_settings
from policies import moments
from policies.directives import Verb
from policies.errors import Category, MnemoError
from policies.reasons import NEEDS_PASSKEY, explanation
from policies.terms import Outcome, OutcomeRecord, ProposalId

Language = Literal["fr", "en"]


class ExitCode(IntEnum):
    """What a command's exit code means; scripts rely on it."""

    DONE = 0
    NEGATIVE = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    UNAVAILABLE = 5
    FAULT = 70


EXIT_OF: dict[Category, ExitCode] = {
    "incorrect": ExitCode.USAGE,
    "forbidden": ExitCode.REFUSED,
    "not_found": ExitCode.NOT_FOUND,
    "conflict": ExitCode.REFUSED,
    "unavailable": ExitCode.UNAVAILABLE,
    "fault": ExitCode.FAULT,
}


class EndWith(Exception):
    """Ends the command with an exit code, everything having been said."""

    def __init__(self, code: ExitCode) -> None:
        super().__init__(code)
        self.code = code


class OutputRefused(Exception):
    """Standard output does not take the answer: a disk is full."""


@dataclass(slots=True)
class Terminal:
    """How this run of ``mnemo`` was called: set once by the main entry, read by every command."""

    home: Path
    store: str | None
    as_json: bool
    lang: Language

    def settings(self, **overrides: object) -> Settings:
        """The settings of the store that the command works on."""
        return load_settings(self.home, self.store, **overrides)

    def say(self, text: str, *, whole: bool = False) -> None:
        """Words for the person, on standard error; ``whole``: in one line, to be copied."""
        Console(stderr=True, highlight=False, emoji=False).print(text, soft_wrap=whole)

    def tell(self, text: str, *, style: str = "") -> None:
        """A sentence that is no markup, on standard error."""
        console = Console(stderr=True, highlight=False, emoji=False)
        console.print(Text(flowed(text, console.width)), style=style, soft_wrap=True)

    def answer(self, value: object, show: Callable[[Console], None]) -> None:
        """The command's answer: one JSON object with ``--json``, else what ``show`` prints.

        Raises:
            BrokenPipeError: whoever read it has gone.
            OutputRefused: it cannot be written.
        """
        try:
            if self.as_json:
                is_plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
                sys.stdout.write(json.dumps(value, ensure_ascii=is_plain, indent=2) + "\n")
            else:
                # A memory's text is shown as it is: `:bug:` stays what was said.
                show(Console(highlight=False, emoji=False))
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise OutputRefused from fault


_terminal: Terminal | None = None


def terminal() -> Terminal:
    """How this run was called."""
    if _terminal is None:
        return open_terminal(home=None, store=None, as_json=False, lang=None)
    return _terminal


def open_terminal(*, home: Path | None, store: str | None, as_json: bool, lang: Language | None) -> Terminal:
    """Fix how this run was called; the main entry does it before it builds the commands."""
    global _terminal  # one process is one run of the command
    home = home or default_home()
    _terminal = Terminal(home=home, store=store, as_json=as_json, lang=lang or _language(home, store))
    return _terminal


def tr(en: str, fr: str) -> str:
    """The sentence in the person's language."""
    return fr if terminal().lang == "fr" else en


def _language(home: Path, store: str | None) -> Language:
    """The environment's language where it says one, else the store's, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value and value.split(".")[0] not in ("C", "POSIX"):
            return "fr" if value.lower().startswith("fr") else "en"
    if sys.platform in ("darwin", "win32") and (locale.getlocale()[0] or "").lower().startswith("fr"):
        return "fr"
    try:
        return load_settings(home, store).facts.lang
    except (MnemoError, OSError):
        return "en"  # the command itself will say what is wrong with the store


COMMON_OPTIONS = {"--home": True, "--store": True, "--lang": True, "--json": False}
"""Options that stand before or after the command's name, and whether each takes a value."""


def hoist_common_options(arguments: Sequence[str]) -> list[str]:
    """Bring the common options to the front, wherever the person wrote them, up to a bare ``--``."""
    front: list[str] = []
    rest: list[str] = []
    remaining = list(arguments)
    while remaining:
        word = remaining.pop(0)
        if word == "--":
            rest += [word, *remaining]
            break
        name, equals, _ = word.partition("=")
        if name not in COMMON_OPTIONS or (equals and not COMMON_OPTIONS[name]):
            rest.append(word)
        elif COMMON_OPTIONS[name] and not equals and remaining:
            front += [word, remaining.pop(0)]
        else:
            front.append(word)
    return front + rest


def show_rows(
    console: Console, headings: Sequence[str], rows: Sequence[Sequence[str]], *, copied: int | None = None
) -> None:
    """A table where it fits the terminal, else a block for each row: no word is broken, and no id.

    Args:
        console: to print on. Into a pipe or a file whose width nobody told, the table goes as wide as it is.
        headings: of the columns; a column that is empty in every row is left out.
        rows: their cells, the first of which is the row's title.
        copied: the column of an id, which in a block stands on a line of its own.
    """
    kept = [column for column in range(len(headings)) if any(row[column] for row in rows)]
    widths = {
        column: max(cell_len(cell) for cell in (headings[column], *(row[column] for row in rows)))
        for column in kept
    }
    is_wide = not console.is_terminal and not os.environ.get("COLUMNS")
    if is_wide or sum(widths.values()) + 2 * (len(widths) - 1) <= console.width:

        def line(cells: Sequence[str]) -> str:
            padded = (cells[column] + " " * (widths[column] - cell_len(cells[column])) for column in kept)
            return escape("  ".join(padded).rstrip())

        console.print(f"[bold]{line(headings)}[/bold]", soft_wrap=True)
        for row in rows:
            console.print(line(row), soft_wrap=True)
        return
    for row in rows:
        console.print(f"[bold]{escape(row[0])}[/bold]")
        others = [column for column in kept[1:] if column != copied and row[column]]
        indented(console, " · ".join(f"{headings[column]} {row[column]}" for column in others))
        if copied is not None:
            console.print(f"  {escape(row[copied])}", soft_wrap=True)


def show_facts(console: Console, facts: Sequence[tuple[str, str]]) -> None:
    """What each of some words stands for; a value that would not fit beside its word stands whole below it."""
    width = max(cell_len(word) for word, _ in facts)
    for word, value in facts:
        padding = " " * (width - cell_len(word))
        fits = width + 2 + cell_len(value) <= console.width
        between = f"{padding}  " if fits else "\n  "
        console.print(f"{escape(word)}{between}{escape(value)}", soft_wrap=True)


def indented(console: Console, text: str, *, style: str = "") -> None:
    """A text that is no markup, set in by two columns on every line."""
    for line in flowed(text, console.width - 2).split("\n") if text else ():
        console.print(Text(f"  {line}"), style=style, soft_wrap=True)


def flowed(text: str, width: int) -> str:
    """A text in lines of a width, broken at spaces alone, and never before a mark that French sets apart."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for held in _SET_APART.sub(_HELD, paragraph).split(" "):
            word = held.replace(_HELD, " ")
            longer = f"{line} {word}" if line else word
            if line and cell_len(longer) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return "\n".join(lines)


_HELD = "\0"
"""Stands for a space that no line ends at: the text itself stays as it was given."""
_SET_APART = re.compile(r" (?=[;:?!»])|(?<=«) ")


def shown_outcome(outcome: OutcomeRecord, settings: Settings, *, action: str = "") -> dict[str, object]:
    """An outcome as the command line tells it, in the person's language; ``action`` is what it became of."""
    details = {**outcome.details, "handle": settings.facts.handle}
    is_done = outcome.outcome is Outcome.COMMITTED and (not outcome.memories or action in _MAKE_NO_MEMORY)
    return {
        "proposal": outcome.proposal,
        "outcome": outcome.outcome.shown(settings.facts.handle),
        "reason": outcome.reason,
        "explanation": explanation(
            "directive.done" if is_done else outcome.reason, terminal().lang, details, to_owner=True
        ),
        "memory": outcome.memories[-1] if outcome.memories else None,
        "url": ruling_url(console_address(settings), outcome),
        "decided_at": moments.show_recorded(outcome.decided_at, settings.zone),
    }


def ask_for_passkey(outcome: OutcomeRecord, settings: Settings) -> None:
    """Say, on standard error, where the owner confirms a directive that waits for their passkey."""
    terminal().tell(explanation(outcome.reason, terminal().lang, to_owner=True))
    terminal().say(escape(str(ruling_url(console_address(settings), outcome))), whole=True)
    terminal().say(tr("Waiting. Ctrl-C leaves it there.", "En attente. Ctrl-C l'y laisse."))


_MAKE_NO_MEMORY = frozenset({Verb.RECLASSIFY, Verb.RETRACT})
"""Directives that change what is told of a memory and say nothing new."""
_NOT_FOUND = frozenset({"target.unknown", "arbitration.unknown", "entity.unknown", "review.unknown"})
"""Reasons of a directive that nothing answers to."""
_INCORRECT = frozenset({"time.naive", "time.invalid", "time.reversed", "domain.unknown", "entity.incomplete"})
"""Reasons of a directive that was not said as it must be, like an argument that is refused before."""
_ONLY_DROPPED = frozenset({NEEDS_PASSKEY, "health.stated", "health.unsure"})
"""Reasons of what waits for the owner and no ruling can keep."""


_WORDS: dict[Outcome, tuple[str, str]] = {
    Outcome.COMMITTED: ("recorded", "enregistré"),
    Outcome.DUPLICATE: ("known already", "déjà connu"),
    Outcome.REJECTED: ("refused", "refusé"),
    Outcome.NEEDS_OWNER: ("waits for you", "vous attend"),
    Outcome.ERROR: ("met an error, tried again", "a rencontré une erreur, sera repris"),
}


def outcome_word(shown: str | None, handle: str) -> str:
    """What became of something, in a person's word; ``shown`` as in answers, None while nothing is decided."""
    if shown is None:
        return tr("waits for curation", "attend la curation")
    words = {outcome.shown(handle): words for outcome, words in _WORDS.items()}
    return tr(*words.get(shown, (shown, shown)))


def ruling_command(proposal: ProposalId | str, reason: str) -> str:
    """The command that settles what waits for the owner, to be copied."""
    ruling = "reject" if reason in _ONLY_DROPPED else tr("RULING", "DÉCISION")
    return f"mnemo rule {proposal} {ruling}"


def show_outcome(outcome: OutcomeRecord, settings: Settings, *, action: str = "") -> None:
    """Print what became of a directive.

    Raises:
        EndWith: it was not carried out: 3 where it names what is not there, 2 where it says what cannot be, else 4.
    """
    answer = shown_outcome(outcome, settings, action=action)
    done = outcome.outcome in (Outcome.COMMITTED, Outcome.DUPLICATE)

    def show(console: Console) -> None:
        colour = "green" if done else "yellow"
        word = outcome_word(str(answer["outcome"]), settings.facts.handle)
        said = str(answer["explanation"])
        if said == explanation("directive.done", terminal().lang):
            console.print(f"[{colour}]{escape(said)}[/{colour}]")
        else:
            told = flowed(f"{word} · {said}", console.width)
            console.print(f"[{colour}]{word}[/{colour}]{escape(told.removeprefix(word))}", soft_wrap=True)
        waits = outcome.outcome is Outcome.NEEDS_OWNER
        command = ruling_command(outcome.proposal, outcome.reason) if waits else None
        for line in (answer["memory"], command, answer["url"]):
            if line:
                console.print(escape(str(line)), soft_wrap=True)

    terminal().answer(answer, show)
    if not done:
        is_rejected = outcome.outcome is Outcome.REJECTED
        if is_rejected and outcome.reason in _INCORRECT:
            raise EndWith(ExitCode.USAGE)
        raise EndWith(ExitCode.NOT_FOUND if outcome.reason in _NOT_FOUND else ExitCode.REFUSED)
