"""The curator as the process it is, for tests that kill it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from curator.curating import Curator
from cypher.engine import Engine
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import Settings
from policies.terms import Instant
from tests.support.curated import Curated

WAIT_S_MAX = 120.0


class SystemTime:
    """The system's clock, which nobody moves. Stands for ``SetClock``."""

    def now(self) -> Instant:
        """The system's time."""
        return SystemClock().now()

    def advance(self, seconds: float) -> None:
        """Time passes by itself."""
        del seconds


def beside_processes(settings: Settings, engine: Engine) -> Curated:
    """The store of the engine's own home, so that other processes find it; with the system's clock."""
    shutil.rmtree(settings.store_dir / "checkpoints", ignore_errors=True)
    store = Curated(settings, engine)
    store.clock = SystemTime()
    store.curator = Curator(settings, engine.graph, SystemClock(), RandomIds())
    store.ids = RandomIds()
    return store


def start_curator(settings: Settings, *more: str) -> subprocess.Popen[bytes]:
    """Start one on a store. It ends when the test's end of its standard input closes."""
    environment = dict(os.environ)
    if settings.graph_url is not None:
        environment["MNEMO_GRAPH_URL"] = settings.graph_url
        environment["MNEMO_GRAPH_PASSWORD_FILE"] = str(settings.graph_password_file)
    command = [
        sys.executable,
        "-m",
        "curator",
        "--home",
        str(settings.home),
        "--store",
        settings.store,
        *more,
    ]
    return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)


@contextmanager
def curator_process(settings: Settings, *more: str) -> Generator[subprocess.Popen[bytes]]:
    """A curator for the length of a test."""
    process = start_curator(settings, *more)
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[bytes]) -> int:
    """Close its standard input and wait until it has ended; its exit code."""
    if process.stdin is not None and not process.stdin.closed:
        process.stdin.close()
    try:
        return process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill it, as kill -9 does."""
    process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def until(holds: Callable[[], bool], *, seconds: float = WAIT_S_MAX) -> None:
    """Poll until something holds, within a bound."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"it did not come to hold within {seconds} s")
        time.sleep(0.05)
