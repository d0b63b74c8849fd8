"""The real ``mnemo`` command in child processes, as a person calls it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psutil

from cypher.cli import ExitCode
from tests.support.redis_server import free_port
from tests.support.waiting import eventually

COMMAND_S_MAX = 240.0
SERVE_S_MAX = 180.0
STOP_S_MAX = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> Any:
        """What it answered with ``--json``."""
        return json.loads(self.out)


def environment(**more: str) -> dict[str, str]:
    """Ours without any setting of Mnemo's, in a neutral language, on a terminal of ordinary width."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MNEMO_")}
    return kept | {"LC_ALL": "C", "PYTHONUTF8": "1", "COLUMNS": "100"} | more


@dataclass(frozen=True, slots=True)
class Mnemo:
    """The command on one home."""

    home: Path
    store: str | None = None

    def command(self, *arguments: str) -> list[str]:
        """What to run."""
        store = () if self.store is None else ("--store", self.store)
        return [sys.executable, "-m", "service.cli", "--home", str(self.home), *store, *arguments]

    def run(self, *arguments: str, text: str | None = None, **variables: str) -> Done:
        """Run one command to its end, whatever it is.

        Args:
            arguments: the command and its arguments.
            text: its standard input; none by default.
            variables: of its environment.
        """
        done = subprocess.run(
            self.command(*arguments),
            input=text or "",
            capture_output=True,
            encoding="utf-8",
            timeout=COMMAND_S_MAX,
            env=environment(**variables),
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    def ends(self, code: ExitCode, *arguments: str, **variables: str) -> Done:
        """Run one that must end with this code."""
        done = self.run(*arguments, **variables)
        assert done.code == code, (arguments, done)
        return done

    def answers(self, *arguments: str) -> Any:
        """What one answers with ``--json``; it must succeed."""
        return self.ends(ExitCode.DONE, "--json", *arguments).answer

    @contextmanager
    def started(self, *arguments: str) -> Generator[subprocess.Popen[str]]:
        """Start one command, which is ended with the context if it has not ended by then."""
        process = subprocess.Popen(
            self.command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(),
        )
        with process:
            try:
                yield process
            finally:
                process.terminate()

    @contextmanager
    def serving(self) -> Generator[Serving]:
        """``mnemo serve``, ready; in the end it is asked to stop, and nothing of it may be left."""
        serving = Serving(self, free_port())
        try:
            serving.start()
            yield serving
        finally:
            serving.stop()


class Serving:
    """A running ``mnemo serve``."""

    def __init__(self, mnemo: Mnemo, port: int) -> None:
        self.mnemo = mnemo
        self.port = port
        self.log = mnemo.home / f"serve-{port}.log"

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        """Start it and wait until it is ready."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.mnemo.command("serve", "--port", str(self.port)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment(),
                start_new_session=True,
            )
        self.wait_ready()

    def wait_ready(self) -> None:
        """Wait until everything answers."""

        def ready() -> bool:
            assert self.process.poll() is None, self.log.read_text("utf-8")
            return self.is_ready()

        eventually(ready, within_s=SERVE_S_MAX)

    def is_ready(self) -> bool:
        """What ``/readyz`` says; False when nobody answers."""
        with httpx2.Client(timeout=10, trust_env=False) as http:
            try:
                return http.get(f"{self.url}/readyz").status_code == 200
            except httpx2.TransportError:
                return False

    def children(self) -> dict[str, psutil.Process]:
        """The curator and the web process, by name, as far as they live."""
        found: dict[str, psutil.Process] = {}
        for child in psutil.Process(self.process.pid).children():
            words = child.cmdline()
            if "-m" in words:
                found[words[words.index("-m") + 1]] = child
        return found

    def stop(self) -> int:
        """Ask it to end, if it runs, and wait until the engine is gone too; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_S_MAX)
        eventually(lambda: not processes_of(self.mnemo.home))
        return code


def processes_of(home: Path) -> list[psutil.Process]:
    """Every process that names the home in its command: supervisor, curator, web, keeper, engine."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and any(
                str(home) in word for word in process.cmdline()
            ):
                found.append(process)
        except psutil.Error:
            continue
    return found
