"""What belongs into other programs' files: put in and taken out, whole or not at all.

While a file is as it was left, taking out is exact to the byte; when its program has written it anew, the entry
goes and the rest stays. A file that cannot be understood is never touched, and neither are the others then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from policies.errors import FileLeft
from service.connect import disk
from service.connect.jsonc import NotJson, applied, parse, put_element, put_member, value_at, without
from service.connect.records import Book, Record, Spans, digest

Action = Literal["created", "changed", "unchanged", "removed", "deleted", "absent"]
TRIES_MAX = 5


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing of ours in a JSON file: a member of the object at ``path``, or without ``key`` an element."""

    path: tuple[str, ...]
    key: str | None
    value: object
    is_ours: Callable[[object], bool]
    """Whether a value that stands there, under our key if there is one, was put there for us."""

    def stands_in(self, text: str) -> bool:
        """Whether it is there already, as it should be."""
        found = value_at(text, self.path)
        if self.key is None:
            return isinstance(found, list) and self.value in found
        return isinstance(found, dict) and cast("dict[str, object]", found).get(self.key) == self.value

    def put_into(self, text: str) -> tuple[str, Spans, list[list[str]]]:
        """The text with it; where the insertions stand; which containers had to be made."""
        if self.key is None:
            change = put_element(text, self.path, self.value)
        else:
            change = put_member(text, self.path, self.key, self.value)
        changed, spans = applied(text, change.insertions)
        return changed, spans, [list(path) for path in change.made]


@dataclass(frozen=True, slots=True)
class Target:
    """What belongs into one file: entries among those of others, or a whole text of ours."""

    path: Path
    entries: tuple[Entry, ...] = ()
    text: str | None = None
    is_shared: bool = False
    """A project's file, which others may read: no backup is left beside it."""

    @property
    def content(self) -> str:
        """What of ours is in it, as if nothing else were."""
        if self.text is not None:
            return self.text
        whole = ""
        for entry in self.entries:
            whole, _, _ = entry.put_into(whole)
        return whole


@dataclass(frozen=True, slots=True)
class Told:
    """What became of one file."""

    path: Path
    action: Action
    content: str
    """What of ours is, or was, in it."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A text as it should be, and how it came from the text without anything of ours."""

    text: str
    base: str = ""
    steps: tuple[Spans, ...] = ()
    made: tuple[list[str], ...] = ()


def install(
    targets: Sequence[Target], book: Book, client: str, project: Path | None, *, dry: bool
) -> list[Told]:
    """Put what belongs into each file. Everything is looked at before anything is written.

    Args:
        targets: what belongs where.
        book: where it is recorded.
        client: for whom.
        project: the folder that the files belong to; None for the person's own.
        dry: only tell what would be done.

    Raises:
        FileLeft: one of the files cannot be changed safely; none was.
    """
    for target in targets:
        _made(target, book.get(target.path), disk.read(target.path))
    return [
        Told(target.path, _install(target, book, client, project, dry), target.content) for target in targets
    ]


def uninstall(targets: Sequence[Target], book: Book, *, dry: bool) -> list[Told]:
    """Take everything of ours out of each file; what was made for it goes too.

    Raises:
        FileLeft: one of the files cannot be changed safely; none was.
    """
    for target in targets:
        given = disk.read(target.path)
        if given is not None:
            _left(target, book.get(target.path), given)
    folders: list[str] = []
    told: list[Told] = []
    for target in targets:
        record = book.get(target.path)
        told.append(Told(target.path, _uninstall(target, record, dry), target.content))
        if not dry:
            disk.backup_of(target.path).unlink(missing_ok=True)
            book.forget(target.path)
            folders += record.folders if record else []
    disk.remove_empty(folders)
    return told


def recorded(record: Record) -> Target:
    """What a record says was put into a file, wherever that client's files are by now."""

    def equal(value: object) -> Callable[[object], bool]:
        return lambda found: found == value

    entries = tuple(Entry(tuple(path), key, value, equal(value)) for path, key, value in record.entries)
    return Target(Path(record.path), entries, text=None if entries else "")


def _install(target: Target, book: Book, client: str, project: Path | None, dry: bool) -> Action:
    for _ in range(TRIES_MAX):
        given = disk.read(target.path)
        record = book.get(target.path)
        made = _made(target, record, given)
        if given == made.text:
            return "unchanged"
        action: Action = "created" if given is None else "changed"
        if dry:
            return action
        folders = disk.missing_folders(target.path)
        if given is not None and not target.is_shared and target.text is None:
            disk.back_up(target.path, given)
        if disk.write(target.path, given, made.text, mode=0o644 if target.is_shared else 0o600):
            where = None if project is None else str(project)
            record = record or Record(client, str(target.path), where, given is not None, folders)
            record.before, record.after = digest(made.base), digest(made.text)
            record.steps, record.made = list(made.steps), list(made.made)
            record.entries = [(list(one.path), one.key, one.value) for one in target.entries]
            book.keep(record)
            return action
    raise FileLeft(path=str(target.path), problem="connect.busy")


def _uninstall(target: Target, record: Record | None, dry: bool) -> Action:
    for _ in range(TRIES_MAX):
        given = disk.read(target.path)
        left = None if given is None else _left(target, record, given)
        if left == given:
            return "absent"
        if dry or disk.write(target.path, given, left, mode=0o600):
            return "deleted" if left is None else "removed"
    raise FileLeft(path=str(target.path), problem="connect.busy")


def _made(target: Target, record: Record | None, given: str | None) -> _Made:
    """The text as it should be.

    Raises:
        FileLeft: the file is no JSON, or something else goes by our name in it.
    """
    if target.text is not None:
        if given not in (None, target.text) and record is None:
            raise FileLeft(path=str(target.path), problem="connect.taken")
        return _Made(target.text)
    with _understood(target.path):
        text = given or ""
        if all(entry.stands_in(text) for entry in target.entries):
            return _Made(text)
        text = base = _without_ours(target, record, text)
        steps: list[Spans] = []
        made: list[list[str]] = []
        for entry in target.entries:
            if entry.key is not None and _has(text, entry.path, entry.key):
                raise FileLeft(path=str(target.path), problem="connect.taken")
            text, spans, containers = entry.put_into(text)
            steps.append(spans)
            made += containers
        _check(target, base, text)
        return _Made(text, base, tuple(steps), tuple(made))


def _left(target: Target, record: Record | None, given: str) -> str | None:
    """The text without anything of ours; None when nothing is left of a file that we made."""
    if target.text is not None:
        return None if record is not None or given == target.text else given
    with _understood(target.path):
        text = _without_ours(target, record, given)
        is_gone = text != given and record is not None and not record.existed and parse(text).value == {}
        return None if is_gone else text


def _without_ours(target: Target, record: Record | None, text: str) -> str:
    undone = None if record is None else record.undone(text)
    if undone is not None:
        return undone
    for entry in target.entries:

        def chosen(key: str | None, value: object, entry: Entry = entry) -> bool:
            # What we put under our key is ours, whatever it was made into since.
            return key == entry.key and ((key is not None and record is not None) or entry.is_ours(value))

        text = without(text, entry.path, chosen)
    for path in reversed(record.made if record else []):

        def emptied(key: str | None, value: object, name: str = path[-1]) -> bool:
            return key == name and value in ({}, [])

        text = without(text, path[:-1], emptied)
    return text


def _has(text: str, path: tuple[str, ...], key: str) -> bool:
    found = value_at(text, path)
    return isinstance(found, dict) and key in found


def _check(target: Target, base: str, text: str) -> None:
    """See that the change did what it was to do and nothing else, before it is written.

    Raises:
        NotJson: it did not.
    """
    back = text
    for entry in target.entries:
        if not entry.stands_in(text):
            raise NotJson("the entry is not there")

        def is_it(key: str | None, value: object, entry: Entry = entry) -> bool:
            return (key, value) == (entry.key, entry.value)

        back = without(back, entry.path, is_it)
    if _held(parse(back).value) != _held(parse(base).value):
        raise NotJson("something else changed")


def _held(value: object) -> object:
    """Without the objects and lists that hold nothing: an entry may have needed them."""
    if not isinstance(value, dict):
        return value
    held = {key: _held(item) for key, item in cast("dict[str, object]", value).items()}
    return {key: item for key, item in held.items() if item not in ({}, [])}


@contextmanager
def _understood(path: Path) -> Generator[None]:
    """Tells what is no JSON, or of another shape, as a file that was left alone."""
    try:
        yield
    except NotJson as fault:
        raise FileLeft(path=str(path), problem="connect.json") from fault
