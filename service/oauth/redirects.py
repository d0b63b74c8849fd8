"""Where a client may be called back: which addresses it may register, and which of them it may use.

An address is compared as it is written. The one exception is RFC 8252 section 7.3: a program on the owner's own
machine listens on whatever port is free, so on http loopback the port does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from urllib.parse import SplitResult, urlencode, urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

# Printable ASCII without what browsers and parsers read in different ways.
_WRITTEN = re.compile(r"[!$-;=?-\[\]_a-z~]+")
_HOST = re.compile(r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
# What a star stands for: it ends no segment, and is none of those that lead elsewhere.
_NAME = r"[A-Za-z0-9_()-][A-Za-z0-9_.()-]{0,127}"
# Never, whatever the owner allows: a browser runs or reads these itself.
_NEVER = frozenset(
    {"about", "blob", "data", "file", "filesystem", "ftp", "http", "https", "javascript", "vbscript"}
)


def is_allowed(uri: str, private_callbacks: Iterable[str], characters: int) -> bool:
    """Whether a client may be called back there: by https, http on the loopback, or a callback of a known program.

    A program's own scheme is known as a whole address only: what else it opens installs, clones, asks and runs.

    Args:
        uri: as the client wrote it.
        private_callbacks: those of programs on the owner's machine; a star stands for one name.
        characters: the most it may have.
    """
    parts = _split(uri) if len(uri) <= characters else None
    if parts is None:
        return False
    scheme, host = parts.scheme, _host(parts)
    if scheme == "https":
        return _HOST.fullmatch(host) is not None
    if scheme == "http":
        return host in LOOPBACK
    is_hierarchical = bool(host) or parts.path.startswith("/")
    is_known = any(_callback(callback).fullmatch(uri) for callback in private_callbacks)
    return scheme not in _NEVER and is_hierarchical and is_known


def matches(registered: Iterable[str], presented: str) -> bool:
    """Whether an address is one that the client registered."""
    return any(one == presented or _same_loopback(one, presented) for one in registered)


def is_loopback(uri: str) -> bool:
    """Whether what is sent there goes to whatever listens on the machine of the browser."""
    parts = _split(uri)
    return parts is not None and parts.scheme == "http"


def is_private(uri: str) -> bool:
    """Whether it opens a program, by a scheme of its own."""
    parts = _split(uri)
    return parts is not None and parts.scheme not in ("http", "https")


def shown_host(uri: str) -> str:
    """What to show of an address to the owner: its host, or the scheme of a program."""
    parts = _split(uri)
    if parts is None:
        return ""
    return parts.netloc if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def answering(redirect_uri: str, **parameters: str | None) -> str:
    """The address with the parameters of an answer added to its query, which stays as the client wrote it."""
    added = urlencode({name: value for name, value in parameters.items() if value is not None})
    joint = "" if redirect_uri.endswith(("?", "&")) else "&" if "?" in redirect_uri else "?"
    return f"{redirect_uri}{joint}{added}"


@cache
def _callback(callback: str) -> re.Pattern[str]:
    return re.compile(_NAME.join(map(re.escape, callback.split("*"))))


def _same_loopback(registered: str, presented: str) -> bool:
    ours, theirs = _split(registered), _split(presented)
    if ours is None or theirs is None or {ours.scheme, theirs.scheme} != {"http"}:
        return False
    same_place = (_host(ours), ours.path or "/", ours.query) == (
        _host(theirs),
        theirs.path or "/",
        theirs.query,
    )
    return same_place and _host(ours) in LOOPBACK


def _split(uri: str) -> SplitResult | None:
    """The parts of an address that is written in one way only: no userinfo, no fragment, a port that exists."""
    if not _WRITTEN.fullmatch(uri):
        return None
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        return None
    scheme = uri.partition(":")[0]
    is_plain = "@" not in parts.netloc and not parts.netloc.endswith(":") and port != 0
    return parts if is_plain and scheme == parts.scheme and _SCHEME.fullmatch(scheme) else None


def _host(parts: SplitResult) -> str:
    """As it is written: a loopback host is written in one way only."""
    netloc = parts.netloc
    return netloc if parts.port is None else netloc.rpartition(":")[0]
