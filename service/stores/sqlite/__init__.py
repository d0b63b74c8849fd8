"""The store in one SQLite file: for one machine, shared by the processes on it."""

from __future__ import annotations

from pathlib import Path

from service.stores.sqlite.console import SqliteConsole
from service.stores.sqlite.database import Database
from service.stores.sqlite.grants import SqliteGrants
from service.stores.sqlite.oauth import SqliteOAuth
from service.stores.sqlite.rates import SqliteRates


class SqliteStore:
    """Implements ``service.stores.protocol.Store``."""

    def __init__(self, path: Path) -> None:
        """Open the file, creating it readable by this account alone.

        Raises:
            StoreUnavailable: it cannot be opened.
        """
        self._database = Database(path)
        self._grants = SqliteGrants(self._database)
        self._rates = SqliteRates(self._database)
        self._oauth = SqliteOAuth(self._database)
        self._console = SqliteConsole(self._database)

    @property
    def grants(self) -> SqliteGrants:
        """See ``Store.grants``."""
        return self._grants

    @property
    def rates(self) -> SqliteRates:
        """See ``Store.rates``."""
        return self._rates

    @property
    def oauth(self) -> SqliteOAuth:
        """See ``Store.oauth``."""
        return self._oauth

    @property
    def console(self) -> SqliteConsole:
        """See ``Store.console``."""
        return self._console

    def ping(self) -> None:
        """See ``Store.ping``."""
        self._database.row("SELECT 1")

    def close(self) -> None:
        """See ``Store.close``."""
        self._database.close()
