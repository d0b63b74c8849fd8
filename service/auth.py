"""Who calls: the bearer token of a request, looked up on every call, and the challenge of a 401.

The SDK reads the header and keeps the caller for the request (``BearerAuthBackend``); what a token is worth
is decided here. A token is accepted when its audience is the store itself or this service's resource address.
"""

from __future__ import annotations

import anyio.to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from mcp.server.auth.provider import AccessToken
from pydantic import AnyHttpUrl, ConfigDict, SkipValidation
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from policies.errors import GrantRefused
from policies.terms import Grant
from service.addresses import MCP_PATHS, Addresses
from service.counting import Counting
from service.grants import Grants
from service.oauth.metadata import resource_metadata_url
from service.proxies import client_address

DEFAULT_SCOPE = "assistant-standard"
"""The one scope that the challenge names; the owner decides what a tool really gets."""


class GrantToken(AccessToken):
    """A verified token and the grant that it belongs to."""

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    grant: SkipValidation[Grant]


class GrantVerifier:
    """Implements the SDK's ``TokenVerifier``."""

    def __init__(self, grants: Grants, store_audience: str, resource: str) -> None:
        """Verify tokens of a store, for the service at ``resource``."""
        self._grants = grants
        self._store_audience = store_audience
        self._resource = resource

    async def verify_token(self, token: str) -> GrantToken | None:
        """The caller, or None: unknown, revoked and expired are one answer.

        Raises:
            StoreUnavailable: nobody can be told from anybody at the moment.
        """
        found = await anyio.to_thread.run_sync(self._grants.bearer, token)
        if found is None:
            return None
        grant, audience = found
        return GrantToken(
            token=token,
            client_id=grant.id,
            scopes=[grant.scope],
            resource=self._resource if audience == self._store_audience else audience,
            grant=grant,
        )


def bearer_backend(verifier: GrantVerifier, addresses: Addresses) -> BearerAuthBackend:
    """The SDK's backend, told to check what each token was issued for."""
    return BearerAuthBackend(verifier, resource_server_url=AnyHttpUrl(addresses.resource))


def challenge(scope: Scope, addresses: Addresses) -> str:
    """The WWW-Authenticate header of a 401 (RFC 6750 section 3, RFC 9728 section 5.1).

    It says where the resource's metadata is, under the name and path by which the client came, and what scope to ask
    for; and, where there was a token, that it is the token that is wrong: the client then gets another.
    """
    headers = Headers(scope=scope)
    path = scope["path"] if scope["path"] in MCP_PATHS else MCP_PATHS[0]
    metadata = resource_metadata_url(addresses, headers.get("host", ""), path)
    parts = ['realm="mnemo"', f'scope="{DEFAULT_SCOPE}"', f'resource_metadata="{metadata}"']
    if headers.get("authorization", "").lower().startswith("bearer "):
        parts.append('error="invalid_token"')
    return f"Bearer {', '.join(parts)}"


class RequireGrant:
    """Lets only authenticated requests through; others are refused, and counted by where they come from."""

    def __init__(self, app: ASGIApp, counting: Counting, refusals_per_minute: int) -> None:
        self._app = app
        self._counting = counting
        self._refusals_per_minute = refusals_per_minute

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if not isinstance(scope.get("user"), AuthenticatedUser):
            # A good token is never counted: nobody else's bad ones can shut it out.
            await anyio.to_thread.run_sync(
                self._counting.take, "refusals", client_address(scope), self._refusals_per_minute
            )
            raise GrantRefused
        await self._app(scope, receive, send)
