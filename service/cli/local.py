"""A tool's answer without a service: the command line calls the same handlers, in its own process."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from rich.console import Console
from rich.markup import escape

from cypher.cli import terminal, tr
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import Settings
from policies.errors import InvalidArgument, InvariantBroken
from policies.parameters import parameters
from policies.terms import Level, View
from service.grants import CLI_GRANT

if TYPE_CHECKING:
    from service.calls import Answer, Call, Calls


@dataclass(frozen=True, slots=True)
class LocalHouse:
    """The store opened by this command."""

    settings: Settings
    calls: Calls

    def ask(self, tool: str, arguments: Mapping[str, object], scope: str | None = None) -> Answer:
        """What the tool answers; logged as a call of the built-in grant ``cli``.

        Args:
            tool: one of the eight.
            arguments: without those that are None or empty lists.
            scope: see the memory as a tool of that scope would; None for the owner's own view.

        Raises:
            MnemoError: as the tool does.
        """
        from service.tools import TOOLS

        found = next((one for one in TOOLS if one.name == tool), None)
        if found is None:
            raise InvariantBroken(f"there is no tool {tool}")
        view = _view(scope)
        given = {name: value for name, value in arguments.items() if value not in (None, [], ())}

        grant = CLI_GRANT if scope is None else replace(CLI_GRANT, scope=scope, level=view.level)

        def work(call: Call) -> Answer:
            return found.serve(replace(call, grant=grant, view=view, language=terminal().lang))

        return anyio.run(partial(self.calls.serve, tool, CLI_GRANT, given, work))


@contextmanager
def local_house() -> Generator[LocalHouse]:
    """The store that the command works on, open for as long as the context lasts.

    Raises:
        LedgerUnavailable: the engine cannot be started or does not answer.
    """
    # What understands a question takes half a second to import: only the commands that ask one pay for it.
    from service.metrics import Metrics
    from service.opening import build_calls, open_ledger

    settings = terminal().settings()
    clock, numbers = SystemClock(), parameters()
    ledger = open_ledger(settings, clock, numbers)
    try:
        ledger.open()
        yield LocalHouse(settings, build_calls(settings, ledger, numbers, clock, RandomIds(), Metrics()))
    finally:
        ledger.close()


def show_answer(answer: Answer) -> None:
    """Print an answer: the tool's own object with ``--json``, else its readable text."""

    def show(console: Console) -> None:
        console.print(escape(answer.text))

    value: dict[str, Any] = dict(answer.structured)
    terminal().answer(value, show)


def _view(scope: str | None) -> View:
    language = terminal().lang
    if scope is None:
        return View(level=Level.S3, owner=True, history=True, language=language)
    known = parameters().scopes
    if scope not in known:
        listed = ", ".join(known)
        raise InvalidArgument(field="--scope", problem=tr(f"one of {listed}", f"au choix : {listed}"))
    return View(level=known[scope].level, history=known[scope].history, language=language)
