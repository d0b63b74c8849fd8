"""Tokens for a code or a refresh token: 256 random bits each, kept as digests, as long as the grant allows."""

from __future__ import annotations

import logging

from authlib.oauth2.rfc6749 import InvalidGrantError

from policies.parameters import Connecting
from policies.ports import Clock
from policies.terms import GrantId, Instant
from service.counting import Counting
from service.secrets import REFRESH_PREFIX, TOKEN_PREFIX, digest, new_secret
from service.stores.protocol import Code, Redeemed, RefreshToken, Store, Token

log = logging.getLogger("mnemo.oauth")

_SECOND_US = 1_000_000


class Issuing:
    """Issues tokens of one store's grants."""

    def __init__(self, store: Store, clock: Clock, counting: Counting, bounds: Connecting) -> None:
        self._store = store
        self._counting = counting
        self._clock = clock
        self._bounds = bounds

    def code(self, presented: str) -> Code | None:
        """The code with that digest, used or not."""
        return self._store.oauth.code(presented)

    def refresh_token(self, presented: str) -> RefreshToken | None:
        """The refresh token with that digest, whatever its state."""
        return self._store.oauth.refresh_token(presented)

    def redeem(self, code: Code) -> dict[str, object]:
        """Use a code: the token response.

        Raises:
            InvalidGrantError: it expired or was used, or its grant ended. If it was used, its grant ends now.
        """
        access, refresh, kept, successor = self._made(code.grant, code.client, code.resource)
        outcome = self._store.oauth.redeem(code.digest, kept, successor, self._clock.now())
        return self._issued(outcome, "code", access, refresh, kept)

    def rotate(self, used: RefreshToken) -> dict[str, object]:
        """Use a refresh token: the token response.

        Raises:
            InvalidGrantError: it expired or was superseded, or its grant ended. If superseded, its grant ends now.
            RateLimited: too much was refreshed of its grant. Each use keeps two more tokens, for as long as they last:
                a client that goes round in circles must not fill the store.
        """
        self._counting.take(
            "refreshes",
            used.grant,
            self._bounds.refreshes_per_minute,
            at_once=self._bounds.refreshes_at_once,
        )
        access, refresh, kept, successor = self._made(used.grant, used.client, used.audience)
        outcome = self._store.oauth.rotate(used.digest, kept, successor, self._clock.now())
        return self._issued(outcome, "refresh token", access, refresh, kept)

    def _made(self, grant: GrantId, client: str, resource: str) -> tuple[str, str, Token, RefreshToken]:
        now = self._clock.now()
        allowed = self._store.grants.grant(grant)
        end = None if allowed is None else allowed.expires_at
        access, refresh = new_secret(TOKEN_PREFIX), new_secret(REFRESH_PREFIX)
        kept = Token(digest(access), grant, resource, self._until(now, self._bounds.access_seconds, end))
        successor = RefreshToken(
            digest=digest(refresh),
            grant=grant,
            client=client,
            audience=resource,
            issued_at=now,
            expires_at=self._until(now, self._bounds.refresh_seconds, end),
        )
        return access, refresh, kept, successor

    def _issued(
        self, outcome: Redeemed, what: str, access: str, refresh: str, kept: Token
    ) -> dict[str, object]:
        grant = self._store.grants.grant(kept.grant)
        if outcome is Redeemed.REPLAYED:
            log.warning("a %s was presented again: the grant %s is revoked", what, kept.grant)
        if outcome is not Redeemed.DONE or grant is None or kept.expires_at is None:
            raise InvalidGrantError("It is not valid, or no longer.")
        return {
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": (kept.expires_at - self._clock.now()) // _SECOND_US,
            "refresh_token": refresh,
            # What the owner allows now, whatever was asked then.
            "scope": grant.scope,
        }

    @staticmethod
    def _until(now: Instant, seconds: int, end: Instant | None) -> Instant:
        until = Instant(now + seconds * _SECOND_US)
        return until if end is None else min(until, end)
