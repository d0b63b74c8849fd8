"""Waiting in tests: polling with a bound, never a fixed sleep."""

from __future__ import annotations

import time
from collections.abc import Callable

WAIT_S_MAX = 60.0


def eventually(condition: Callable[[], bool], *, within_s: float = WAIT_S_MAX) -> None:
    """Return as soon as the condition holds; fail when it does not in time."""
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
