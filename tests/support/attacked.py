"""A store of a test file's own on the embedded engine, for attacks that share it: a curator, and tools of any scope."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from cypher.engine import Engine, connect
from cypher.settings import Settings
from policies.terms import Grant, ProposalId
from service.stores import open_store
from tests.support.asking import answered, refused
from tests.support.curated import Curated
from tests.support.graphs import make_settings, wipe
from tests.support.house import House, mcp_server

OpenEngine = Callable[[str], tuple[Settings, Engine]]


@contextmanager
def own_store(open_engine: OpenEngine, name: str, **overrides: Any) -> Generator[Curated]:
    """An empty store beside the one that other tests wipe; overrides are fields of ``Settings``."""
    shared, _ = open_engine("arcadedb")
    settings = make_settings(shared.home, name, **overrides)
    with connect(settings) as engine:
        wipe(engine.graph, claim=name)
        yield Curated(settings, engine)


@dataclass(frozen=True, slots=True)
class Tool:
    """A connected tool, asked over MCP from synchronous code."""

    grant: Grant
    client: Client
    portal: BlockingPortal

    def asks(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The answer of a call that must succeed."""
        return self.portal.call(lambda: answered(self.client, name, **arguments))

    def is_refused(self, name: str, **arguments: Any) -> str:
        """The code of the error of a call that must fail."""
        return self.portal.call(lambda: refused(self.client, name, **arguments))["code"]

    def proposes(self, name: str = "mem_remember", **arguments: Any) -> ProposalId:
        """The id on the receipt of a proposal."""
        return ProposalId(self.asks(name, **arguments)["proposal"])


@contextmanager
def tools_of(store: Curated, scopes: dict[str, str]) -> Generator[dict[str, Tool]]:
    """Tools connected to a curated store, by name, each with its scope."""
    with ExitStack() as stack:
        kept = stack.enter_context(_house(store))
        portal = stack.enter_context(start_blocking_portal())
        connected: dict[str, Tool] = {}
        for name, scope in scopes.items():
            grant = kept.grant(name, scope).grant
            server = stack.enter_context(mcp_server(kept, grant))
            client = stack.enter_context(portal.wrap_async_context_manager(Client(server, cache=None)))
            connected[name] = Tool(grant, client, portal)
        yield connected


@contextmanager
def _house(store: Curated) -> Generator[House]:
    """The service's side of the store, at the same time of day."""
    for file in store.settings.store_dir.glob("kv.sqlite3*"):
        file.unlink()
    kept = open_store(store.settings)
    try:
        yield House(store.settings, store.engine, kept, store.set_clock)
    finally:
        kept.close()
