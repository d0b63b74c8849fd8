"""The embedded server and the processes that share it. The home's path has a space and accents throughout."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from cypher.engine import Engine, connect
from cypher.keeper.__main__ import Keeper
from cypher.keeper.home import Address, EngineHome
from cypher.statement import statement
from tests.support.graphs import make_settings
from tests.support.redis_server import free_port
from tests.support.waiting import WAIT_S_MAX, eventually

Join = Callable[[], subprocess.Popen[str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "la mémoire de Zoé 记忆"


@pytest.fixture
def place(home: Path) -> Iterator[EngineHome]:
    place = EngineHome(home)
    yield place
    eventually(lambda: not place.keeper_alive())


@pytest.fixture
def join(home: Path) -> Iterator[Join]:
    """Starts processes that use the home's engine; whichever still run are killed in the end."""
    make_settings(home)  # once, before they start side by side
    users: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        user = subprocess.Popen(
            [sys.executable, "-m", "tests.support.engine_user", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LC_ALL": "C", "JDK_JAVA_OPTIONS": "-XX:NoSuchOption"},
            start_new_session=True,
        )
        users.append(user)
        return user

    yield start
    for user in users:
        user.kill()
        user.wait(WAIT_S_MAX)
        for pipe in (user.stdin, user.stdout):
            assert pipe is not None
            pipe.close()


def says(user: subprocess.Popen[str]) -> str:
    assert user.stdout is not None
    return user.stdout.readline().strip()


def asked(user: subprocess.Popen[str]) -> str:
    assert user.stdin is not None
    user.stdin.write("\n")
    user.stdin.flush()
    return says(user)


def leave(user: subprocess.Popen[str]) -> None:
    assert user.stdin is not None
    user.stdin.close()
    assert user.wait(WAIT_S_MAX) == 0


def running(place: EngineHome) -> Address:
    address = place.address()
    assert address is not None
    assert address.ready
    return address


def kill_keeper_of(address: Address) -> None:
    keeper = psutil.Process(address.pid).parent()
    assert keeper is not None
    keeper.kill()
    keeper.wait(WAIT_S_MAX)


def answers(engine: Engine) -> bool:
    return engine.graph.read(statement("find_store"))[0]["name"] == "default"


def test_simultaneous_users_share_one_server_that_the_last_one_out_stops(
    place: EngineHome, join: Join
) -> None:
    users = [join() for _ in range(3)]
    assert [says(user) for user in users] == ["ready"] * 3
    address = running(place)
    server = psutil.Process(address.pid)

    # The one that started it goes first, whichever it was: the others do not notice.
    for user in users[:2]:
        leave(user)
    assert server.is_running()
    assert asked(users[2]) == "default"
    assert running(place) == address

    leave(users[2])
    assert not place.keeper_alive(), "the last one out waits until it has stopped"
    assert not server.is_running()
    assert place.address() is None
    assert list(place.users.iterdir()) == []
    assert "is down" in place.output.read_text("utf-8"), "a clean stop"


def test_server_outlives_the_terminal_of_its_first_user_and_ends_with_its_last_one_killed(
    place: EngineHome, join: Join
) -> None:
    first, second = join(), join()
    assert says(first) == says(second) == "ready"
    server = psutil.Process(running(place).pid)

    os.killpg(first.pid, signal.SIGINT)
    first.wait(WAIT_S_MAX)
    assert asked(second) == "default"

    os.killpg(second.pid, signal.SIGKILL)
    eventually(lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE)
    eventually(lambda: not place.keeper_alive())
    assert list(place.users.iterdir()) == []


def test_killed_server_or_keeper_is_replaced_at_the_next_call_of_whoever_needs_it(
    home: Path, place: EngineHome, join: Join
) -> None:
    other = join()
    assert says(other) == "ready"
    with connect(make_settings(home)) as engine:
        assert answers(engine)
        first = running(place)
        os.kill(first.pid, signal.SIGKILL)
        assert answers(engine)
        second = running(place)
        assert second.pid != first.pid
        assert asked(other) == "default"
        assert running(place) == second, "both use the same new server"

        kill_keeper_of(second)
        os.kill(second.pid, signal.SIGKILL)
        assert answers(engine)
        third = running(place)

        # A server without a keeper locks the databases: the next to come replaces it, the last to leave ends it.
        kill_keeper_of(third)
        assert answers(engine)
        with connect(make_settings(home)) as later:
            assert answers(later)
            fourth = running(place)
            assert fourth.pid != third.pid
            assert answers(engine)
        assert asked(other) == "default"
        kill_keeper_of(fourth)
        leave(other)
    assert not psutil.pid_exists(fourth.pid)
    assert place.address() is None


def test_g15_server_listens_on_loopback_alone_and_its_password_is_in_a_private_file(
    home: Path, place: EngineHome
) -> None:
    with connect(make_settings(home)):
        address = running(place)
        server = psutil.Process(address.pid)
        listening = {c.laddr for c in server.net_connections("inet") if c.status == psutil.CONN_LISTEN}
        assert {laddr.port for laddr in listening} == {address.http_port, address.bolt_port}
        assert {laddr.ip.removeprefix("::ffff:") for laddr in listening} == {"127.0.0.1"}
        password = place.password()
        assert len(password) >= 32
        assert password not in " ".join([*server.cmdline(), *server.environ().values()])
        assert password not in place.output.read_text("utf-8")
        private = [place.password_file, place.output, home / "engine.json", home / "engine.lock"]
        assert [path.stat().st_mode & 0o077 for path in private] == [0] * len(private)
        assert place.directory.stat().st_mode & 0o077 == 0


def test_ports_that_are_taken_meanwhile_are_chosen_again(home: Path, place: EngineHome) -> None:
    place.prepare()
    seat = place.new_seat()
    seat.acquire()
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        busy = taken.getsockname()[1]
        choices = iter([(busy, free_port()), (free_port(), busy), (free_port(), free_port())])
        keeper = Keeper(place, lambda: next(choices))
        thread = threading.Thread(target=keeper.run)
        thread.start()
        try:
            eventually(lambda: (address := place.address()) is not None and address.ready)
            address = running(place)
            assert busy not in (address.http_port, address.bolt_port)
            with connect(make_settings(home)) as engine:
                assert answers(engine)
        finally:
            seat.release()
            thread.join(WAIT_S_MAX)
    assert not thread.is_alive()


def test_lost_password_file_and_damaged_address_file_are_made_anew(home: Path, place: EngineHome) -> None:
    settings = make_settings(home)
    with connect(settings):
        pass
    place.password_file.unlink()
    (home / "engine.json").write_text('{"pid": 1, "started": 0', "utf-8")
    with connect(settings) as engine:
        assert answers(engine)


def test_each_store_has_a_database_of_its_own_and_finds_it_again(home: Path) -> None:
    names = ["default", "a-b", "a_b"]
    with connect(make_settings(home, names[0])) as first, connect(make_settings(home, names[1])) as second:
        with connect(make_settings(home, names[2])) as third:
            found = [e.graph.read(statement("find_store"))[0]["name"] for e in (first, second, third)]
        assert found == names
    with connect(make_settings(home, names[1])) as again:
        assert again.graph.read(statement("find_store"))[0]["name"] == names[1]
