"""The web process by itself: it serves, ends with its input, and says so when its address is taken."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

import httpx2
import pytest

from cypher.cli import ExitCode
from tests.support.asking import answered, connected
from tests.support.house import House
from tests.support.redis_server import free_port

pytestmark = pytest.mark.anyio

START_S_MAX = 60.0
STOP_S_MAX = 20.0


@contextmanager
def web_process(house: House, port: int) -> Generator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "service", "--home", str(house.settings.home), "--port", str(port)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.wait(STOP_S_MAX)
        if process.stdin is not None:
            process.stdin.close()


def wait_until_it_serves(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S_MAX
    with httpx2.Client(trust_env=False) as http:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if http.get(f"http://localhost:{port}/readyz").json()["index"]:
                    return
            except httpx2.TransportError:
                pass
            time.sleep(0.1)
    raise AssertionError(f"the process does not serve (exit code {process.poll()})")


@pytest.mark.parametrize("how", ["input closes", "SIGTERM"])
async def test_it_serves_and_ends_when_its_input_closes_or_it_is_asked(house: House, how: str) -> None:
    granted, port = house.grant(), free_port()
    with web_process(house, port) as process:
        wait_until_it_serves(port, process)
        async with connected(f"http://localhost:{port}", granted.token) as client:
            receipt = await answered(client, "mem_remember", statement="Louise likes tea.")
        if how == "SIGTERM":
            process.send_signal(signal.SIGTERM)
        elif process.stdin is not None:
            process.stdin.close()
        assert process.wait(STOP_S_MAX) in (0, -signal.SIGTERM)
    assert [view.proposal.id for view in house.inbox.view(grant=granted.grant.id, limit=9)] == [
        receipt["proposal"]
    ]


def test_an_address_that_is_taken_is_told_by_the_exit_code(house: House) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        web_process(house, taken.getsockname()[1]) as process,
    ):
        assert process.wait(START_S_MAX) == ExitCode.UNAVAILABLE
