"""Files of other programs get what belongs into them, and get back what they were."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policies.errors import FileLeft
from service.connect import disk
from service.connect.files import Entry, Target, install, uninstall
from service.connect.records import Book

SERVER = {"type": "http", "url": "http://localhost:8765/mcp"}
HOOK = {"hooks": [{"command": "cat reminder.md"}]}
OTHERS = '{\n  // mine\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n'

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="rights and links as on Unix")


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "records")


def server(value: object = SERVER) -> Entry:
    return Entry(("mcpServers",), "mnemo", value, lambda found: found == SERVER)


def hook() -> Entry:
    return Entry(("hooks", "Stop"), None, HOOK, lambda found: found == HOOK)


def put(target: Target, book: Book, *, project: Path | None = None, dry: bool = False) -> str:
    (told,) = install([target], book, "cursor", project, dry=dry)
    return told.action


def take(target: Target, book: Book, *, dry: bool = False) -> str:
    (told,) = uninstall([target], book, dry=dry)
    return told.action


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")} - {"records"}


@pytest.mark.parametrize("text", [OTHERS, "", "{}", '{"mcpServers": {}}\n', OTHERS.replace("\n", "\r\n")])
def test_a_file_comes_back_to_the_byte(tmp_path: Path, book: Book, text: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(text.encode())
    target = Target(path, (server(), hook()))
    assert put(target, book) == "changed"
    assert path.read_bytes() != text.encode()
    assert put(target, book) == "unchanged"
    assert take(target, book) == "removed"
    assert path.read_bytes() == text.encode()
    assert names(tmp_path) == {"mcp.json"}
    assert take(target, book) == "absent"


def test_what_was_made_goes_with_its_folders(tmp_path: Path, book: Book) -> None:
    target = Target(tmp_path / "a" / "b" / "mcp.json", (server(),))
    assert put(target, book) == "created"
    assert json.loads(target.path.read_text("utf-8")) == {"mcpServers": {"mnemo": SERVER}}
    assert take(target, book) == "deleted"
    assert names(tmp_path) == set()


def test_a_folder_that_others_use_by_now_stays(tmp_path: Path, book: Book) -> None:
    target = Target(tmp_path / "a" / "b" / "mcp.json", (server(),))
    put(target, book)
    (tmp_path / "a" / "theirs").write_text("theirs", "utf-8")
    take(target, book)
    assert names(tmp_path) == {"a", "a/theirs"}


def test_of_a_file_that_its_program_wrote_anew_the_entry_alone_goes(tmp_path: Path, book: Book) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"seen": 1}', "utf-8")
    target = Target(path, (server(), hook()))
    put(target, book)
    anew: dict[str, Any] = {**json.loads(path.read_text("utf-8")), "seen": 2}
    anew["mcpServers"]["mnemo"]["headers"] = {}  # what the person made of our entry is still our entry
    path.write_text(json.dumps(anew, indent=4), "utf-8")
    assert take(target, book) == "removed"
    assert json.loads(path.read_text("utf-8")) == {"seen": 2}


def test_a_container_that_others_use_by_now_stays(tmp_path: Path, book: Book) -> None:
    target = Target(tmp_path / "mcp.json", (server(),))
    put(target, book)
    found = json.loads(target.path.read_text("utf-8"))
    found["mcpServers"]["other"] = {}
    target.path.write_text(json.dumps(found), "utf-8")
    assert take(target, book) == "removed"
    assert json.loads(target.path.read_text("utf-8")) == {"mcpServers": {"other": {}}}


def test_an_entry_is_brought_up_to_date_and_still_comes_out_whole(tmp_path: Path, book: Book) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(OTHERS, "utf-8")
    put(Target(path, (server(),)), book)
    moved = Target(path, (server({"url": "https://memory.example/mcp"}),))
    assert put(moved, book) == "changed"
    assert path.read_text("utf-8").count('"mnemo"') == 1
    assert take(moved, book) == "removed"
    assert path.read_text("utf-8") == OTHERS


def test_an_entry_that_the_person_wrote_is_taken_over_and_taken_out(tmp_path: Path, book: Book) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"mnemo": SERVER, "other": {}}}), "utf-8")
    target = Target(path, (server(),))
    assert put(target, book) == "unchanged"
    assert take(target, book) == "removed"
    assert json.loads(path.read_text("utf-8")) == {"mcpServers": {"other": {}}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"mcpServers": ', "connect.json"),
        ("[]", "connect.json"),
        ('{"mcpServers": []}', "connect.json"),
        ('{"mcpServers": {}, "mcpServers": {}}', "connect.json"),
        ('{"mcpServers": {"mnemo": {"command": "another-mnemo"}}}', "connect.taken"),
        ('{"mcpServers": {"mnemo": null}}', "connect.taken"),
    ],
)
def test_a_file_that_cannot_be_changed_safely_stays_and_so_do_the_others(
    tmp_path: Path, book: Book, text: str, problem: str
) -> None:
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    bad.write_text(text, "utf-8")
    with pytest.raises(FileLeft) as left:
        install([Target(good, (server(),)), Target(bad, (server(),))], book, "cursor", None, dry=False)
    assert left.value.details == {"path": str(bad), "problem": problem}
    assert bad.read_text("utf-8") == text
    assert names(tmp_path) == {"bad.json"}


def test_what_is_no_text_stays(tmp_path: Path, book: Book) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b"\xff\xfe{}")
    for act in (put, take):
        with pytest.raises(FileLeft) as left:
            act(Target(path, (server(),)), book)
        assert left.value.details["problem"] == "connect.read"


def test_looking_writes_nothing(tmp_path: Path, book: Book) -> None:
    target = Target(tmp_path / "a" / "mcp.json", (server(),))
    assert put(target, book, dry=True) == "created"
    assert names(tmp_path) == set()
    put(target, book)
    assert take(target, book, dry=True) == "deleted"
    assert put(target, book) == "unchanged"


def test_a_text_of_ours_is_written_renewed_and_deleted_and_another_is_left(
    tmp_path: Path, book: Book
) -> None:
    path = tmp_path / "skills" / "SKILL.md"
    assert put(Target(path, text="one"), book) == "created"
    assert put(Target(path, text="two"), book) == "changed"
    assert take(Target(path, text="three"), book) == "deleted"
    assert names(tmp_path) == set()
    path.parent.mkdir()
    path.write_text("theirs", "utf-8")
    with pytest.raises(FileLeft):
        put(Target(path, text="one"), book)
    assert take(Target(path, text="one"), book) == "absent"
    assert path.read_text("utf-8") == "theirs"


def test_what_stood_there_is_kept_beside_a_persons_file_and_not_in_a_project(
    tmp_path: Path, book: Book
) -> None:
    own, shared = tmp_path / "own.json", tmp_path / "shared.json"
    for path in (own, shared):
        path.write_text(OTHERS, "utf-8")
    put(Target(own, (server(),)), book)
    put(Target(own, (server(), hook())), book)
    put(Target(shared, (server(),), is_shared=True), book, project=tmp_path)
    assert (tmp_path / "own.json.before-mnemo").read_text("utf-8") == OTHERS
    assert not (tmp_path / "shared.json.before-mnemo").exists()


@unix_only
def test_links_and_rights_are_respected(tmp_path: Path, book: Book) -> None:
    real, link = tmp_path / "dotfiles.json", tmp_path / "mcp.json"
    real.write_text(OTHERS, "utf-8")
    real.chmod(0o640)
    link.symlink_to(real.name)
    target = Target(link, (server(),))
    mask = os.umask(0o077)  # as the command has it
    try:
        put(target, book)
    finally:
        os.umask(mask)
    assert link.is_symlink()
    assert "mnemo" in real.read_text("utf-8")
    assert real.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "mcp.json.before-mnemo").stat().st_mode & 0o777 == 0o640
    take(target, book)
    assert link.is_symlink()
    assert real.read_text("utf-8") == OTHERS


@unix_only
def test_a_link_to_nothing_leads_to_nothing_again(tmp_path: Path, book: Book) -> None:
    link = tmp_path / "mcp.json"
    link.symlink_to("dotfiles/mcp.json")
    target = Target(link, (server(),))
    assert put(target, book) == "created"
    assert (tmp_path / "dotfiles" / "mcp.json").stat().st_mode & 0o777 == 0o600
    assert take(target, book) == "deleted"
    assert names(tmp_path) == {"mcp.json"}
    assert link.is_symlink()


@unix_only
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, book: Book) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    try:
        with pytest.raises(FileLeft) as left:
            put(Target(folder / "mcp.json", (server(),)), book)
        assert left.value.details["problem"] == "connect.write"
    finally:
        folder.chmod(0o700)


def test_what_another_wrote_meanwhile_is_not_lost(tmp_path: Path, book: Book) -> None:
    """A client keeps its own state in the same file and writes it whenever it likes."""
    path = tmp_path / "mcp.json"
    path.write_text('{"seen": 1}', "utf-8")
    assert disk.write(path, '{"seen": 0}', "ours", mode=0o600) is False
    assert disk.write(path, '{"seen": 0}', None, mode=0o600) is False
    assert names(tmp_path) == {"mcp.json"}
    assert path.read_text("utf-8") == '{"seen": 1}'


def test_a_program_that_never_stops_writing_is_told(tmp_path: Path, book: Book) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"seen": 0}', "utf-8")
    count = 0

    def busy(_found: object) -> bool:
        nonlocal count
        count += 1
        path.write_text(json.dumps({"seen": count, "mcpServers": {"mnemo": SERVER}}), "utf-8")
        return True

    path.write_text(json.dumps({"mcpServers": {"mnemo": SERVER}}), "utf-8")
    entry = Entry(("mcpServers",), "mnemo", {"url": "new"}, busy)
    acts: list[Callable[[Target, Book], str]] = [put, take]
    for act in acts:
        with pytest.raises(FileLeft) as left:
            act(Target(path, (entry,)), book)
        assert left.value.details["problem"] == "connect.busy"
        assert json.loads(path.read_text("utf-8"))["seen"] == count
