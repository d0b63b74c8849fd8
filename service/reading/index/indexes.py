"""The text indexes of one process: a directory of its own, one index in it for each distinct view."""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from policies import access
from policies.bitemporal import is_withdrawn
from policies.errors import StoreInvalid
from policies.parameters import Parameters
from policies.terms import Level, Version, View
from service.reading.index.snapshot import Snapshot
from service.reading.index.view_index import ViewIndex
from service.reading.source import Source

_PROCESSES_MAX = 64


@dataclass(frozen=True, slots=True)
class Believed:
    """What a view may be served of what is believed today."""

    view: View

    @property
    def name(self) -> str:
        """The level, and a digest of the domains if the view is limited to some."""
        return _name(self.view)

    def in_view(self, version: Version) -> bool:
        """A superseded version's words lead to its successor only where it could have been served itself."""
        return access.is_topical(version, self.view)

    def holds(self, version: Version, chain: Sequence[Version]) -> bool:
        """Whatever a topical question may reach and nothing has superseded."""
        return version.state.superseded_at is None and self.in_view(version)

    def surfaces(self, version: Version) -> bool:
        """As ``policies.access`` has it."""
        return access.surfaces(version, self.view)


@dataclass(frozen=True, slots=True)
class Once:
    """What a view may be served of all that was ever believed: apart, for questions about what was known."""

    view: View

    @property
    def name(self) -> str:
        """The owner's also has what was retracted, which no tool is served."""
        return f"{_name(self.view)}-{'owner' if self.view.owner else 'tool'}-history"

    def in_view(self, version: Version) -> bool:
        """As for what is believed today."""
        return access.is_topical(version, self.view)

    def holds(self, version: Version, chain: Sequence[Version]) -> bool:
        """Every version in view; what was taken back for the owner only."""
        return self.in_view(version) and (self.view.owner or not is_withdrawn(version, chain))

    def surfaces(self, version: Version) -> bool:
        """As ``policies.access`` has it."""
        return access.surfaces(version, self.view)


class Indexes:
    """Every index of this process. Thread-safe.

    Each process takes the first directory that no living one holds, and takes over what a former one left
    there; directories that nobody holds are removed, so that there are never more than processes.
    """

    def __init__(self, folder: Path, source: Source, parameters: Parameters) -> None:
        """Name the indexes; the directory is taken with the first one.

        Args:
            folder: the store's ``index`` directory.
            source: the ledger to follow.
            parameters: whose digest indexes are made with.
        """
        self._folder = folder
        self._source = source
        self._parameters = parameters
        self._lock = threading.Lock()
        self._held: FileLock | None = None
        self._open: dict[str, ViewIndex] = {}

    def believed(self, view: View) -> ViewIndex:
        """The index of what a view may be served."""
        return self._index(Believed(_plain(view, owner=False)))

    def history(self, view: View) -> ViewIndex:
        """The index of all that was ever believed, superseded versions included."""
        return self._index(Once(_plain(view, owner=view.owner)))

    def discard(self, snapshot: Snapshot) -> None:
        """Throw away the index that a snapshot could not be read of."""
        for index in tuple(self._open.values()):
            index.discard(snapshot)

    def close(self) -> None:
        """Let go of the directory; what is in it stays for the next process."""
        with self._lock:
            for index in self._open.values():
                index.close()
            self._open.clear()
            if self._held is not None:
                self._held.release()
                self._held = None

    def _index(self, holdings: Believed | Once) -> ViewIndex:
        known = self._open.get(holdings.name)
        if known is not None:
            return known
        with self._lock:
            folder = self._own_folder() / holdings.name
            made = ViewIndex(folder, holdings, self._parameters.digest, self._source)
            return self._open.setdefault(holdings.name, made)

    def _own_folder(self) -> Path:
        if self._held is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._held = self._taken()
            _directory(self._held).mkdir(mode=0o700, exist_ok=True)
            self._sweep()
        return _directory(self._held)

    def _taken(self) -> FileLock:
        for number in range(_PROCESSES_MAX):
            lock = FileLock(self._folder / f"{number}.lock", mode=0o600, thread_local=False)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                continue
            return lock
        raise StoreInvalid(f"{_PROCESSES_MAX} processes hold text indexes of this store")

    def _sweep(self) -> None:
        """Remove what processes that are no more left behind."""
        for path in sorted(self._folder.glob("*.lock")):
            lock = FileLock(path, mode=0o600, thread_local=False)
            try:
                with lock.acquire(blocking=False):
                    shutil.rmtree(_directory(lock), ignore_errors=True)
            except Timeout:
                continue


def _directory(lock: FileLock) -> Path:
    return Path(lock.lock_file).with_suffix("")


def _plain(view: View, *, owner: bool) -> View:
    """The view without what makes no difference to an index."""
    return View(level=Level(view.level), domains=view.domains, owner=owner)


def _name(view: View) -> str:
    level, domains = view.key
    if domains is None:
        return f"s{level}"
    return f"s{level}-{hashlib.sha256(' '.join(domains).encode()).hexdigest()[:16]}"
