"""What the service keeps beside the ledger: grants, the digests of their tokens, and rate counters.

Two implementations, one contract suite (``tests/contract/stores``): SQLite for one machine, Redis for
many. Several processes share a store; every method is atomic among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from policies.terms import Grant, GrantId, Instant


@dataclass(frozen=True, slots=True)
class Token:
    """A bearer token at rest."""

    digest: str
    """SHA-256 of the token, hexadecimal. The token itself is kept nowhere."""
    grant: GrantId
    audience: str
    """What the token is good for: the store's own name for a granted one, else a resource's address."""
    expires_at: Instant | None


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may happen: ``burst`` times at once, and ``per_minute`` in the long run."""

    per_minute: int
    burst: int

    @property
    def step_us(self) -> int:
        """Microseconds that one occurrence takes of the allowance."""
        return 60_000_000 // self.per_minute

    @property
    def tolerance_us(self) -> int:
        """How far ahead of now the allowance may be used up for one more occurrence to be let through."""
        return self.step_us * (self.burst - 1)


class Store(Protocol):
    """Grants, tokens and rates. Every method may raise ``StoreUnavailable``."""

    def add(self, grant: Grant, token: Token) -> None:
        """Keep a new grant and its token, both or neither.

        Raises:
            GrantNameTaken: a grant that is not revoked bears the name.
        """
        ...

    def grants(self) -> list[Grant]:
        """Every grant, revoked ones too, oldest first."""
        ...

    def grant(self, grant: GrantId) -> Grant | None:
        """One grant, revoked or not."""
        ...

    def named(self, name: str) -> Grant | None:
        """The grant of that name that is not revoked."""
        ...

    def bearer(self, digest: str) -> tuple[Token, Grant] | None:
        """The token with that digest and its grant, in one round trip, whatever their states."""
        ...

    def revoke(self, grant: GrantId, at: Instant) -> bool:
        """End a grant and forget its tokens. False: there is none, or it was revoked before."""
        ...

    def charge(self, grant: GrantId, kind: str, rate: Rate, now: Instant) -> int:
        """Count one occurrence of ``kind`` against the grant's allowance and note that the grant was used.

        Returns:
            0 when it may happen; else the microseconds after which it may, and nothing was counted.
        """
        ...

    def ping(self) -> None:
        """Return when the store answers."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
