"""A Neo4j server, by its address."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import neo4j
from neo4j.exceptions import ConfigurationError, DriverError, Neo4jError

from cypher.engine.driver import open_driver
from cypher.graph import Graph, told
from cypher.statement import Statement, statement
from policies.errors import SettingInvalid

# Long enough for a cluster to elect another leader.
_RETRY_S_MAX = 15.0


class ServerConnection:
    """A driver on a Neo4j server or cluster. Implements ``cypher.graph.Connection``."""

    def __init__(self, url: str, user: str, password_file: Path | None) -> None:
        """Connect, and learn the name of the account's own database.

        Raises:
            LedgerUnavailable: the server does not answer.
            SettingInvalid: the address, the user or the password is not right.
        """
        try:
            self._driver = open_driver(url, _credentials(user, password_file), retry_s_max=_RETRY_S_MAX)
        except (ConfigurationError, ValueError):
            raise SettingInvalid(setting="MNEMO_GRAPH_URL", problem="setting.address") from None
        try:
            # Passed with every transaction, as on the other engine; managed servers have names of their own. Asked
            # once: the driver would go on trying a closed port for longer than a process that is to end may take, and
            # whoever needs the ledger tries again by itself.
            with self._driver.session() as session:  # pyright: ignore[reportUnknownMemberType]  (options are untyped)
                self._database = str(session.run(statement("name_database").text).single(strict=True)["name"])
        except (DriverError, Neo4jError) as fault:
            self._driver.close()
            raise told(fault) from None

    @property
    def kind(self) -> Literal["neo4j"]:
        """Which engine."""
        return "neo4j"

    @property
    def database(self) -> str:
        """The account's home database."""
        return self._database

    def driver(self, failed: neo4j.Driver | None = None) -> neo4j.Driver:
        """The driver: it finds the server again by itself. See ``Connection``."""
        return self._driver

    def define(self, definition: Statement) -> None:
        """Run a definition of the schema, in a transaction of its own.

        Raises:
            MnemoError: as ``Graph.write``.
        """
        Graph(self).write(definition)

    @contextmanager
    def exclusive(self) -> Generator[None]:
        """Nothing: definitions are idempotent, and the server takes them one at a time."""
        yield

    def close(self) -> None:
        """Leave the server."""
        self._driver.close()


def _credentials(user: str, password_file: Path | None) -> tuple[str, str] | None:
    """User and password; None for a server that asks for none."""
    if password_file is None:
        return None
    try:
        return user, password_file.expanduser().read_text("utf-8").strip()
    except OSError:
        raise SettingInvalid(setting="MNEMO_GRAPH_PASSWORD_FILE", problem="setting.unreadable") from None
