"""The impure leaves that both roots need: the system's clock, random ids and the set-up of logs."""

from __future__ import annotations

import base64
import logging
import secrets
import sys
import time

from policies.terms import Instant


class SystemClock:
    """The machine's clock. Implements ``policies.ports.Clock``."""

    def now(self) -> Instant:
        """The present instant, UTC microseconds."""
        return Instant(time.time_ns() // 1_000)


class RandomIds:
    """Ids of 128 random bits. Implements ``policies.ports.IdFactory``."""

    def new(self, prefix: str) -> str:
        """A fresh id: ``prefix``, a colon and 26 characters of base32, lower case."""
        return f"{prefix}:{_base32(secrets.token_bytes(16))}"

    def salt(self) -> str:
        """256 fresh random bits in base32."""
        return _base32(secrets.token_bytes(32))


def _base32(raw: bytes) -> str:
    return base64.b32encode(raw).decode("ascii").rstrip("=").lower()


def configure_logging(level: int = logging.INFO) -> None:
    """Send this process's logs to standard error, one line each. Called once, by a root."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # The HTTP clients log arguments and addresses at their lower levels.
    for noisy in ("httpx", "httpx2", "httpcore", "apscheduler", "mcp", "anthropic", "openai"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
