"""The conformance suite of the protocol's authors, for an authorization server."""

from __future__ import annotations

from pathlib import Path

import httpx2

from tests.support.consenting import connected
from tests.support.console import Served
from tests.support.oauth import metadata
from tests.support.outside import checks, running
from tests.support.redis_server import free_port


def test_the_authorization_server_conforms(served: Served, tmp_path: Path) -> None:
    port = free_port()
    registration = metadata(redirect_uris=[f"http://127.0.0.1:{port}/callback"])
    client = httpx2.post(f"{served.address}/register", json=registration, trust_env=False).json()["client_id"]
    asked = f"{served.address}/authorize?"
    said: list[str] = []
    with running(
        "conformance", "authorization", "--url", served.address, "--client-id", client,
        "--resource", f"{served.address}/mcp", "--port", str(port), "--output-dir", str(tmp_path), cwd=tmp_path,
    ) as suite:  # fmt: skip
        assert suite.stdout is not None
        for line in suite.stdout:
            said.append(line)
            if line.startswith(asked):
                connected(served, line.strip())
        assert suite.wait(30) == 0, "".join(said)
    assert checks(tmp_path) == {
        "authorization-server-metadata": "SUCCESS",
        "authorization-server-metadata-cimd": "SUCCESS",
        "authorization-code-grant": "SUCCESS",
    }
