"""Every call leaves one entry in the service log before its answer leaves; without the entry, no answer (G6).

Calls that end together are written together: whoever finds nobody writing writes all that waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import anyio
import anyio.to_thread

from policies.errors import LedgerUnavailable, MnemoError

BATCH_ENTRIES_MAX = 256

EntryT = TypeVar("EntryT")


@dataclass(slots=True, eq=False)
class _Waiting(Generic[EntryT]):
    entry: EntryT
    settled: anyio.Event = field(default_factory=anyio.Event)
    error: MnemoError | None = None


class AuditLog(Generic[EntryT]):
    """Batches entries of one event loop into writes, one write at a time."""

    def __init__(self, append: Callable[[Sequence[EntryT]], None]) -> None:
        """Write with ``append``, which keeps all entries or raises; it is run in a worker thread."""
        self._append = append
        self._waiting: list[_Waiting[EntryT]] = []
        self._writing = False

    async def write(self, entry: EntryT) -> None:
        """Return once the entry is kept.

        Raises:
            LedgerUnavailable: it could not be kept.
        """
        mine = _Waiting(entry)
        self._waiting.append(mine)
        if not self._writing:
            # Others wait for what this task writes: its own caller going away must not leave them waiting.
            with anyio.CancelScope(shield=True):
                await self._write_all()
        await mine.settled.wait()
        if mine.error is not None:
            raise mine.error

    async def _write_all(self) -> None:
        self._writing = True
        try:
            while self._waiting:
                batch = self._waiting[:BATCH_ENTRIES_MAX]
                del self._waiting[:BATCH_ENTRIES_MAX]
                error = await anyio.to_thread.run_sync(self._kept, [waiting.entry for waiting in batch])
                for waiting in batch:
                    waiting.error = error
                    waiting.settled.set()
        finally:
            self._writing = False

    def _kept(self, entries: Sequence[EntryT]) -> MnemoError | None:
        try:
            self._append(entries)
        except MnemoError as error:
            return error
        except Exception as fault:  # noqa: BLE001  (whatever happened, the entries are not kept)
            return LedgerUnavailable(f"service log: {type(fault).__name__}")
        return None
