"""Connecting: requests that wait for the owner, as the authorization endpoint leaves them, and calls once allowed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import httpx2

from policies.terms import Grant, GrantId, Instant
from service.secrets import digest, new_secret
from service.stores.protocol import AuthorizationRequest, Client, Code
from tests.support.house import House

LOOPBACK = "http://localhost:33418/callback"
HOSTED = "https://claude.ai/api/mcp/auth_callback"
DOCUMENT = "https://claude.ai/oauth/client.json"
"""The id of a client that its metadata document names."""
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
WAITS_S = 600


def waiting(
    house: House,
    name: str = "Claude Code",
    redirect_uri: str = LOOPBACK,
    *,
    client: str = "",
    scopes: Sequence[str] = (),
) -> str:
    """A request that waits: the path of its consent page.

    Args:
        house: the store.
        name: what the client calls itself.
        redirect_uri: where it is called back.
        client: its id; an address is that of its metadata document. Empty: one that has registered just now.
        scopes: what it asks for.
    """
    now = house.clock.now()
    known = client or house.ids.new("client")
    is_document = known.startswith("https://")
    house.store.oauth.put_client(
        Client(
            id=known,
            name=name,
            redirect_uris=(redirect_uri,),
            created_at=now,
            expires_at=None,
            registration_token=None if is_document else digest(known),
        )
    )
    handle = new_secret()
    house.store.oauth.put_request(
        AuthorizationRequest(
            digest=digest(handle),
            client=known,
            redirect_uri=redirect_uri,
            state="the state",
            challenge=CHALLENGE,
            resource="http://localhost/mcp",
            scopes=tuple(scopes),
            expires_at=Instant(now + WAITS_S * 1_000_000),
        )
    )
    return f"/consent/{handle}"


def code_for(house: House, client: str) -> Callable[[GrantId], Code]:
    """A code that a client gets the tokens of a grant by, if it ever does."""
    expires_at = Instant(house.clock.now() + WAITS_S * 1_000_000)

    def code(grant: GrantId) -> Code:
        return Code(
            digest(new_secret()), grant, client, LOOPBACK, CHALLENGE, "http://localhost/mcp", expires_at
        )

    return code


def admitted(house: House, name: str, scope: str, client: str, *, days: int | None = None) -> Grant:
    """A grant of a client, as the owner's consent makes it."""
    return house.grants().admit(name, scope, client=client, code=code_for(house, client), days=days)


def called(address: str, token: str, tool: str, **arguments: object) -> httpx2.Response:
    """Call a tool as a connected program does."""
    return httpx2.post(
        f"{address}/mcp",
        headers={
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-06-18",
        },
        json={
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        },
        trust_env=False,
        timeout=30,
    )


def result_of(response: httpx2.Response) -> dict[str, Any]:
    """The structured result of a call."""
    (line,) = (line for line in response.text.splitlines() if line.startswith("data: {"))
    return json.loads(line.removeprefix("data: "))["result"]["structuredContent"]
