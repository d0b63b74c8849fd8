"""Sets up what the demonstration plays on: a temporary home, the real service, the real command line."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2

from cypher.demonstration import clear_demonstration
from cypher.settings import DEMONSTRATION, StoreFacts, load_settings, store_dir, write_store_facts
from policies.errors import DemonstrationFailed, LedgerUnavailable

READY_S_MAX = 90.0
COMMAND_S_MAX = 300.0


class Stage:
    """A fresh home with its own service; a context manager that leaves nothing behind."""

    def __init__(self, lang: str, graph_url: str | None) -> None:
        self.lang = lang
        self.graph_url = graph_url
        self._folder = tempfile.TemporaryDirectory(prefix="mnemo-demo-", ignore_cleanup_errors=True)
        self.home = Path(self._folder.name)
        self.port = _free_port()
        self._service: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where assistants connect."""
        return f"http://127.0.0.1:{self.port}/mcp"

    def mnemo(self, *arguments: str, refused: bool = False) -> Any:
        """Run the command as a person would, with ``--json``, and give its answer.

        Args:
            arguments: the command and its arguments.
            refused: whether a refusal (exit code 4) is an answer too.

        Raises:
            DemonstrationFailed: the command failed; its last words are in the details.
        """
        done = subprocess.run(
            self._command("--json", *arguments),
            capture_output=True,
            timeout=COMMAND_S_MAX,
            env=self._environment(),
            check=False,
        )
        if done.returncode != 0 and not (refused and done.returncode == 4):
            words = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise DemonstrationFailed(step=f"mnemo {arguments[0]}", words=" ".join(words[-3:]))
        return json.loads(done.stdout)

    def begin(self, owner: str, handle: str, timezone: str) -> None:
        """Make the store. What an earlier demonstration left on a server is erased first.

        Raises:
            StoreInvalid: the server's database holds something that is not the demonstration's.
            LedgerUnavailable: the server does not answer.
        """
        graph = ("--graph", self.graph_url) if self.graph_url else ()
        if self.graph_url:
            directory = store_dir(self.home, DEMONSTRATION)
            directory.mkdir(parents=True)
            facts = StoreFacts(owner, handle, timezone, "en", graph_url=self.graph_url)
            write_store_facts(directory, facts)
            clear_demonstration(load_settings(self.home, DEMONSTRATION))
            (directory / "store.toml").unlink()
        self.mnemo("init", "--owner", owner, "--handle", handle, "--timezone", timezone, *graph)

    def start_service(self) -> None:
        """Start ``mnemo serve`` and wait until it says it is ready.

        Raises:
            LedgerUnavailable: it did not become ready in time.
        """
        log = (self.home / "serve.log").open("wb")
        with log:
            self._service = subprocess.Popen(
                self._command("serve", "--port", str(self.port)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment(),
                start_new_session=True,
            )
        deadline = time.monotonic() + READY_S_MAX
        with httpx2.Client(timeout=5.0, trust_env=False) as client:
            while time.monotonic() < deadline and self._service.poll() is None:
                try:
                    if client.get(f"http://127.0.0.1:{self.port}/readyz").status_code == 200:
                        return
                except httpx2.HTTPError:
                    pass
                time.sleep(0.1)
        raise LedgerUnavailable(f"the service did not become ready: {self._last_words()}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._service is not None:
            self._service.terminate()
            try:
                self._service.wait(30)
            except subprocess.TimeoutExpired:
                self._service.kill()
                self._service.wait()
        self._folder.cleanup()

    def _command(self, *arguments: str) -> Sequence[str]:
        common = ("--home", str(self.home), "--store", DEMONSTRATION, "--lang", self.lang)
        return [sys.executable, "-m", "service.cli", *common, *arguments]

    def _environment(self) -> dict[str, str]:
        """Ours, without settings that belong to the person's own memory; only the graph's secret is kept."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MNEMO_")}
        for name in ("MNEMO_GRAPH_USER", "MNEMO_GRAPH_PASSWORD_FILE"):
            if self.graph_url and name in os.environ:
                kept[name] = os.environ[name]
        return kept | {"PYTHONUTF8": "1"}

    def _last_words(self) -> str:
        return " ".join((self.home / "serve.log").read_text("utf-8", "replace").splitlines()[-3:])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
