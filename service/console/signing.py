"""How the owner signs in: a passphrase (argon2id, RFC 9106), slowed down when it is guessed at.

Guesses are counted per address and overall; those of a browser that the owner signed in with before are counted by
themselves, so that strangers who use up what all may guess do not shut the owner out. Counts drain by themselves.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from policies.errors import InvalidArgument, RateLimited, SignInRefused
from policies.ports import Clock
from service.counting import refuse_until_over
from service.stores.protocol import Credential, Rate, Store

PASSPHRASE_CHARACTERS_MIN = 12
PASSPHRASE_CHARACTERS_MAX = 1_000
GUESSES_OF_ONE = Rate(per_minute=2, burst=6)
GUESSES_OF_ALL = Rate(per_minute=30, burst=60)
_ALL = "sign-in"
_AT_ONCE = 4
"""How many passphrases are hashed at once: each takes 64 MiB while it is."""
_IN_ALL = 8
"""How many are hashed or wait for it: each holds a thread of those that serve every request."""
_WAIT_S = 20.0


@dataclass(frozen=True, slots=True)
class Guesser:
    """Whom a guess is counted against."""

    name: str
    """An address (``service.proxies.client_address``); of a browser known from before, its device id."""
    is_known: bool
    """Whether the owner signed in with this browser before."""


class Signing:
    """The owner's passphrase and what guards it."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Keep the credential in a store."""
        self._store = store
        self._clock = clock
        self._hasher = PasswordHasher()
        self._hashing = threading.BoundedSemaphore(_AT_ONCE)
        self._admitted = threading.BoundedSemaphore(_IN_ALL)

    def check_choice(self, passphrase: str) -> None:
        """See that a passphrase may be chosen.

        Raises:
            InvalidArgument: it is too short, or beyond all measure.
        """
        if len(passphrase) < PASSPHRASE_CHARACTERS_MIN:
            raise InvalidArgument(
                field="passphrase", problem="passphrase_short", limit=PASSPHRASE_CHARACTERS_MIN
            )
        if len(passphrase) > PASSPHRASE_CHARACTERS_MAX:
            raise InvalidArgument(field="passphrase", problem="maximum", limit=PASSPHRASE_CHARACTERS_MAX)

    def choose(self, passphrase: str, former: Credential | None = None) -> None:
        """Take a new passphrase.

        Args:
            passphrase: the new one.
            former: the credential that it changes; None for the first one.

        Raises:
            InvalidArgument: see ``check_choice``.
            SignInRefused: the credential is not ``former`` any more.
            RateLimited: too many passphrases are being looked at.
        """
        self.check_choice(passphrase)
        with self._place(may_wait=True):
            hashed = self._hasher.hash(_normal(passphrase))
        now = self._clock.now()
        first = Credential(hashed, None, now)
        self._change(former, first if former is None else replace(former, passphrase=hashed, changed_at=now))

    def ask_for_codes(self, former: Credential, totp: str | None) -> None:
        """Ask for codes of an encrypted TOTP secret from now on; None: for none any more.

        Raises:
            SignInRefused: the credential is not ``former`` any more.
        """
        self._change(former, replace(former, totp=totp, changed_at=self._clock.now()))

    def check(self, passphrase: str, guesser: Guesser) -> Credential:
        """The credential, if the passphrase is the owner's.

        Raises:
            RateLimited: too many guesses lately, or at this moment.
            SignInRefused: it is not, or there is none yet.
        """
        with self._place(may_wait=guesser.is_known):
            self.count(guesser)
            known = self._store.console.credential()
            try:
                # The same time is taken whether there is a credential or not.
                self._hasher.verify(known.passphrase if known else _NOBODYS, _normal(passphrase))
            except (VerificationError, InvalidHashError) as wrong:
                raise SignInRefused from wrong
        if known is None:
            raise SignInRefused
        return known

    def count(self, guesser: Guesser) -> None:
        """Count a guess before it is looked at.

        Raises:
            RateLimited: too many lately.
        """
        self._take(_key(guesser), GUESSES_OF_ONE)
        if guesser.is_known:
            return
        try:
            self._take(_ALL, GUESSES_OF_ALL)
        except RateLimited:
            # It was not looked at: it does not count against who made it.
            self.forgive(guesser)
            raise

    def forgive(self, guesser: Guesser) -> None:
        """Forget the guesses of somebody who proved to be the owner."""
        self._store.rates.forgive(_key(guesser))

    @contextmanager
    def _place(self, *, may_wait: bool) -> Generator[None]:
        """A place to hash a passphrase in. Strangers who are too many are sent away, the owner's browsers wait.

        Raises:
            RateLimited: too many wait for one.
        """
        if not self._admitted.acquire(timeout=_WAIT_S if may_wait else 0):
            raise RateLimited(retry_after_s=1)
        try:
            with self._hashing:
                yield
        finally:
            self._admitted.release()

    def _change(self, former: Credential | None, credential: Credential) -> None:
        if not self._store.console.set_credential(former, credential):
            raise SignInRefused("changed or reset meanwhile")

    def _take(self, key: str, rate: Rate) -> None:
        refuse_until_over(self._store.rates.take(key, rate, self._clock.now()))


def _key(guesser: Guesser) -> str:
    return f"{_ALL} {'browser' if guesser.is_known else 'address'} {guesser.name}"


def _normal(passphrase: str) -> str:
    """One form, whatever keyboard typed it (RFC 8265 section 4.2 without its refusals)."""
    return unicodedata.normalize("NFC", passphrase[:PASSPHRASE_CHARACTERS_MAX])


_NOBODYS = (
    "$argon2id$v=19$m=65536,t=3,p=4$c29tZSBzYWx0IG9mIG91cnM$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)
"""A hash that no passphrase has."""
