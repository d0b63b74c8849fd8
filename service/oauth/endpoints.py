"""What the endpoints for programs share: an answer, and what is refused, as RFC 6749 section 5.2 tells it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

import anyio.to_thread
from authlib.oauth2.rfc6749 import OAuth2Error
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from policies.errors import MnemoError
from service.oauth.errors import description

ErrorPage = Callable[[Request, MnemoError], Response]
"""Shows an error to the person at the browser."""

_Told = tuple[int, Mapping[str, object], Sequence[tuple[str, str]]]
_Asked = TypeVar("_Asked")

NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What an endpoint answers."""

    status: int
    body: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def error(self) -> object:
        """The error code that it tells; None when it tells none."""
        return None if self.body is None else self.body.get("error")

    def response(self) -> Response:
        """The same over HTTP, to be kept by nobody on the way."""
        headers = {**self.headers, **NO_STORE}
        if self.body is None:
            return Response(status_code=self.status, headers=headers)
        return JSONResponse(dict(self.body), self.status, headers)


async def answered(reading: Awaitable[_Asked], answer: Callable[[_Asked], Answer]) -> Response:
    """Read what is asked, answer it in a worker thread, and tell what either refuses."""
    try:
        asked = await reading
        told = await anyio.to_thread.run_sync(answer, asked)
    except OAuth2Error as error:
        told = refusal(error)
    return told.response()


def refusal(error: OAuth2Error) -> Answer:
    """What is refused."""
    status, body, headers = cast("_Told", error())
    if said := description(error):
        body = {**body, "error_description": said}
    return Answer(status, body, {name: value for name, value in headers if name != "Content-Type"})
