"""A graph to work on: the home's embedded ArcadeDB, or a Neo4j server where an address is given."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from cypher.engine.arcadedb import EmbeddedConnection
from cypher.engine.neo4j import ServerConnection
from cypher.graph import Graph
from cypher.schema.migrate import migrate
from cypher.settings import Settings


class Engine:
    """A process's hold on the store's graph; a context manager."""

    def __init__(self, connection: EmbeddedConnection | ServerConnection) -> None:
        self._connection = connection
        self.graph = Graph(connection)

    @property
    def kind(self) -> str:
        """``arcadedb`` or ``neo4j``."""
        return self._connection.kind

    def close(self) -> None:
        """Let go. The last user of an embedded engine stops it, and waits until it has stopped."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def connect(settings: Settings) -> Engine:
    """Reach the store's graph, with its schema up to date.

    Embedded: joins the home's server or starts it, which takes seconds; creates the store's database.

    Raises:
        LedgerUnavailable: the engine does not start or does not answer.
        SettingInvalid: the address, user or password of the server is not right.
        StoreInvalid: the database holds another store, or something that is not Mnemo's.
    """
    connection = (
        EmbeddedConnection(settings.home, settings.database)
        if settings.graph_url is None
        else ServerConnection(settings.graph_url, settings.graph_user, settings.graph_password_file)
    )
    try:
        migrate(connection, settings.store)
    except BaseException:
        connection.close()
        raise
    return Engine(connection)
