"""The console's routes in the app: its pages, and what they are dressed in."""

from __future__ import annotations

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

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await super().__call__(scope, receive, guarded)


_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-cache"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
)
