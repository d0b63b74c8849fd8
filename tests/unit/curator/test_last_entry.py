"""The note of the last entry only moves on along the chain that it was made of (G9)."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from curator.last_entry import LastEntry
from policies.chain import Head
from policies.errors import InvariantBroken
from tests.support.memories import at

KEY = b"m" * 32


def end(seq: int, line: str = "a") -> Head:
    """The end of a chain of this length, of one line of history or another."""
    return Head(seq, line * 64, at(seq))


def noted_in(folder: Path, line: str = "a", key: bytes = KEY) -> LastEntry:
    """The note, over a ledger of this line of history."""
    return LastEntry(folder / "checkpoints" / "last-entry.json", key, lambda seq: end(seq, line).hash)


def test_there_is_none_before_the_first(tmp_path: Path) -> None:
    assert noted_in(tmp_path).read() is None


def test_the_end_is_noted_for_this_account_alone(tmp_path: Path) -> None:
    note = noted_in(tmp_path)
    note.write(end(2))
    assert note.read() == end(2)
    folder = tmp_path / "checkpoints"
    assert [path.name for path in folder.iterdir()] == ["last-entry.json"]
    assert stat.S_IMODE((folder / "last-entry.json").stat().st_mode) == 0o600


def test_it_moves_on_and_what_was_committed_before_leaves_it(tmp_path: Path) -> None:
    note = noted_in(tmp_path)
    for seq in (2, 4, 3, 4):
        note.write(end(seq))
    assert note.read() == end(4)
    noted_in(tmp_path).write(end(6))
    note.write(end(8))
    assert note.read() == end(8)


@pytest.mark.parametrize("seq", [3, 4, 5, 9])
def test_a_chain_that_was_put_back_is_not_noted(tmp_path: Path, seq: int) -> None:
    noted_in(tmp_path).write(end(4))
    noted_in(tmp_path, "b").write(end(seq, "b"))
    assert noted_in(tmp_path).read() == end(4)


def test_a_chain_that_is_put_back_under_a_living_curator_is_not_noted(tmp_path: Path) -> None:
    lines = ["a"]
    note = LastEntry(
        tmp_path / "last-entry.json", KEY, lambda seq: end(seq, lines[-1]).hash if seq < 5 else None
    )
    note.write(end(5))
    lines.append("b")
    note.write(end(4, "b"))
    assert note.read() == end(5)


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"seq": "x"}'])
def test_what_is_no_note_is_told_and_left(tmp_path: Path, line: str) -> None:
    note = noted_in(tmp_path)
    note.write(end(2))
    path = tmp_path / "checkpoints" / "last-entry.json"
    path.write_text(line, "utf-8")
    with pytest.raises(InvariantBroken):
        note.read()
    note.write(end(4))
    assert path.read_text("utf-8") == line


def test_anothers_note_is_told(tmp_path: Path) -> None:
    noted_in(tmp_path, key=b"o" * 32).write(end(2))
    with pytest.raises(InvariantBroken):
        noted_in(tmp_path).read()


def test_a_changed_note_is_told(tmp_path: Path) -> None:
    noted_in(tmp_path).write(end(4))
    path = tmp_path / "checkpoints" / "last-entry.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "seq": 3}), "utf-8")
    with pytest.raises(InvariantBroken):
        noted_in(tmp_path).read()


def test_a_note_that_cannot_be_written_undoes_nothing(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").write_text("a file", "utf-8")
    note = LastEntry(tmp_path / "checkpoints" / "last" / "entry.json", KEY, lambda _: None)
    with pytest.raises(InvariantBroken):
        note.read()
    note.write(end(2))
