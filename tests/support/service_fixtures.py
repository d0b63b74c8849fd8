"""Fixtures of the service's tests: a store on the embedded engine, empty or furnished, and clients of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from mcp import Client

from cypher.engine import Engine
from cypher.settings import Settings
from policies.terms import EntityId, EntityType, Level
from service.grants import Granted
from tests.support.house import House, mcp_server, open_house, web_server
from tests.support.memories import memory, registered

OpenEngine = Callable[[str], tuple[Settings, Engine]]
Session = Callable[[Granted], AbstractAsyncContextManager[Client]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def house(open_engine: OpenEngine) -> Iterator[House]:
    """An empty store on the embedded engine."""
    settings, engine = open_engine("arcadedb")
    with open_house(settings, engine) as house:
        yield house


@pytest.fixture
def session(house: House) -> Session:
    """Opens the SDK's own client as a grant's."""

    @asynccontextmanager
    async def opened(granted: Granted) -> AsyncGenerator[Client]:
        with mcp_server(house, granted.grant) as server:
            async with Client(server) as client:
                yield client

    return opened


@pytest.fixture
def web(house: House) -> Iterator[str]:
    """The address of the real app of the empty store."""
    with web_server(house) as address:
        yield address


@pytest.fixture
def furnished(house: House) -> House:
    """A store with an owner, a firm, a friend and a doctor, and a memory at each level."""
    house.commit(
        registry=[
            registered("owner", owner=True, level=Level.S0),
            registered("acme", EntityType.ORGANISATION, aliases=("Acme Corp",)),
            registered("paul"),
            registered("doctor", level=Level.S3),
        ]
    )
    owner, acme, paul, doctor = (EntityId(f"ent:{name}") for name in ("owner", "acme", "paul", "doctor"))
    house.commit(
        memory("bike", text="Louise owns a red bike", anchors=(owner,), domains=("leisure",)),
        memory("job", text="Louise works for Acme", anchors=(owner, acme), domains=("work",), level=Level.S1),
        memory("friend", text="Paul is a friend of Louise", anchors=(owner, paul), level=Level.S1),
        memory(
            "pay", text="Acme pays Louise 4,200 euros", anchors=(acme,), domains=("work",), level=Level.S2
        ),
        memory("clinic", text="Louise sees the doctor weekly", anchors=(doctor,), level=Level.S3),
    )
    return house
