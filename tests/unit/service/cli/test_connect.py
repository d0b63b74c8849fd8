"""``mnemo connect`` as a person runs it, on files of an invented person."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cypher.cli import ExitCode
from cypher.runtime import RandomIds, SystemClock
from cypher.settings import load_settings
from service.cli import connect
from service.cli.main import main
from service.connect.clients import CLIENTS, ELSEWHERE
from service.grants import open_grants
from service.prompts import guidance
from tests.support.plain_store import plain_store

URL = "http://localhost:8765/mcp"
PUBLIC = "https://memory.example"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a store, a home and a project."""

    mnemo: Path
    me: Path
    project: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, *words: str, code: int = ExitCode.DONE) -> str:
        with pytest.raises(SystemExit) as end:
            main(["--home", str(self.mnemo), *words])
        shown = self.capsys.readouterr()
        assert end.value.code == code, shown
        return shown.out + shown.err

    def answer(self, *words: str, code: int = ExitCode.DONE) -> Any:
        with pytest.raises(SystemExit) as end:
            main(["--home", str(self.mnemo), "--json", *words])
        shown = self.capsys.readouterr()
        assert end.value.code == code, shown
        return json.loads(shown.out)

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.me.parent)): path.read_bytes()
            for folder in (self.me, self.project)
            for path in folder.rglob("*")
            if path.is_file()
        }

    def grants(self) -> dict[str, str]:
        with open_grants(load_settings(self.mnemo), SystemClock(), RandomIds()) as grants:
            return {grant.name: grant.scope for grant in grants.listed()}


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Person:
    for name in [name for name in os.environ if name.startswith(("MNEMO_", "XDG_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    person = Person(tmp_path / "mnemo", tmp_path / "me", tmp_path / "project", capsys)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(person.me))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    plain_store(person.mnemo)
    for folder in (person.me, person.project):
        folder.mkdir()
    monkeypatch.chdir(person.project)
    return person


def test_the_help_names_every_client() -> None:
    assert ", ".join(CLIENTS) == connect.KNOWN


@pytest.mark.parametrize("client", ["claude-code", "cursor", "vscode"])
def test_a_client_is_told_of_the_address_and_forgets_it(person: Person, client: str) -> None:
    answer = person.answer("connect", client)
    assert (answer["client"], answer["url"]) == (client, URL)
    assert answer["instruction"] == guidance("en", "Zoé Martin")
    assert len(answer["next"]) >= 2
    (file,) = answer["files"]
    assert file["action"] == "created"
    assert URL in Path(file["path"]).read_text("utf-8")
    assert person.answer("connect", client)["files"][0]["action"] == "unchanged"
    removed = person.answer("connect", client, "--remove")
    assert [one["action"] for one in removed["files"]] == ["deleted"]
    assert removed["instruction"] is None
    assert person.files() == {}
    assert "Nothing of Mnemo" in person.run("connect", client, "--remove")


def test_what_is_taken_out_is_taken_out_of_every_project_and_to_the_byte(person: Person) -> None:
    (person.me / ".claude").mkdir()
    (person.me / ".claude" / "settings.json").write_bytes(b'{"model": "x"}')
    (person.me / ".claude.json").write_bytes(b'{\n  "numStartups": 1,\n  "mcpServers": {}\n}')
    (person.project / ".mcp.json").write_bytes(b'{"mcpServers":{"other":{"type":"http","url":"https://x"}}}')
    before = person.files()
    person.run("connect", "claude-code", "--hooks")
    person.run("connect", "claude-code", "--hooks", "--project")
    assert set(person.files()) - set(before) >= {
        "me/.claude/skills/mnemo/SKILL.md",
        "project/.claude/skills/mnemo/reminder.md",
        "project/.claude/settings.json",
    }
    assert "mem_remember" in person.files()["me/.claude/skills/mnemo/reminder.md"].decode()
    person.run("connect", "claude-code", "--remove")
    assert person.files() == before
    assert not (person.project / ".claude").exists()


def test_what_was_put_where_the_client_no_longer_looks_is_taken_out_too(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(person.me / "old"))
    person.run("connect", "claude-code", "--hooks")
    settings = person.me / "old" / "settings.json"
    settings.write_text(settings.read_text("utf-8").replace("{", '{ "model": "x",', 1), "utf-8")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    person.run("connect", "claude-code")
    person.run("connect", "claude-code", "--remove", "--project")
    assert len(person.files()) == 5
    person.run("connect", "claude-code", "--remove")
    assert {name: json.loads(text) for name, text in person.files().items()} == {
        "me/old/settings.json": {"model": "x"}
    }


def test_printing_writes_nothing_and_needs_nothing(person: Person) -> None:
    shown = person.run("connect", "cursor", "--print")
    assert json.loads(shown[shown.index("{") : shown.rindex("}") + 1]) == {
        "mcpServers": {"mnemo": {"url": URL}}
    }
    person.run("connect", "claude-desktop", "--print")
    assert person.files() == {}
    assert person.grants() == {}


def test_no_file_of_a_project_holds_a_secret_or_a_name(person: Person) -> None:
    """A project's files are committed and read by others."""
    secret = person.answer("grant", "desk", "--scope", "work-context")["token"]
    for client in ("claude-code", "cursor", "vscode"):
        person.run("connect", client, "--project", "--token")
    person.run("connect", "claude-code", "--project", "--hooks")
    written = {name: text for name, text in person.files().items() if name.startswith("project")}
    assert len(written) == 6
    for text in written.values():
        assert secret.encode() not in text
        assert "Zoé".encode() not in text
        assert str(person.me).encode() not in text


def test_claude_desktop_starts_the_program_under_a_grant_of_its_own(person: Person) -> None:
    answer = person.answer("connect", "claude-desktop")
    (file,) = answer["files"]
    entry = json.loads(Path(file["path"]).read_text("utf-8"))["mcpServers"]["mnemo"]
    assert entry["args"][-3:] == ["mcp", "--as", "claude-desktop"]
    assert Path(entry["command"]).is_absolute()
    assert "env" not in entry
    assert person.grants() == {"claude-desktop": "assistant-standard"}
    person.run("connect", "claude-desktop")
    person.run("connect", "claude-desktop", "--scope", "private-full", code=ExitCode.REFUSED)
    assert person.grants() == {"claude-desktop": "assistant-standard"}
    person.run("connect", "claude-desktop", "--remove")
    assert person.grants() == {}
    assert person.files() == {}


def test_a_grant_that_the_owner_made_stays(person: Person) -> None:
    person.run("grant", "desk", "--scope", "work-context")
    person.run("connect", "claude-desktop", "--as", "desk")
    person.run("connect", "claude-desktop", "--remove")
    assert person.grants() == {"desk": "work-context"}
    person.run("connect", "claude-desktop", "--as", "cli", code=ExitCode.USAGE)
    person.run("connect", "claude-desktop", "--scope", "everything", code=ExitCode.USAGE)
    assert person.files() == {}


def test_what_a_program_would_miss_of_this_shell_goes_with_it(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMO_GRAPH_URL", "bolt://graph:7687")
    monkeypatch.setenv("MNEMO_TOKEN", "a-secret")
    file = person.answer("connect", "claude-desktop")["files"][0]
    entry = json.loads(file["content"])["mcpServers"]["mnemo"]
    assert entry["env"] == {"MNEMO_GRAPH_URL": "bolt://graph:7687"}


@pytest.mark.parametrize("client", ELSEWHERE)
def test_who_calls_from_elsewhere_needs_an_https_address(
    person: Person, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    error = person.answer("connect", client, code=ExitCode.REFUSED)["error"]
    assert error["code"] == "connect.address"
    assert "MNEMO_PUBLIC_URL" in error["remedy"]
    assert person.answer("connect", client, "--remove")["next"]
    monkeypatch.setenv("MNEMO_PUBLIC_URL", "https://localhost:8443")
    person.run("connect", client, code=ExitCode.REFUSED)
    monkeypatch.setenv("MNEMO_PUBLIC_URL", PUBLIC)
    answer = person.answer("connect", client)
    assert answer["files"] == []
    assert f"{PUBLIC}/mcp" in " ".join(answer["next"])


def test_on_https_claude_desktop_is_a_connector_of_the_account(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Remote servers written into its file are not connected to, as its maker says."""
    monkeypatch.setenv("MNEMO_PUBLIC_URL", PUBLIC)
    answer = person.answer("connect", "claude-desktop")
    assert answer["files"] == []
    assert "Add custom connector" in " ".join(answer["next"])
    assert person.grants() == {}
    assert person.answer("connect", "claude-desktop", "--scope", "third-party")["files"]


@pytest.mark.parametrize(
    "words",
    [
        ("emacs",),
        ("cursor", "--hooks"),
        ("chatgpt", "--project"),
        ("claude-desktop", "--project"),
        ("cursor", "--scope", "third-party"),
        ("vscode", "--as", "x"),
    ],
)
def test_what_does_not_go_together_is_refused(person: Person, words: tuple[str, ...]) -> None:
    assert person.answer("connect", *words, code=ExitCode.USAGE)["error"]["code"] == "argument.invalid"


def test_a_file_that_is_no_json_is_left_and_told(person: Person) -> None:
    (person.me / ".cursor").mkdir()
    (person.me / ".cursor" / "mcp.json").write_bytes(b'{"mcpServers": {')
    before = person.files()
    for words in ((), ("--remove",)):
        error = person.answer("connect", "cursor", *words, code=ExitCode.REFUSED)["error"]
        assert error["code"] == "connect.file"
        assert "mcp.json" in error["message"]
    assert person.files() == before


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_on_a_narrow_terminal_nothing_to_copy_is_broken(
    person: Person, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for client in ("claude-code", "claude-desktop", "cursor", "vscode"):
        shown = person.run("--lang", lang, "connect", client, "--print")
        for path in re.findall(r"/\S+\.json", shown):
            assert path.startswith(str(person.me))
        for step in shown.split("Next" if lang == "en" else "Ensuite")[1].splitlines():
            assert len(step) <= 60
