"""Brings a database's schema up to date, and makes sure that it is this store's.

Migrations are ``NNNN_name`` files, one folder per engine, the same numbers and names in each. A definition
must be idempotent (``IF NOT EXISTS``), because two processes may apply it at once to a shared server; what
is applied is recorded in ``(:Schema)`` with its digest, and never edited afterwards.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from cypher.graph import Connection, Graph
from cypher.statement import Statement, parse_script, statement
from policies.errors import InvariantBroken, LedgerConflict, StoreInvalid

SCHEMA = Path(__file__).parent
_SUFFIX: dict[str, str] = {"neo4j": ".cypher", "arcadedb": ".sql"}


EngineKind = Literal["neo4j", "arcadedb"]
"""An engine, and the folder of its migrations."""


class Definable(Connection, Protocol):
    """A connection that can define."""

    @property
    def kind(self) -> EngineKind:
        """Which engine."""
        ...

    def define(self, definition: Statement) -> None:
        """Run one definition in a transaction of its own."""
        ...

    def exclusive(self) -> AbstractContextManager[None]:
        """Keep others from changing the schema meanwhile, as far as the engine needs it."""
        ...


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    digest: str
    definitions: tuple[Statement, ...]


def migrations(kind: EngineKind) -> tuple[Migration, ...]:
    """An engine's migrations in order.

    Raises:
        InvariantBroken: their numbers are not 0, 1, 2 and so on.
    """
    files = sorted((SCHEMA / kind).glob(f"*{_SUFFIX[kind]}"))
    steps = tuple(_read(path) for path in files)
    if [step.number for step in steps] != list(range(len(steps))):
        raise InvariantBroken(f"the migrations of {kind} are not numbered 0, 1, 2…")
    return steps


def migrate(connection: Definable, store: str) -> None:
    """Apply what the database lacks, and claim it for the store.

    Raises:
        StoreInvalid: it holds another store (``problem`` is ``taken``), something that is not Mnemo's
            (``foreign``), or a schema of a later Mnemo (``newer``).
        InvariantBroken: a migration was edited after it had been applied.
        LedgerUnavailable: the engine does not answer.
    """
    graph = Graph(connection)
    steps = migrations(connection.kind)
    if _is_current(graph, steps, store):
        return
    with connection.exclusive():
        _refuse_another(graph, store)
        applied = _applied(graph)
        for step in steps:
            if step.number not in applied:
                for definition in step.definitions:
                    connection.define(definition)
                graph.write(
                    statement("record_migration"), number=step.number, name=step.name, digest=step.digest
                )
        _claim(graph, store)


def _is_current(graph: Graph, steps: tuple[Migration, ...], store: str) -> bool:
    applied = _applied(graph)
    if applied.keys() - {step.number for step in steps}:
        raise StoreInvalid(store=store, problem="newer")
    if any(step.digest != applied.get(step.number, step.digest) for step in steps):
        raise InvariantBroken("a migration was edited after it had been applied")
    return len(applied) == len(steps) and _claimed_by(graph) == store


def _applied(graph: Graph) -> dict[int, str]:
    return {record["number"]: record["digest"] for record in graph.read(statement("list_migrations"))}


def _claimed_by(graph: Graph) -> str | None:
    found = graph.read(statement("find_store"))
    return found[0]["name"] if found else None


def _refuse_another(graph: Graph, store: str) -> None:
    owner = _claimed_by(graph)
    if owner is None and graph.read(statement("find_content")):
        raise StoreInvalid(store=store, problem="foreign")
    if owner not in (None, store):
        raise StoreInvalid(store=store, problem="taken", other=owner)


def _claim(graph: Graph, store: str) -> None:
    try:
        claimed = graph.write(statement("claim_store"), name=store)[0]["name"]
    except LedgerConflict:
        claimed = _claimed_by(graph)
    if claimed != store:
        raise StoreInvalid(store=store, problem="taken", other=claimed)


def _read(path: Path) -> Migration:
    number, _, name = path.stem.partition("_")
    source = path.read_text("utf-8")
    digest = hashlib.sha256(source.encode()).hexdigest()
    return Migration(int(number), name, digest, parse_script(path.stem, source))
