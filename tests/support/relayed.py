"""A graph reached through a relay that cuts connections."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import urlsplit

import neo4j

from cypher.engine.driver import open_driver
from cypher.keeper.home import EngineHome
from cypher.settings import Settings
from tests.support.bolt_proxy import relay
from tests.support.neo4j_server import PASSWORD


class Relayed:
    """A connection through a relay: what ``Graph`` needs of one, and no more."""

    def __init__(self, driver: neo4j.Driver, database: str) -> None:
        self._driver = driver
        self.database = database
        self.failures = 0

    def driver(self, failed: neo4j.Driver | None = None) -> neo4j.Driver:
        self.failures += failed is not None
        return self._driver


@contextmanager
def relayed(settings: Settings, *, cut_at: bytes, times: int, deliver: bool) -> Generator[Relayed]:
    if settings.graph_url is None:
        place = EngineHome(settings.home)
        address = place.address()
        assert address is not None
        port, auth, database = address.bolt_port, ("root", place.password()), settings.database
    else:
        port, auth, database = urlsplit(settings.graph_url).port or 7687, ("neo4j", PASSWORD), "neo4j"
    with (
        relay(port, cut_at=cut_at, times=times, deliver=deliver) as through,
        open_driver(f"bolt://127.0.0.1:{through}", auth, retry_s_max=3) as driver,
    ):
        yield Relayed(driver, database)
