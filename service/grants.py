"""Grants: what the owner allows one assistant, and the token that proves it.

A token is 256 random bits, shown once and kept only as a digest. One made here has the store itself as its
audience: good at any address of this store's service, across restarts, until it is revoked or expires.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal

from cypher.settings import Settings
from policies.errors import GrantRefused, GrantUnknown, InvalidArgument
from policies.parameters import Parameters, parameters
from policies.ports import Clock, IdFactory
from policies.terms import Grant, GrantId, Instant, Level, View
from service.secrets import TOKEN_PREFIX, digest, new_secret
from service.stores import open_store
from service.stores.protocol import Code, Store, Token

Mode = Literal["read", "propose", "both"]


class Unchanged(Enum):
    """What ``Grants.change`` takes for an argument that is not given: None says something."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED

NAME = re.compile(r"[^\W_][\w .@:-]{0,59}")
DAY_US = 86_400_000_000

CLI_GRANT = Grant(id=GrantId("grant:cli"), name="cli", scope="private-full", level=Level.S3, client="cli")
"""The built-in grant of the command line: it has no token, and nobody can be granted its name."""


@dataclass(frozen=True, slots=True)
class Granted:
    """A new grant, and the one moment its token is seen."""

    grant: Grant
    token: str


def store_audience(store: str) -> str:
    """The audience of tokens that are good at any address of a store."""
    return f"urn:mnemo:store:{store}"


def view_of(grant: Grant, language: str, parameters: Parameters) -> View:
    """What a grant may be served. The owner's own view is no grant's: see the command line."""
    return View(
        level=grant.level,
        domains=None if grant.domains is None else frozenset(grant.domains),
        history=parameters.scope(grant.scope).history,
        grant=grant.id,
        name=grant.name,
        language=language,
    )


class Grants:
    """The grants of one store."""

    def __init__(
        self, store: Store, parameters: Parameters, clock: Clock, ids: IdFactory, audience: str
    ) -> None:
        """Work on a store; ``audience`` is that of the tokens made here (see ``store_audience``)."""
        self._store = store
        self._parameters = parameters
        self._clock = clock
        self._ids = ids
        self._audience = audience

    def grant(
        self,
        name: str,
        scope: str,
        *,
        domains: Sequence[str] | None = None,
        mode: Mode = "both",
        days: int | None = None,
        language: str | None = None,
    ) -> Granted:
        """Allow one assistant.

        Args:
            name: how the owner calls it; unique among grants that are not revoked.
            scope: one of the parameters' scopes.
            domains: limit it to these; None for every domain.
            mode: reading, proposing or both.
            days: until it expires; None for no end.
            language: of its answers; None for the owner's.

        Raises:
            GrantNameTaken: the name is in use.
            InvalidArgument: the name, the scope or the number of days cannot be used.
            DomainUnknown: the owner has no such domain.
        """
        made = self._made(name, scope, "local", domains, mode, days, language)
        token = new_secret(TOKEN_PREFIX)
        self._store.grants.add(made, Token(digest(token), made.id, self._audience, None))
        return Granted(made, token)

    def admit(
        self,
        name: str,
        scope: str,
        *,
        client: str,
        code: Callable[[GrantId], Code],
        domains: Sequence[str] | None = None,
        mode: Mode = "both",
        days: int | None = None,
        replaces: GrantId | None = None,
    ) -> Grant:
        """Allow a client of OAuth. Arguments and errors are those of ``grant``, but for these.

        Args:
            name: see ``grant``.
            scope: likewise, as what is not told here.
            client: its id.
            code: makes the code that it gets its tokens by.
            domains: see ``grant``.
            mode: likewise.
            days: likewise.
            replaces: a grant that ends as this one begins; its name may be used again. If anything fails, it does not.
        """
        made = self._made(name, scope, client, domains, mode, days, None)
        self._store.grants.add(made, code(made.id), replaces)
        return made

    def listed(self) -> list[Grant]:
        """Every grant that is not revoked, oldest first; expired ones too, so that the owner sees them."""
        return [grant for grant in self._store.grants.grants() if grant.revoked_at is None]

    def ever(self) -> list[Grant]:
        """Every grant there ever was, revoked ones too, oldest first: who a log entry speaks of."""
        return self._store.grants.grants()

    def revoke(self, name: str) -> Grant:
        """End a grant: its next call is refused; no other grant is touched.

        Raises:
            GrantUnknown: no living grant bears the name.
        """
        found = self._store.grants.named(name)
        if found is None or not self._store.grants.revoke(found.id, self._clock.now()):
            raise GrantUnknown(name=name)
        return found

    def revoke_id(self, grant: GrantId) -> Grant:
        """The same, for a grant that is told by its id.

        Raises:
            GrantUnknown: no grant that is not revoked has the id.
        """
        found = self._store.grants.grant(grant)
        if found is None or not self._store.grants.revoke(grant, self._clock.now()):
            raise GrantUnknown(name=grant)
        return found

    def revoke_all(self) -> int:
        """End every grant at once; how many. The command line's own is built in and stays."""
        return self._store.grants.revoke_all(self._clock.now())

    def change(
        self,
        former: Grant,
        *,
        name: str | Unchanged = UNCHANGED,
        scope: str | Unchanged = UNCHANGED,
        domains: Sequence[str] | Unchanged | None = UNCHANGED,
        mode: Mode | Unchanged = UNCHANGED,
        expires_at: Instant | Unchanged | None = UNCHANGED,
        language: str | Unchanged | None = UNCHANGED,
    ) -> Grant:
        """Change what a grant allows, from its next call on. Its tokens stay; one that expired may go on.

        Args:
            former: the grant as whoever changes it saw it.
            name: as for ``grant``, like all that follow.
            scope: what it may see.
            domains: limit it to these; None for every domain.
            mode: reading, proposing or both.
            expires_at: until when; None for no end.
            language: of its answers; None for the owner's.

        Raises:
            GrantUnknown: it is revoked, or never was.
            GrantChanged: it is not as it was: another change, which this one could undo, came between.
            GrantNameTaken: the name is in use.
            InvalidArgument: the name, the scope or the end cannot be used.
            DomainUnknown: the owner has no such domain.
        """
        wanted = former
        if name is not UNCHANGED:
            wanted = replace(wanted, name=_checked_name(name))
        if scope is not UNCHANGED:
            wanted = replace(wanted, scope=scope, level=self._level(scope))
        if domains is not UNCHANGED:
            wanted = replace(wanted, domains=self._limit(domains))
        if mode is not UNCHANGED:
            wanted = replace(wanted, may_read=mode != "propose", may_propose=mode != "read")
        if expires_at is not UNCHANGED:
            if _past(expires_at, self._clock.now()):
                raise InvalidArgument(field="expires_at", problem="past")
            wanted = replace(wanted, expires_at=expires_at)
        if language is not UNCHANGED:
            wanted = replace(wanted, language=language)
        if not self._store.grants.update(former, wanted):
            raise GrantUnknown(name=former.name)
        return wanted

    def named(self, name: str) -> Grant:
        """The living grant of a name, ``cli`` included.

        Raises:
            GrantUnknown: there is none.
            GrantRefused: it expired.
        """
        if name == CLI_GRANT.name:
            return CLI_GRANT
        found = self._store.grants.named(name)
        if found is None:
            raise GrantUnknown(name=name)
        return self._living(found)

    def current(self, grant: GrantId) -> Grant:
        """A grant as it stands now.

        Raises:
            GrantRefused: it is revoked or expired, or never was.
        """
        if grant == CLI_GRANT.id:
            return CLI_GRANT
        return self._living(self._store.grants.grant(grant))

    def bearer(self, token: str) -> tuple[Grant, str] | None:
        """Who presents a token, by one look-up, and the audience of the token.

        None for a token that is unknown, revoked or expired, all alike.
        """
        found = self._store.grants.bearer(digest(token))
        if found is None:
            return None
        kept, grant = found
        now = self._clock.now()
        ended = grant.revoked_at is not None or _past(grant.expires_at, now) or _past(kept.expires_at, now)
        return None if ended else (grant, kept.audience)

    def _made(
        self,
        name: str,
        scope: str,
        client: str,
        domains: Sequence[str] | None,
        mode: Mode,
        days: int | None,
        language: str | None,
    ) -> Grant:
        if days is not None and not 1 <= days <= 36_500:
            raise InvalidArgument(field="days", problem="minimum", limit=1)
        now = self._clock.now()
        return Grant(
            id=GrantId(self._ids.new("grant")),
            name=_checked_name(name),
            scope=scope,
            level=self._level(scope),
            client=client,
            domains=self._limit(domains),
            may_read=mode != "propose",
            may_propose=mode != "read",
            language=language,
            created_at=now,
            expires_at=None if days is None else Instant(now + days * DAY_US),
        )

    def _level(self, scope: str) -> Level:
        if scope not in self._parameters.scopes:
            raise InvalidArgument(field="scope", problem="choice", allowed=list(self._parameters.scopes))
        return self._parameters.scopes[scope].level

    def _limit(self, domains: Sequence[str] | None) -> tuple[str, ...] | None:
        limit = None if domains is None else tuple(dict.fromkeys(domains))
        for domain in limit or ():
            self._parameters.domain(domain)
        return limit

    def _living(self, found: Grant | None) -> Grant:
        if found is None or found.revoked_at is not None or _past(found.expires_at, self._clock.now()):
            raise GrantRefused
        return found


@contextmanager
def open_grants(settings: Settings, clock: Clock, ids: IdFactory) -> Generator[Grants]:
    """The grants of the store that the settings name, for as long as the context lasts."""
    store = open_store(settings)
    try:
        yield Grants(store, parameters(), clock, ids, store_audience(settings.store))
    finally:
        store.close()


def _checked_name(name: str) -> str:
    if not NAME.fullmatch(name) or name == CLI_GRANT.name:
        raise InvalidArgument(field="name", problem="grant_name")
    return name


def _past(end: Instant | None, now: Instant) -> bool:
    return end is not None and end <= now
