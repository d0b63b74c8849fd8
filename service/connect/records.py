"""What was done to other programs' files, recorded in the store, so that it can be undone to the character."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

Spans = list[tuple[int, int]]


@dataclass(slots=True)
class Record:
    """What was done to one file, in characters of its text."""

    client: str
    path: str
    project: str | None
    existed: bool
    folders: list[str] = field(default_factory=list[str])
    """That had to be made, outermost first."""
    before: str = ""
    after: str = ""
    """Digests of the text."""
    steps: list[Spans] = field(default_factory=list[Spans])
    """Where each step's insertions stand in its result."""
    made: list[list[str]] = field(default_factory=list[list[str]])
    """Paths of the objects and lists that had to be made, outermost first."""
    entries: list[tuple[list[str], str | None, object]] = field(
        default_factory=list[tuple[list[str], str | None, object]]
    )
    """What was put in: into which container, under which key if it has one, which value; a text has none."""
    grant: str | None = None
    """The grant that was made for it."""

    def undone(self, text: str) -> str | None:
        """The text as it was before; None when somebody wrote the file since."""
        if self.after != digest(text):
            return None
        for spans in reversed(self.steps):
            for start, end in sorted(spans, reverse=True):
                text = text[:start] + text[end:]
        return text if self.before == digest(text) else None


class Book:
    """The records of one store, a file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of_client(self, client: str) -> list[Record]:
        """Every record of one client."""
        return [one for one in map(_read, sorted(self._folder.glob("*.json"))) if one.client == client]

    def get(self, path: Path) -> Record | None:
        """The record of a file."""
        kept = self._place(path)
        return _read(kept) if kept.is_file() else None

    def keep(self, record: Record) -> None:
        """Keep it, whole or not at all."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        kept = self._place(Path(record.path))
        draft = kept.with_suffix(".new")
        draft.write_text(json.dumps(asdict(record), ensure_ascii=False), "utf-8")
        draft.chmod(0o600)
        draft.replace(kept)

    def note_grant(self, path: Path, grant: str) -> None:
        """Remember which grant was made for what is in a file."""
        record = self.get(path)
        if record is not None:
            record.grant = grant
            self.keep(record)

    def forget(self, path: Path) -> None:
        """Drop the record of a file."""
        self._place(path).unlink(missing_ok=True)
        with suppress(OSError):  # others are kept there
            self._folder.rmdir()

    def _place(self, path: Path) -> Path:
        return self._folder / f"{digest(str(path))[:24]}.json"


def digest(text: str) -> str:
    """A text's, by which it is known again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _read(kept: Path) -> Record:
    return Record(**json.loads(kept.read_text("utf-8")))
