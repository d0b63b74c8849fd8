"""Statement files: each has its caller, each is understood by every engine, and commits load alone."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cypher.graph import Graph
from cypher.statement import Statement, parse_statement, statement, statement_files

CYPHER = Path(__file__).parents[3] / "cypher"
ROOT = CYPHER.parent
_CALL = re.compile(r'statement\(\s*"(\w+)"\s*\)')


def calls() -> dict[str, set[str]]:
    """By statement, the modules that ask for it."""
    found: dict[str, set[str]] = {}
    for folder in ("cypher", "service", "curator"):
        for path in (ROOT / folder).rglob("*.py"):
            for name in _CALL.findall(path.read_text("utf-8")):
                found.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    return found


def test_every_statement_has_a_caller_and_every_caller_a_statement() -> None:
    assert set(calls()) == set(statement_files())


def test_statements_that_commit_are_asked_for_by_the_committer_alone() -> None:
    committing = {"cypher/commit.py", "cypher/committer.py"}
    for name, path in statement_files().items():
        if path.parent.name == "commit":
            assert calls()[name] <= committing, name


def test_the_service_never_loads_a_statement_that_commits() -> None:
    """G7, in a process of its own: everything the service imports is imported."""
    program = (
        "import service.app, service.cli.main\n"
        "from cypher import statement as s\n"
        "import sys\n"
        "loaded = [n for n in sys.modules if n.startswith('cypher.')]\n"
        "print(' '.join(loaded))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    assert "cypher.reader" in loaded
    assert not loaded & {
        "cypher.commit",
        "cypher.committer",
        "cypher.lease",
        "cypher.projection",
        "cypher.rebuild",
    }


def test_no_statement_is_written_in_python() -> None:
    for folder in ("cypher", "service", "curator"):
        for path in (ROOT / folder).rglob("*.py"):
            code = path.read_text("utf-8")
            assert not re.search(r"\b(MATCH|MERGE|UNWIND) *\(", code), path


def _explained(name: str) -> Statement:
    asked = statement(name)
    declared = "".join(f"// ${one}: any\n" for one in sorted(asked.parameters))
    return parse_statement(name, f"// {asked.purpose}\n{declared}EXPLAIN {asked.text}")


@pytest.mark.parametrize("name", sorted(statement_files()))
def test_every_engine_plans_every_statement(graph: Graph, name: str) -> None:
    asked = _explained(name)
    graph.read(asked, **dict.fromkeys(asked.parameters, None))
