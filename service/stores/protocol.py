"""What the service keeps beside the ledger: who may connect, how, how often, and the owner's sign-in.

Two implementations, one contract suite (``tests/contract/stores``): SQLite for one machine, Redis for many.
Several processes share a store; every method is atomic among them and may raise ``StoreUnavailable``. Secrets
are kept as SHA-256 digests in hexadecimal (``service.secrets``), never as themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from policies.terms import Grant, GrantId, Instant


@dataclass(frozen=True, slots=True)
class Token:
    """A bearer token at rest."""

    digest: str
    grant: GrantId
    audience: str
    """What the token is good for: the store's own name for a granted one, else a resource's address."""
    expires_at: Instant | None


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token at rest (RFC 6749 section 6)."""

    digest: str
    grant: GrantId
    client: str
    audience: str
    """The resource that its access tokens are for."""
    issued_at: Instant
    expires_at: Instant


@dataclass(frozen=True, slots=True)
class Client:
    """A program that asked to connect: registered (RFC 7591), or known by its metadata document."""

    id: str
    """A random id of ours, or the https address of its metadata document."""
    name: str
    """As it calls itself: to be shown escaped, and trusted for nothing."""
    redirect_uris: tuple[str, ...]
    created_at: Instant
    expires_at: Instant | None
    """When it is forgotten unless it was used; of a document, when it is fetched again. None: it was used."""
    auth_method: str = "none"
    """``token_endpoint_auth_method``: ``none``, ``client_secret_basic`` or ``client_secret_post``."""
    secret: str | None = None
    """Digest of its secret; None for a public client."""
    registration_token: str | None = None
    """Digest of what manages its registration (RFC 7592); None for a metadata document."""
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    """The other metadata that it registered, as told back to it: plain JSON."""


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A request at the authorization endpoint, checked, that waits for the owner's consent."""

    digest: str
    """Of the random handle that the consent page carries."""
    client: str
    redirect_uri: str
    state: str | None
    challenge: str
    """The PKCE code challenge (S256)."""
    resource: str
    scopes: tuple[str, ...]
    """The known scopes that were asked for; a wish, no more."""
    expires_at: Instant


@dataclass(frozen=True, slots=True)
class Code:
    """An authorization code at rest: good once, for what it was issued for."""

    digest: str
    grant: GrantId
    client: str
    redirect_uri: str
    challenge: str
    resource: str
    expires_at: Instant


class Redeemed(StrEnum):
    """What became of an attempt to use a code, or a refresh token, once."""

    DONE = "done"
    UNKNOWN = "unknown"
    """Never issued, expired, or withdrawn by age: refused, and nothing more."""
    REPLAYED = "replayed"
    """Used before, by somebody: its grant is revoked, by this call if it was not yet."""


@dataclass(frozen=True, slots=True)
class Credential:
    """How the owner signs in. Passkeys are not here: they are ledger entries (``policies.passkeys``)."""

    passphrase: str
    """Its argon2id hash, in the PHC string format."""
    totp: str | None
    """The TOTP secret, encrypted by a key of the home; None when it is not asked for."""
    changed_at: Instant


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that the owner signed in with. What its cookie holds is kept as a digest."""

    digest: str
    created_at: Instant
    seen_at: Instant
    """Noted at most once a minute."""
    fresh_at: Instant
    """When the owner last proved to be the owner in it."""
    expires_at: Instant
    """However much it is used."""
    method: str
    """``passphrase``, ``passphrase+totp`` or ``passkey``."""
    agent: str
    """The browser and the system, as far as it says so."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may happen: ``burst`` times at once, and ``per_minute`` in the long run."""

    per_minute: float
    burst: int

    @property
    def step_us(self) -> int:
        """Microseconds that one occurrence takes of the allowance."""
        return int(60_000_000 / self.per_minute)

    @property
    def tolerance_us(self) -> int:
        """How far ahead of now the allowance may be used up for one more occurrence to be let through."""
        return self.step_us * (self.burst - 1)


class GrantStore(Protocol):
    """Grants and the bearer tokens that prove them."""

    def add(self, grant: Grant, proof: Token | Code, replaces: GrantId | None = None) -> None:
        """Keep a new grant and what proves it, and end the one that it replaces: all of it, or nothing.

        Args:
            grant: the new one.
            proof: its token, or the code that it gets tokens by (see ``sweep``).
            replaces: a grant that ends as this one begins, and leaves it its name.

        Raises:
            GrantNameTaken: another grant that is not revoked bears the name.
        """
        ...

    def update(self, former: Grant, grant: Grant) -> bool:
        """Change what the owner allows a living grant: name, scope, level, domains, directions, end, language.

        Args:
            former: as it was when the change was decided.
            grant: as it shall be. Uses and calls are left as they are.

        False: there is none, or it is revoked.

        Raises:
            GrantChanged: it allows no longer what ``former`` does; nothing is changed.
            GrantNameTaken: another grant that is not revoked bears the name.
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
        """End a grant and forget its access tokens; codes and refresh tokens stay, to be told as replayed.

        False: there is none, or it was revoked before.
        """
        ...

    def revoke_all(self, at: Instant) -> int:
        """End every living grant, in one step; how many."""
        ...


class RateStore(Protocol):
    """How often things may happen."""

    def charge(self, grant: GrantId, kind: str, rate: Rate, now: Instant) -> int:
        """Count one occurrence of ``kind`` against the grant's allowance and note that the grant was used.

        Returns:
            0 when it may happen; else the microseconds after which it may, and nothing was counted.
        """
        ...

    def take(self, key: str, rate: Rate, now: Instant) -> int:
        """The same for anything that is not a grant's: an address, everybody together."""
        ...

    def forgive(self, key: str) -> None:
        """Forget what was counted under a key of ``take``."""
        ...


class OAuthStore(Protocol):
    """Clients, and what is under way between them and the owner."""

    def put_client(self, client: Client) -> None:
        """Keep a client, new or changed. One that was used is not forgotten, whatever end is given for it."""
        ...

    def client(self, client: str) -> Client | None:
        """One client; None when it is unknown or forgotten. An expired one is given until it is swept."""
        ...

    def clients_of(self, ids: Iterable[str]) -> Mapping[str, Client]:
        """Those clients, by id, in one round trip. Anybody may register more than could ever be listed."""
        ...

    def remove_client(self, client: str) -> bool:
        """Forget a client. Its grants live on. False: there is none."""
        ...

    def put_request(self, request: AuthorizationRequest) -> None:
        """Keep a request until it is taken or expires."""
        ...

    def request(self, digest: str, now: Instant) -> AuthorizationRequest | None:
        """A request that waits and has not expired."""
        ...

    def take_request(self, digest: str, now: Instant) -> AuthorizationRequest | None:
        """The same, and nobody gets it again."""
        ...

    def code(self, digest: str) -> Code | None:
        """A code, used or not, expired or not, so that what it is bound to can be checked before its use."""
        ...

    def redeem(self, digest: str, token: Token, refresh: RefreshToken, now: Instant) -> Redeemed:
        """Use a code: keep the two tokens and mark the code and its client as used, in one step.

        A code that was used before revokes its grant (RFC 6749 section 4.1.2), for a day after it expired. One
        that was not is unknown once it expired, once its grant is revoked or expired, and when ``token`` is
        for another grant than its own.
        """
        ...

    def refresh_token(self, digest: str) -> RefreshToken | None:
        """A refresh token, whatever its state, so that what it is bound to can be checked before its use."""
        ...

    def rotate(self, digest: str, token: Token, refresh: RefreshToken, now: Instant) -> Redeemed:
        """Use a refresh token: keep its successors, in one step.

        It stays usable until one of its successors is first used. Each use mints another successor, a twin, and
        withdraws those unused twins that are older than 30 s at that moment; age alone withdraws none. The first
        twin used supersedes its twins and the parent: presented afterwards, any of those revokes the grant
        (``REPLAYED``). One withdrawn by age before any twin was used is merely unknown; so is an expired one, one
        that could still be used but whose grant is revoked or expired, and one whose grant is not that of ``token``.
        """
        ...

    def revoke_token(self, digest: str, at: Instant) -> GrantId | None:
        """Revoke the grant that an access or a refresh token belongs to (RFC 7009); None for an unknown one."""
        ...

    def sweep(self, now: Instant) -> int:
        """Forget what is over, at most a thousand of each; how many.

        That is expired requests, codes, tokens and clients never used, and grants whose code was never used and
        has expired. Codes that were used and refresh tokens that were superseded
        are kept as long as ``redeem`` and ``rotate`` must know them again. What ends by itself in a store (a key
        of Redis) is not counted.
        """
        ...


class ConsoleStore(Protocol):
    """The owner's sign-in and sessions."""

    def credential(self) -> Credential | None:
        """How the owner signs in; None before the set-up and after a reset."""
        ...

    def set_credential(self, former: Credential | None, credential: Credential) -> bool:
        """Keep how the owner signs in from now on.

        False: ``former`` is not how they do any more (None: they do not at all), and nothing is changed. A change that
        is under way while the owner resets their sign-in must not undo it.
        """
        ...

    def put_session(self, session: Session) -> None:
        """Keep a session, new or changed. One that was ended stays so, whoever still changes it."""
        ...

    def session(self, digest: str, now: Instant) -> Session | None:
        """A session that has not ended, nor expired."""
        ...

    def sessions(self, now: Instant) -> list[Session]:
        """Those that have not ended, newest first."""
        ...

    def end_session(self, digest: str) -> None:
        """End one."""
        ...

    def end_sessions(self, but: str | None = None) -> int:
        """End all, but for the one with that digest; how many."""
        ...

    def put_link(self, digest: str, purpose: str, expires_at: Instant) -> None:
        """Keep a one-time link; the earlier ones of its purpose (``setup``, ``passkey``) are good no more."""
        ...

    def link(self, digest: str, now: Instant) -> str | None:
        """The purpose of a link that is still good."""
        ...

    def take_link(self, digest: str, now: Instant) -> str | None:
        """The same, and it is good no more."""
        ...

    def remember(self, digest: str, value: str, expires_at: Instant) -> None:
        """Keep something short-lived under the digest of a secret handle: a challenge, a half-done sign-in."""
        ...

    def recall(self, digest: str, now: Instant) -> str | None:
        """What was kept, once: it is forgotten as it is given."""
        ...

    def reset(self, digest: str, expires_at: Instant) -> int:
        """Forget the credential, end all sessions, and keep a new ``setup`` link; how many sessions ended."""
        ...


class Store(Protocol):
    """All of them, of one store, on one connection."""

    @property
    def grants(self) -> GrantStore:
        """Grants and tokens."""
        ...

    @property
    def rates(self) -> RateStore:
        """Counters."""
        ...

    @property
    def oauth(self) -> OAuthStore:
        """Clients, codes, refresh tokens."""
        ...

    @property
    def console(self) -> ConsoleStore:
        """The owner's sign-in."""
        ...

    def ping(self) -> None:
        """Return when the store answers."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
