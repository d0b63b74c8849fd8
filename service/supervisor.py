"""``mnemo serve``: keeps the engine, the curator and the web process running, and ends them together.

The children meet only in the ledger. Each holds a pipe from this process as its standard input and ends when
it closes, so that not even ``kill -9`` of the supervisor leaves one behind. A child that dies is started again,
later each time, up to a bound; what it had acknowledged is on disk.
"""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

import httpx2

from cypher.engine import connect
from cypher.keys import check_keys
from cypher.schedule import Nightly
from cypher.settings import Settings, is_loopback
from policies.errors import CannotListen, SettingInvalid

log = logging.getLogger("mnemo.supervisor")

RESTART_DELAY_S_MAX = 30.0
STEADY_S = 60.0
"""A child that lived this long starts again at once."""
STOP_GRACE_S = 10.0
POLL_S = 0.2


@dataclass(slots=True)
class Child:
    """One process that the supervisor keeps alive."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    failures: int = 0
    not_before: float = field(default=0.0)

    def start(self) -> None:
        """Start it, with our pipe as its standard input."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, start_new_session=True)
        self.started_at = time.monotonic()
        log.info("started %s", self.name)

    def keep(self) -> None:
        """Start it again if it died and its delay is over."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.not_before:
                self.start()
            return
        code = self.process.poll()
        if code is None:
            return
        self.failures = 0 if now - self.started_at > STEADY_S else self.failures + 1
        self.not_before = now + min(RESTART_DELAY_S_MAX, 0.5 * 2.0**self.failures if self.failures else 0.0)
        self._close_pipe()
        self.process = None
        log.warning("%s ended with %s", self.name, code)

    def ask_to_stop(self) -> None:
        """Close its pipe and ask it to end."""
        if self.process is not None:
            self._close_pipe()
            self.process.terminate()

    def wait_stopped(self, deadline: float) -> None:
        """Wait until it ended; kill it after the deadline (monotonic seconds)."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            log.warning("killing %s", self.name)
            self.process.kill()
            self.process.wait()

    def _close_pipe(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()


def child_command(module: str, settings: Settings, *more: str) -> list[str]:
    """How a Python child of this installation is called for a store."""
    return [
        sys.executable,
        "-m",
        module,
        "--home",
        str(settings.home),
        "--store",
        settings.store,
        *more,
    ]


def check_bind(settings: Settings) -> None:
    """Refuse to listen to the world without an https address (G15).

    Raises:
        SettingInvalid: the host is not loopback and ``MNEMO_PUBLIC_URL`` is not https.
    """
    if not is_loopback(settings.host) and not (settings.public_url or "").startswith("https://"):
        raise SettingInvalid(
            setting="MNEMO_PUBLIC_URL",
            problem="setting.public",
            host=settings.host,
        )


def check_free(settings: Settings) -> None:
    """See that nobody listens on our address, before the minute that a start may take.

    Raises:
        CannotListen: somebody does, or it is no address of this machine.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        try:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((settings.host, settings.port))
            probe.listen(1)
        except OSError as fault:
            raise CannotListen(host=settings.host, port=settings.port) from fault


def check_startable(settings: Settings) -> None:
    """See what would end the children as soon as they start, which starting them again does not mend.

    Raises:
        StoreInvalid: a key is missing or damaged.
        SettingInvalid: the nightly schedule does not parse.
    """
    check_keys(settings.keys_dir)
    Nightly(settings.nightly, settings.zone)


def supervise(settings: Settings, ready: Callable[[], None]) -> None:
    """Run until asked to stop (SIGINT, SIGTERM).

    Args:
        settings: of the store to serve.
        ready: called once when the web process answers.

    Raises:
        SettingInvalid: see ``check_bind`` and ``check_startable``.
        StoreInvalid: see ``check_startable``.
        LedgerUnavailable: the engine cannot be started.
        CannotListen: the address is taken.
    """
    check_bind(settings)
    check_startable(settings)
    check_free(settings)
    stop = threading.Event()
    _on_signals(stop)
    with connect(settings):
        children = [
            Child("curator", child_command("curator", settings)),
            Child(
                "web",
                child_command("service", settings, "--host", settings.host, "--port", str(settings.port)),
            ),
        ]
        threading.Thread(target=_announce, args=(settings, stop, ready), daemon=True).start()
        try:
            while not stop.wait(POLL_S):
                for child in children:
                    child.keep()
        finally:
            stop.set()
            for child in children:
                child.ask_to_stop()
            deadline = time.monotonic() + STOP_GRACE_S
            for child in children:
                child.wait_stopped(deadline)


def _on_signals(stop: threading.Event) -> None:
    def ask(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGINT, ask)
    signal.signal(signal.SIGTERM, ask)


def _announce(settings: Settings, stop: threading.Event, ready: Callable[[], None]) -> None:
    """Wait until the web process says that everything answers, then tell it once."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "localhost", "::") else settings.host  # noqa: S104
    bracketed = f"[{host}]" if ":" in host else host
    with httpx2.Client(timeout=2.0, trust_env=False) as client:
        while not stop.wait(POLL_S):
            try:
                answer = client.get(f"http://{bracketed}:{settings.port}/readyz")
            except httpx2.HTTPError:
                continue
            if answer.status_code == 200:
                ready()
                return
