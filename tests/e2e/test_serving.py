"""``mnemo serve``: what it starts, what it survives, what it leaves behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest

from cypher.cli import ExitCode
from cypher.keeper.home import EngineHome
from tests.support.asking import answered, connected
from tests.support.commands import SERVE_S_MAX, Mnemo, Serving, processes_of
from tests.support.redis_server import free_port
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def token(serving: Serving) -> str:
    return str(serving.mnemo.answers("grant", "desk", "--scope", "private-full")["token"])


def call(serving: Serving, token: str, tool: str, **arguments: object) -> dict[str, Any]:
    async def ask() -> dict[str, Any]:
        async with connected(serving.url, token) as client:
            return await answered(client, tool, **arguments)

    return anyio.run(ask)


def engine_of(serving: Serving) -> psutil.Process:
    address = EngineHome(serving.mnemo.home).address()
    assert address is not None
    return psutil.Process(address.pid)


VICTIMS: dict[str, Callable[[Serving], psutil.Process]] = {
    "curator": lambda serving: serving.children()["curator"],
    "web": lambda serving: serving.children()["service"],
    "engine": engine_of,
}


@pytest.mark.parametrize("victim", VICTIMS)
def test_a_process_that_is_killed_comes_back_and_nothing_acknowledged_is_lost(
    serving: Serving, token: str, victim: str
) -> None:
    said = f"The {victim} manual lies in the third drawer."
    receipt = call(serving, token, "mem_remember", statement=said)
    process = VICTIMS[victim](serving)
    process.kill()
    process.wait(30)

    def is_back() -> bool:
        assert serving.process.poll() is None, serving.log.read_text("utf-8")
        if not serving.is_ready():
            return False
        try:
            return VICTIMS[victim](serving).pid != process.pid
        except (KeyError, AssertionError, psutil.Error):
            return False

    eventually(is_back, within_s=SERVE_S_MAX)
    serving.mnemo.answers("curate")
    outcome = call(serving, token, "mem_gates", proposal=receipt["proposal"])["items"][0]
    assert outcome["outcome"] == "committed"
    assert call(serving, token, "mem_recall", query=said)["items"][0]["id"] == outcome["memory"]
    assert serving.mnemo.answers("verify")["ok"]


def test_no_secret_is_on_a_process_list(serving: Serving, home: Path, token: str) -> None:
    secrets = [token, (home / "engine" / "root.password").read_text("utf-8").strip()]
    secrets += [path.read_bytes().hex() for path in (home / "stores" / "default" / "keys").iterdir()]
    processes = processes_of(home)
    assert len(processes) >= 5  # supervisor, curator, web, keeper, engine
    for process in processes:
        shown = " ".join(process.cmdline())
        assert not [secret for secret in secrets if secret in shown]


def test_everything_listens_on_loopback_only(serving: Serving, home: Path) -> None:
    listening = [
        connection.laddr.ip
        for process in processes_of(home)
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert {ip.removeprefix("::ffff:") for ip in listening} <= {"127.0.0.1", "::1"}


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "127.0.0.1.example", "192.0.2.1"])
def test_the_world_is_not_listened_to_without_an_https_address(begun: Mnemo, address: str) -> None:
    for variables in ({}, {"MNEMO_PUBLIC_URL": "http://memory.example"}):
        done = begun.ends(ExitCode.USAGE, "serve", "--host", address, "--port", "1", **variables)
        assert "MNEMO_PUBLIC_URL" in done.err


@pytest.fixture(scope="module")
def spare(tmp_path_factory: pytest.TempPathFactory) -> Mnemo:
    """Another home, with no process running."""
    mnemo = Mnemo(tmp_path_factory.mktemp("spare") / "maison")
    mnemo.ends(ExitCode.DONE, "init", "--owner", "Zoé")
    return mnemo


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_when_it_ends_everything_that_it_started_ends(spare: Mnemo, how: signal.Signals) -> None:
    eventually(lambda: not processes_of(spare.home))  # a command leaves nothing running either
    serving = Serving(spare, free_port())
    serving.start()
    assert len(processes_of(spare.home)) >= 5
    os.kill(serving.process.pid, how)
    assert serving.process.wait(60) == (-how if how is signal.SIGKILL else ExitCode.DONE)
    eventually(lambda: not processes_of(spare.home))
    assert ("Stopped." in serving.log.read_text("utf-8")) == (how is not signal.SIGKILL)
