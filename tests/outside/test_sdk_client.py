"""The SDK's own client, as programs use it, from its registration to a refreshed token, in both eras."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import anyio.to_thread
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.support.consenting import agreed
from tests.support.console import Served

ERAS = {"2026-07-28": "auto", "2025-11-25": "legacy"}


class Kept:
    """Keeps a client's registration and tokens. Implements the SDK's ``TokenStorage``."""

    def __init__(self) -> None:
        self.tokens: list[OAuthToken] = []
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        """The latest."""
        return self.tokens[-1] if self.tokens else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep them beside the earlier ones."""
        self.tokens.append(tokens)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """What the server told of the registration."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep it."""
        self.client = client_info


def provider(served: Served, kept: Kept) -> OAuthClientProvider:
    """The SDK's provider; its browser is ours, and each answer reaches it as a listener's would."""
    answers: list[str] = []

    async def redirected(address: str) -> None:
        answers.append(await anyio.to_thread.run_sync(agreed, served, address))

    async def called_back() -> AuthorizationCodeResult:
        query = parse_qs(urlsplit(answers.pop()).query)
        return AuthorizationCodeResult(code=query["code"][0], state=query["state"][0], iss=query["iss"][0])

    return OAuthClientProvider(
        f"{served.address}/mcp",
        OAuthClientMetadata(
            client_name="A program of the SDK's", redirect_uris=[AnyUrl("http://localhost:8123/callback")]
        ),
        kept,
        redirected,
        called_back,
    )


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_it_connects_calls_and_refreshes(served: Served, era: str) -> None:
    kept = Kept()
    auth = provider(served, kept)
    async with (
        httpx2.AsyncClient(auth=auth, trust_env=False, timeout=30) as http,
        Client(streamable_http_client(f"{served.address}/mcp", http_client=http), mode=ERAS[era]) as client,
    ):
        assert client.protocol_version == era
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"mem_recall", "mem_remember"} <= tools
        first = await client.call_tool("mem_recall", {"query": "anything"})
        assert not first.is_error
        assert kept.client is not None
        assert len(kept.tokens) == 1
        assert kept.tokens[0].scope == "assistant-standard"

        # An hour passes, on the service's clock and as the client counts.
        served.house.clock.advance(3_601)
        auth.context.token_expiry_time = 1.0
        second = await client.call_tool("mem_recall", {"query": "anything"})
        assert not second.is_error
        before, after = kept.tokens
        assert before.access_token != after.access_token
        assert before.refresh_token != after.refresh_token
    grants = [grant.client for grant in served.house.grants().listed()]
    assert grants.count(kept.client.client_id) == 1
