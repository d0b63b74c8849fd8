"""A real Chromium, driven by Playwright, and the places outside that it is sent to."""

from __future__ import annotations

import shutil
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from playwright.sync_api import Browser, sync_playwright

from tests.support.components import absent

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium(resolver_rules: str = "") -> Generator[Browser]:
    """A browser without a screen.

    Args:
        resolver_rules: where names lead to, as ``--host-resolver-rules`` has it.
    """
    binary = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if binary is None:
        absent("chromium", "there is no chromium on this machine")
    flags = [*FLAGS, *([f"--host-resolver-rules={resolver_rules}"] if resolver_rules else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=flags)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Place:
    """A server outside that notes what it is asked."""

    port: int
    asked: list[str] = field(default_factory=list[str])
    """Each request's ``scheme://host/path?query``, in order."""


@contextmanager
def place(folder: Path | None = None, name: str = "localhost") -> Generator[Place]:
    """A client's callback address: http on loopback, or https under ``name`` with a certificate made in ``folder``."""
    found = Place(0)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            scheme = "http" if folder is None else "https"
            if self.path != "/favicon.ico":
                found.asked.append(f"{scheme}://{self.headers['host']}{self.path}")
            body = b"<!doctype html><title>Connected</title><p>Back at the client.</p>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base class's name)
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.port = server.server_port
    if folder is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_certificate(folder, name))
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def _certificate(folder: Path, name: str) -> Path:
    """A certificate for a name, good for a day, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)  # noqa: TID251  (the browser looks at the real clock)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    return path
