"""G7. The service has no route to commit: by what it can load, and by what any call of it changes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from mcp import MCPError

from service.mcp import PROPOSING
from service.tools import TOOLS
from tests.support.asking import called
from tests.support.house import House
from tests.support.service_fixtures import Session, anyio_backend, furnished, house, session

__all__ = ["anyio_backend", "furnished", "house", "session"]

pytestmark = pytest.mark.anyio

# Serves one call of each tool in a process of its own, and tells what that process loaded.
PROBE = """
import json, sys
from pathlib import Path
read = Path.read_text
loaded = []
def watched(self, *args, **kwargs):
    if self.suffix == ".cypher":
        loaded.append(f"{self.parent.name}/{self.stem}")
    return read(self, *args, **kwargs)
Path.read_text = watched
import anyio
from mcp import Client
import service.__main__, service.stdio
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import load_settings
from policies.parameters import parameters
from service.opening import build_calls, open_ledger
from service.grants import CLI_GRANT
from service.mcp import build_server
from service.metrics import Metrics
settings = load_settings(Path(sys.argv[1]))
ledger = open_ledger(settings, SystemClock(), parameters())
ledger.open()
calls = build_calls(settings, ledger, parameters(), SystemClock(), RandomIds(), Metrics())
async def caller(ctx):
    return CLI_GRANT
async def main():
    async with Client(build_server(calls, caller)) as client:
        for name, arguments in json.loads(sys.argv[2]):
            await client.call_tool(name, arguments)
anyio.run(main)
ledger.close()
print(json.dumps({"statements": loaded, "modules": sorted(sys.modules)}))
"""

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("mem_profile", {}),
    ("mem_context_pack", {"topic": "bike"}),
    ("mem_recall", {"query": "bike"}),
    ("mem_recall", {"query": "", "ids": ["mem:bike"]}),
    ("mem_path", {"source": "ent:owner", "target": "acme"}),
    ("mem_remember", {"statement": "Louise collects barometers.", "anchors": ["Zoé Blanc"]}),
    ("mem_correct", {"id": "mem:bike", "statement": "Louise owns a blue bike."}),
    ("mem_retract", {"id": "mem:bike"}),
    ("mem_gates", {}),
    ("mem_gates", {"view": "anchor_reviews"}),
]


def test_no_commit_code_and_no_commit_statement_is_loaded_in_the_services_process(furnished: House) -> None:
    probe = subprocess.run(
        [sys.executable, "-c", PROBE, str(furnished.settings.home), json.dumps(CALLS)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told = json.loads(probe.stdout)
    assert {statement.partition("/")[0] for statement in told["statements"]} <= {
        "read",
        "inbox",
        "log",
        "schema",
    }
    assert "inbox/submit_proposal" in told["statements"]
    writers = {"cypher.committer", "cypher.commit", "cypher.lease", "cypher.projection", "cypher.rebuild"}
    assert not writers & set(told["modules"])
    assert not [module for module in told["modules"] if module.split(".")[0] == "curator"]


async def test_no_call_of_any_scope_changes_the_ledger_or_what_it_says(
    furnished: House, session: Session
) -> None:
    before = _ledger(furnished)
    for scope in ("third-party", "private-full"):
        async with session(furnished.grant(scope, scope)) as client:
            for tool, arguments in CALLS:
                await called(client, tool, **arguments)
            for uri in ("mnemo://memory/mem:bike", "mnemo://entity/acme", "mnemo://entity/nobody"):
                try:
                    await client.read_resource(uri)
                except MCPError:
                    continue
    assert _ledger(furnished) == before


def test_three_tools_propose_and_they_are_all_that_writes() -> None:
    assert {"mem_remember", "mem_correct", "mem_retract"} == PROPOSING
    assert {tool.name for tool in TOOLS if tool.proposes} == PROPOSING


def _ledger(house: House) -> tuple[object, ...]:
    versions = house.reader.changed_since(0, 1_000)
    return (
        house.reader.chain_end(),
        tuple(house.reader.all_entries()),
        tuple(versions),
        house.reader.registry(),
    )
