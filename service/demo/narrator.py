"""How the demonstration speaks: chapters, sentences, tool calls and answers, at any width of terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.progress import track
from rich.table import Table

from cypher.cli import tr

T = TypeVar("T")


class Narrator:
    """Prints on standard output; progress goes to standard error."""

    def __init__(self) -> None:
        self._out = Console(highlight=False, emoji=False)
        self._err = Console(stderr=True)
        self._chapter = 0

    def chapter(self, title: str) -> None:
        """Begin a numbered chapter."""
        self._chapter += 1
        self._out.print()
        self._out.rule(f"[bold]{self._chapter}. {title}[/bold]", align="left", style="cyan")

    def say(self, text: str) -> None:
        """A sentence of the teller; may bear markup."""
        self._out.print(text)

    def command(self, words: str) -> None:
        """A command line that is being run for real."""
        self._out.print(Padding(f"[green]$ mnemo {escape(words)}[/green]", (0, 0, 0, 2)))

    def call(self, assistant: str, tool: str, what: str) -> None:
        """A tool call that an assistant makes for real."""
        self._out.print(
            Padding(f"[magenta]{assistant}[/magenta] → {tool}  [italic]{escape(what)}[/italic]", (0, 0, 0, 2))
        )

    def items(self, answer: dict[str, Any], *, most: int = 4) -> None:
        """What a recall or a pack brought, with citations."""
        if not answer["items"]:
            self._indented(f"[yellow]{answer['verdict']}[/yellow]")
            return
        self._indented(f"[dim]{answer['verdict']}[/dim]")
        for item in answer["items"][:most]:
            valid = _interval(item)
            self._indented(
                f"• {escape(item['text'])}\n"
                f"  [dim]{item['kind']} · {item['provenance']} · {item['sensitivity']}{valid} · {item['id']}[/dim]"
            )
        if len(answer["items"]) > most:
            self._indented(f"[dim]+ {len(answer['items']) - most}[/dim]")

    def outcomes(self, counts: dict[str, int]) -> None:
        """How many proposals came to each outcome."""
        table = Table(box=None, show_header=False, pad_edge=False)
        for outcome, count in sorted(counts.items(), key=lambda pair: -pair[1]):
            table.add_row(f"[bold]{count}[/bold]", outcome)
        self._out.print(Padding(table, (0, 0, 0, 4)))

    def example(self, outcome: str, statement: str, explanation: str) -> None:
        """One proposal and what became of it."""
        self._indented(f"“{escape(statement)}”\n  [yellow]{outcome}[/yellow]: {escape(explanation)}")

    def progress(self, steps: Sequence[T], title: str) -> Iterable[T]:
        """Go through the steps, showing how far."""
        return track(steps, title, console=self._err, transient=True)

    def _indented(self, text: str) -> None:
        self._out.print(Padding(text, (0, 0, 0, 4)))


def _interval(item: dict[str, Any]) -> str:
    begin, end = item["valid_from"], item["valid_to"]
    if begin and end:
        return f" · {begin} → {end}"
    if begin:
        return tr(f" · since {begin}", f" · depuis {begin}")
    if end:
        return tr(f" · until {end}", f" · jusqu'au {end}")
    return ""
