"""The embedded engine: one ArcadeDB server per home, one database per store."""

from __future__ import annotations

import base64
import http.client
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import neo4j
import psutil
from neo4j.exceptions import DriverError, Neo4jError

from cypher.engine.driver import open_driver
from cypher.keeper.home import START_S_MAX, Address, EngineHome, ensure_running, held, see_stopped
from cypher.statement import Statement, statement
from policies.errors import InvariantBroken, LedgerUnavailable

_HTTP_S_MAX = 60
# Short, because when the engine is gone we would rather bring it back than wait for it.
_RETRY_S_MAX = 5.0


class EmbeddedConnection:
    """A seat at the home's server, and a driver on it. Implements ``cypher.graph.Connection``."""

    def __init__(self, home: Path, database: str) -> None:
        """Join the home's server, starting it if need be, and create the database if there is none.

        Raises:
            LedgerUnavailable: the server does not start.
            SettingInvalid: this platform has no embedded engine.
        """
        self._database = database
        self._place = EngineHome(home)
        self._place.prepare()
        self._renewal = threading.Lock()
        self._seat = self._place.new_seat()
        with held(self._place.mutex(), START_S_MAX):
            self._seat.acquire()
            try:
                self._current = self._open(ensure_running(self._place))
            except BaseException:
                self._leave()
                raise

    @property
    def kind(self) -> Literal["arcadedb"]:
        """Which engine."""
        return "arcadedb"

    @property
    def database(self) -> str:
        """The store's database."""
        return self._database

    def driver(self, failed: neo4j.Driver | None = None) -> neo4j.Driver:
        """A driver on the running server; a server that died is started again. See ``Connection``."""
        address, driver = self._current
        if driver is not failed and psutil.pid_exists(address.pid):
            return driver
        with self._renewal:
            if self._current[1] is not driver:
                return self._current[1]  # another thread was faster
            with held(self._place.mutex(), START_S_MAX):
                running = ensure_running(self._place)
                if running != address:
                    self._current = self._open(running)
                    driver.close()
            return self._current[1]

    def define(self, definition: Statement) -> None:
        """Run a definition of the schema, in SQL, over HTTP: the graph's language lacks some here.

        Raises:
            InvariantBroken: the server refused it.
            LedgerUnavailable: the server does not answer.
        """
        body = {"language": "sql", "command": definition.text}
        status = self._post(self._current[0], f"/api/v1/command/{self._database}", body)
        if status != http.client.OK:
            raise InvariantBroken(f"the engine refused {definition.name}: HTTP {status}")

    @contextmanager
    def exclusive(self) -> Generator[None]:
        """Keep other processes of this home from changing the schema meanwhile."""
        with held(self._place.mutex(), START_S_MAX):
            yield

    def close(self) -> None:
        """Leave. The last user out waits, within a bound, until the server has stopped."""
        self._current[1].close()
        self._leave()
        see_stopped(self._place)

    def _leave(self) -> None:
        self._seat.release()
        Path(self._seat.lock_file).unlink(missing_ok=True)

    def _open(self, address: Address) -> tuple[Address, neo4j.Driver]:
        """A driver that has been answered by the database."""
        created = self._post(address, "/api/v1/server", {"command": f"create database {self._database}"})
        if created not in (http.client.OK, http.client.CONFLICT):
            raise LedgerUnavailable(f"the engine refused to create a database: HTTP {created}")
        url = f"bolt://127.0.0.1:{address.bolt_port}"
        driver = open_driver(url, ("root", self._place.password()), retry_s_max=_RETRY_S_MAX)
        try:
            driver.execute_query(statement("ping_database").text, database_=self._database)
        except (DriverError, Neo4jError) as fault:
            driver.close()
            raise LedgerUnavailable(f"the engine does not answer: {type(fault).__name__}") from None
        return address, driver

    def _post(self, address: Address, path: str, body: dict[str, str]) -> int:
        """The status of a request to the server's HTTP side."""
        credentials = base64.b64encode(f"root:{self._place.password()}".encode()).decode()
        headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", address.http_port, timeout=_HTTP_S_MAX)
        try:
            connection.request("POST", path, json.dumps(body), headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            raise LedgerUnavailable("the engine does not answer over HTTP") from None
        finally:
            connection.close()
