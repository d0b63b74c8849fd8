"""``mnemo serve``: what it starts, what it survives, what it leaves behind."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import httpx2
import psutil
import pytest

from cypher.cli import ExitCode
from service.secrets import new_secret
from tests.support.commands import Mnemo, Serving, processes_of
from tests.support.redis_server import free_port
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
def token(serving: Serving) -> str:
    return str(serving.mnemo.answers("grant", "desk", "--scope", "private-full")["token"])


def test_no_secret_is_on_a_process_list(serving: Serving, home: Path, token: str) -> None:
    secrets = [token, (home / "engine" / "root.password").read_text("utf-8").strip()]
    secrets += [path.read_bytes().hex() for path in (home / "stores" / "default" / "keys").iterdir()]
    processes = processes_of(home)
    assert len(processes) >= 5  # supervisor, curator, web, keeper, engine
    for process in processes:
        shown = " ".join(process.cmdline())
        assert not [secret for secret in secrets if secret in shown]


def test_no_secret_that_a_request_bears_is_in_the_log(serving: Serving, token: str) -> None:
    """OWASP ASVS 7.1.1: addresses, forms and headers bear codes, tokens, links and cookies."""
    secrets = [new_secret() for _ in range(9)]
    link, passkey, handle, code, state, wrong, cookie, registration, verifier = secrets
    with httpx2.Client(base_url=serving.url, trust_env=False, timeout=30) as http:
        http.get(f"/setup/{link}")
        http.get(f"/passkey/{passkey}")
        http.get(f"/consent/{handle}", headers={"Cookie": f"mnemo={cookie}"})
        http.get("/authorize", params={"client_id": "x", "redirect_uri": "https://x.example", "state": state})
        form = {"grant_type": "authorization_code", "client_id": "x", "code": code, "code_verifier": verifier}
        http.post("/token", data=form)
        http.post("/revoke", data={"client_id": "x", "token": wrong})
        http.get("/register/x", headers={"Authorization": f"Bearer {registration}"})
        for bearer in (wrong, token):
            assert http.post("/mcp", json={}, headers={"Authorization": f"Bearer {bearer}"}).status_code < 500
            http.post("/mcp", content=b"{", headers={"Authorization": f"Bearer {bearer}"})
    log = serving.log.read_text("utf-8")
    assert log
    assert not [secret for secret in (*secrets, token) if secret in log]


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
