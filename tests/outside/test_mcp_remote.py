"""mcp-remote, which programs that know no OAuth start beside them, from its registration to a tool's answer."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from queue import Queue
from subprocess import Popen
from typing import Any

from tests.support.consenting import connected
from tests.support.console import Served
from tests.support.outside import running
from tests.support.redis_server import free_port

ANSWER_S_MAX = 60.0
CAPABLE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "a program", "version": "1"},
}


class Spoken:
    """What a program says, line by line, and what it is told."""

    def __init__(self, program: Popen[str]) -> None:
        self._program = program
        self._lines: Queue[str | None] = Queue()
        self.said: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def line(self, begins: str) -> str:
        """The next line that begins so."""
        while (line := self._lines.get(timeout=ANSWER_S_MAX)) is not None:
            self.said.append(line)
            if line.startswith(begins):
                return line.strip()
        raise AssertionError("".join(self.said))

    def ask(self, number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request."""
        self.tell({"id": number, "method": method, "params": params})
        while (told := json.loads(self.line("{"))).get("id") != number:
            pass
        return told["result"]

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message."""
        assert self._program.stdin is not None
        self._program.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._program.stdin.flush()

    def _read(self) -> None:
        assert self._program.stdout is not None
        for line in self._program.stdout:
            self._lines.put(line)
        self._lines.put(None)


def test_it_connects_and_passes_calls_on(served: Served, tmp_path: Path) -> None:
    with running("mcp-remote", f"{served.address}/mcp", str(free_port()), cwd=tmp_path) as remote:
        spoken = Spoken(remote)
        # It finds no browser to open, and prints the address.
        connected(served, spoken.line(f"{served.address}/authorize?"))
        told = spoken.ask(1, "initialize", CAPABLE)
        assert told["serverInfo"]["name"] == "mnemo"
        spoken.tell({"method": "notifications/initialized"})
        found = spoken.ask(2, "tools/call", {"name": "mem_recall", "arguments": {"query": "a red bike"}})
        assert [item["text"] for item in found["structuredContent"]["items"]] == ["Louise owns a red bike"]
