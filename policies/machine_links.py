"""Machine links: one-time secrets that only this machine can make, so that the owner proves to be at it.

A token says what it is for and until when, bears a nonce, and a MAC by the ``machine`` key, which the web process
never reads: it can pass a token on, and make none. The curator notes the nonce in the ledger when a token enrols
the first passkey, so that none does so twice.
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


def read_link(key: bytes, token: str, now: Instant) -> str:
    """The nonce of a token that this machine made and that has not expired.

    Raises:
        DirectiveRefused: it did not, or it has (``passkey.link``).
    """
    said, _, mac = token.rpartition(".")
    if not hmac.compare_digest(_mac(key, said).encode(), mac.encode("utf-8", "surrogatepass")):
        raise DirectiveRefused(problem="passkey.link")
    _, expires_at, nonce = said.split(".")
    if int(expires_at) <= now:
        raise DirectiveRefused(problem="passkey.link")
    return nonce


def _mac(key: bytes, said: str) -> str:
    whole = f"machine link.{said}".encode("utf-8", "surrogatepass")
    return urlsafe_b64encode(hmac.new(key, whole, hashlib.sha256).digest()).decode("ascii").rstrip("=")
