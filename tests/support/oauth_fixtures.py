"""One service for the tests of a module: they share its store, and wait a minute of its clock between each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx2
import pytest

from cypher.engine import Engine
from cypher.settings import Settings
from policies.terms import EntityId, Level
from tests.support.house import House, open_house, web_server
from tests.support.memories import memory, registered
from tests.support.oauth import OAuthClient, Owner

OpenEngine = Callable[[str], tuple[Settings, Engine]]


@pytest.fixture(scope="module")
def served_house(open_engine: OpenEngine) -> Iterator[House]:
    """A store with a memory in it."""
    settings, engine = open_engine("arcadedb")
    with open_house(settings, engine) as house:
        house.commit(registry=[registered("owner", owner=True, level=Level.S0)])
        house.commit(memory("bike", text="Louise owns a red bike", anchors=(EntityId("ent:owner"),)))
        yield house


@pytest.fixture(scope="module")
def service(served_house: House) -> Iterator[str]:
    """The address of the service of that store."""
    with web_server(served_house) as address:
        yield address


@pytest.fixture
def http(served_house: House, service: str) -> Iterator[httpx2.Client]:
    """A browser, or a program, at the service. What earlier tests used up of the rates is given back."""
    served_house.clock.advance(120)
    with httpx2.Client(base_url=service, trust_env=False, timeout=30) as http:
        yield http


@pytest.fixture
def owner(served_house: House, service: str) -> Owner:
    """The owner of that store."""
    return Owner(served_house, service)


@pytest.fixture
def client(http: httpx2.Client, owner: Owner) -> OAuthClient:
    """A client that has not registered yet."""
    return OAuthClient(http, owner)
