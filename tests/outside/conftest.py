from __future__ import annotations

from collections.abc import Iterator

import pytest

from policies.terms import EntityId, Level
from tests.support.console import Served, open_served
from tests.support.memories import memory, registered
from tests.support.service_fixtures import OpenEngine


@pytest.fixture(scope="module")
def served(open_engine: OpenEngine) -> Iterator[Served]:
    """A service with a memory in it and its owner's passphrase chosen; a module's tests share it."""
    settings, engine = open_engine("arcadedb")
    with open_served(settings, engine) as served:
        served.house.commit(registry=[registered("owner", owner=True, level=Level.S0)])
        served.house.commit(memory("bike", text="Louise owns a red bike", anchors=(EntityId("ent:owner"),)))
        yield served
