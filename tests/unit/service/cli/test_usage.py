"""How a command was called wrongly: an error of ours, in the person's language, as an object too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cypher.cli import ExitCode
from service.cli.main import main


def refused(home: Path, *words: str) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--home", str(home), *words])
    assert end.value.code == ExitCode.USAGE


@pytest.mark.parametrize(
    ("words", "code", "field"),
    [
        (["nonsense"], "command.unknown", None),
        (["entities", "ad"], "command.unknown", None),
        (["init"], "argument.missing", "--owner"),
        (["declare"], "argument.missing", "TEXT"),
        (["recall", "x", "--limit"], "argument.missing", "--limit"),
        (["recall", "x", "--limit", "many"], "argument.invalid", "--limit"),
        (["log", "--limit", "0"], "argument.invalid", "--limit"),
        (["log", "--limit", "5000"], "argument.invalid", "--limit"),
        (["grant", "x", "--scope", "third-party", "--mode", "all"], "argument.invalid", "--mode"),
        (["grant", "x", "--scope", "third-party", "--days", "99999999999"], "argument.invalid", "--days"),
        (["grant", "x", "--scope", "third-party", "--domains", ","], "argument.invalid", "--domains"),
        (["rule", "prop:x", "keep"], "argument.invalid", "RULING"),
        (["curate", "--dry-run=1"], "argument.invalid", "--dry-run"),
        (["recall", "x", "--nope"], "argument.unknown", "--nope"),
        (["status", "extra"], "argument.unknown", "extra"),
        (["status", "--lang", "de"], "argument.invalid", "--lang"),
    ],
    ids=str,
)
def test_what_the_parser_refuses_is_an_error_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: str, field: str | None
) -> None:
    lang = [] if "--lang" in words else ["--lang", "en"]
    refused(tmp_path, "--json", *lang, *words)
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], error["category"], error["field"]) == (code, "incorrect", field)
    assert "…" not in error["message"] + error["remedy"]


def test_what_was_meant_is_suggested_in_the_persons_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(tmp_path, "--lang", "fr", "recal")
    assert "Vouliez-vous dire recall" in capsys.readouterr().err
    refused(tmp_path, "--lang", "en", "recall", "x", "--lim", "3")
    assert "--limit" in capsys.readouterr().err


def test_the_help_has_its_own_words_in_the_persons_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, words in (("fr", ["Commandes", "Afficher ceci"]), ("en", ["Commands", "Show this"])):
        with pytest.raises(SystemExit):
            main(["--home", str(tmp_path), "--lang", lang, "--help"])
        shown = capsys.readouterr().out
        for word in words:
            assert word in shown
