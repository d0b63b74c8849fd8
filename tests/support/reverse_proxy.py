"""Reverse proxies with TLS before the real service: a small one of our own, which can misbehave, and real ones.

The one of our own is a plain program on sockets, so that what it passes on is what a test says and nothing else.
"""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.waiting import eventually

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"}
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate for ``localhost`` and the key to it, in files."""

    chain: Path
    key: Path

    def trust(self) -> ssl.SSLContext:
        """What a client that trusts it alone is given."""
        return ssl.create_default_context(cafile=str(self.chain))


@dataclass(frozen=True, slots=True)
class Manners:
    """How the proxy behaves; as it should, unless said otherwise."""

    strips_authorization: bool = False
    redirects_to: str | None = None
    """Where calls of ``/mcp`` are sent."""
    asks_for_a_password: bool = False
    seconds_ahead: int = 0
    hides_paths: bool = False
    """Passes ``/mcp`` alone."""
    writes_host: str | None = None
    """Instead of the one that was asked for."""
    forwards: tuple[tuple[str, str], ...] = ()
    """More headers, after its own."""


def certificate(folder: Path, *, days: int = 2) -> Certificate:
    """Make a certificate that is valid for so many days from yesterday."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    begun = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)  # noqa: TID251  (TLS reads the real one)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begun)
        .not_valid_after(begun + datetime.timedelta(days=days))
        .add_extension(
            x509.SubjectAlternativeName(
                [
                    x509.DNSName("localhost"),
                    x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
                ]
            ),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    found = Certificate(folder / "chain.pem", folder / "key.pem")
    found.chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    found.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return found


@contextmanager
def own_proxy(upstream: str, port: int, cert: Certificate, manners: Manners | None = None) -> Generator[None]:
    """A proxy of our own before ``upstream``, at ``https://localhost:PORT``."""
    manners = manners or Manners()

    class Handler(_Handler):
        passed_to = upstream
        behaves = manners

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert.chain, cert.key)
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def caddy(upstream: str, port: int, cert: Certificate, folder: Path) -> Generator[None]:
    """The real Caddy with ``deploy/Caddyfile``, but for the certificate, which no authority would give here."""
    text = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    block = "\n{$MNEMO_SITE:memory.example} {\n"
    assert block in text
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"
    config = folder / "Caddyfile"
    config.write_text(options + text.replace(block, f"{block}\ttls {cert.chain} {cert.key}\n"), "utf-8")
    variables = {
        "MNEMO_SITE": f"https://localhost:{port}",
        "MNEMO_UPSTREAM": upstream.removeprefix("http://"),
        "HOME": str(folder),
        "PATH": "/usr/bin:/bin",
    }
    with _running(["caddy", "run", "--config", str(config)], port, variables, folder):
        yield


@contextmanager
def nginx(upstream: str, port: int, cert: Certificate, folder: Path) -> Generator[None]:
    """The real nginx with ``deploy/nginx.conf``, its name, ports and certificate replaced."""
    block = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for said, meant in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("memory.example;", "localhost;"),
        ("/etc/letsencrypt/live/memory.example/fullchain.pem", str(cert.chain)),
        ("/etc/letsencrypt/live/memory.example/privkey.pem", str(cert.key)),
        ("http://127.0.0.1:8765", upstream),
    ):
        assert said in block
        block = block.replace(said, meant)
    scratch = "".join(
        f"{name}_temp_path {folder};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{scratch}{block}}}\n",
        "utf-8",
    )
    variables = {"PATH": "/usr/sbin:/usr/bin:/bin"}
    with _running(["nginx", "-c", str(config), "-p", str(folder)], port, variables, folder):
        yield


@contextmanager
def _running(command: list[str], port: int, variables: dict[str, str], folder: Path) -> Generator[None]:
    log = folder / "proxy.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=variables, stdout=output, stderr=output)
    try:

        def listens() -> bool:
            assert process.poll() is None, log.read_text("utf-8")
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        eventually(listens, within_s=30)
        yield
    finally:
        process.terminate()
        process.wait(10)


class _Handler(BaseHTTPRequestHandler):
    """Passes one request on, as its manners are."""

    protocol_version = "HTTP/1.1"
    passed_to: str
    behaves: Manners

    def do_GET(self) -> None:
        """Pass it on."""
        self._pass_on()

    def do_POST(self) -> None:
        """Pass it on."""
        self._pass_on()

    def do_OPTIONS(self) -> None:
        """Pass it on."""
        self._pass_on()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (as it is overridden)
        """Say nothing."""

    def _pass_on(self) -> None:
        manners = self.behaves
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        is_call = self.path.startswith("/mcp")
        self.close_connection = True
        if manners.redirects_to is not None and is_call:
            self._say(307, {"Location": manners.redirects_to})
        elif manners.asks_for_a_password and is_call:
            self._say(401, {"WWW-Authenticate": 'Basic realm="elsewhere"'})
        elif manners.hides_paths and not is_call and self.path != "/healthz":
            self._say(404, {})
        else:
            self._relay(body)

    def _say(self, status: int, headers: dict[str, str]) -> None:
        self.send_response_only(status)
        for name, value in {**headers, "Content-Length": "0", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()

    def _relay(self, body: bytes) -> None:
        manners = self.behaves
        dropped = HOP_BY_HOP | {"authorization"} if manners.strips_authorization else HOP_BY_HOP
        headers = [(name, value) for name, value in self.headers.items() if name.lower() not in dropped]
        if manners.writes_host is not None:
            headers = [(name, value) for name, value in headers if name.lower() != "host"]
            headers.append(("Host", manners.writes_host))
        headers += [
            ("X-Forwarded-For", self.client_address[0]),
            ("X-Forwarded-Proto", "https"),
            *manners.forwards,
        ]
        with (
            httpx2.Client(base_url=self.passed_to, timeout=30, trust_env=False) as http,
            http.stream(self.command, self.path, headers=headers, content=body) as answer,
        ):
            self.send_response_only(answer.status_code)
            for name, value in answer.headers.multi_items():
                if name.lower() == "date" and manners.seconds_ahead:
                    told = parsedate_to_datetime(value).timestamp() + manners.seconds_ahead
                    self.send_header(name, formatdate(told, usegmt=True))
                elif name.lower() not in HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            for piece in answer.iter_raw():
                self.wfile.write(piece)
                self.wfile.flush()
