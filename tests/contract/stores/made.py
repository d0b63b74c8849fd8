"""What the tests of the stores keep: records with a number each, and the secrets' digests."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TypeVar

from policies.terms import Grant, GrantId, Instant, Level
from service.stores.protocol import (
    AuthorizationRequest,
    Client,
    Code,
    Redeemed,
    RefreshToken,
    Session,
    Store,
    Token,
)

NOW = Instant(1_790_000_000_000_000)
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
RESOURCE = "https://mnemo.example/mcp"

T = TypeVar("T")


def after(microseconds: int) -> Instant:
    """So long after the tests' now."""
    return Instant(NOW + microseconds)


def grant(number: int, **changes: object) -> Grant:
    made = Grant(
        id=GrantId(f"grant:{number}"),
        name=f"tool {number}",
        scope="assistant-standard",
        level=Level.S1,
        created_at=Instant(NOW + number),
    )
    return replace(made, **changes)  # pyright: ignore[reportArgumentType]


def token(number: int) -> Token:
    return Token(f"{number:064x}", GrantId(f"grant:{number}"), "urn:mnemo:store:default", None)


def client(number: int, **changes: object) -> Client:
    made = Client(
        id=f"client-{number}",
        name=f"Tool {number}",
        redirect_uris=("http://localhost/callback", "tool://callback"),
        created_at=after(number),
        expires_at=after(DAY),
        auth_method="client_secret_post",
        secret=f"secret {number}",
        registration_token=f"registration {number}",
        metadata={"logo_uri": "https://tool.example/é.png", "contacts": ["a", "b"], "n": 1},
    )
    return replace(made, **changes)  # pyright: ignore[reportArgumentType]


def request(number: int, **changes: object) -> AuthorizationRequest:
    made = AuthorizationRequest(
        digest=f"request {number}",
        client="client-1",
        redirect_uri="http://localhost/callback",
        state="a state",
        challenge="c" * 43,
        resource=RESOURCE,
        scopes=("assistant-standard", "work-context"),
        expires_at=after(10 * MINUTE),
    )
    return replace(made, **changes)  # pyright: ignore[reportArgumentType]


def code(number: int, of_grant: int = 1, **changes: object) -> Code:
    made = Code(
        digest=f"code {number}",
        grant=GrantId(f"grant:{of_grant}"),
        client="client-1",
        redirect_uri="http://localhost/callback",
        challenge="c" * 43,
        resource=RESOURCE,
        expires_at=after(MINUTE),
    )
    return replace(made, **changes)  # pyright: ignore[reportArgumentType]


def session(number: int, **changes: object) -> Session:
    made = Session(
        digest=f"session {number}",
        created_at=after(number),
        seen_at=after(number),
        fresh_at=after(number),
        expires_at=after(DAY),
        method="passphrase",
        agent="Firefox",
    )
    return replace(made, **changes)  # pyright: ignore[reportArgumentType]


@dataclass
class Connection:
    """A grant that a client uses: what the authorization server does with the store for it."""

    store: Store
    number: int = 1
    refresh_lasts_us: int = 90 * DAY
    _minted: itertools.count[int] = field(default_factory=itertools.count)

    @property
    def grant(self) -> GrantId:
        """Its id."""
        return GrantId(f"grant:{self.number}")

    def consent(self, **changes: object) -> str:
        """The owner consents: a grant and a code for it; the code's digest."""
        made = code(self.number, self.number)
        self.store.grants.add(grant(self.number, **changes), made)
        return made.digest

    def connect(self, **changes: object) -> str:
        """It redeems its code; the digest of the first refresh token."""
        redeemed, refresh = self.redeem(self.consent(**changes))
        assert redeemed is Redeemed.DONE
        return refresh

    def redeem(self, digest: str, now: Instant = NOW, store: Store | None = None) -> tuple[Redeemed, str]:
        """Present a code; the digest of the refresh token that was minted for it."""
        access, refresh = self.tokens(now)
        return (store or self.store).oauth.redeem(digest, access, refresh, now), refresh.digest

    def rotate(self, digest: str, now: Instant = NOW, store: Store | None = None) -> tuple[Redeemed, str]:
        """Present a refresh token; the digest of the successor that was minted for it."""
        access, refresh = self.tokens(now)
        return (store or self.store).oauth.rotate(digest, access, refresh, now), refresh.digest

    def successor(self, digest: str, now: Instant = NOW) -> str:
        """Present a refresh token that is good."""
        redeemed, refresh = self.rotate(digest, now)
        assert redeemed is Redeemed.DONE
        return refresh

    def tokens(self, now: Instant) -> tuple[Token, RefreshToken]:
        """New ones."""
        minted = next(self._minted)
        name = f"{self.number}.{minted}"
        refresh = RefreshToken(
            f"refresh {name}", self.grant, "client-1", RESOURCE, now, Instant(now + self.refresh_lasts_us)
        )
        return Token(f"access {name}", self.grant, RESOURCE, Instant(now + HOUR)), refresh

    def is_revoked(self) -> bool:
        """Whether its grant is."""
        kept = self.store.grants.grant(self.grant)
        return kept is not None and kept.revoked_at is not None


def at_once(stores: list[Store], times: int, call: Callable[[Store, int], T]) -> list[T]:
    """What a call gives to as many threads, in turn on each of the stores."""

    def numbered(number: int) -> T:
        return call(stores[number % len(stores)], number)

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(numbered, range(times)))
