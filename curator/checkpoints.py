"""Signed checkpoints: files of the store's directory, outside the graph and its backups (G9)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curator.durable import write_durably
from policies.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from policies.errors import InvariantBroken
from policies.terms import Instant

_DIGITS = 10


class Checkpoints:
    """The checkpoints of one store, one line of JSON a file, numbered from 1."""

    def __init__(self, folder: Path, store: str) -> None:
        """Keep them in ``folder``, which is made when the first is written."""
        self._folder = folder
        self._store = store

    def all(self) -> tuple[Checkpoint, ...]:
        """Every checkpoint, oldest first.

        Raises:
            InvariantBroken: one of the files does not hold a checkpoint.
        """
        return tuple(_read(path) for path in self._paths())

    def last(self) -> Checkpoint | None:
        """The newest one.

        Raises:
            InvariantBroken: its file does not hold a checkpoint.
        """
        paths = self._paths()
        return _read(paths[-1]) if paths else None

    def export(self, *, size: int, root: str, head: str, at: Instant, key: bytes) -> Checkpoint:
        """Sign what the ledger is now and write it durably; an existing file is never touched."""
        paths = self._paths()
        previous = _read(paths[-1]) if paths else None
        checkpoint = sign_checkpoint(
            Checkpoint(
                store=self._store,
                size=size,
                root=root,
                head=head,
                at=at,
                previous=previous.digest if previous else "",
            ),
            key,
        )
        ordinal = int(paths[-1].stem) + 1 if paths else 1
        write_durably(self._folder / f"{ordinal:0{_DIGITS}}.json", checkpoint.to_json())
        return checkpoint

    def _paths(self) -> Sequence[Path]:
        return sorted(path for path in self._folder.glob("*.json") if path.stem.isdigit())


def _read(path: Path) -> Checkpoint:
    try:
        return read_checkpoint(path.read_text("utf-8"))
    except InvariantBroken as fault:
        raise InvariantBroken(f"{path.name} is not a checkpoint") from fault
