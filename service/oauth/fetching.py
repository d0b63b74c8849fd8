"""Fetches the document that an https address names, without becoming a way into the owner's network.

Anybody can make the service fetch by naming an address, so: the name is resolved once, every address behind it
must be public, and the connection goes to the one that was checked (a name that is rebound in between changes
nothing). TLS still verifies the name. No redirect is followed, no proxy asked, nothing of the owner's sent along.

Whatever the server does, it is left at one deadline: each read waits only for what is left until then. The limits
of an HTTP library are for each read, which a server that sends a byte now and then never reaches.
"""

from __future__ import annotations

import io
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import SplitResult, urlsplit

from policies.errors import ClientDocumentRefused

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAME = re.compile(r"(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
_PATH = re.compile(r"(/[A-Za-z0-9._~!$&'()*+,;=:@%-]*)+(\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Public by the tables of some Python or other, and by no router (the IANA special-purpose registries).
_NOT_PUBLIC = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))
_READ_MAX = 65_536
"""Of headers and body together."""
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document, and how long its server lets it be kept."""

    body: bytes
    keep_seconds: int | None
    """None: it does not say."""


def is_public(address: Address) -> bool:
    """Whether an address is on the public internet, the IPv4 address that an IPv6 one stands for included."""
    if isinstance(address, ipaddress.IPv6Address):
        within = address.ipv4_mapped or address.sixtofour
        if within is None and address.teredo is not None:
            within = address.teredo[1]
        if within is None and address in _NAT64:
            within = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if within is not None:
            return is_public(within)
        if address.is_site_local:
            return False
    if any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def resolved(name: str) -> Sequence[Address]:
    """Every address of a name."""
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]


class PinnedFetcher:
    """Fetches documents. The defaults are what is safe; tests allow a server of their own."""

    def __init__(
        self,
        *,
        bytes_max: int,
        seconds_max: float,
        is_allowed: Callable[[Address], bool] = is_public,
        resolve: Callable[[str], Sequence[Address]] = resolved,
        ports: frozenset[int] = frozenset({443}),
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._bytes_max = bytes_max
        self._seconds_max = seconds_max
        self._is_allowed = is_allowed
        self._resolve = resolve
        self._ports = ports
        self._tls = ssl.create_default_context() if tls is None else tls

    def __call__(self, address: str) -> Fetched:
        """The document at an address.

        Raises:
            ClientDocumentRefused: the address is not allowed, or what is there is no small JSON document.
        """
        deadline = time.monotonic() + self._seconds_max
        parts = _split(address)
        if parts is None or (parts.port or 443) not in self._ports:
            raise ClientDocumentRefused("the address")
        try:
            pinned = self._pinned(parts.hostname or "")
            return self._fetched(parts, pinned, deadline)
        except (HTTPException, OSError, ValueError) as fault:
            raise ClientDocumentRefused(type(fault).__name__) from fault

    def _pinned(self, name: str) -> Address:
        addresses = self._resolve(name)
        if not addresses or not all(self._is_allowed(address) for address in addresses):
            raise ClientDocumentRefused("where its name leads")
        return addresses[0]

    def _fetched(self, parts: SplitResult, pinned: Address, deadline: float) -> Fetched:
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        where = (str(pinned), parts.port or 443)
        with (
            socket.create_connection(where, timeout=_left(deadline)) as plain,
            self._tls.wrap_socket(
                plain, server_hostname=parts.hostname, do_handshake_on_connect=False
            ) as connection,
        ):
            connection.settimeout(_left(deadline))
            connection.do_handshake()
            connection.settimeout(_left(deadline))
            connection.sendall(_REQUEST.format(target=target, host=parts.netloc).encode("ascii"))
            with HTTPResponse(cast("Any", _Answer(connection, deadline)), method="GET") as response:
                response.begin()
                return self._checked(response)

    def _checked(self, response: HTTPResponse) -> Fetched:
        kind = response.getheader("content-type", "").partition(";")[0].strip().lower()
        if response.status != 200 or not (kind == "application/json" or kind.endswith("+json")):
            raise ClientDocumentRefused("the answer")
        if response.getheader("content-encoding", "identity").lower() != "identity":
            raise ClientDocumentRefused("the encoding")
        body = response.read(self._bytes_max + 1)
        if len(body) > self._bytes_max or response.length:
            raise ClientDocumentRefused("the size")
        return Fetched(body, _keep_seconds(response.getheader("cache-control", "")))


_REQUEST = (
    "GET {target} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\n"
    "Accept-Encoding: identity\r\nConnection: close\r\n\r\n"
)


class _Answer(io.RawIOBase):
    """What a server sends, until the deadline, and no more than is worth reading."""

    def __init__(self, connection: ssl.SSLSocket, deadline: float) -> None:
        super().__init__()
        self._connection = connection
        self._deadline = deadline
        self._read = 0

    def makefile(self, _mode: str) -> io.BufferedReader:
        """As a socket gives it to what reads a response."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        self._connection.settimeout(_left(self._deadline))
        count = self._connection.recv_into(buffer)
        self._read += count
        if self._read > _READ_MAX:
            raise ClientDocumentRefused("the size")
        return count


def _left(deadline: float) -> float:
    """The seconds until the deadline.

    Raises:
        TimeoutError: there are none.
    """
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _keep_seconds(cache_control: str) -> int | None:
    if re.search(r"(?:^|[\s,])no-(?:store|cache)(?:$|[\s,=])", cache_control, re.IGNORECASE):
        return 0
    found = _MAX_AGE.search(cache_control)
    return None if found is None else int(found[1])


def _split(address: str) -> SplitResult | None:
    scheme, separator, rest = address.partition("://")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    written = f"{parts.hostname}:{port}" if port is not None else parts.hostname
    path = rest[len(parts.netloc) :]
    is_plain = (
        (scheme, separator) == ("https", "://")
        and parts.netloc == written
        and _NAME.fullmatch(parts.hostname or "") is not None
        and _PATH.fullmatch(path) is not None
        and parts.path != "/"
        and not {".", ".."} & set(parts.path.replace("%2e", ".").replace("%2E", ".").split("/"))
    )
    return parts if is_plain else None
