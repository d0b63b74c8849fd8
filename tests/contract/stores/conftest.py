from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.stores.protocol import Store
from service.stores.redis import RedisStore
from service.stores.sqlite import SqliteStore

Opener = Callable[[], Store]


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=pytest.mark.redis)])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens the same store again and again, as several processes do."""
    opened: list[Store] = []
    name = secrets.token_hex(8)
    url = request.getfixturevalue("redis_url") if request.param == "redis" else ""

    def open_one() -> Store:
        store = RedisStore(url, name) if url else SqliteStore(tmp_path / "kv.sqlite3")
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> Store:
    return opener()
