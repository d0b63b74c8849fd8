"""The clients that can be connected: which files they read, what belongs there, what is left to do by hand.

Formats as their makers document them: Claude Code (``.mcp.json``, ``~/.claude.json``), Claude Desktop
(``claude_desktop_config.json``, local programs only), Cursor (``mcp.json``), VS Code (``mcp.json``). A project's
file holds an address and never a secret: a token is named there by the variable, or the question, that gives it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast, get_args
from urllib.parse import urlsplit

from cypher.settings import is_loopback
from service import prompts
from service.connect.files import Entry, Target

Client = Literal[
    "claude-code", "claude-desktop", "cursor", "vscode", "claude", "chatgpt", "inspector", "other"
]
CLIENTS: tuple[Client, ...] = get_args(Client)
WITH_FILES: frozenset[Client] = frozenset({"claude-code", "claude-desktop", "cursor", "vscode"})
WITH_PROJECTS: frozenset[Client] = frozenset({"claude-code", "cursor", "vscode"})
ELSEWHERE: Mapping[Client, str] = {"claude": "Claude", "chatgpt": "ChatGPT"}
"""Those whose requests come from their makers' machines."""

TOKEN_VARIABLE = "MNEMO_TOKEN"  # noqa: S105  (its name)
REMINDER = "reminder.md"


@dataclass(frozen=True, slots=True)
class Machine:
    """Where programs keep their settings for the person who runs the command."""

    platform: str
    """As ``sys.platform``."""
    home: Path
    environment: Mapping[str, str]

    @property
    def settings_dir(self) -> Path:
        """Where desktop programs keep theirs."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return Path(self.environment.get("APPDATA") or self.home / "AppData" / "Roaming")
        return Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")

    @property
    def claude_desktop_dir(self) -> Path:
        """Claude Desktop's; as a Windows package it reads a folder of its own."""
        if self.platform == "win32":
            local = Path(self.environment.get("LOCALAPPDATA") or self.home / "AppData" / "Local")
            for package in sorted(local.glob("Packages/Claude_*/LocalCache/Roaming")):
                return package / "Claude"
        return self.settings_dir / "Claude"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be connected."""

    name: str
    """Of the entry in the client's file."""
    url: str
    owner: str
    language: str
    project: Path | None = None
    """The folder whose files are meant; None for the person's own."""
    with_token: bool = False
    """The client sends a token, rather than sign in."""
    program: tuple[str, ...] | None = None
    """What starts ``mnemo mcp``, for a client that starts it itself."""
    variables: Mapping[str, str] | None = None
    """Of that program's environment."""
    with_hooks: bool = False


def targets(client: Client, wanted: Wanted, machine: Machine) -> list[Target]:
    """What belongs into which files, in the order of writing; none for a client that has none."""
    shared = wanted.project is not None
    if client == "claude-code":
        return _claude_code(wanted, machine)
    if client == "claude-desktop":
        path = machine.claude_desktop_dir / "claude_desktop_config.json"
        return [Target(path, (_server(("mcpServers",), wanted, _program(wanted)),))]
    if client == "cursor":
        folder = (wanted.project or machine.home) / ".cursor"
        server = _address(wanted, "${env:" + TOKEN_VARIABLE + "}")
        return [Target(folder / "mcp.json", (_server(("mcpServers",), wanted, server),), is_shared=shared)]
    if client == "vscode":
        folder = wanted.project / ".vscode" if wanted.project else machine.settings_dir / "Code" / "User"
        question = f"{wanted.name}-token"
        server = {"type": "http", **_address(wanted, "${input:" + question + "}")}
        entries = [_server(("servers",), wanted, server)]
        if wanted.with_token:
            entries.insert(0, _question(question))
        return [Target(folder / "mcp.json", tuple(entries), is_shared=shared)]
    return []


def removable(client: Client, wanted: Wanted, machine: Machine) -> list[Target]:
    """Every file and entry that connecting may have made, whatever it was asked then."""
    whole = Wanted(
        wanted.name, wanted.url, wanted.owner, wanted.language, wanted.project, True, (), None, True
    )
    return targets(client, whole, machine)


def instruction(wanted: Wanted) -> str:
    """What to tell the assistant: the prompt ``mnemo``. A project's copy names nobody."""
    owner = wanted.owner
    if wanted.project is not None:
        owner = "son propriétaire" if wanted.language == "fr" else "its owner"
    return prompts.guidance(wanted.language, owner)


def steps(client: str, language: str, details: Mapping[str, str]) -> list[str]:
    """What is left to do by hand, in order.

    Args:
        client: or another key of the table, for steps that several share.
        language: ``fr`` or ``en``.
        details: fill the placeholders.
    """
    return [step.format_map(details) for step in _words()[client][language]]


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("steps.toml").read_text("utf-8"))


def _claude_code(wanted: Wanted, machine: Machine) -> list[Target]:
    """Its server; with hooks also a skill, which says how, and a reminder that goes with every question."""
    chosen = machine.environment.get("CLAUDE_CONFIG_DIR")
    own = Path(chosen) if chosen else machine.home / ".claude"
    if wanted.project is not None:
        servers, own = wanted.project / ".mcp.json", wanted.project / ".claude"
    else:
        servers = own / ".claude.json" if chosen else machine.home / ".claude.json"
    shared = wanted.project is not None
    server = {"type": "http", **_address(wanted, "${" + TOKEN_VARIABLE + "}")}
    found = [Target(servers, (_server(("mcpServers",), wanted, server),), is_shared=shared)]
    if wanted.with_hooks:
        skill = own / "skills" / wanted.name
        reminder = skill / REMINDER
        shown = (
            f'"$CLAUDE_PROJECT_DIR/{reminder.relative_to(wanted.project).as_posix()}"'
            if wanted.project is not None
            else "'" + reminder.as_posix().replace("'", "'\\''") + "'"
        )
        found += [
            Target(skill / "SKILL.md", text=_skill(wanted), is_shared=shared),
            Target(reminder, text=prompts.reminder(wanted.language, wanted.name) + "\n", is_shared=shared),
            Target(own / "settings.json", (_hook(wanted.name, f"cat {shown}"),), is_shared=shared),
        ]
    return found


def _skill(wanted: Wanted) -> str:
    summary = json.dumps(prompts.summary(wanted.language, wanted.name), ensure_ascii=False)
    return f"---\nname: {wanted.name}\ndescription: {summary}\n---\n\n{instruction(wanted)}\n"


def _hook(name: str, command: str) -> Entry:
    """What runs with every question; its output is read by the assistant."""
    marker = f"skills/{name}/{REMINDER}"

    def is_ours(value: object) -> bool:
        hooks = cast("Mapping[str, object]", value).get("hooks") if isinstance(value, dict) else None
        return isinstance(hooks, list) and any(
            marker in str(cast("Mapping[str, object]", one).get("command"))
            for one in cast("list[object]", hooks)
            if isinstance(one, dict)
        )

    hook = {"hooks": [{"type": "command", "command": command, "timeout": 5}]}
    return Entry(("hooks", "UserPromptSubmit"), None, hook, is_ours)


def _address(wanted: Wanted, token: str) -> dict[str, object]:
    server: dict[str, object] = {"url": wanted.url}
    return {**server, "headers": {"Authorization": f"Bearer {token}"}} if wanted.with_token else server


def _program(wanted: Wanted) -> dict[str, object]:
    command, *arguments = wanted.program or ("mnemo",)
    server: dict[str, object] = {"command": command, "args": arguments}
    return {**server, "env": dict(wanted.variables)} if wanted.variables else server


def _question(name: str) -> Entry:
    value = {"type": "promptString", "id": name, "description": "Mnemo token", "password": True}
    return Entry(
        ("inputs",),
        None,
        value,
        lambda found: isinstance(found, dict) and cast("dict[str, object]", found).get("id") == name,
    )


def _server(path: tuple[str, ...], wanted: Wanted, value: object) -> Entry:
    return Entry(path, wanted.name, value, lambda found: _is_mnemo(found, wanted.url))


def _is_mnemo(found: object, url: str) -> bool:
    """Whether an entry of our name is a Mnemo's: others may bear the name."""
    if not isinstance(found, dict):
        return False
    entry = cast("dict[str, object]", found)
    given, arguments = entry.get("url"), entry.get("args")
    if isinstance(arguments, list):
        return {"mcp", "--as"} <= set(map(str, cast("Sequence[object]", arguments)))
    if not isinstance(given, str):
        return False
    parts = urlsplit(given)
    return given == url or (is_loopback(parts.hostname or "") and parts.path.rstrip("/") == "/mcp")
