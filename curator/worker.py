"""COMPOSITION ROOT of the curator: the one process that writes to the ledger.

It holds the lease as long as it lives, takes up the owner's directives within seconds, and runs over the
whole inbox when the night's hour has come (or was missed) and when somebody asks for it. It ends when its
standard input closes, as the supervisor's pipe does, or on SIGTERM, between two commits.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import stat
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from curator.curating import Curator
from cypher.engine import connect
from cypher.runtime import RandomIds, SystemClock, configure_logging
from cypher.schedule import Nightly
from cypher.settings import Settings, load_settings
from policies.errors import CommitUncertain, LedgerUnavailable, MnemoError, StaleLease
from policies.ports import Clock
from policies.terms import Instant

POLL_S = 0.25
"""How long a directive may wait for the curator to look."""
FAILED_LOOK_US = 15_000_000
"""How often to look whether the delay of something that failed is over."""
RETRY_S_MIN = 0.5
RETRY_S_MAX = 10.0

log = logging.getLogger("mnemo.curator")


class Worker:
    """The loop of the curator's process."""

    def __init__(
        self,
        curator: Curator,
        nightly: Nightly | None,
        clock: Clock,
        created_at: Instant,
        stop: threading.Event,
    ) -> None:
        """Prepare to serve.

        Args:
            curator: decides and commits.
            nightly: when to run by itself; None for one that serves the owner's lane alone.
            clock: the process's.
            created_at: when the store was made: no night before it was missed.
            stop: set from outside to end, between two commits.
        """
        self._curator = curator
        self._nightly = nightly
        self._clock = clock
        self._last = created_at
        self._look_at = Instant(0)
        self._stop = stop

    def serve(self) -> None:
        """Serve until stopped. A graph that does not answer is waited for; a lost lease is taken again."""
        delay = RETRY_S_MIN
        while not self._stop.is_set():
            try:
                with self._curator.leadership as lead:
                    if lead.try_take():
                        log.info("curating")
                        delay = RETRY_S_MIN
                        self._lead()
                        return
            except (LedgerUnavailable, CommitUncertain, StaleLease) as fault:
                log.warning("waiting for the ledger: %s (%s)", fault.code, fault)
                delay = min(delay * 2, RETRY_S_MAX)
            self._stop.wait(delay)

    def _lead(self) -> None:
        while not self._stop.is_set():
            self._curator.keep_projection()
            self._curator.serve_lane(self._stop)
            asked = self._curator.asked_run()
            if asked is not None:
                self._curator.run(asked, self._stop)
            elif self._is_due():
                self._curator.run(None, self._stop)
            elif self._nightly is not None and self._clock.now() >= self._look_at:
                self._look_at = Instant(self._clock.now() + FAILED_LOOK_US)
                self._curator.retry_failed(self._stop)
            else:
                self._stop.wait(POLL_S)

    def _is_due(self) -> bool:
        if self._nightly is None:
            return False
        self._last = max(self._last, self._curator.last_nightly_at() or self._last)
        return self._nightly.is_due(last=self._last, now=self._clock.now())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the process; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m curator", description="The single writer of a Mnemo store."
    )
    parser.add_argument("--home", type=Path)
    parser.add_argument("--store")
    parser.add_argument("--lane-only", action="store_true", help="take up directives, run only when asked")
    options = parser.parse_args(arguments)
    configure_logging()
    stop = threading.Event()
    _end_on_signals(stop)
    _end_with_input(stop)
    try:
        settings = load_settings(options.home, options.store)
        serve(settings, stop, lane_only=options.lane_only)
    except MnemoError as fault:
        log.error("%s: %s %s", fault.code, fault, fault.details)  # noqa: TRY400  (no trace: it is told by name)
        return 5 if fault.category == "unavailable" else 2 if fault.category == "incorrect" else 70
    return 0


def serve(settings: Settings, stop: threading.Event, *, lane_only: bool = False) -> None:
    """Curate a store until stopped."""
    clock, ids = SystemClock(), RandomIds()
    nightly = None if lane_only else Nightly(settings.nightly, settings.zone)
    created_at = Instant((settings.store_dir / "store.toml").stat().st_mtime_ns // 1_000)
    delay = RETRY_S_MIN
    while not stop.is_set():
        try:
            engine = connect(settings)
        except LedgerUnavailable as fault:
            log.warning("the engine does not answer: %s", fault)
            stop.wait(delay)
            delay = min(delay * 2, RETRY_S_MAX)
            continue
        with engine:
            curator = Curator(settings, engine.graph, clock, ids)
            Worker(curator, nightly, clock, created_at, stop).serve()


def _end_on_signals(stop: threading.Event) -> None:
    def ask(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)


def _end_with_input(stop: threading.Event) -> None:
    """End when the supervisor's pipe closes. A terminal or /dev/null says nothing about anybody's life."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return

    def watch() -> None:
        while os.read(0, 4096):
            pass
        stop.set()

    threading.Thread(target=watch, name="supervisor's pipe", daemon=True).start()
