"""What all tests share: graphs on every engine, and a Redis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from xdist.remote import Producer  # pyright: ignore[reportMissingTypeStubs]

from cypher.engine import Engine, connect
from cypher.graph import Graph
from cypher.settings import Settings
from tests.support.components import absent
from tests.support.graphs import make_settings, wipe
from tests.support.neo4j_server import PASSWORD, RELEASES, CannotRun, running_neo4j
from tests.support.redis_server import redis_binary, running_redis
from tests.support.scheduling import ByEngine, order_of

OpenEngine = Callable[[str], tuple[Settings, Engine]]

ENGINES = ["arcadedb", *(pytest.param(name, marks=pytest.mark.neo4j) for name in RELEASES)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first."""
    items.sort(key=lambda item: order_of(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByEngine:
    """Several workers share the tests by file and by engine, in the order just given."""
    config.option.loadscopereorder = False
    return ByEngine(config, log)


@pytest.fixture(scope="session")
def open_engine(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[OpenEngine]:
    """Starts an engine of a name when it is first asked for; all end with the session."""
    opened: dict[str, tuple[Settings, Engine]] = {}
    unavailable: dict[str, str] = {}
    with ExitStack() as stack:

        def settings_of(name: str) -> Settings:
            home = tmp_path_factory.mktemp(f"home-{name}")
            if name == "arcadedb":
                return make_settings(home)
            url = stack.enter_context(running_neo4j(RELEASES[name], tmp_path_factory.mktemp(name)))
            password_file = home / "graph.password"
            password_file.write_text(PASSWORD, "utf-8")
            return make_settings(home, graph_url=url, graph_password_file=password_file)

        def open_named(name: str) -> tuple[Settings, Engine]:
            if name in unavailable:
                absent("neo4j", unavailable[name])
            if name not in opened:
                try:
                    settings = settings_of(name)
                except CannotRun as fault:
                    unavailable[name] = str(fault)
                    absent("neo4j", str(fault))
                opened[name] = settings, stack.enter_context(connect(settings))
            return opened[name]

        yield open_named


@pytest.fixture(params=ENGINES)
def engine_name(request: pytest.FixtureRequest) -> str:
    """``arcadedb``, ``neo4j-5`` and ``neo4j-current``, in turn."""
    return str(request.param)


@pytest.fixture
def engine(open_engine: OpenEngine, engine_name: str) -> Engine:
    """Each engine in turn, its graph emptied. It is shared by the session: do not close it."""
    engine = open_engine(engine_name)[1]
    wipe(engine.graph)
    return engine


@pytest.fixture
def settings(open_engine: OpenEngine, engine_name: str, engine: Engine) -> Settings:
    """The settings of the store that ``engine`` and ``graph`` work on, for processes of the test's own."""
    return open_engine(engine_name)[0]


@pytest.fixture
def graph(engine: Engine) -> Graph:
    """An emptied graph with its schema, on each engine in turn."""
    return engine.graph


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Redis."""
    if redis_binary() is None:
        absent("redis", "no redis-server on this machine: the Redis store was not tested")
    with running_redis(tmp_path_factory.mktemp("redis")) as url:
        yield url
