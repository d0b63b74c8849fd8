"""What all commands share: where options may stand, the language, exit codes, what is printed."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from cypher.cli import EXIT_OF, ExitCode, Terminal, hoist_common_options, open_terminal, tr
from policies.errors import Category


@pytest.mark.parametrize(
    ("given", "hoisted"),
    [
        ([], []),
        (["status"], ["status"]),
        (["status", "--json"], ["--json", "status"]),
        (["recall", "x", "--home", "h", "--limit", "3"], ["--home", "h", "recall", "x", "--limit", "3"]),
        (["status", "--lang=fr"], ["--lang=fr", "status"]),
        (["--store", "a", "status"], ["--store", "a", "status"]),
        (["remember", "--", "--json"], ["remember", "--", "--json"]),
        (["status", "--json=yes"], ["status", "--json=yes"]),
        (["status", "--home"], ["--home", "status"]),
    ],
)
def test_common_options_may_stand_anywhere_before_a_bare_double_dash(
    given: list[str], hoisted: list[str]
) -> None:
    assert hoist_common_options(given) == hoisted


def test_every_category_has_its_exit_code() -> None:
    assert set(EXIT_OF) == set(get_args(Category))
    assert EXIT_OF["incorrect"] == 2
    assert EXIT_OF["not_found"] == 3
    assert EXIT_OF["forbidden"] == EXIT_OF["conflict"] == 4
    assert EXIT_OF["unavailable"] == 5
    assert EXIT_OF["fault"] == 70
    assert (ExitCode.DONE, ExitCode.NEGATIVE) == (0, 1)


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "fr"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], lang: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    open_terminal(home=tmp_path, store=None, as_json=False, lang=None)
    assert tr("en", "fr") == lang


def test_an_answer_is_one_json_object_or_text_as_it_was_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Terminal(tmp_path, None, as_json=True, lang="en").answer({"name": "Zoé"}, lambda _: None)
    assert capsys.readouterr().out == '{\n  "name": "Zoé"\n}\n'
    Terminal(tmp_path, None, as_json=False, lang="en").answer(
        {}, lambda console: console.print("a :bug: here")
    )
    assert capsys.readouterr().out == "a :bug: here\n"
