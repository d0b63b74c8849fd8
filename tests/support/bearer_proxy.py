"""A loopback proxy that adds a bearer token, for programs that cannot be given one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx2
import uvicorn
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from tests.support.reverse_proxy import HOP_BY_HOP


@contextmanager
def bearer_proxy(upstream: str, token: str) -> Generator[str]:
    """A proxy before ``upstream``; gives its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    own = f"localhost:{listening.getsockname()[1]}"
    app = _Proxy(upstream, own, token)
    server = uvicorn.Server(
        uvicorn.Config(app, http="h11", ws="none", log_config=None, lifespan="off", proxy_headers=False)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://{own}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join(20)
        listening.close()


class _Proxy:
    """Passes requests on as they came, with a token.

    What is said of the proxy's own address, in ``Host`` and ``Origin``, is said of the upstream's to it; any other
    name passes untouched, so that what the service makes of it can be seen.
    """

    def __init__(self, upstream: str, own: str, token: str) -> None:
        self._upstream = upstream
        self._own = own
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        request = Request(scope, receive)
        behind = urlsplit(self._upstream).netloc
        headers = [
            (name, value.replace(self._own, behind) if name in ("host", "origin") else value)
            for name, value in request.headers.items()
            if name not in HOP_BY_HOP
        ]
        headers.append(("authorization", f"Bearer {self._token}"))
        body = await request.body()
        address = f"{self._upstream}{request.url.path}"
        async with (
            httpx2.AsyncClient(timeout=60, trust_env=False) as http,
            http.stream(request.method, address, headers=headers, content=body) as answer,
        ):
            passed = StreamingResponse(answer.aiter_raw(), answer.status_code)
            passed.raw_headers = [
                (name, value)
                for name, value in answer.headers.raw
                if name.decode("latin-1").lower() not in HOP_BY_HOP
            ]
            await passed(scope, receive, send)
