"""A clock that tests set, and ids that they can foresee."""

from __future__ import annotations

import base64
import hashlib

from policies.terms import Instant


class SetClock:
    """Tells the time it was set to. Implements ``policies.ports.Clock``."""

    def __init__(self, at: Instant) -> None:
        self.at = at

    def now(self) -> Instant:
        """The instant it was set to."""
        return self.at

    def advance(self, seconds: float) -> None:
        """Move on."""
        self.at = Instant(self.at + round(seconds * 1_000_000))


class TickingClock(SetClock):
    """Moves on a second whenever it is looked at, so that nobody who only talks fast meets a limit per minute."""

    def now(self) -> Instant:
        """A second later than before."""
        self.advance(1)
        return self.at


class CountingIds:
    """Ids in a known order, of the real form. Implements ``policies.ports.IdFactory``."""

    def __init__(self, seed: str = "") -> None:
        self._seed = seed
        self._made = 0

    def new(self, prefix: str) -> str:
        """The next id."""
        return f"{prefix}:{self._next(16)}"

    def salt(self) -> str:
        """The next salt."""
        return self._next(32)

    def _next(self, size: int) -> str:
        self._made += 1
        raw = hashlib.sha256(f"{self._seed} {self._made}".encode()).digest()[:size]
        return base64.b32encode(raw).decode("ascii").rstrip("=").lower()
