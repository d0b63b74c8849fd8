"""Which addresses are this service's: its public one; while that is loopback, every name of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from cypher.settings import Settings

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Addresses:
    """The service's own addresses."""

    public_url: str
    """Without a slash at the end."""
    hosts: frozenset[str]
    """What a Host header may say, lower case."""
    origins: frozenset[str]
    """What an Origin header may say, lower case."""

    @property
    def resource(self) -> str:
        """The address of the MCP endpoint: the resource that OAuth tokens are bound to."""
        return f"{self.public_url}/mcp"


def addresses_of(settings: Settings) -> Addresses:
    """The addresses of the service that the settings describe."""
    public_url = settings.address
    parts = urlsplit(public_url)
    scheme, name = parts.scheme, parts.netloc.rpartition("@")[2].lower()
    port = parts.port or _DEFAULT_PORTS[scheme]
    bare = name.removesuffix(f":{parts.port}") if parts.port else name
    names = _LOOPBACK if bare in _LOOPBACK else (bare,)
    hosts = {f"{known}:{port}" for known in names}
    origins = {f"{scheme}://{host}" for host in hosts}
    if port == _DEFAULT_PORTS[scheme]:
        hosts |= set(names)
        origins |= {f"{scheme}://{known}" for known in names}
    return Addresses(public_url.rstrip("/"), frozenset(hosts), frozenset(origins))
