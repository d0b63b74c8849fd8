"""The console as its owner's browser meets it: the real app over HTTP, and a real curator beside it."""

from __future__ import annotations

import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from curator.curating import Curator
from curator.worker import Worker
from cypher.directing import Directing
from cypher.engine import Engine
from cypher.keys import read_key
from cypher.settings import Settings
from policies.directives import Verb
from policies.terms import Instant, OutcomeRecord, Proposal, ProposalId
from service.console.signing import Signing
from service.console.site import Page
from tests.support.browser_forms import Browser
from tests.support.clocks import CountingIds
from tests.support.house import House, open_house, web_server
from tests.support.redis_server import free_port
from tests.support.waiting import eventually

PASSPHRASE = "correct horse battery staple"
NOW = Instant(int(datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp() * 1_000_000))


@dataclass(frozen=True)
class Served:
    """A console that serves, with its owner's passphrase chosen. No curator is at work: tests commit themselves."""

    house: House
    address: str

    def browser(self, language: str = "en") -> Browser:
        """A browser that nobody has signed in with. Close it, or use it as a context."""
        return Browser(self.address, language)

    def owners(self, language: str = "en") -> Browser:
        """The owner's browser, signed in."""
        browser = self.browser(language)
        browser.sign_in(PASSPHRASE)
        return browser


@dataclass(frozen=True)
class Console(Served):
    """The same, with a curator that takes up what the owner directs."""

    curator: Curator

    def propose(
        self, statement: str = "", *, tool: str = "claude", action: str = "remember", **payload: object
    ) -> ProposalId:
        """Submit a statement, or what has none, as a tool would; it waits for the next run."""
        granted = {grant.name: grant for grant in self.house.grants().listed()}
        grant = granted.get(tool) or self.house.grant(tool).grant
        self.house.clock.advance(60)
        proposal = Proposal(
            id=ProposalId(self.house.ids.new("prop")),
            action=action,
            payload={"statement": statement, **payload} if statement else payload,
            submitted_at=self.house.clock.now(),
            grant=grant.id,
            grant_name=grant.name,
            grant_level=grant.level,
        )
        return self.house.inbox.submit(proposal, key=None, digest=proposal.id)

    def direct(self, verb: Verb, **payload: object) -> OutcomeRecord:
        """Carry out a directive of the owner's from outside the console, as the command line does."""
        house = self.house
        directing = Directing(
            house.inbox,
            house.reader,
            key=read_key(house.settings.keys_dir, "owner"),
            clock=house.clock,
            ids=house.ids,
            zone=house.settings.zone,
            language="en",
        )
        submitted = directing.submit(verb, directing.checked(verb, payload))
        eventually(lambda: bool(directing.decided([submitted])))
        return directing.decided([submitted])[submitted]


@contextmanager
def open_served(settings: Settings, engine: Engine) -> Generator[Served]:
    """A console on an engine, its store emptied first."""
    port = free_port()
    with open_house(replace(settings, port=port), engine) as house:
        house.clock.at = NOW
        Signing(house.store, house.clock).choose(PASSPHRASE)
        with web_server(house, port) as address:
            yield Served(house, address)


@contextmanager
def open_console(settings: Settings, engine: Engine) -> Generator[Console]:
    """A console on an engine, its store emptied first; the curator serves the owner's lane and runs when asked."""
    port = free_port()
    with open_house(replace(settings, port=port), engine) as house:
        house.clock.at = NOW
        Signing(house.store, house.clock).choose(PASSPHRASE)
        curator = Curator(house.settings, engine.graph, house.clock, CountingIds("curator"))
        stop = threading.Event()
        worker = Worker(curator, None, house.clock, house.clock.now(), stop)
        thread = threading.Thread(target=worker.serve)
        thread.start()
        try:
            with web_server(house, port) as address:
                yield Console(house, address, curator)
        finally:
            stop.set()
            thread.join(20)


def address_of(page: Page, **values: str) -> str:
    """An address that a page's route answers to, with these parameters; ``x`` for the others."""
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: values.get(found[1], "x"), page.path)
