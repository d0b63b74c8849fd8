"""What ``mnemo serve`` refuses to listen on, and how it keeps its children."""

from __future__ import annotations

import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cypher.keys import KEY_NAMES
from cypher.settings import Settings
from policies.errors import CannotListen, SettingInvalid, StoreInvalid
from service.supervisor import Child, check_bind, check_free, check_startable
from tests.support.graphs import make_settings
from tests.support.redis_server import free_port


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_settings(tmp_path, port=free_port())


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
def test_this_machine_alone_needs_no_address(settings: Settings, host: str) -> None:
    check_bind(replace(settings, host=host))


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.1.4", "", "127.0.0.1.example", "localhost.example"]
)
def test_anything_else_needs_an_https_address(settings: Settings, host: str) -> None:
    for url in (None, "http://memory.example", "http://https://"):
        with pytest.raises(SettingInvalid):
            check_bind(replace(settings, host=host, public_url=url))
    check_bind(replace(settings, host=host, public_url="https://memory.example"))


def test_an_address_that_is_taken_or_not_ours_is_told_before_anything_starts(settings: Settings) -> None:
    check_free(settings)
    check_free(settings)  # looking takes nothing
    with socket.create_server(("127.0.0.1", settings.port)), pytest.raises(CannotListen):
        check_free(settings)
    with pytest.raises(CannotListen):
        check_free(replace(settings, host="192.0.2.1"))


@pytest.mark.parametrize("key", KEY_NAMES)
def test_what_no_child_could_start_with_is_told_before_anything_starts(settings: Settings, key: str) -> None:
    check_startable(settings)
    with pytest.raises(SettingInvalid):
        check_startable(replace(settings, nightly="99 9 * * *"))
    (settings.keys_dir / f"{key}.key").unlink()
    with pytest.raises(StoreInvalid):
        check_startable(settings)


def test_a_child_that_ends_is_started_again_later_each_time() -> None:
    child = Child("short", [sys.executable, "-c", "pass"])
    delays: list[float] = []
    for _ in range(2):
        child.not_before = 0.0  # its delay is over
        child.keep()
        process = child.process
        assert process is not None
        process.wait(30)
        started = child.started_at
        child.keep()
        assert child.process is None
        delays.append(child.not_before - started)
    child.keep()
    assert child.process is None, "not before its delay is over"
    assert child.failures == 2
    assert delays[1] > 1.0


def test_a_child_that_does_not_end_when_asked_is_killed() -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)"
    child = Child("stubborn", [sys.executable, "-c", deaf])
    child.start()
    child.ask_to_stop()
    child.wait_stopped(0.0)
    assert child.process is not None
    assert child.process.poll() is not None
