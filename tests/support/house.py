"""A whole store for tests of the service: real engine, a clock that is set, memories committed at will."""

from __future__ import annotations

import itertools
import shutil
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
import uvicorn
from mcp.server import Server

from cypher.committer import Committer
from cypher.engine import Engine
from cypher.inbox import Inbox
from cypher.machine import machine_key
from cypher.reader import Reader
from cypher.service_log import ServiceLog
from cypher.settings import Settings
from policies.decision import (
    Decision,
    NamedUnregistered,
    Reclassification,
    RegistryChange,
    RestsOn,
    Settlement,
)
from policies.parameters import parameters
from policies.terms import Grant, Level, Memory, MemoryId, Outcome, Proposal, ProposalId
from service.app import create_app
from service.calls import Calls
from service.grants import Granted, Grants, Mode, store_audience
from service.ledger import Ledger
from service.mcp import Caller, Context, build_server
from service.metrics import Metrics
from service.oauth.documents import Fetch
from service.opening import build_calls, hold
from service.stores import open_store
from service.stores.protocol import Store
from tests.support.clocks import CountingIds, SetClock
from tests.support.graphs import wipe
from tests.support.memories import at
from tests.support.redis_server import free_port

LEASE_US = 10**15
START_S_MAX = 30.0


@dataclass
class House:
    """A store, its engine, and what tests do to it."""

    settings: Settings
    engine: Engine
    store: Store
    clock: SetClock = field(default_factory=lambda: SetClock(at(1_000_000)))
    ids: CountingIds = field(default_factory=CountingIds)

    def __post_init__(self) -> None:
        self.inbox = Inbox(self.engine.graph)
        self.reader = Reader(self.engine.graph)
        self.service_log = ServiceLog(self.engine.graph)
        self.committer = Committer(
            self.engine.graph, machine_key(self.settings.keys_dir), CountingIds("salts")
        )
        self._directives = itertools.count()

    def grants(self) -> Grants:
        """The grants of the store."""
        audience = store_audience(self.settings.store)
        return Grants(self.store, parameters(), self.clock, self.ids, audience)

    def grant(
        self,
        name: str = "claude",
        scope: str = "assistant-standard",
        *,
        domains: list[str] | None = None,
        mode: Mode = "both",
        language: str | None = "en",
    ) -> Granted:
        """Grant a tool."""
        return self.grants().grant(name, scope, domains=domains, mode=mode, language=language)

    def commit(
        self,
        *memories: Memory,
        registry: Iterable[RegistryChange] = (),
        reclassified: Iterable[Reclassification] = (),
    ) -> None:
        """Record memories and changes as the curator would for directives of the owner."""
        for memory in memories:
            directive = self._directive()
            whole = replace(memory, root=directive, parameters=parameters().digest)
            self.settle(directive, Outcome.COMMITTED, memories=(whole,))
        for change in registry:
            self.settle(self._directive(), Outcome.COMMITTED, registry=(change,))
        if changes := tuple(reclassified):
            self.settle(self._directive(), Outcome.COMMITTED, reclassifications=changes)

    def settle(
        self,
        proposal: ProposalId,
        outcome: Outcome,
        reason: str = "committed",
        *,
        level: Level = Level.S0,
        memories: tuple[Memory, ...] = (),
        registry: tuple[RegistryChange, ...] = (),
        reclassifications: tuple[Reclassification, ...] = (),
        unregistered: tuple[NamedUnregistered, ...] = (),
        seen: tuple[MemoryId, ...] = (),
    ) -> None:
        """Decide a proposal: what it commits, or what it says the same as (``seen``)."""
        lease = self.committer.acquire("test", LEASE_US, self.clock.now())
        if lease is None:
            raise RuntimeError("another curator holds the lease")
        head = self.reader.head()
        shown = tuple(memory.id for memory in memories) or seen
        decision = Decision(
            proposal=proposal,
            root=proposal,
            rests_on=RestsOn(registry_seq=head.registry_seq, watermark=head.seq),
            settlements=(Settlement(proposal, outcome, reason, level, shown),),
            memories=memories,
            registry=registry,
            reclassifications=reclassifications,
            unregistered=unregistered,
        )
        self.committer.commit(lease, decision, self.clock.now())

    def _directive(self) -> ProposalId:
        directive = ProposalId(f"prop:directive{next(self._directives)}")
        proposal = Proposal(directive, "declare", {}, self.clock.now(), grant=None)
        return self.inbox.submit(proposal, key=None, digest=directive)


@contextmanager
def open_house(settings: Settings, engine: Engine) -> Generator[House]:
    """A house on an engine, its store emptied first. The engine stays open."""
    wipe(engine.graph)
    for file in settings.store_dir.glob("kv.sqlite3*"):
        file.unlink()
    for folder in ("index", "checkpoints"):
        shutil.rmtree(settings.store_dir / folder, ignore_errors=True)
    store = open_store(settings)
    try:
        yield House(settings, engine, store)
    finally:
        store.close()


@contextmanager
def mcp_server(house: House, grant: Grant) -> Generator[Server[Any]]:
    """An MCP server in this process that takes every request for this grant's."""
    opened = hold(house.engine, house.settings, house.clock, parameters())
    ledger = Ledger(lambda: opened)
    calls = build_calls(house.settings, ledger, parameters(), house.clock, house.ids, Metrics())
    grants = house.grants()

    async def caller(_ctx: Context) -> Grant:
        return grants.current(grant.id)

    ledger.open()
    try:
        yield build_server(calls, caller)
    finally:
        opened.reading.close()


@contextmanager
def web_server(
    house: House,
    port: int | None = None,
    fetch: Fetch | None = None,
    build: Callable[[Calls, Caller], Server[Any]] = build_server,
) -> Generator[str]:
    """The real app over HTTP on a port of the loopback, a free one by default; gives its address."""
    settings = replace(house.settings, port=port or free_port())
    app = create_app(settings, clock=house.clock, ids=house.ids, fetch=fetch, build=build)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http="h11",
            port=settings.port,
            log_config=None,
            ws="none",
            lifespan="on",
            proxy_headers=False,
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        _wait_until_open(server, settings.port)
        yield f"http://localhost:{settings.port}"
    finally:
        server.should_exit = True
        thread.join(20)


def _wait_until_open(server: uvicorn.Server, port: int) -> None:
    deadline = time.monotonic() + START_S_MAX
    with httpx2.Client(trust_env=False) as http:
        while time.monotonic() < deadline and not server.should_exit:
            try:
                if http.get(f"http://localhost:{port}/readyz").json()["index"]:
                    return
            except httpx2.TransportError:
                pass
            time.sleep(0.05)
    raise RuntimeError("the web server did not start")
