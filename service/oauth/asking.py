"""What an endpoint is asked, read whole and made plain before anything is decided."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import parse_qsl

from authlib.oauth2.rfc6749 import InvalidRequestError
from starlette.requests import Request

from service.proxies import client_address

_FIELDS_MAX = 64
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    method: str
    headers: Mapping[str, str]
    """By name in lower case."""
    address: str
    """Whom to count it against."""
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """Parameters by name. One without a value was not given (RFC 6749 section 3.1)."""
    repeated: frozenset[str] = frozenset()
    """Names that were given more than once."""
    resources: tuple[str, ...] = ()
    """Every ``resource``: the one parameter that a client may repeat (RFC 8707)."""


async def read_form(request: Request, query_bytes: int, characters: int) -> Asked:
    """A request whose parameters are a form: in the body of a POST, else in the query.

    Args:
        request: the request; its body was bounded as it came (``service.limits``).
        query_bytes: the most its query may have.
        characters: the most a value may have.

    Raises:
        InvalidRequestError: it is no form, or too much of one.
    """
    given = cast("bytes", request.scope["query_string"])
    if request.method == "POST":
        given = await request.body()
        if given and request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
            raise InvalidRequestError("The body is not a form.")
    if len(given) > query_bytes:
        raise InvalidRequestError("The query is too long.")
    try:
        pairs = parse_qsl(given.decode("latin-1"), max_num_fields=_FIELDS_MAX, errors="replace")
    except ValueError as fault:
        raise InvalidRequestError("There are too many parameters.") from fault
    if any(len(value) > characters for _, value in pairs):
        raise InvalidRequestError("A parameter is too long.")
    names = [name for name, _ in pairs]
    return Asked(
        method=request.method,
        headers=dict(request.headers),
        address=client_address(request.scope),
        values=dict(reversed(pairs)),
        repeated=frozenset(name for name in names if names.count(name) > 1),
        resources=tuple(value for name, value in pairs if name == "resource"),
    )


def json_object(body: bytes) -> Mapping[str, object] | None:
    """The JSON object that some bytes are; None when they are anything else, or hold what is no character."""
    try:
        read: object = json.loads(body.decode("utf-8"), parse_constant=_refuse)
        json.dumps(read, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", read) if isinstance(read, dict) else None


def _refuse(constant: str) -> None:
    """``NaN`` and its like are Python's, not JSON's."""
    raise ValueError(constant)
