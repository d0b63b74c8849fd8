"""The README's commands exist, and are called as they are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from cypher.cli import hoist_common_options, open_terminal
from policies.errors import MnemoError
from policies.parameters import parameters
from service.cli.main import build_app
from service.connect.clients import Machine, Wanted, targets
from service.tools import TOOLS

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Every call of ``mnemo`` in the documents, in blocks and in running text."""
    found: list[str] = []
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        found += [
            line for block in blocks(text, "sh") for line in block.splitlines() if line.startswith("mnemo ")
        ]
        found += re.findall(r"`(mnemo [a-z-]+[^`…]*)`", text)
    return sorted(set(found))


def test_the_two_commands_are_there() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    first = blocks(readme, "sh")[0].split("\n")
    assert first == ["sh deploy/quickstart.sh", "sh tests/run.sh", ""]
    for line in first[:2]:
        assert (ROOT / line.split()[1]).is_file()


@pytest.mark.parametrize("line", commands())
def test_each_call_of_the_command_can_be_parsed(line: str, tmp_path: Path) -> None:
    open_terminal(home=tmp_path, store=None, as_json=False, lang="en")
    command: Any = typer.main.get_command(build_app())
    words = hoist_common_options(shlex.split(line)[1:])
    parent = None
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        parent = command.make_context(words[0], [], parent, resilient_parsing=True)
        command = command.commands[words[0]]
        words = words[1:]
    if hasattr(command, "commands"):
        assert words in ([], ["--help"], ["--lang"], ["--json"]), "a family, and options of all"
    elif words:  # a name alone is a mention, not a call
        command.make_context(line, [word for word in words if word != "--help"], parent)


def test_every_tool_is_in_the_table_with_its_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^\| \[`(mem_\w+)`\]\(docs/tools/\1\.md\)", readme, re.MULTILINE) == [
        one.name for one in TOOLS
    ]


def test_every_scope_is_in_the_table_with_its_level() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    told = dict(
        re.findall(r"^\| `([a-z-]+)` \| (?:S\d up to )?(S\d)", readme.replace("Sees up to", ""), re.MULTILINE)
    )
    assert told == {name: scope.level.name for name, scope in parameters().scopes.items()}


def test_the_configurations_of_clients_are_those_that_are_written(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    wanted = Wanted("mnemo", "http://localhost:8765/mcp", "Zoé Martin", "en")
    machine = Machine("linux", tmp_path, {})
    written = [targets(client, wanted, machine)[0].content for client in ("claude-code", "vscode")]
    assert blocks(readme, "json") == written


def test_every_client_that_can_be_connected_is_named() -> None:
    text = (ROOT / "README.md").read_text("utf-8") + (ROOT / "docs" / "operations.md").read_text("utf-8")
    for name in ("Claude Code", "Claude Desktop", "Cursor", "VS Code", "Claude on the web", "ChatGPT"):
        assert name in text


def test_what_doctor_finds_at_the_address_is_listed() -> None:
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    listed = re.findall(r"^\| `(address\.\w+)` \|", text, re.MULTILINE)
    coded = {one.code for one in MnemoError.__subclasses__() if one.code.startswith("address.")}
    assert set(listed) == coded
