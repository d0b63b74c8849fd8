"""Where the owner's console is: the addresses of its pages, and whom passkeys answer to."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlsplit

from cypher.settings import Settings, is_loopback
from policies.passkeys import RelyingParty
from policies.reasons import NEEDS_PASSKEY
from policies.terms import Outcome, OutcomeRecord

_PORTS = {"http": 80, "https": 443}


def console_address(settings: Settings) -> str:
    """Where the owner's browser finds the console, without a slash at the end.

    Without a public address, on the port that the service listens on, or last did: a command does not know what
    ``mnemo serve --port`` was told.
    """
    if settings.public_url is not None:
        return settings.public_url
    return f"http://localhost:{_served_port(settings) or settings.port}"


def note_port(settings: Settings) -> None:
    """Note the port that the service listens on, for commands and the curator."""
    kept = _port_file(settings)
    kept.touch(mode=0o600)
    kept.write_text(f"{settings.port}\n", "ascii")


def setup_url(address: str, token: str) -> str:
    """The page that a one-time link for the set-up opens."""
    return f"{address}/setup/{token}"


def passkey_url(address: str, token: str) -> str:
    """The page that a one-time link for the first passkey opens."""
    return f"{address}/passkey/{token}"


def ruling_url(address: str, record: OutcomeRecord) -> str | None:
    """The page where the owner settles what waits for them; None for what does not."""
    if record.outcome is not Outcome.NEEDS_OWNER:
        return None
    page = "confirm" if record.reason == NEEDS_PASSKEY else "arbitrations"
    return f"{address}/{page}/{record.proposal}"


def review_url(address: str, key: str) -> str:
    """The page where the owner answers to a name that the registry does not have."""
    return f"{address}/reviews/{quote(key, safe='')}"


def relying_party(settings: Settings) -> RelyingParty:
    """Whom passkeys answer to: the public address's host; on loopback ``localhost``, the only name browsers take."""
    parts = urlsplit(settings.address)
    host, scheme = parts.hostname or "", parts.scheme
    if not is_loopback(host):
        return RelyingParty(host, (_origin(scheme, host, parts.port),))
    origins = {_origin(scheme, "localhost", parts.port)}
    if settings.public_url is None and (served := _served_port(settings)) is not None:
        origins.add(_origin(scheme, "localhost", served))
    return RelyingParty("localhost", tuple(sorted(origins)))


def _origin(scheme: str, host: str, port: int | None) -> str:
    return f"{scheme}://{host}" if port in (None, _PORTS[scheme]) else f"{scheme}://{host}:{port}"


def _port_file(settings: Settings) -> Path:
    return settings.store_dir / "port"


def _served_port(settings: Settings) -> int | None:
    """What ``note_port`` noted last; None where the service never ran."""
    try:
        return int(_port_file(settings).read_text("ascii"))
    except (OSError, ValueError):
        return None
