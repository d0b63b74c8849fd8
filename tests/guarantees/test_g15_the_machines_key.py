"""G15. The key that proves the owner to be at the machine is out of the web process's reach.

Whoever takes that process over holds the owner's key; with the machine's they could enrol a passkey of their own.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from cypher.keys import KEY_NAMES
from cypher.settings import Settings
from tests.support.graphs import make_settings

ROOT = Path(__file__).parents[2]
SOURCES = [path for package in ("curator", "cypher", "service") for path in (ROOT / package).rglob("*.py")]

# Answers a request at each of its addresses, in a process of its own, and tells what that process opened and loaded.
PROBE = """
import json, sys
from pathlib import Path
opened = []
sys.addaudithook(lambda event, arguments: opened.append(str(arguments[0])) if event == "open" else None)
import service.__main__
from starlette.testclient import TestClient
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import load_settings
from service.app import create_app
app = create_app(load_settings(Path(sys.argv[1])), clock=SystemClock(), ids=RandomIds())
client = TestClient(app, base_url="http://localhost:8765", raise_server_exceptions=False)
for route in app.routes:
    path = route.path.replace("{token}", "passkey.1.n.m").replace("{", "").replace("}", "")
    for method in ("GET", "POST"):
        client.request(method, path, follow_redirects=False)
keys = sorted({Path(path).stem for path in opened if path.endswith(".key")})
print(json.dumps({"keys": keys, "modules": sorted(sys.modules)}))
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A store whose keys are there, and whose ledger nobody opens."""
    return make_settings(tmp_path)


def test_the_web_process_opens_every_key_but_the_machines_and_the_checkpoints(settings: Settings) -> None:
    probe = subprocess.run(
        [sys.executable, "-c", PROBE, str(settings.home)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told = json.loads(probe.stdout)
    assert set(told["keys"]) <= {"owner", "cursor"}
    assert "cursor" in told["keys"], "the probe sees what is opened"
    assert not {"cypher.machine", "cypher.owner", "service.machine_links"} & set(told["modules"])


def calls_of(path: Path, *names: str) -> list[ast.Call]:
    """The calls of some functions in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in names]


def test_only_one_module_names_the_machines_key_and_every_key_is_named_where_it_is_read() -> None:
    named: dict[str, set[str]] = {}
    for path in SOURCES:
        for call in calls_of(path, "read_key"):
            name = call.args[1]
            if isinstance(name, ast.Constant):
                named.setdefault(str(name.value), set()).add(str(path.relative_to(ROOT)))
            else:
                # ``check_keys`` looks at each, for commands: the web process does not call it.
                assert path == ROOT / "cypher" / "keys.py", path
    assert named["machine"] == {"cypher/machine.py"}
    assert set(named) <= set(KEY_NAMES)


def test_only_commands_look_at_every_key() -> None:
    callers = {str(path.relative_to(ROOT)) for path in SOURCES if calls_of(path, "check_keys")}
    assert callers == {"service/cli/looking.py", "service/supervisor.py"}


def test_no_other_file_says_where_a_key_lies() -> None:
    for path in SOURCES:
        if path != ROOT / "cypher" / "keys.py":
            assert ".key" + '"' not in path.read_text("utf-8"), path
