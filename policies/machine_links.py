"""Machine links: one-time secrets that only this machine can make, so that the owner proves to be at it.

A token says what it is for and until when, bears a nonce, and a MAC by the ``machine`` key, which the web process
never reads: it can make none. A directive that enrols a passkey carries the token bound to that passkey (``bind``):
whoever reads it where it waits can enrol no other. The curator notes the nonce in the ledger when the first passkey
is enrolled, so that none does so twice.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from enum import StrEnum

from policies.errors import DirectiveRefused
from policies.terms import Instant


class LinkPurpose(StrEnum):
    """The page that a link opens. Either lets the owner enrol a first passkey."""

    SETUP = "setup"
    PASSKEY = "passkey"


def mint_link(key: bytes, purpose: LinkPurpose, nonce: str, expires_at: Instant) -> str:
    """A token of letters, digits, ``-``, ``_`` and dots.

    Args:
        key: the home's ``machine`` key.
        purpose: what it is for.
        nonce: random, without a dot; never used before.
        expires_at: when it is good no more.
    """
    said = f"{purpose}.{expires_at}.{nonce}"
    return f"{said}.{_mac(key, said)}"


def bind(token: str, credential: str, public_key: str) -> str:
    """A token bound to the passkey that it is to enrol: what it says, and a MAC over the passkey by its own MAC.

    Args:
        token: as the link bears it, right or wrong.
        credential: the passkey's id, base64url.
        public_key: base64url.
    """
    said, _, mac = token.rpartition(".")
    return f"{said}.{_bound(mac, credential, public_key)}"


def read_bound(key: bytes, bound: str, credential: str, public_key: str, now: Instant) -> str:
    """The nonce of a token that this machine made, that has not expired, and that is bound to this passkey.

    Raises:
        DirectiveRefused: it did not, it has, or it is not (``passkey.link``).
    """
    said, _, given = bound.rpartition(".")
    right = _bound(_mac(key, said), credential, public_key)
    if not hmac.compare_digest(right.encode(), given.encode("utf-8", "surrogatepass")):
        raise DirectiveRefused(problem="passkey.link")
    _, expires_at, nonce = said.split(".")
    if int(expires_at) <= now:
        raise DirectiveRefused(problem="passkey.link")
    return nonce


def _bound(mac: str, credential: str, public_key: str) -> str:
    # Base64url has no bar: the two parts are told apart.
    return _encoded(mac.encode("utf-8", "surrogatepass"), f"{credential}|{public_key}")


def _mac(key: bytes, said: str) -> str:
    return _encoded(key, f"machine link.{said}")


def _encoded(key: bytes, said: str) -> str:
    mac = hmac.new(key, said.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    return urlsafe_b64encode(mac).decode("ascii").rstrip("=")
