from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from cypher.statement import STATEMENTS, parse_script, parse_statement, statement, statement_files
from policies.errors import InvariantBroken

ROOT = Path(__file__).parents[3]
PACKAGES = ("policies", "cypher", "curator", "service")
CYPHER = re.compile(r"\b(?:MATCH|MERGE|UNWIND)\s*[(\w$]|\bCREATE\s*\(|\bDETACH DELETE\b")


def test_header_gives_purpose_and_parameters() -> None:
    parsed = parse_statement(
        "find_thing", "// Find a thing.\n// It may be old.\n// $id: its id\nMATCH (n {id: $id})\nRETURN n\n"
    )
    assert parsed.purpose == "Find a thing. It may be old."
    assert parsed.parameters == {"id"}
    assert parsed.text == "MATCH (n {id: $id})\nRETURN n"


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("find_thing", "MATCH (n) RETURN n"),
        ("find_thing", "// Find.\n"),
        ("find_thing", "// Find.\nMATCH (n {id: $id}) RETURN n"),
        ("find_thing", "// Find.\n// $id: its id\nMATCH (n) RETURN n"),
        ("find_thing", "// Find.\n// $id\nMATCH (n {id: $id}) RETURN n"),
        ("find_thing", "// Find.\n// $id: its id\n// $id: its id\nMATCH (n {id: $id}) RETURN n"),
        ("thing", "// Find.\nMATCH (n) RETURN n"),
        ("Find_Thing", "// Find.\nMATCH (n) RETURN n"),
    ],
)
def test_header_that_disagrees_with_its_text_is_refused(name: str, source: str) -> None:
    with pytest.raises(InvariantBroken):
        parse_statement(name, source)


def test_dollar_in_a_string_or_a_comment_is_no_parameter() -> None:
    text = "// Find.\nMATCH (n {price: '$five', `$odd`: \"it's $\"}) // $none\nRETURN n"
    assert parse_statement("find_thing", text).parameters == frozenset()


def test_script_is_cut_at_semicolons_that_end_a_line() -> None:
    script = parse_script("0001_x", "-- Why.\nCREATE A;\n-- more\nCREATE B\n  ON C;\n")
    assert [step.text for step in script] == ["CREATE A", "CREATE B\n  ON C"]


@pytest.mark.parametrize("source", ["-- Why.\n", "-- Why.\nCREATE $name;\n"])
def test_script_without_definition_or_with_a_parameter_is_refused(source: str) -> None:
    with pytest.raises(InvariantBroken):
        parse_script("0001_x", source)


def test_unknown_statement_is_refused() -> None:
    with pytest.raises(InvariantBroken):
        statement("find_nothing_of_the_kind")


@pytest.mark.parametrize("name", sorted(statement_files()))
def test_every_statement_is_well_formed_and_asked_for_by_name(name: str) -> None:
    parsed = statement(name)
    assert not parsed.text.endswith(";")
    asked = [path for path in sources() if f'"{name}"' in path.read_text("utf-8")]
    assert asked, f"nobody runs {name}"


def test_no_folder_below_statements_holds_anything_else() -> None:
    assert [p for p in STATEMENTS.rglob("*") if p.is_file() and p.suffix != ".cypher"] == []


def test_no_statement_is_written_in_python() -> None:
    guilty = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources()
        for node in strings(ast.parse(path.read_text("utf-8")))
        if CYPHER.search(str(node.value))
    ]
    assert guilty == []


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]


def strings(tree: ast.AST) -> list[ast.Constant]:
    """The string constants that are not docstrings."""
    loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in loose
    ]
