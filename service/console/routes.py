"""The console's routes in the app: its pages, and what they are dressed in."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from service.console.pages import PAGES
from service.console.site import Site

_STATIC = Path(__file__).with_name("static")


def console_routes(site: Site) -> list[BaseRoute]:
    """Every route of the console."""
    return [*site.routes(PAGES), Mount("/static", _Static(directory=_STATIC))]


class _Static(StaticFiles):
    """The stylesheet, the scripts and the pictures; nothing of the owner's is among them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one file."""
        is_refused = False

        async def guarded(message: Message) -> None:
            nonlocal is_refused
            if message["type"] == "http.response.start":
                is_refused = message["status"] >= HTTPStatus.BAD_REQUEST
                if is_refused:
                    others = (one for one in message["headers"] if one[0] not in _OF_A_BODY)
                    message["headers"] = [*others, (b"content-length", b"0")]
                message["headers"] = [*message["headers"], *_HEADERS]
            elif is_refused:
                # What the library says of a range that cannot be; not a word of it is ours.
                message = {**message, "body": b""}
            await send(message)

        await super().__call__(scope, receive, guarded)


_OF_A_BODY = (b"content-length", b"content-type")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-cache"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
)
