"""Through a reverse proxy with TLS: calls arrive, answers come back, what a client says of itself does not count.

The small proxy of our own always; the real Caddy and nginx, with the files of ``deploy``, where they are installed.
"""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from cypher.runtime import SystemClock
from service.reachability import Reachability
from tests.support.asking import answered
from tests.support.house import House, web_server
from tests.support.redis_server import free_port
from tests.support.reverse_proxy import Certificate, caddy, certificate, nginx, own_proxy

pytestmark = pytest.mark.anyio


def proxy(
    kind: str, upstream: str, port: int, cert: Certificate, folder: Path
) -> AbstractContextManager[None]:
    """A proxy before ``upstream`` at ``https://localhost:PORT``."""
    if kind == "own":
        return own_proxy(upstream, port, cert)
    if shutil.which(kind) is None:
        pytest.skip(f"{kind} is not installed")
    return (caddy if kind == "caddy" else nginx)(upstream, port, cert, folder)


@pytest.mark.parametrize("kind", ["own", "caddy", "nginx"])
async def test_a_client_gets_its_answers_through_a_proxy(house: House, tmp_path: Path, kind: str) -> None:
    granted, port, cert = house.grant(), free_port(), certificate(tmp_path)
    house.settings = replace(
        house.settings, public_url=f"https://localhost:{port}", trusted_proxies=(ip_network("127.0.0.1"),)
    )
    bearer = {"Authorization": f"Bearer {granted.token}"}
    forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http", "Forwarded": "host=evil.example"}
    with (
        web_server(house) as inside,
        proxy(kind, inside.replace("localhost", "127.0.0.1"), port, cert, tmp_path),
    ):
        public = Reachability(house.settings, SystemClock(), cert.trust())
        for check in (public.answers, public.is_ours, public.passes_calls, public.keeps_time):
            check()
        async with (
            httpx2.AsyncClient(headers=bearer | forged, verify=cert.trust(), trust_env=False) as http,
            Client(streamable_http_client(f"https://localhost:{port}/mcp", http_client=http)) as client,
        ):
            receipt = await answered(client, "mem_remember", statement="Louise likes tea.")
            assert receipt["status"] == "proposed"
            assert (await answered(client, "mem_recall", query="tea"))["verdict"] == "unknown"
        with httpx2.Client(
            base_url=f"https://localhost:{port}", verify=cert.trust(), trust_env=False
        ) as plain:
            metadata = plain.get("/.well-known/oauth-authorization-server", headers=forged).json()
            assert metadata["issuer"] == f"https://localhost:{port}"
            assert plain.post("/mcp", json={}).status_code == 401
            assert plain.post("/mcp", content=b"x" * 100_000, headers=bearer).status_code == 413
            elsewhere = plain.post("/mcp", json={}, headers={**bearer, "Host": "evil.example"})
            assert elsewhere.status_code != 400  # as it would be, had the call been let through
