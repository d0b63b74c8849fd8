"""Behind a reverse proxy: who calls, by which scheme and to which host, as a proxy of the owner's says it.

``X-Forwarded-*`` is what anybody may write, so it is believed of the configured proxies alone and dropped of
everybody else: nothing below this layer ever sees such a header. The issuer of tokens never comes from here;
it is the configured address.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import Any, cast

from starlette.types import ASGIApp, Receive, Scope, Send

from cypher.settings import Network

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

HOPS_MAX = 32
"""Of a chain of proxies; what a header lists beyond them is not looked at."""
COUNTED_PREFIX_V6 = 64
"""One subscriber has at least a /64 of IPv6 addresses: counted singly, they would never be limited."""

FORWARDED = "mnemo.forwarded"
"""In the scope of a request: whether a proxy, anybody's, says that it passed it on."""

_DROPPED = (b"x-forwarded-", b"x-real-ip", b"forwarded")
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:\d{1,5})?")


class TrustedProxies:
    """The outermost layer: makes a request look as it did where the client sent it."""

    def __init__(self, app: ASGIApp, proxies: Sequence[Network]) -> None:
        """Wrap an app; ``proxies`` are those whose word is taken."""
        self._app = app
        self._proxies = tuple(proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http":
            scope = self._seen(scope)
        await self._app(scope, receive, send)

    def _seen(self, scope: Scope) -> Scope:
        given = cast("list[tuple[bytes, bytes]]", scope["headers"])
        kept = [(name, value) for name, value in given if not name.lower().startswith(_DROPPED)]
        is_forwarded = len(kept) < len(given) or any(name.lower() == b"via" for name, _ in given)
        seen: dict[str, Any] = {**scope, "headers": kept, FORWARDED: is_forwarded}
        peer = _address((scope.get("client") or ("",))[0])
        if peer is None or not self._is_proxy(peer):
            return seen
        seen["client"] = (str(self._client(peer, _values(given, b"x-forwarded-for"))), 0)
        # Of each, the last value is the nearest proxy's; those before it may be the client's own.
        scheme = _values(given, b"x-forwarded-proto")[-1:]
        if scheme and scheme[0].lower() in ("http", "https"):
            seen["scheme"] = scheme[0].lower()
        host = _values(given, b"x-forwarded-host")[-1:]
        if host and _HOST.fullmatch(host[0]):
            others = [(name, value) for name, value in kept if name.lower() != b"host"]
            seen["headers"] = [(b"host", host[0].encode("ascii")), *others]
        return seen

    def _client(self, peer: Address, chain: Sequence[str]) -> Address:
        """The nearest address of the chain that is no proxy of ours; what is no address ends the chain."""
        nearest = peer
        for hop in reversed(chain[-HOPS_MAX:]):
            address = _address(hop)
            if address is None:
                break
            nearest = address
            if not self._is_proxy(address):
                break
        return nearest

    def _is_proxy(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


def client_address(scope: Scope) -> str:
    """Whom to count a request against: the client's address, its /64 for IPv6, empty when there is none."""
    address = _address((scope.get("client") or ("",))[0])
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, COUNTED_PREFIX_V6), strict=False))
    return "" if address is None else str(address)


def is_asked_from(scope: Scope, networks: Sequence[Network]) -> bool:
    """Whether a request comes straight from this machine or from one of some networks, through no proxy."""
    peer = _address((scope.get("client") or ("",))[0])
    is_near = peer is not None and (peer.is_loopback or any(peer in network for network in networks))
    return is_near and not scope[FORWARDED]


def _values(headers: Sequence[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    """Every value of a list header, in order, whether written in one line or in several."""
    lines = (value.decode("latin-1") for name, value in headers if name.lower() == wanted)
    return [one.strip() for line in lines for one in line.split(",")]


def _address(text: str) -> Address | None:
    """An address as proxies write it: plain, with a port, in brackets; an IPv4 within an IPv6 is the IPv4."""
    bare = text.strip().strip('"')
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
