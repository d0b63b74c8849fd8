"""What all commands share: where options may stand, the language, exit codes, what is printed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from rich.console import Console

from cypher.cli import (
    EXIT_OF,
    ExitCode,
    Terminal,
    flowed,
    hoist_common_options,
    indented,
    open_terminal,
    show_facts,
    show_rows,
    tr,
)
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


MEMORY = "mem:" + "a" * 26
HEADINGS = ("name", "type", "also", "id")
ROWS = [
    ("Alice Durand", "person", "", MEMORY),
    ("Acme", "organisation", "ACME Société anonyme, Acme Corp", MEMORY),
]


def printed(width: int, show: Callable[[Console], None], *, is_terminal: bool = True) -> str:
    file = io.StringIO()
    show(
        Console(
            file=file,
            width=width,
            highlight=False,
            emoji=False,
            force_terminal=is_terminal,
            color_system=None,
        )
    )
    return file.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_a_table_breaks_no_word_and_no_id_at_any_width(width: int) -> None:
    shown = printed(width, lambda console: show_rows(console, HEADINGS, ROWS, copied=3))
    for row in ROWS:
        for word in " ".join(row).split():
            assert word in shown.split() or f"{word}," in shown.split(), word
    assert max(map(len, shown.splitlines())) <= width
    assert (shown.splitlines()[0].split() == list(HEADINGS)) == (width >= 100)


def test_a_table_for_another_program_is_one_line_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(console: Console) -> None:
        show_rows(console, HEADINGS, ROWS, copied=3)

    monkeypatch.delenv("COLUMNS", raising=False)
    assert len(printed(40, show, is_terminal=False).splitlines()) == 1 + len(ROWS)
    monkeypatch.setenv("COLUMNS", "40")
    assert len(printed(40, show, is_terminal=False).splitlines()) > 1 + len(ROWS)


def test_a_column_that_is_empty_is_left_out() -> None:
    shown = printed(100, lambda console: show_rows(console, HEADINGS, ROWS[:1], copied=3))
    assert shown.splitlines()[0].split() == ["name", "type", "id"]


def test_a_value_that_has_no_room_beside_its_word_stands_whole_below_it() -> None:
    path = "/a/rather/long/path/to/where/everything/is/kept"
    shown = printed(40, lambda console: show_facts(console, [("home", path), ("store", "default")]))
    assert shown == f"home\n  {path}\nstore  default\n"


def test_french_marks_never_begin_a_line_nor_end_one() -> None:
    text = "Ceci « est » une phrase ; elle a des marques : et d'autres ! Vraiment ?"
    for width in range(8, len(text)):
        for line in flowed(text, width).splitlines():
            assert line[0] not in "»;:!?"
            assert line[-1] != "«"
        assert flowed(text, width).replace("\n", " ") == text, "the text stays as it was given"
    assert printed(30, lambda console: indented(console, text)).replace("\n  ", " ").strip() == flowed(
        text, 999
    )
