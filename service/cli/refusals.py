"""What the file system refuses in the home is the person's to mend, and no fault of Mnemo's."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from policies.errors import HomeUnusable

_PROBLEMS = {
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST, errno.ENOENT, errno.EISDIR), "home.no_folder"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "home.denied"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "home.full"),
}


def refusal_of(fault: OSError, home: Path) -> HomeUnusable | None:
    """What the person is told of a refusal in their home, or on the way to it; None for anything else."""
    if not isinstance(fault.filename, str | bytes):
        return None
    path = Path(os.fsdecode(fault.filename))
    if path != home and home not in path.parents and path not in home.parents:
        return None
    return HomeUnusable(path=str(path), problem=_PROBLEMS.get(fault.errno or 0, "home.other"))
