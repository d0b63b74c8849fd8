"""The entry of the command: every end has its code, and nobody sees a stack trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cypher.cli import ExitCode
from service.cli import looking
from service.cli.main import build_app, main

WORDS = "what a memory says"


def run(home: Path, *words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["--home", str(home), *words])
    code = end.value.code
    assert isinstance(code, int)
    return code


def test_help_and_version_are_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--help") == ExitCode.DONE
    shown = capsys.readouterr().out
    for name in ("init", "serve", "recall", "curate", "verify"):
        assert name in shown
    assert run(tmp_path, "--version") == ExitCode.DONE
    assert capsys.readouterr().out.startswith("mnemo ")


def test_no_word_at_all_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == ExitCode.USAGE
    shown = capsys.readouterr()
    assert "recall" in shown.out + shown.err


def test_what_is_not_there_yet_is_absent(tmp_path: Path) -> None:
    for name in ("erase", "audit", "export", "import", "backup", "restore", "owner"):
        assert run(tmp_path, name) == ExitCode.USAGE


def test_an_error_is_told_in_words_and_as_an_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--json", "--lang", "fr", "status") == ExitCode.USAGE
    shown = capsys.readouterr()
    error = json.loads(shown.out)["error"]
    assert (error["code"], error["category"]) == ("store.invalid", "incorrect")
    assert "dépôt" in shown.err


def test_words_that_look_like_markup_are_told_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--store", "[/red]", "--lang", "en", "status") == ExitCode.USAGE
    assert "[/red]" in capsys.readouterr().err


@pytest.mark.parametrize("there", [True, False])
def test_a_fault_is_kept_by_its_place_without_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], there: bool
) -> None:
    def broken() -> None:
        raise ValueError(WORDS)

    monkeypatch.setattr(looking, "status", broken)
    home = tmp_path if there else tmp_path / "absent"
    assert run(home, "--json", "--lang", "en", "status") == ExitCode.FAULT
    shown = capsys.readouterr()
    assert json.loads(shown.out)["error"]["code"] == "internal.fault"
    kept = (home / "faults.log").read_text("utf-8") if there else shown.err
    assert "ValueError" in kept
    assert WORDS not in kept + shown.err + shown.out
    assert "Traceback" not in shown.err


def test_every_command_has_help_in_both_languages() -> None:
    for command in build_app().registered_commands:
        assert command.help, command.name
