from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from policies.parameters import parameters
from policies.terms import Instant
from service.grants import Grants, store_audience
from service.stores.sqlite import SqliteStore
from tests.support.clocks import CountingIds, SetClock


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> SetClock:
    return SetClock(Instant(1_790_000_000_000_000))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "kv.sqlite3")
    yield store
    store.close()


@pytest.fixture
def grants(store: SqliteStore, clock: SetClock) -> Grants:
    return Grants(store, parameters(), clock, CountingIds(), store_audience("default"))
