"""What the pure code and both roots need from the world, as protocols."""

from __future__ import annotations

from typing import Protocol

from policies.terms import Instant


class Clock(Protocol):
    """Tells the time. The system's is ``cypher.runtime.SystemClock``."""

    def now(self) -> Instant:
        """The present instant, UTC microseconds."""
        ...


class IdFactory(Protocol):
    """Makes identifiers. The system's is ``cypher.runtime.RandomIds``."""

    def new(self, prefix: str) -> str:
        """A fresh id: ``prefix``, a colon and 128 random bits in base32 (lower case, no padding)."""
        ...

    def salt(self) -> str:
        """256 fresh random bits in base32, for a commitment."""
        ...
