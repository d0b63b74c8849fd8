"""``mnemo demo`` from beginning to end, on the embedded engine and on every Neo4j that we promise."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from cypher.cli import ExitCode
from cypher.engine import Engine
from cypher.settings import Settings
from cypher.statement import parse_statement
from policies.terms import Outcome
from tests.support.commands import Done, Mnemo, environment, processes_of
from tests.support.graphs import wipe
from tests.support.neo4j_server import RELEASES
from tests.support.waiting import eventually

_PLANT = parse_statement("plant_foreign", "// Something of somebody else's.\nCREATE (:Recipe {name: 'soup'})")
_COUNT = parse_statement(
    "count_foreign", "// What is somebody else's.\nMATCH (r:Recipe) RETURN count(r) AS found"
)

DEMO_S_MAX = 1_200


@pytest.fixture
def stage(tmp_path: Path) -> Mnemo:
    """A demonstration whose temporary folder is made in ``tmp_path``."""
    return Mnemo(tmp_path / "not-used")


def play(stage: Mnemo, *arguments: str, **variables: str) -> Done:
    """Run the demonstration; nothing of it may be left afterwards."""
    folder = stage.home.parent
    done = subprocess.run(
        stage.command("demo", *arguments),
        capture_output=True,
        encoding="utf-8",
        timeout=DEMO_S_MAX,
        env=environment(TMPDIR=str(folder), **variables),
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    leaves_nothing(folder)
    return Done(done.returncode, done.stdout, done.stderr)


def leaves_nothing(folder: Path) -> None:
    eventually(lambda: not processes_of(folder))
    assert not list(folder.glob("mnemo-demo-*"))


def told_everything(done: Done) -> None:
    assert done.code == ExitCode.DONE, done
    outcomes = [outcome.shown("louis") for outcome in Outcome if outcome is not Outcome.ERROR]
    told = [line.split() for line in done.out.splitlines()]
    for outcome in outcomes:
        assert [line for line in told if line[-1:] == [outcome] and line[0].isdigit()], outcome
    assert "error" not in [line[-1] for line in told if len(line) == 2 and line[0].isdigit()]
    assert "mem:" in done.out
    assert "README.md" in done.out


def plays_to_its_end(stage: Mnemo, lang: str, *arguments: str, **variables: str) -> None:
    columns = "40" if lang == "fr" else "100"
    done = play(stage, "--lang", lang, *arguments, COLUMNS=columns, **variables)
    told_everything(done)
    assert ("A memory begins" in done.out) == (lang == "en")


@pytest.mark.slow
@pytest.mark.timeout(DEMO_S_MAX)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_demonstration_plays_to_its_end_on_the_embedded_engine(stage: Mnemo, lang: str) -> None:
    plays_to_its_end(stage, lang)


def test_a_demonstration_that_is_asked_to_end_leaves_nothing_behind(stage: Mnemo) -> None:
    folder = stage.home.parent
    process = subprocess.Popen(
        stage.command("demo"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(TMPDIR=str(folder)),
    )
    eventually(lambda: bool(served_from(folder)) or process.poll() is not None, within_s=120)
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(90) == 130
    leaves_nothing(folder)


def served_from(folder: Path) -> list[psutil.Process]:
    return [process for process in processes_of(folder) if "serve" in process.cmdline()]


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.neo4j) for name in RELEASES])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(settings: Settings, engine: Engine) -> Iterator[dict[str, str]]:
    """A Neo4j whose database belongs to nobody: the environment that reaches it."""
    wipe(engine.graph, claim=None)
    yield {"MNEMO_GRAPH_PASSWORD_FILE": str(settings.graph_password_file)}
    wipe(engine.graph)


@pytest.mark.timeout(2 * DEMO_S_MAX)
def test_on_a_neo4j_it_can_be_played_again_and_again_in_both_languages(
    stage: Mnemo, settings: Settings, server: dict[str, str]
) -> None:
    for lang in ("en", "fr"):
        plays_to_its_end(stage, lang, "--graph", str(settings.graph_url), **server)


def test_a_database_that_holds_something_else_is_refused_and_left_alone(
    stage: Mnemo, settings: Settings, engine: Engine, server: dict[str, str]
) -> None:
    engine.graph.write(_PLANT)
    done = play(stage, "--graph", str(settings.graph_url), **server)
    assert done.code in (ExitCode.USAGE, ExitCode.REFUSED)
    assert "not Mnemo's" in done.err
    assert engine.graph.read(_COUNT)[0]["found"] == 1


def test_a_store_begins_on_a_neo4j(stage: Mnemo, settings: Settings, server: dict[str, str]) -> None:
    """Twice is once; what it holds is the demonstration's no more."""
    words = ("--json", "init", "--owner", "Zoé", "--graph", str(settings.graph_url))
    first = stage.ends(ExitCode.DONE, *words, **server).answer
    assert (first["engine"], first["created"], first["outcome"]) == ("neo4j", True, "committed")
    again = stage.ends(ExitCode.DONE, *words, **server).answer
    assert (again["created"], again["outcome"]) == (False, "duplicate")
    assert stage.ends(ExitCode.DONE, "--json", "verify", **server).answer["ok"]
    assert not (stage.home / "engine").exists()
    refused = play(stage, "--graph", str(settings.graph_url), **server)
    assert refused.code in (ExitCode.USAGE, ExitCode.REFUSED)
    assert stage.ends(ExitCode.DONE, "--json", "verify", **server).answer["ok"]
