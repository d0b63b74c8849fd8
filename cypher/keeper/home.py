"""The embedded engine's place in the home, and how the processes that use it share one server.

Each user holds an OS lock on a file of its own in ``engine/users``; the keeper, which runs the server, holds
``engine/keeper.lock``. Such a lock ends with its process, however that ends, so what they say is always true:
no count can be left wrong by a kill. ``engine.lock`` is held while somebody joins, starts or stops.
``engine.json`` says where the server listens; it is only believed while a keeper lives.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from policies.errors import LedgerUnavailable, SettingInvalid

START_S_MAX = 90.0
"""How long a start may take on a busy machine; four seconds on a calm one."""
STOP_S_MAX = 30.0
POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Address:
    """Where the running server is."""

    pid: int
    started: float
    """The process's creation time in seconds since the epoch: a pid alone may be another's by now."""
    http_port: int
    bolt_port: int
    ready: bool


class EngineHome:
    """The files of one home's engine."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.directory = home / "engine"
        self.users = self.directory / "users"
        self.password_file = self.directory / "root.password"
        self.output = self.directory / "output.log"
        self._address_file = home / "engine.json"

    def prepare(self) -> None:
        """Create the directories, readable by this account alone."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.directory.mkdir(mode=0o700, exist_ok=True)
        self.users.mkdir(mode=0o700, exist_ok=True)

    def address(self) -> Address | None:
        """What ``engine.json`` says; None if it is absent or damaged."""
        try:
            return Address(**json.loads(self._address_file.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def write_address(self, address: Address) -> None:
        """Say where the server is, whole or not at all."""
        draft = self._address_file.with_suffix(".json.new")
        draft.write_text(json.dumps(asdict(address)) + "\n", "utf-8")
        draft.chmod(0o600)
        draft.replace(self._address_file)

    def forget_address(self) -> None:
        """The server is no more."""
        self._address_file.unlink(missing_ok=True)

    def mutex(self) -> FileLock:
        """Held while joining, starting and stopping."""
        return _lock(self.home / "engine.lock")

    def keeper_lock(self) -> FileLock:
        """Held by the keeper for its life."""
        return _lock(self.directory / "keeper.lock")

    def new_seat(self) -> FileLock:
        """A lock for one more user; taken and released by that user."""
        return _lock(self.users / f"{os.getpid()}-{secrets.token_hex(4)}.lock")

    def keeper_alive(self) -> bool:
        """Whether a keeper runs."""
        return _is_held(self.keeper_lock())

    def in_use(self) -> bool:
        """Whether at least one user holds its seat."""
        return any(_is_held(_lock(path)) for path in self.users.glob("*.lock"))

    def clear_seats(self) -> None:
        """Remove what users left who were killed. Only under the mutex, when nobody sits."""
        for path in self.users.glob("*.lock"):
            path.unlink(missing_ok=True)

    def password(self) -> str:
        """The server's root password."""
        return self.password_file.read_text("utf-8")


@contextmanager
def held(lock: FileLock, timeout_s: float) -> Generator[None]:
    """Hold a lock for a while.

    Raises:
        LedgerUnavailable: another process has held it for too long.
    """
    try:
        lock.acquire(timeout=timeout_s)
    except Timeout:
        raise LedgerUnavailable("the engine is being started or stopped for too long") from None
    try:
        yield
    finally:
        lock.release()


def ensure_running(place: EngineHome) -> Address:
    """Where the server is, started first if it is not running. The caller holds the mutex and a seat.

    Raises:
        LedgerUnavailable: it does not start; ``engine/output.log`` has the server's reasons.
        SettingInvalid: this platform has no embedded engine.
    """
    keeper: subprocess.Popen[bytes] | None = None
    deadline = time.monotonic() + START_S_MAX
    while time.monotonic() < deadline:
        if place.keeper_alive():
            address = place.address()
            if address is not None and address.ready and psutil.pid_exists(address.pid):
                return address
        elif keeper is None:
            _end_orphan(place)
            keeper = _start_keeper(place)
        elif keeper.poll() is not None:
            raise LedgerUnavailable("the embedded engine did not start: see engine/output.log in the home")
        time.sleep(POLL_S)
    raise LedgerUnavailable("the embedded engine is not ready in time")


def see_stopped(place: EngineHome) -> None:
    """Wait, within a bound, until a server that nobody uses has stopped.

    Raises:
        LedgerUnavailable: it takes too long.
    """
    deadline = time.monotonic() + STOP_S_MAX
    while place.keeper_alive() and not place.in_use() and time.monotonic() < deadline:
        time.sleep(POLL_S)
    with held(place.mutex(), START_S_MAX):
        if not place.keeper_alive() and not place.in_use():
            _end_orphan(place)


def engine_package() -> Path:
    """The folder of the wheel that carries the engine and its Java.

    Raises:
        SettingInvalid: there is none for this platform.
    """
    spec = find_spec("arcadedb_embedded")
    if spec is None or not spec.submodule_search_locations:
        raise SettingInvalid(setting="MNEMO_GRAPH_URL", problem="setting.no_engine")
    return Path(spec.submodule_search_locations[0])


def _start_keeper(place: EngineHome) -> subprocess.Popen[bytes]:
    engine_package()
    command = [sys.executable, "-P", "-m", "cypher.keeper", str(place.home)]
    keeper = spawn(command, place.directory, place.directory / "keeper.log")
    # It outlives this process as a rule; when it does not, somebody has to collect its exit status.
    threading.Thread(target=keeper.wait, daemon=True).start()
    return keeper


def spawn(
    command: list[str], directory: Path, output: Path, environment: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a child that neither a Ctrl-C nor the end of this process's terminal reaches.

    Args:
        command: program and arguments.
        directory: where it runs.
        output: the file for all that it says, begun anew.
        environment: its environment; None for ours.
    """
    with output.open("wb") as file:
        return subprocess.Popen(
            command,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
            umask=0o077,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
            if sys.platform == "win32"
            else 0,
        )


def _end_orphan(place: EngineHome) -> None:
    """End the server of a keeper that was killed: it would keep the databases locked."""
    address = place.address()
    place.forget_address()
    if address is None:
        return
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(address.pid)
        # The kernel's notion of when a process began may move by the clock's corrections.
        if "java" in process.name().lower() and abs(process.create_time() - address.started) < 10:
            process.terminate()
            try:
                process.wait(STOP_S_MAX)
            except psutil.TimeoutExpired:
                process.kill()
                process.wait(STOP_S_MAX)


def _lock(path: Path) -> FileLock:
    return FileLock(path, mode=0o600, thread_local=False)


def _is_held(lock: FileLock) -> bool:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False
