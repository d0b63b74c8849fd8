"""Migrations and the claim of a database, on each engine."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import pytest

from cypher.engine.arcadedb import EmbeddedConnection
from cypher.engine.neo4j import ServerConnection
from cypher.graph import Graph
from cypher.schema.migrate import EngineKind, migrate, migrations
from cypher.settings import Settings
from cypher.statement import parse_statement, statement
from policies.errors import InvariantBroken, StoreInvalid

CLEAR = parse_statement("clear_all", "// The record of the schema included.\nMATCH (n) DETACH DELETE n")
CREATE_FOREIGN = parse_statement("create_foreign", "// Somebody else's.\nCREATE (:Invoice {total: 3})")
SET_DIGEST = parse_statement(
    "set_digest", "// As if edited.\n// $digest: any\nMATCH (s:Schema {number: 0}) SET s.digest = $digest"
)
COUNT_STEPS = parse_statement("count_steps", "// All.\nMATCH (s:Schema) RETURN count(s) AS n")


@pytest.fixture
def connection(settings: Settings) -> Iterator[EmbeddedConnection | ServerConnection]:
    """A database that Mnemo has not seen: one of its own, or the only one, put back in order afterwards."""
    connection = (
        EmbeddedConnection(settings.home, "mnemo_unseen")
        if settings.graph_url is None
        else ServerConnection(settings.graph_url, settings.graph_user, settings.graph_password_file)
    )
    Graph(connection).write(CLEAR)
    yield connection
    Graph(connection).write(CLEAR)
    migrate(connection, settings.store)
    connection.close()


def steps_recorded(connection: EmbeddedConnection | ServerConnection) -> int:
    return int(Graph(connection).read(COUNT_STEPS)[0]["n"])


@pytest.mark.parametrize("kind", get_args(EngineKind))
def test_engines_have_the_same_migrations(kind: EngineKind) -> None:
    reference = [(step.number, step.name) for step in migrations("neo4j")]
    assert [(step.number, step.name) for step in migrations(kind)] == reference
    assert reference[0] == (0, "schema")


def test_each_migration_is_recorded_once_however_many_begin_at_once(
    connection: EmbeddedConnection | ServerConnection,
) -> None:
    with ThreadPoolExecutor(4) as pool:
        for begun in [pool.submit(migrate, connection, "default") for _ in range(4)]:
            begun.result()
    assert steps_recorded(connection) == len(migrations(connection.kind))
    assert Graph(connection).read(statement("find_store"))[0]["name"] == "default"
    migrate(connection, "default")
    assert steps_recorded(connection) == len(migrations(connection.kind))


def test_database_of_another_store_is_refused(connection: EmbeddedConnection | ServerConnection) -> None:
    migrate(connection, "default")
    with pytest.raises(StoreInvalid) as caught:
        migrate(connection, "other")
    assert caught.value.details["problem"] == "taken"
    migrate(connection, "default")


def test_database_that_holds_something_else_is_refused_and_left_as_it_is(
    connection: EmbeddedConnection | ServerConnection,
) -> None:
    Graph(connection).write(CREATE_FOREIGN)
    with pytest.raises(StoreInvalid) as caught:
        migrate(connection, "default")
    assert caught.value.details["problem"] == "foreign"
    assert steps_recorded(connection) == 0


def test_schema_of_a_later_version_is_refused(connection: EmbeddedConnection | ServerConnection) -> None:
    migrate(connection, "default")
    Graph(connection).write(statement("record_migration"), number=9999, name="later", digest="0")
    with pytest.raises(StoreInvalid) as caught:
        migrate(connection, "default")
    assert caught.value.details["problem"] == "newer"


def test_migration_edited_after_it_was_applied_is_refused(
    connection: EmbeddedConnection | ServerConnection,
) -> None:
    migrate(connection, "default")
    Graph(connection).write(SET_DIGEST, digest="another")
    with pytest.raises(InvariantBroken):
        migrate(connection, "default")
