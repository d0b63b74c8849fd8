"""The process that runs the home's embedded server while somebody uses it, and stops it when nobody does.

A user starts it (``cypher.keeper.home.ensure_running``) in a session of its own, so that it outlives that
user's terminal. It starts ArcadeDB as plain Java from the wheel, on loopback, on ports that it picks, and
says in ``engine.json`` where. It ends when the last user has left or was killed, when the server dies, or on
SIGTERM. A server that died is brought back by whoever needs it next, not from here: one way to start.
"""

from __future__ import annotations

import http.client
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
from filelock import Timeout

from cypher.keeper.home import POLL_S, STOP_S_MAX, Address, EngineHome, engine_package, spawn

WATCH_S = 0.2
"""How often the keeper looks whether somebody still sits."""
READY_S_MAX = 60.0
PORT_TRIES_MAX = 5
HEAP_MIB_MAX = 512

# Other protocols and front doors of the server, that we do not open.
_JARS_LEFT_OUT = ("console", "graphql", "mcp", "postgresw", "python-bridge", "redisw")

_log = logging.getLogger("mnemo.engine")


class Keeper:
    """Runs one server for one home."""

    def __init__(self, place: EngineHome, pick_ports: Callable[[], tuple[int, int]] | None = None) -> None:
        """Take the home's engine in charge.

        Args:
            place: where it is.
            pick_ports: gives the ports to try, for HTTP and for Bolt; any free ones by default.
        """
        self._place = place
        self._pick_ports = pick_ports or _free_ports
        self._ended = threading.Event()

    def stop(self, *_: object) -> None:
        """End soon; a signal handler."""
        self._ended.set()

    def run(self) -> int:
        """Start the server, watch, stop it.

        Returns:
            The exit status: 0, or 1 if the server did not start.
        """
        lock = self._place.keeper_lock()
        try:
            # Others test this lock for an instant to see whether a keeper lives.
            lock.acquire(timeout=5)
        except Timeout:
            _log.error("another keeper runs")
            return 1
        server: subprocess.Popen[bytes] | None = None
        try:
            _create_password(self._place)
            server = self._start()
            if server is None:
                return 1
            self._watch(server)
            return 0
        finally:
            self._place.forget_address()
            if server is not None:
                _end(server)
            lock.release()

    def _start(self) -> subprocess.Popen[bytes] | None:
        for _ in range(PORT_TRIES_MAX):
            http_port, bolt_port = self._pick_ports()
            server = _launch(self._place, http_port, bolt_port)
            started = psutil.Process(server.pid).create_time()
            address = Address(server.pid, started, http_port, bolt_port, ready=False)
            self._place.write_address(address)
            if self._becomes_ready(server, address):
                self._place.write_address(replace(address, ready=True))
                _log.info("the server is ready")
                return server
            _end(server)
            if self._ended.is_set():
                return None
            _log.warning("the server did not start; trying other ports")
        return None

    def _becomes_ready(self, server: subprocess.Popen[bytes], address: Address) -> bool:
        """Wait until the server answers; False when it ended, gave up, or is too slow."""
        deadline = time.monotonic() + READY_S_MAX
        while time.monotonic() < deadline and not self._ended.is_set():
            # Java lingers when the server could not start, a port being taken for instance: its log tells.
            if server.poll() is not None or b'Exception in thread "main"' in self._place.output.read_bytes():
                return False
            if _answers(address.http_port):
                return True
            time.sleep(POLL_S)
        return False

    def _watch(self, server: subprocess.Popen[bytes]) -> None:
        """Return when the server ended, or nobody uses it any more, with the mutex held in that case."""

        def await_end() -> None:
            server.wait()
            _log.info("the server ended with %s", server.returncode)
            self._ended.set()

        threading.Thread(target=await_end, daemon=True).start()
        while not self._ended.wait(WATCH_S):
            if self._place.in_use():
                continue
            mutex = self._place.mutex()
            try:
                mutex.acquire(timeout=0)
            except Timeout:
                continue  # somebody is joining
            try:
                if not self._place.in_use():
                    self._place.forget_address()
                    self._place.clear_seats()
                    _end(server)
                    return
            finally:
                mutex.release()


def _launch(place: EngineHome, http_port: int, bolt_port: int) -> subprocess.Popen[bytes]:
    package = engine_package()
    for stale in (place.directory / "log").glob("server-event-log-*"):
        stale.unlink()
    if place.output.exists():
        place.output.replace(place.output.with_suffix(".previous.log"))
    java = package / "jre" / "bin" / ("java.exe" if sys.platform == "win32" else "java")
    command = [str(java), *_jvm_options(package), *_server_options(place, http_port, bolt_port)]
    command.append("com.arcadedb.server.ArcadeDBServer")
    return spawn(command, place.directory, place.output, _environment())


def _end(server: subprocess.Popen[bytes]) -> None:
    """Stop the server cleanly; insist after a while."""
    server.terminate()
    try:
        server.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _jvm_options(package: Path) -> list[str]:
    jars = sorted((package / "jars").glob("*.jar"))
    left_out = tuple(f"arcadedb-{name}" for name in _JARS_LEFT_OUT)
    class_path = os.pathsep.join(str(jar) for jar in jars if not jar.name.startswith(left_out))
    return [
        f"-Xmx{HEAP_MIB_MAX}m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:-UsePerfData",
        "--add-modules=jdk.incubator.vector",
        "--enable-native-access=ALL-UNNAMED",
        "-Djava.awt.headless=true",
        # Paths are not ASCII everywhere, and the locale of whoever started us may be.
        "-Dsun.jnu.encoding=UTF-8",
        "-cp",
        class_path,
    ]


def _server_options(place: EngineHome, http_port: int, bolt_port: int) -> list[str]:
    directory = place.directory
    options: dict[str, object] = {
        "server.rootPath": directory,
        "server.databaseDirectory": directory / "databases",
        "server.logsDirectory": directory / "log",
        "server.configDirectory": directory / "config",
        "server.backupDirectory": directory / "backup",
        # In a file, because command lines can be read by every account of the machine.
        "server.rootPasswordPath": place.password_file,
        "server.mode": "production",
        "server.httpIncomingHost": "127.0.0.1",
        "server.httpIncomingPort": http_port,
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "bolt.host": "127.0.0.1",
        "bolt.port": bolt_port,
        # Each commit reaches the disk before it is confirmed.
        "txWalFlush": 1,
        "command.timeout": 10_000,
        "dateTimeImplementation": "java.time.ZonedDateTime",
        "serverMetrics": "false",
        "backup.enabled": "false",
        "opencypher.loadCsv.allowFileUrls": "false",
        "opencypher.loadCsv.allowRemoteUrls": "false",
    }
    return [f"-Darcadedb.{name}={value}" for name, value in options.items()]


def _environment() -> dict[str, str]:
    """What the server needs of our environment: no key of ours, no option of another Java."""
    kept = ("HOME", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "USERPROFILE")
    chosen = {name: os.environ[name] for name in kept if name in os.environ}
    return {**chosen, "LC_ALL": "C.UTF-8"}


def _free_ports() -> tuple[int, int]:
    """Two ports of loopback that nobody listens on just now."""
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


def _answers(http_port: int) -> bool:
    """Whether the server says that it is ready. Bolt listens before HTTP does."""
    connection = http.client.HTTPConnection("127.0.0.1", http_port, timeout=5)
    try:
        connection.request("GET", "/api/v1/ready")
        return connection.getresponse().status == http.client.NO_CONTENT
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _create_password(place: EngineHome) -> None:
    """Make the root password where there is none; the server then forgets the one it may have had."""
    if place.password_file.exists():
        return
    (place.directory / "config" / "server-users.jsonl").unlink(missing_ok=True)
    handle = os.open(place.password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(32))


def main(home: str) -> int:
    """Keep the engine of a home."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    keeper = Keeper(EngineHome(Path(home)))
    signal.signal(signal.SIGTERM, keeper.stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return keeper.run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
