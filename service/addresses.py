"""Which addresses are this service's: its public one; while that is loopback, every name of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from cypher.settings import Settings

MCP_PATHS = ("/mcp", "/mcp/")
"""Both are served, neither redirects: clients drop the body or the token on the way."""

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
    is_loopback: bool
    """Whether it is this machine that is served, under every name it has for itself."""

    @property
    def resource(self) -> str:
        """The address of the MCP endpoint: the resource that OAuth tokens are bound to."""
        return f"{self.public_url}{MCP_PATHS[0]}"

    @property
    def resources(self) -> frozenset[str]:
        """Every spelling of it that is this service's own: those that a client may name."""
        origins = {*self.origins, self.public_url}
        return frozenset(f"{origin}{path}" for origin in origins for path in MCP_PATHS)

    def seen_as(self, host: str) -> str:
        """The origin under which a client sees the service that it reached at ``host``.

        Always one of ours: on loopback the name that the client used, since it compares; else the public address.
        """
        name = host.lower()
        if not self.is_loopback or name not in self.hosts:
            return self.public_url
        return f"{urlsplit(self.public_url).scheme}://{name}"


def addresses_of(settings: Settings) -> Addresses:
    """The addresses of the service that the settings describe."""
    parts = urlsplit(settings.address)
    scheme, name = parts.scheme, parts.netloc.rpartition("@")[2].lower()
    port = parts.port or _DEFAULT_PORTS[scheme]
    bare = name.removesuffix(f":{parts.port}") if parts.port else name
    names = _LOOPBACK if bare in _LOOPBACK else (bare,)
    hosts = {f"{known}:{port}" for known in names}
    origins = {f"{scheme}://{host}" for host in hosts}
    if port == _DEFAULT_PORTS[scheme]:
        hosts |= set(names)
        origins |= {f"{scheme}://{known}" for known in names}
        name = bare
    # As programs write it, which compare it: lower case, no slash at the end, no port that goes without saying.
    return Addresses(f"{scheme}://{name}", frozenset(hosts), frozenset(origins), bare in _LOOPBACK)
