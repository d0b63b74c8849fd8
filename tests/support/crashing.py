"""A graph whose user dies at a chosen write: before it reached the engine, or after it was kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from cypher.graph import Graph, Record, Tx
from cypher.statement import Statement

T = TypeVar("T")


class Killed(BaseException):
    """The process died here. Not an ``Exception``: nothing in the code may catch it."""


class CrashingGraph(Graph):
    """Passes everything on to a graph until it is told to die."""

    def __init__(self, graph: Graph) -> None:
        self._inner = graph
        self._writes_left: int | None = None
        self._after = False

    def die(self, *, writes_left: int, after: bool) -> None:
        """Die at a coming write, counted from 0: before or after it is done."""
        self._writes_left, self._after = writes_left, after

    def live(self) -> None:
        """Do not die after all."""
        self._writes_left = None

    def read(self, statement: Statement, /, **parameters: object) -> list[Record]:
        return self._inner.read(statement, **parameters)

    def write(self, statement: Statement, /, **parameters: object) -> list[Record]:
        return self._dying(lambda: self._inner.write(statement, **parameters))

    def transaction(self, work: Callable[[Tx], T]) -> T:
        return self._dying(lambda: self._inner.transaction(work))

    def _dying(self, write: Callable[[], T]) -> T:
        if self._writes_left is None:
            return write()
        if self._writes_left > 0:
            self._writes_left -= 1
            return write()
        if self._after:
            write()
        raise Killed
