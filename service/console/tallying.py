"""How much each scope would show, counted for a page that must not wait for it.

The count reads the text index of the owner's view. It takes milliseconds, but for the first time ever in a large
store, when that index has to be made: then the page is shown without, and the index is made meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from policies.errors import MnemoError
from policies.terms import Level
from service.reading import Holding

WAIT_S_MAX = 1.0

Holdings = Mapping[Level, Holding]


class Tally:
    """Counts in a thread of its own, one count at a time."""

    def __init__(self, count: Callable[[], Holdings]) -> None:
        """Count with ``count``, which may block and may raise ``MnemoError``."""
        self._count = count
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tally")
        self._lock = Lock()
        self._running: Future[Holdings] | None = None

    def now(self, wait_s: float = WAIT_S_MAX) -> Holdings | None:
        """What each level would be shown; None while that cannot be told, or not in time."""
        with self._lock:
            if self._running is None or self._running.done():
                self._running = self._threads.submit(self._count)
            running = self._running
        try:
            return running.result(wait_s)
        except (MnemoError, TimeoutError):
            return None

    def close(self) -> None:
        """Count no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
