"""The store in Redis: for several machines. What must be atomic is a Lua script, one round trip each."""

from __future__ import annotations

from service.stores.redis.connection import Connection
from service.stores.redis.console import RedisConsole
from service.stores.redis.grants import RedisGrants
from service.stores.redis.oauth import RedisOAuth
from service.stores.redis.rates import RedisRates


class RedisStore:
    """Implements ``service.stores.protocol.Store``."""

    def __init__(self, url: str, store: str, password: str | None = None) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            url: ``redis://``, ``rediss://`` or ``unix://``, without a password.
            store: the store's name: stores may share a server.
            password: from a file, never from an address.
        """
        self._connection = Connection(url, store, password)
        self._grants = RedisGrants(self._connection)
        self._rates = RedisRates(self._connection)
        self._oauth = RedisOAuth(self._connection)
        self._console = RedisConsole(self._connection)

    @property
    def grants(self) -> RedisGrants:
        """See ``Store.grants``."""
        return self._grants

    @property
    def rates(self) -> RedisRates:
        """See ``Store.rates``."""
        return self._rates

    @property
    def oauth(self) -> RedisOAuth:
        """See ``Store.oauth``."""
        return self._oauth

    @property
    def console(self) -> RedisConsole:
        """See ``Store.console``."""
        return self._console

    def ping(self) -> None:
        """See ``Store.ping``."""
        self._connection.ping()

    def close(self) -> None:
        """See ``Store.close``."""
        self._connection.close()
