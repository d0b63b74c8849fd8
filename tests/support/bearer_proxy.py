"""A loopback proxy that adds a bearer token, for programs that cannot be given one."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import httpx2

from tests.support.reverse_proxy import HOP_BY_HOP


@contextmanager
def bearer_proxy(upstream: str, token: str) -> Generator[str]:
    """A proxy before ``upstream``; gives its address.

    What is said of the proxy's own address, in ``Host`` and ``Origin``, is said of the upstream's to it; any other
    name passes as it came, so that what the service makes of it can be seen.
    """
    behind = urlsplit(upstream).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            own = f"localhost:{port}"
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = [
                (name, value.replace(own, behind) if name.lower() in ("host", "origin") else value)
                for name, value in self.headers.items()
                if name.lower() not in HOP_BY_HOP
            ]
            headers.append(("Authorization", f"Bearer {token}"))
            self.close_connection = True
            with http.stream(self.command, self.path, headers=headers, content=body) as answer:
                self.send_response_only(answer.status_code)
                for name, value in answer.headers.multi_items():
                    if name.lower() not in HOP_BY_HOP:
                        self.send_header(name, value)
                self.send_header("Connection", "close")
                self.end_headers()
                try:
                    for piece in answer.iter_raw():
                        self.wfile.write(piece)
                        self.wfile.flush()
                except (BrokenPipeError, ConnectionResetError):
                    return  # the client has heard enough; leaving tells the service

        do_GET = do_POST = do_DELETE = _pass_on

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base class's name)
            """Say nothing."""

    with httpx2.Client(base_url=upstream, timeout=30, trust_env=False) as http:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://localhost:{port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
