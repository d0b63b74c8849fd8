from __future__ import annotations

from dataclasses import replace
from typing import Any

from service.addresses import addresses_of
from service.auth import challenge
from tests.unit.service.test_addresses import SETTINGS

LOCAL = addresses_of(SETTINGS)
PUBLIC = addresses_of(replace(SETTINGS, public_url="https://memory.example"))


def asked(path: str = "/mcp", **headers: str) -> dict[str, Any]:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "path": path, "headers": raw}


def test_a_challenge_says_where_to_begin_and_what_to_ask_for() -> None:
    assert challenge(asked(host="memory.example"), PUBLIC) == (
        'Bearer realm="mnemo", scope="assistant-standard", '
        'resource_metadata="https://memory.example/.well-known/oauth-protected-resource/mcp"'
    )


def test_a_token_that_is_not_good_is_said_to_be() -> None:
    assert challenge(asked(host="memory.example", authorization="bearer x"), PUBLIC).endswith(
        ', error="invalid_token"'
    )
    assert "error=" not in challenge(asked(host="memory.example", authorization="Basic x"), PUBLIC)


def test_it_names_the_service_as_the_client_named_it_and_never_otherwise_than_we_do() -> None:
    """RFC 9728 section 3.3: the resource must be identical to the address that the client used."""
    at = "/.well-known/oauth-protected-resource"
    assert f'"http://127.0.0.1:8765{at}/mcp/"' in challenge(asked("/mcp/", host="127.0.0.1:8765"), LOCAL)
    assert f'"http://localhost:8765{at}/mcp"' in challenge(asked(host="evil.example"), LOCAL)
    assert f'"https://memory.example{at}/mcp"' in challenge(
        asked("/other", host="memory.example:443"), PUBLIC
    )
