"""Writing what must be there after a crash, whole or as it was before."""

from __future__ import annotations

import os
from pathlib import Path


def write_durably(path: Path, line: str) -> None:
    """Put a line into a file of this account's alone, on disk when it returns; its directory is made if need be.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
