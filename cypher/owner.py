"""The owner at the command line: submits directives with their proof and waits until they are taken up.

A directive is written into the inbox and decided by the curator, like everything that touches the ledger. When
no curator is alive one is started as a child, on a pipe that ends it when this session does.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from cypher.directing import PAGE, Directing
from cypher.engine import connect
from cypher.inbox import Inbox
from cypher.keys import read_key
from cypher.machine import machine_key
from cypher.reader import Reader
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import Settings
from policies.directives import Verb
from policies.errors import CuratorUnavailable
from policies.lifecycle import InboxState
from policies.registry import Registry
from policies.terms import OutcomeRecord, ProposalId

POLL_S = 0.05
UNDECIDED_S_MAX = 60.0
"""How long nothing may be decided before we stop waiting; what was submitted stays in the inbox."""
STOP_S_MAX = 15.0
SETTLED_POLL_S = 0.5


class OwnerSession:
    """One command's hold on the store; a context manager."""

    def __init__(self, settings: Settings, *, at_machine: bool = False) -> None:
        """Prepare to open a store.

        Args:
            settings: of the store.
            at_machine: prove by the ``machine`` key, as ``owner_reset`` must be.
        """
        self._settings = settings
        self._at_machine = at_machine
        self._clock = SystemClock()
        self._ids = RandomIds()
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.engine = connect(self._settings)
        self.inbox = Inbox(self.engine.graph)
        self.reader = Reader(self.engine.graph)
        keys_dir = self._settings.keys_dir
        self._directing = Directing(
            self.inbox,
            self.reader,
            key=machine_key(keys_dir) if self._at_machine else read_key(keys_dir, "owner"),
            clock=self._clock,
            ids=self._ids,
            zone=self._settings.zone,
            language=self._settings.facts.lang,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_curator()
        self.engine.close()

    def registry(self) -> Registry:
        """The registry as it stands."""
        return self.reader.registry()

    def direct(self, verb: str, payload: dict[str, object]) -> OutcomeRecord:
        """Submit one directive and wait for what becomes of it. Raises as ``direct_many``."""
        return self.direct_many([(verb, payload)])[0]

    def settled(self, directive: ProposalId) -> OutcomeRecord:
        """Wait until a directive that awaits the owner is settled: as long as it takes them.

        It is settled on the console, so that the service's own curator is at work then: ours makes room for it.

        Raises:
            LedgerUnavailable: the graph does not answer.
        """
        self._end_curator()
        while True:
            view = self.inbox.view(ids=[directive], limit=1)[0]
            if view.state is InboxState.SETTLED and view.outcome is not None:
                return view.outcome
            time.sleep(SETTLED_POLL_S)

    def direct_many(self, directives: Sequence[tuple[str, dict[str, object]]]) -> list[OutcomeRecord]:
        """Submit directives in order and wait for all of them; the outcomes are in the same order.

        Every payload is checked before the first is submitted.

        Raises:
            MnemoError: of category ``incorrect``: a payload is not whole (see ``policies.directives``).
            CuratorUnavailable: nothing was decided for a minute; what was submitted waits in the inbox.
            LedgerUnavailable: the graph does not answer.
        """
        directing = self._directing
        checked = [(Verb(verb), directing.checked(Verb(verb), payload)) for verb, payload in directives]
        submitted = [directing.submit(verb, payload) for verb, payload in checked]
        self._ensure_curator()
        return self._wait(submitted)

    def _wait(self, submitted: Sequence[ProposalId]) -> list[OutcomeRecord]:
        decided: dict[ProposalId, OutcomeRecord] = {}
        deadline = time.monotonic() + UNDECIDED_S_MAX
        while len(decided) < len(submitted):
            missing = [proposal for proposal in submitted if proposal not in decided][:PAGE]
            fresh = self._directing.decided(missing)
            if fresh:
                decided |= fresh
                deadline = time.monotonic() + UNDECIDED_S_MAX
                continue
            if time.monotonic() > deadline:
                raise CuratorUnavailable(f"{len(submitted) - len(decided)} directives wait")
            self._ensure_curator()
            time.sleep(POLL_S)
        return [decided[proposal] for proposal in submitted]

    def _ensure_curator(self) -> None:
        """Start a curator unless one is alive, or is starting on our behalf."""
        if self._child is not None and self._child.poll() is None:
            return
        if self.inbox.curator().alive_until > self._clock.now():
            return
        command = [sys.executable, "-m", "curator", "--home", str(self._settings.home)]
        self._child = subprocess.Popen(
            [*command, "--store", self._settings.store, "--lane-only"],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _end_curator(self) -> None:
        if self._child is None:
            return
        if self._child.stdin is not None:
            self._child.stdin.close()
        try:
            self._child.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._child = None
