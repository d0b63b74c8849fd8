"""Files of other programs on the disk: read whole, replaced at once, their links and rights respected."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from policies.errors import FileLeft

FILE_BYTES_MAX = 64 * 1024 * 1024
BACKUP = ".before-mnemo"


def read(path: Path) -> str | None:
    """The text of a file, None when there is none.

    Raises:
        FileLeft: it cannot be read, or is no text.
    """
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise FileLeft(path=str(path), problem="connect.read")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as fault:
        raise FileLeft(path=str(path), problem="connect.read") from fault


def write(path: Path, given: str | None, text: str | None, *, mode: int) -> bool:
    """Put a text in place of the one that was read.

    Args:
        path: of the file; a link stays one, what it points to is changed.
        given: what was read, None for no file.
        text: None to delete the file.
        mode: the rights of a new file; one that exists keeps its own.

    Returns:
        False when somebody else wrote meanwhile: nothing was done.

    Raises:
        FileLeft: it cannot be written.
    """
    real = Path(os.path.realpath(path))
    try:
        if text is None:
            if read(real) != given:
                return False
            real.unlink()
            return True
        real.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(prefix=f".{real.name}.", dir=real.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            Path(draft).chmod(mode if given is None else real.stat().st_mode & 0o777)
            if read(real) != given:
                return False
            Path(draft).replace(real)
        finally:
            Path(draft).unlink(missing_ok=True)
    except OSError as fault:
        raise FileLeft(path=str(path), problem="connect.write") from fault
    return True


def back_up(path: Path, text: str) -> None:
    """Keep a file as it was before it was first touched, beside it.

    Raises:
        FileLeft: there is no place for it.
    """
    backup = backup_of(path)
    if backup.exists():
        return
    try:
        backup.touch(mode=0o600)
        backup.chmod(path.stat().st_mode & 0o777)  # as the file's own, whatever the process masks
        backup.write_bytes(text.encode("utf-8"))
    except OSError as fault:
        raise FileLeft(path=str(path), problem="connect.write") from fault


def backup_of(path: Path) -> Path:
    """Where it is kept."""
    return path.with_name(path.name + BACKUP)


def missing_folders(path: Path) -> list[str]:
    """The folders that have to be made for a file, outermost first."""
    missing: list[str] = []
    folder = Path(os.path.realpath(path)).parent
    while not folder.exists():
        missing.insert(0, str(folder))
        folder = folder.parent
    return missing


def remove_empty(folders: list[str]) -> None:
    """Remove folders that were made, as far as nobody uses them by now."""
    for folder in sorted(set(folders), key=len, reverse=True):
        with suppress(OSError):
            Path(folder).rmdir()
