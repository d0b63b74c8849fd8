"""What the console asks the owner's devices to prove: challenges for passkeys, codes of an authenticator app.

Challenges are not kept: each carries its moment and a MAC bound to the visitor and to its purpose, and is good once.
A code's secret is encrypted before it is kept or travels through a form.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from typing import Literal, cast

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pyotp import random_base32
from pyotp.totp import TOTP

from policies.errors import PasskeyRefused, SignInRefused
from policies.passkeys import ANSWER_MS_MAX
from policies.ports import Clock
from service.secrets import digest
from service.stores.protocol import Rate, RateStore

Purpose = Literal["sign-in", "enrol"]

_NONCE_BYTES = 16
_MOMENT_BYTES = 8
_STEP_S = 30
_ONCE = Rate(per_minute=0.2, burst=1)
"""Once in five minutes, which is longer than a challenge or a code is good for."""


class Proofs:
    """Makes and checks them for one store."""

    def __init__(self, rates: RateStore, clock: Clock, key: bytes, label: str) -> None:
        """Derive what is needed from ``key``; ``label`` is the store's name in the owner's authenticator app."""
        self._rates = rates
        self._clock = clock
        self._key = _derived(key, b"passkey challenges")
        self._seal = Fernet(base64.urlsafe_b64encode(_derived(key, b"totp secrets")))
        self._label = label

    def challenge(self, purpose: Purpose, visitor: str) -> bytes:
        """A challenge for a passkey of this visitor."""
        moment = self._clock.now().to_bytes(_MOMENT_BYTES, "big")
        body = secrets.token_bytes(_NONCE_BYTES) + moment
        return body + self._mac(purpose, visitor, body)

    def answered(self, purpose: Purpose, visitor: str, answer: Mapping[str, object]) -> bytes:
        """The challenge that a browser's answer says it answers, if it is one of ours, recent and not used before.

        Whether a passkey really signed it is for ``policies.passkeys`` to say.

        Raises:
            PasskeyRefused: it is not.
        """
        challenge = _challenge_in(answer)
        body = challenge[: _NONCE_BYTES + _MOMENT_BYTES]
        made_at = int.from_bytes(body[_NONCE_BYTES:], "big")
        is_ours = hmac.compare_digest(challenge, body + self._mac(purpose, visitor, body))
        now = self._clock.now()
        if not is_ours or not made_at <= now <= made_at + ANSWER_MS_MAX * 1_000:
            raise PasskeyRefused("not a challenge of ours")
        if self._rates.take(f"once {digest(challenge.hex())}", _ONCE, now):
            raise PasskeyRefused("answered before")
        return challenge

    def new_totp(self) -> str:
        """A new secret for an authenticator app (RFC 6238), encrypted."""
        return self._seal.encrypt(random_base32().encode()).decode()

    def totp_uri(self, sealed: str, owner: str) -> str:
        """The address that an authenticator app reads from a QR code.

        Raises:
            SignInRefused: it is no secret of ours.
        """
        return self._totp(sealed).provisioning_uri(name=owner, issuer_name=self._label)

    def totp_secret(self, sealed: str) -> str:
        """The secret, to be typed into an app that cannot read the code.

        Raises:
            SignInRefused: it is no secret of ours.
        """
        return self._totp(sealed).secret

    def check_totp(self, sealed: str, code: str) -> None:
        """See that a code is today's, and was not used before.

        Raises:
            SignInRefused: it is not.
        """
        seconds = self._clock.now() // 1_000_000
        given = "".join(code.split())
        totp = self._totp(sealed)
        # A step before and after: clocks differ (RFC 6238 section 6).
        for step in range(seconds // _STEP_S - 1, seconds // _STEP_S + 2):
            if totp.verify(given, for_time=step * _STEP_S):
                if self._rates.take(f"once totp {step}", _ONCE, self._clock.now()):
                    raise SignInRefused("a code is good once")
                return
        raise SignInRefused("not the code")

    def _totp(self, sealed: str) -> TOTP:
        try:
            return TOTP(self._seal.decrypt(sealed.encode()).decode(), interval=_STEP_S)
        except (InvalidToken, UnicodeError) as fault:
            raise SignInRefused("no secret of ours") from fault

    def _mac(self, purpose: Purpose, visitor: str, body: bytes) -> bytes:
        said = f"{purpose} {digest(visitor)} ".encode() + body
        return hmac.new(self._key, said, hashlib.sha256).digest()


def _challenge_in(answer: Mapping[str, object]) -> bytes:
    """The challenge in ``clientDataJSON`` (WebAuthn level 3, section 5.8.1)."""
    try:
        response = cast("Mapping[str, str]", answer["response"])
        said = json.loads(_decoded(response["clientDataJSON"]))
        return _decoded(said["challenge"])
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise PasskeyRefused("no client data") from fault


def _decoded(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def _derived(key: bytes, purpose: bytes) -> bytes:
    """A key for one purpose alone (RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"mnemo console: " + purpose).derive(key)
