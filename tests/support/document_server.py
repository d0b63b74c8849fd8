"""A real https server on this machine that publishes what clients say of themselves, under names of their own.

The service finds it as it finds any other: by a name, over TLS that verifies the name. Only the resolver, the port
and the trusted certificate are of the test's making, handed in where the service is composed.
"""

from __future__ import annotations

import datetime
import ipaddress
import json
import ssl
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.oauth.fetching import Address, PinnedFetcher

HERE = ipaddress.ip_address("127.0.0.1")
NAMES = ("claude.ai", "chatgpt.com", "vscode.dev", "zed.dev", "opencode.ai", "client.example")


@dataclass
class Published:
    """What is at one address."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    pause_s: float = 0.0
    """Between each two bytes of the body."""
    dribble: tuple[bytes, bytes] | None = None
    """In place of an answer: what is sent at once, and what is sent ever again after a pause."""


@dataclass
class DocumentServer:
    """The server: what it publishes, and what was asked of it."""

    port: int
    tls: ssl.SSLContext
    published: dict[tuple[str, str], Published] = field(default_factory=dict[tuple[str, str], Published])
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list[tuple[str, Mapping[str, str]]])
    """Each request: its address without the scheme, and its headers."""

    def address(self, name: str, path: str) -> str:
        """The address of a document."""
        return f"https://{name}:{self.port}{path}"

    def publish(self, name: str, path: str, document: Mapping[str, Any] | None = None, **said: Any) -> str:
        """Publish a document, which names itself unless it says otherwise; its address."""
        address = self.address(name, path)
        if "body" not in said:
            said["body"] = json.dumps({"client_id": address, **(document or {})}).encode()
        self.published[name, path] = Published(**said)
        return address

    def fetcher(
        self,
        *,
        addresses: Mapping[str, Sequence[Address]] | None = None,
        bytes_max: int = 5120,
        seconds_max: float = 5.0,
    ) -> PinnedFetcher:
        """A fetcher that finds this server under its names, and trusts it; nothing else is on its internet."""
        found = {name: [HERE] for name in NAMES} | dict(addresses or {})
        return PinnedFetcher(
            bytes_max=bytes_max,
            seconds_max=seconds_max,
            is_allowed=lambda address: address == HERE,
            resolve=lambda name: found.get(name, []),
            ports=frozenset({self.port}),
            tls=self.tls,
        )


@contextmanager
def document_server(folder: Path) -> Generator[DocumentServer]:
    """Run one on a free port."""
    certificate = _certificate(folder)
    trusted = ssl.create_default_context(cafile=str(certificate))
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, folder / "key.pem")
    listening.socket = context.wrap_socket(listening.socket, server_side=True, do_handshake_on_connect=False)
    server = DocumentServer(listening.server_address[1], trusted)
    _Handler.servers[server.port] = server
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        del _Handler.servers[server.port]
        thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    servers: dict[int, DocumentServer] = {}  # noqa: RUF012  (http.server makes a handler for each request)

    def do_GET(self) -> None:
        host, _, port = self.headers["Host"].rpartition(":")
        server = self.servers[int(port)]
        server.asked.append((f"{host}{self.path}", {k.lower(): v for k, v in self.headers.items()}))
        page = server.published.get((host, self.path), Published(b"{}", 404))
        if page.dribble is not None:
            self._dribble(*page.dribble, page.pause_s)
            return
        self.send_response(page.status)
        for name, value in {"Content-Length": str(len(page.body)), **page.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            if not page.pause_s:
                self.wfile.write(page.body)
                return
            for one in page.body:
                self.wfile.write(bytes([one]))
                time.sleep(page.pause_s)
        except OSError:
            pass  # whoever asked has gone

    def _dribble(self, first: bytes, again: bytes, pause_s: float) -> None:
        try:
            self.wfile.write(first)
            for _ in range(int(30 / pause_s)):
                self.wfile.write(again)
                time.sleep(pause_s)
        except OSError:
            pass  # whoever asked has gone

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (its name there)
        """Nothing is logged."""


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "documents of tests")])
    begins = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + datetime.timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(one) for one in NAMES]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    certificate = folder / "certificate.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return certificate
