"""A curator in this process, on a real graph, with a clock that is set: what tools propose and the owner directs."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from curator.curating import Curator
from curator.settle import RunReport
from cypher.engine import Engine
from cypher.inbox import ProposalView
from cypher.keys import read_key
from cypher.machine import machine_key, new_link
from cypher.reader import Reader
from cypher.settings import Settings
from policies.directives import prove
from policies.machine_links import LinkPurpose, bind
from policies.passkeys import challenge_of
from policies.ports import Clock, IdFactory
from policies.terms import (
    Entity,
    GrantId,
    Instant,
    Level,
    Memory,
    MemoryId,
    Outcome,
    OutcomeRecord,
    Proposal,
    ProposalId,
    Version,
)
from tests.support.authenticator import Authenticator
from tests.support.clocks import CountingIds, SetClock
from tests.support.graphs import make_settings


class MovingClock(Clock, Protocol):
    """A clock that time passes on when a test says so."""

    def advance(self, seconds: float) -> None:
        """Move on, where nobody else moves it."""
        ...


class Curated:
    """A store whose curator runs when the test says so. A minute passes between two submissions."""

    def __init__(self, settings: Settings, engine: Engine, *, now: str = "2026-11-30T10:00:00+01:00") -> None:
        self.settings = settings
        self.engine = engine
        self.set_clock = SetClock(instant(now))
        self.clock: MovingClock = self.set_clock
        self.ids: IdFactory = CountingIds("curated")
        self.curator = Curator(settings, engine.graph, self.clock, self.ids)
        self.reader = Reader(engine.graph)
        self.stop = threading.Event()
        self._key = read_key(settings.keys_dir, "owner")
        self._submitted = itertools.count()

    def propose(
        self,
        action: str,
        *,
        tool: str = "claude",
        level: Level = Level.S2,
        domains: tuple[str, ...] | None = None,
        key: str | None = None,
        **payload: object,
    ) -> ProposalId:
        """Submit what a tool proposes. ``domains_`` in a payload stands for ``domains``."""
        payload = {name.rstrip("_"): value for name, value in payload.items()}
        proposal = Proposal(
            id=ProposalId(self.ids.new("prop")),
            action=action,
            payload=payload,
            submitted_at=self._later(),
            grant=GrantId(f"grant:{tool}"),
            grant_name=tool,
            grant_level=level,
            grant_domains=domains,
        )
        return self.curator.inbox.submit(proposal, key=key, digest=repr(payload))

    def remember(self, statement: str, **more: object) -> ProposalId:
        """Submit a statement as a tool would."""
        return self.propose("remember", **{"statement": statement, **more})  # pyright: ignore[reportArgumentType]

    def direct(self, verb: str, *, proof: str | None = None, **payload: object) -> OutcomeRecord:
        """Submit a directive of the owner's and have it taken up."""
        submitted = self.submit_directive(verb, proof=proof, **payload)
        self.lane()
        return self.outcome(submitted)

    def submit_directive(self, verb: str, *, proof: str | None = None, **payload: Any) -> ProposalId:
        """Submit a directive of the owner's. ``from_`` in a payload stands for ``from``."""
        draft = Proposal(
            id=ProposalId(self.ids.new("prop")),
            action=verb,
            payload={name.rstrip("_"): value for name, value in payload.items()},
            submitted_at=self._later(),
            grant=None,
        )
        key = machine_key(self.settings.keys_dir) if verb == "owner_reset" else self._key
        return self.curator.inbox.submit(
            replace(draft, proof=proof or prove(key, draft)), key=None, digest=draft.id
        )

    def link(self, authenticator: Authenticator, *, seconds: float = 600) -> str:
        """A machine link that is good for so long, bound to a passkey."""
        expires_at = Instant(self.clock.now() + int(seconds * 1_000_000))
        token = new_link(self.settings.keys_dir, LinkPurpose.PASSKEY, expires_at)
        return bind(token, authenticator.id, authenticator.public_key)

    def first_passkey(self, authenticator: Authenticator) -> None:
        """Enrol the first passkey, with a link."""
        outcome = self.direct("enrol_passkey", **authenticator.enrolment, link=self.link(authenticator))
        if outcome.outcome is not Outcome.COMMITTED:
            raise AssertionError(f"{outcome.outcome}: {outcome.reason}")

    def confirm(self, waiting: ProposalId, authenticator: Authenticator) -> OutcomeRecord:
        """Answer with a passkey for a directive that waits for one; what became of the confirmation."""
        assertion = authenticator.get(challenge_of(self.view(waiting).proposal))
        return self.direct("confirm", proposal=waiting, assertion=assertion)

    def register(self, name: str, kind: str = "person", **more: Any) -> Entity:
        """Register an entity."""
        submitted = self.submit_directive("register", name=name, type=kind, **more)
        self.lane()
        outcome = self.outcome(submitted)
        return self.reader.registry().entities[outcome.details["entity"]]  # pyright: ignore[reportArgumentType]

    def lane(self) -> None:
        """Take up the directives that wait."""
        with self._leading():
            self.curator.serve_lane(self.stop)

    def run(self) -> RunReport:
        """Run over the inbox."""
        self._later()
        with self._leading():
            return self.curator.run(self.curator.asked_run(), self.stop)

    def retry(self) -> None:
        """Try again what failed and whose delay is over."""
        with self._leading():
            self.curator.retry_failed(self.stop)

    def decided(self, proposal: ProposalId) -> OutcomeRecord:
        """Run, then tell what became of a proposal."""
        self.run()
        return self.outcome(proposal)

    def view(self, proposal: ProposalId) -> ProposalView:
        """A proposal as it stands."""
        return self.curator.inbox.view(ids=[proposal], limit=1)[0]

    def outcome(self, proposal: ProposalId) -> OutcomeRecord:
        """What became of a proposal."""
        outcome = self.view(proposal).outcome
        if outcome is None:
            raise AssertionError(f"{proposal} is not decided")
        if outcome.outcome is Outcome.ERROR:
            raise AssertionError(f"{proposal} met {outcome.reason}")
        return outcome

    def memory(self, proposal: ProposalId) -> Version:
        """The memory that a proposal became."""
        outcome = self.outcome(proposal)
        if not outcome.memories:
            raise AssertionError(f"{proposal} became {outcome.outcome}: {outcome.reason} {outcome.details}")
        return self.version(outcome.memories[-1])

    def memory_of(self, proposal: ProposalId) -> Memory:
        """Run, then give the memory that a proposal became."""
        self.run()
        return self.memory(proposal).memory

    def version(self, memory: MemoryId) -> Version:
        """A memory and its state."""
        return self.reader.versions([memory])[memory]

    @contextmanager
    def _leading(self) -> Generator[None]:
        with self.curator.leadership as lead:
            if not lead.try_take():
                raise AssertionError("another curator leads")
            yield

    def _later(self) -> Instant:
        self.clock.advance(60)
        return self.clock.now()


def acquainted(store: Curated) -> Curated:
    """The store, once it knows two Pauls, Léa, some employers and a town."""
    for name in ("Paul Durand", "Paul Martin", "Léa Roux"):
        store.register(name)
    for name in ("Acme", "Globex", "Initech"):
        store.register(name, "organisation")
    store.register("Lyon", "place")
    return store


def said(outcome: OutcomeRecord) -> tuple[Outcome, str]:
    """What was decided, and why."""
    return outcome.outcome, outcome.reason


def instant(text: str) -> Instant:
    """An ISO date-time with its offset, as an instant."""
    return Instant(round(datetime.fromisoformat(text).timestamp() * 1_000_000))


def curated(tmp_path: Path, engine: Engine) -> Curated:
    """A curated store of its own keys and checkpoints, on an emptied graph."""
    return Curated(make_settings(tmp_path / "curated"), engine)
