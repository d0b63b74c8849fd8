"""The web process by itself: it serves, ends with its input, and says so when its address is taken."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import httpx2
import pytest

from cypher.cli import ExitCode
from cypher.settings import store_dir
from service.supervisor import STOP_GRACE_S
from tests.support.asking import answered, connected
from tests.support.graphs import make_settings
from tests.support.house import House
from tests.support.redis_server import free_port
from tests.support.waiting import eventually

pytestmark = pytest.mark.anyio

START_S_MAX = 60.0
STOP_S_MAX = 20.0


@contextmanager
def web_process(
    home: Path, port: int, *, log: Path | None = None, **variables: str
) -> Generator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "service", "--home", str(home), "--port", str(port)]
    with nullcontext() if log is None else log.open("wb") as kept:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=kept, env={**os.environ, **variables}
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait(STOP_S_MAX)
        if process.stdin is not None:
            process.stdin.close()
        # The home is other tests' too, and what prints an address looks for the port here.
        (store_dir(home, "default") / "port").unlink(missing_ok=True)


def wait_until_it_lives(port: int, process: subprocess.Popen[bytes]) -> None:
    """Asked as a browser's WebSocket would ask, which is no reason to speak of it."""
    asked = {"Connection": "Upgrade", "Upgrade": "websocket"}
    deadline = time.monotonic() + START_S_MAX
    with httpx2.Client(trust_env=False) as http:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                assert http.get(f"http://localhost:{port}/healthz", headers=asked).status_code == 200
            except httpx2.TransportError:
                time.sleep(0.1)
            else:
                return
    raise AssertionError(f"the process does not live (exit code {process.poll()})")


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
    with web_process(house.settings.home, port) as process:
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
        web_process(house.settings.home, taken.getsockname()[1]) as process,
    ):
        assert process.wait(START_S_MAX) == ExitCode.UNAVAILABLE


def test_while_its_graph_is_down_it_answers_says_little_and_ends_in_the_supervisors_time(
    tmp_path: Path,
) -> None:
    make_settings(tmp_path / "home")
    port, log = free_port(), tmp_path / "log"
    graph = f"bolt://127.0.0.1:{free_port()}"
    with web_process(tmp_path / "home", port, log=log, MNEMO_GRAPH_URL=graph) as process:
        wait_until_it_lives(port, process)
        eventually(lambda: "ledger.unavailable" in log.read_text("utf-8"), within_s=STOP_S_MAX)
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOP_GRACE_S / 2) in (0, -signal.SIGTERM)
    said = log.read_text("utf-8")
    assert "websocket" not in said.lower()
    assert "upgrade" not in said.lower()
