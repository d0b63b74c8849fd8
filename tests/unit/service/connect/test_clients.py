"""Each client's files are where it reads them, in its format, without a secret."""

from __future__ import annotations

import json
import string
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service import prompts
from service.connect import clients
from service.connect.clients import (
    CLIENTS,
    ELSEWHERE,
    WITH_FILES,
    Client,
    Machine,
    Wanted,
    removable,
    steps,
    targets,
)
from service.connect.files import install, uninstall
from service.connect.records import Book

URL = "http://localhost:8765/mcp"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine("linux", tmp_path / "me", {})


@pytest.fixture
def wanted() -> Wanted:
    return Wanted("mnemo", URL, "Zoé Martin", "en")


def written(client: Client, wanted: Wanted, machine: Machine) -> dict[str, Any]:
    """What is in its JSON files, by the path under home or project."""
    root = wanted.project or machine.home
    return {
        target.path.relative_to(root).as_posix(): json.loads(target.content)
        for target in targets(client, wanted, machine)
        if target.text is None
    }


def test_an_address_is_all_that_a_client_needs(wanted: Wanted, machine: Machine) -> None:
    typed = {"type": "http", "url": URL}
    assert written("claude-code", wanted, machine) == {".claude.json": {"mcpServers": {"mnemo": typed}}}
    assert written("cursor", wanted, machine) == {".cursor/mcp.json": {"mcpServers": {"mnemo": {"url": URL}}}}
    assert written("vscode", wanted, machine) == {".config/Code/User/mcp.json": {"servers": {"mnemo": typed}}}
    for client in ("claude", "chatgpt", "inspector", "other"):
        assert targets(client, wanted, machine) == []


def test_a_project_has_files_of_its_own(wanted: Wanted, machine: Machine, tmp_path: Path) -> None:
    wanted = replace(wanted, project=tmp_path)
    assert set(written("claude-code", wanted, machine)) == {".mcp.json"}
    assert set(written("cursor", wanted, machine)) == {".cursor/mcp.json"}
    assert set(written("vscode", wanted, machine)) == {".vscode/mcp.json"}


@pytest.mark.parametrize(
    ("platform", "environment", "vscode", "desktop"),
    [
        ("linux", {}, ".config/Code/User", ".config/Claude"),
        ("linux", {"XDG_CONFIG_HOME": "{home}/x"}, "x/Code/User", "x/Claude"),
        (
            "darwin",
            {},
            "Library/Application Support/Code/User",
            "Library/Application Support/Claude",
        ),
        ("win32", {}, "AppData/Roaming/Code/User", "AppData/Roaming/Claude"),
        ("win32", {"APPDATA": "{home}/R"}, "R/Code/User", "R/Claude"),
    ],
)
def test_files_are_where_each_platform_has_them(
    wanted: Wanted, tmp_path: Path, platform: str, environment: dict[str, str], vscode: str, desktop: str
) -> None:
    given = {name: value.format(home=tmp_path) for name, value in environment.items()}
    machine = Machine(platform, tmp_path, given)
    assert list(written("vscode", wanted, machine)) == [f"{vscode}/mcp.json"]
    assert list(written("claude-desktop", wanted, machine)) == [f"{desktop}/claude_desktop_config.json"]


def test_as_a_windows_package_claude_desktop_reads_a_folder_of_its_own(
    wanted: Wanted, tmp_path: Path
) -> None:
    """anthropics/claude-code issue 26073: what is written elsewhere is silently never read."""
    package = tmp_path / "L" / "Packages" / "Claude_pzs8sxrjxfjjc" / "LocalCache" / "Roaming"
    package.mkdir(parents=True)
    machine = Machine("win32", tmp_path, {"LOCALAPPDATA": str(tmp_path / "L")})
    (target,) = targets("claude-desktop", wanted, machine)
    assert target.path == package / "Claude" / "claude_desktop_config.json"


def test_claude_codes_folder_may_be_elsewhere(wanted: Wanted, machine: Machine, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    moved = replace(machine, environment={"CLAUDE_CONFIG_DIR": str(elsewhere)})
    paths = [target.path for target in targets("claude-code", replace(wanted, with_hooks=True), moved)]
    assert [path.relative_to(elsewhere).as_posix() for path in paths] == [
        ".claude.json",
        "skills/mnemo/SKILL.md",
        "skills/mnemo/reminder.md",
        "settings.json",
    ]


def test_a_token_is_named_and_never_written(wanted: Wanted, machine: Machine, tmp_path: Path) -> None:
    wanted = replace(wanted, with_token=True, project=tmp_path)
    said = {
        client: json.dumps(written(client, wanted, machine)) for client in ("claude-code", "cursor", "vscode")
    }
    assert "Bearer ${MNEMO_TOKEN}" in said["claude-code"]
    assert "Bearer ${env:MNEMO_TOKEN}" in said["cursor"]
    assert "Bearer ${input:mnemo-token}" in said["vscode"]
    asked = written("vscode", wanted, machine)[".vscode/mcp.json"]["inputs"]
    assert asked == [
        {"type": "promptString", "id": "mnemo-token", "description": "Mnemo token", "password": True}
    ]


def test_claude_desktop_starts_the_program(wanted: Wanted, machine: Machine) -> None:
    started = replace(
        wanted, program=("/opt/mnemo", "mcp", "--as", "desk"), variables={"MNEMO_KV_URL": "redis://kv"}
    )
    (found,) = written("claude-desktop", started, machine).values()
    assert found["mcpServers"]["mnemo"] == {
        "command": "/opt/mnemo",
        "args": ["mcp", "--as", "desk"],
        "env": {"MNEMO_KV_URL": "redis://kv"},
    }


@pytest.mark.parametrize("in_project", [True, False])
@pytest.mark.skipif(sys.platform == "win32", reason="a Unix shell")
def test_the_hook_gives_the_reminder_and_the_skill_the_whole(
    wanted: Wanted, machine: Machine, tmp_path: Path, in_project: bool
) -> None:
    project = tmp_path / "it's a project" if in_project else None
    wanted = replace(wanted, with_hooks=True, project=project)
    machine = replace(machine, home=tmp_path / "it's me")
    book = Book(tmp_path / "records")
    install(targets("claude-code", wanted, machine), book, "claude-code", project, dry=False)
    folder = (project or machine.home) / ".claude"
    (hook,) = json.loads((folder / "settings.json").read_text("utf-8"))["hooks"]["UserPromptSubmit"]
    given = subprocess.run(
        ["sh", "-c", hook["hooks"][0]["command"]],
        capture_output=True,
        text=True,
        check=True,
        env={"CLAUDE_PROJECT_DIR": str(project), "PATH": "/usr/bin:/bin"},
        cwd="/",
    )
    assert given.stdout == prompts.reminder("en", "mnemo") + "\n"
    skill = (folder / "skills" / "mnemo" / "SKILL.md").read_text("utf-8")
    assert skill.startswith("---\nname: mnemo\ndescription: ")
    assert prompts.guidance("en", "its owner" if in_project else "Zoé Martin") in skill
    assert ("Zoé" in skill) is not in_project  # a project's file names nobody
    uninstall(removable("claude-code", replace(wanted, with_hooks=False), machine)[::-1], book, dry=False)
    assert list(tmp_path.iterdir()) == []


def test_a_hook_joins_those_that_are_there(wanted: Wanted, machine: Machine, tmp_path: Path) -> None:
    settings = machine.home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    theirs = '{\n  "hooks": {\n    "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "date"}]}]\n  }\n}\n'
    settings.write_text(theirs, "utf-8")
    book = Book(tmp_path / "records")
    for with_hooks in (True, True):
        places = targets("claude-code", replace(wanted, with_hooks=with_hooks), machine)
        install(places, book, "claude-code", None, dry=False)
    assert len(json.loads(settings.read_text("utf-8"))["hooks"]["UserPromptSubmit"]) == 2
    uninstall(removable("claude-code", wanted, machine)[::-1], book, dry=False)
    assert settings.read_text("utf-8") == theirs


@pytest.mark.parametrize(
    ("found", "is_ours"),
    [
        ({"url": URL}, True),
        ({"url": "http://127.0.0.1:9000/mcp/", "headers": {}}, True),
        ({"url": "https://elsewhere.example/mcp"}, False),
        ({"url": "http://localhost:8765/other"}, False),
        ({"command": "mnemo", "args": ["mcp", "--as", "desk"]}, True),
        ({"command": "mnemo", "args": ["serve"]}, False),
        ({}, False),
        ("mnemo", False),
    ],
)
def test_another_program_of_the_name_is_told_from_ours(
    wanted: Wanted, machine: Machine, found: object, is_ours: bool
) -> None:
    (target,) = targets("cursor", wanted, machine)
    assert target.entries[0].is_ours(found) is is_ours


def placeholders(words: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(words) if name)


def test_every_client_has_its_steps_in_both_languages() -> None:
    table = tomllib.loads(Path(clients.__file__).with_name("steps.toml").read_text("utf-8"))
    assert set(CLIENTS) <= set(table)
    assert {f"{client}-token" for client in WITH_FILES - {"claude-desktop"}} <= set(table)
    assert set(ELSEWHERE) | set(WITH_FILES) <= set(CLIENTS)
    details = {"url": URL, "name": "mnemo", "variable": "MNEMO_TOKEN", "project": "here"}
    for key, said in table.items():
        assert len(said["fr"]) == len(said["en"])
        for french, english in zip(said["fr"], said["en"], strict=True):
            assert placeholders(french) == placeholders(english), key
        assert steps(key, "fr", details)
        assert steps(key, "en", details)
