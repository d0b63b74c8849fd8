"""Sessions of the console: a random cookie, kept on the server as a digest, so that ending one ends it.

The cookie of a visitor who has not signed in is of the same kind, and kept nowhere: forms are bound to it. Signing
in always sets a new one.
"""

from __future__ import annotations

from dataclasses import replace

from itsdangerous import BadSignature, Signer
from starlette.requests import Request
from starlette.responses import Response

from policies.ports import Clock
from policies.terms import Instant
from service.addresses import Addresses
from service.secrets import digest, new_secret
from service.stores.protocol import ConsoleStore, Session

LIFETIME_US = 7 * 86_400_000_000
IDLE_US = 12 * 3_600_000_000
FRESH_US = 5 * 60_000_000
"""How long a sign-in is fresh enough for what asks for one."""
_NOTED_US = 60_000_000
_DEVICE_S = 31_536_000
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


class Sessions:
    """Opens, finds and ends sessions, and signs the forms that belong to them."""

    def __init__(self, store: ConsoleStore, clock: Clock, addresses: Addresses, key: bytes) -> None:
        """Keep sessions in a store; forms are signed by ``key``."""
        self._store = store
        self._clock = clock
        self._secure = addresses.public_url.startswith("https://")
        self._key = key

    @property
    def cookie(self) -> str:
        """The cookie's name: bound to this host alone where https allows it (RFC 6265bis section 4.1.3.2)."""
        return "__Host-mnemo" if self._secure else "mnemo"

    def secret_of(self, request: Request) -> str:
        """What the visitor's cookie holds; a new one for somebody without."""
        return request.cookies.get(self.cookie) or new_secret()

    def find(self, secret: str) -> Session | None:
        """The session of a cookie, if it was signed in with, has not ended and was used lately."""
        now = self._clock.now()
        found = self._store.session(digest(secret), now)
        if found is None:
            return None
        if now - found.seen_at > IDLE_US:
            self._store.end_session(found.digest)
            return None
        if now - found.seen_at > _NOTED_US:
            found = replace(found, seen_at=now)
            self._store.put_session(found)
        return found

    def open(self, method: str, agent: str, former: Session | None) -> str:
        """A new session for the owner, who has just signed in; its cookie's secret. The former one ends."""
        secret, now = new_secret(), self._clock.now()
        if former is not None:
            self._store.end_session(former.digest)
        self._store.put_session(
            Session(
                digest=digest(secret),
                created_at=now,
                seen_at=now,
                fresh_at=now,
                expires_at=Instant(now + LIFETIME_US),
                method=method,
                agent=_browser(agent),
            )
        )
        return secret

    def is_fresh(self, session: Session) -> bool:
        """Whether the owner signed in a moment ago."""
        return self._clock.now() - session.fresh_at <= FRESH_US

    def form_token(self, secret: str, path: str) -> str:
        """What a form that is sent to ``path`` must carry in this visitor's session."""
        return self._signer().get_signature(f"{digest(secret)} {path}".encode()).decode()

    def is_form_token(self, secret: str, path: str, given: str) -> bool:
        """Whether a form carries the right token."""
        return self._signer().verify_signature(
            f"{digest(secret)} {path}".encode(), given.encode("utf-8", "replace")
        )

    def keep(self, response: Response, secret: str) -> None:
        """Give the visitor the cookie."""
        self._set(response, self.cookie, secret, LIFETIME_US // 1_000_000)

    def forget(self, response: Response) -> None:
        """Take the cookie back. A browser heeds that only with what the prefix of its name asks for."""
        response.delete_cookie(self.cookie, path="/", secure=self._secure, httponly=True, samesite="lax")

    def device(self, request: Request) -> str | None:
        """The id of a browser that the owner signed in with before; None for any other."""
        try:
            return self._devices().unsign(request.cookies.get(f"{self.cookie}_device", "")).decode()
        except BadSignature:
            return None

    def keep_device(self, response: Response, device: str | None) -> None:
        """Know this browser again, whoever is signed in with it then: it opens nothing."""
        known = self._devices().sign(device or new_secret()).decode()
        self._set(response, f"{self.cookie}_device", known, _DEVICE_S)

    def _set(self, response: Response, name: str, value: str, lasting_s: int) -> None:
        response.set_cookie(
            name, value, max_age=lasting_s, path="/", secure=self._secure, httponly=True, samesite="lax"
        )

    def _devices(self) -> Signer:
        return Signer(self._key, salt="console device")

    def _signer(self) -> Signer:
        return Signer(self._key, salt="console form")


def _browser(agent: str) -> str:
    """A browser as its user knows it, of what it calls itself; empty when it says nothing known."""
    found = (next((name for token, name in table if token in agent), "") for table in (_BROWSERS, _SYSTEMS))
    return ", ".join(filter(None, found))
