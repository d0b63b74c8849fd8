"""Being the one curator: an OS lock among the processes of one machine, the ledger's lease among machines.

The lock tells at once that a former holder on this machine is dead, so that its lease can be taken over
without waiting for its end. The lease's epoch is what makes a second curator harmless wherever it runs: it is
checked under a write lock in every commit.
"""

from __future__ import annotations

import logging
import socket
import threading
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from cypher.committer import Committer, Lease
from policies.errors import LedgerUnavailable, StaleLease
from policies.ports import Clock

LEASE_US = 15_000_000
RENEW_S = 4.0

log = logging.getLogger("mnemo.curator")


class Leadership:
    """Holds the lock and the lease of one store, and renews the lease from a thread of its own."""

    def __init__(self, committer: Committer, clock: Clock, store_dir: Path) -> None:
        """Nothing is taken yet: see ``try_take``."""
        self._committer = committer
        self._clock = clock
        # The lock makes the name unique among living processes: who bears it has outlived its former bearer.
        self._holder = f"{socket.gethostname()}:{store_dir}"
        self._lock = FileLock(store_dir / "run" / "curator.lock", timeout=0, mode=0o600)
        self._lease: Lease | None = None
        self._stop = threading.Event()
        self._renewer: threading.Thread | None = None

    @property
    def lease(self) -> Lease:
        """The lease to commit under.

        Raises:
            StaleLease: it was not taken, or was lost.
        """
        if self._lease is None:
            raise StaleLease("no lease")
        return self._lease

    def try_take(self) -> bool:
        """Take lock and lease unless a living curator has them.

        Raises:
            LedgerUnavailable: the graph does not answer.
        """
        Path(self._lock.lock_file).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._lock.acquire()
        except Timeout:
            return False
        try:
            self._lease = self._committer.acquire(self._holder, LEASE_US, self._clock.now())
        except BaseException:
            self._lock.release()
            raise
        if self._lease is None:
            self._lock.release()
            return False
        self._stop.clear()
        self._renewer = threading.Thread(target=self._renew, name="lease", daemon=True)
        self._renewer.start()
        return True

    def give_up(self) -> None:
        """Release both, so that the next curator need not wait. Harmless when nothing is held."""
        self._stop.set()
        if self._renewer is not None:
            self._renewer.join()
            self._renewer = None
        lease, self._lease = self._lease, None
        try:
            if lease is not None:
                self._committer.release(lease)
        except (LedgerUnavailable, StaleLease):
            log.info("the lease ends by itself")
        finally:
            self._lock.release()

    def __enter__(self) -> Leadership:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_up()

    def _renew(self) -> None:
        while not self._stop.wait(RENEW_S):
            lease = self._lease
            if lease is None:
                return
            try:
                self._lease = self._committer.renew(lease, self._clock.now())
            except LedgerUnavailable:
                log.warning("the lease could not be renewed, trying again")
            except StaleLease:
                log.warning("another curator took the lease")
                self._lease = None
                return
