from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.stores.protocol import Store
from service.stores.redis import RedisStore
from service.stores.sqlite import SqliteStore
from tests.support.redis_server import redis_binary, running_redis

Opener = Callable[[], Store]


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if redis_binary() is None:
        pytest.skip("no redis-server on this machine: the Redis store was not tested")
    with running_redis(tmp_path_factory.mktemp("redis")) as url:
        yield url


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
