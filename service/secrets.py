"""Secrets that are given out: 256 random bits each, kept only as a digest."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_PREFIX = "mnemo_"  # noqa: S105  (what an access token begins with, so that secret scanners know it)
REFRESH_PREFIX = "mnemo_r_"
CODE_PREFIX = "mnemo_c_"


def new_secret(prefix: str = "") -> str:
    """A new secret: the prefix, then 256 random bits as URL-safe base64 without padding."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """SHA-256 of a secret, hexadecimal: what is kept of it. Anything may be asked about, lone surrogates too."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
