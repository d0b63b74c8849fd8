"""A real redis-server for tests: on a free port of the loopback, in memory, ended with the session."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import redis

START_S_MAX = 20.0


def redis_binary() -> str | None:
    """Where redis-server is on this machine; None where it is not."""
    return shutil.which("redis-server")


@contextmanager
def running_redis(directory: Path) -> Generator[str]:
    """A server for as long as the context lasts; gives its ``redis://`` address."""
    binary = redis_binary()
    if binary is None:
        raise FileNotFoundError("redis-server")
    port = free_port()
    server = subprocess.Popen(
        [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(directory)],
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_until_it_answers(port, server)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_it_answers(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S_MAX
    with redis.Redis(port=port) as client:
        while time.monotonic() < deadline and server.poll() is None:
            try:
                client.ping()  # pyright: ignore[reportUnknownMemberType]
            except redis.ConnectionError:
                time.sleep(0.05)
            else:
                return
    raise RuntimeError("redis-server did not start")
