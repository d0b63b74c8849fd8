"""Who calls: the bearer token of a request, looked up on every call, and the challenge of a 401.

The SDK reads the header and keeps the caller for the request (``BearerAuthBackend``); what a token is worth
is decided here. A token is accepted when its audience is the store itself or this service's resource address.
"""

from __future__ import annotations

import anyio.to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from mcp.server.auth.provider import AccessToken
from pydantic import AnyHttpUrl, ConfigDict, SkipValidation
from starlette.types import ASGIApp, Receive, Scope, Send

from policies.errors import GrantRefused
from policies.terms import Grant
from service.addresses import Addresses
from service.grants import Grants

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


def challenge(resource_metadata: str | None) -> str:
    """The WWW-Authenticate header of a 401.

    Args:
        resource_metadata: the address of the protected resource's metadata (RFC 9728), if it is served.
    """
    parts = ['realm="mnemo"', f'scope="{DEFAULT_SCOPE}"']
    if resource_metadata is not None:
        parts.append(f'resource_metadata="{resource_metadata}"')
    return f"Bearer {', '.join(parts)}"


class RequireGrant:
    """Lets only authenticated requests through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if not isinstance(scope.get("user"), AuthenticatedUser):
            raise GrantRefused
        await self._app(scope, receive, send)
