"""A home that the file system refuses is told of; what is refused elsewhere is a fault."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from cypher.cli import ExitCode
from service.cli.main import main
from service.cli.refusals import refusal_of


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        (errno.EACCES, "home.denied"),
        (errno.EROFS, "home.denied"),
        (errno.ENOSPC, "home.full"),
        (errno.ENOTDIR, "home.no_folder"),
        (errno.EIO, "home.other"),
    ],
)
def test_what_is_refused_in_the_home_has_its_problem(tmp_path: Path, number: int, problem: str) -> None:
    for path in (tmp_path, tmp_path / "engine", tmp_path.parent):
        refusal = refusal_of(OSError(number, "no", str(path)), tmp_path)
        assert refusal is not None
        assert refusal.details == {"path": str(path), "problem": problem}


def test_what_is_refused_elsewhere_is_not_the_homes(tmp_path: Path) -> None:
    assert refusal_of(OSError(errno.EACCES, "no", str(tmp_path / "other")), tmp_path / "home") is None
    assert refusal_of(ConnectionRefusedError(), tmp_path) is None


@pytest.mark.parametrize("home", ["file", "file/below"])
def test_a_home_that_is_a_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], home: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit) as end:
        main(["--home", str(tmp_path / home), "--json", "init", "--owner", "Zoé"])
    assert end.value.code == ExitCode.UNAVAILABLE
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "home.unusable"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"no store"])
def test_an_active_store_that_is_none_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / "active").write_bytes(content)
    with pytest.raises(SystemExit) as end:
        main(["--home", str(tmp_path), "--json", "status"])
    assert end.value.code == ExitCode.USAGE
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "store.invalid"


def test_a_zone_that_does_not_exist_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "stores" / "default"
    store.mkdir(parents=True)
    facts = {"owner": "Zoé", "handle": "zoe", "timezone": "Mars/Olympus", "lang": "fr"}
    lines = [f"{name} = {json.dumps(value)}" for name, value in facts.items()]
    (store / "store.toml").write_text("\n".join(lines), "utf-8")
    with pytest.raises(SystemExit) as end:
        main(["--home", str(tmp_path), "--json", "status"])
    assert end.value.code == ExitCode.USAGE
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "store.invalid"
