"""``POST /revoke``: a client gives back what it was granted (RFC 7009), on Authlib's core.

Either token ends the whole grant. Public clients may; what is unknown is revoked already; a hint is only a hint.
"""

# Authlib ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

from authlib.oauth2.rfc6749 import InvalidRequestError, TokenMixin
from authlib.oauth2.rfc7009 import RevocationEndpoint
from starlette.requests import Request
from starlette.responses import Response

from policies.parameters import Connecting
from policies.ports import Clock
from service.addresses import Addresses
from service.counting import Counting
from service.oauth.asking import Asked, read_form
from service.oauth.code_grant import check_once
from service.oauth.endpoints import Answer, answered
from service.oauth.server import METHODS, OAuthRequest, RegisteredClient, Server
from service.secrets import digest
from service.stores.protocol import Store


class Revoke:
    """Ends grants at their clients' wish."""

    def __init__(
        self,
        server: Server,
        store: Store,
        clock: Clock,
        counting: Counting,
        addresses: Addresses,
        bounds: Connecting,
    ) -> None:
        self._server = server
        self._counting = counting
        self._addresses = addresses
        self._bounds = bounds
        server.register_endpoint(_Revocation(server, store, clock))

    async def serve(self, request: Request) -> Response:
        """Answer one request."""
        reading = read_form(request, self._bounds.body_bytes, self._bounds.parameter_characters)
        return await answered(reading, self._answer)

    def _answer(self, asked: Asked) -> Answer:
        check_once(asked)
        request = OAuthRequest(asked, f"{self._addresses.public_url}/revoke")
        answer = self._server.end(request)
        if answer.error is not None:
            self._counting.take("refusals", asked.address, self._bounds.refusals_per_minute)
        return answer


class _Held(TokenMixin):
    def __init__(self, kept: str, client: str) -> None:
        self.digest = kept
        self._client = client

    def check_client(self, client: RegisteredClient) -> bool:
        return self._client == client.get_client_id()


class _Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def __init__(self, server: Server, store: Store, clock: Clock) -> None:
        super().__init__(server)
        self._store = store
        self._clock = clock

    def create_endpoint_request(self, request: OAuthRequest) -> OAuthRequest:
        return request

    def check_params(self, request: OAuthRequest, client: RegisteredClient) -> None:
        if "token" not in request.form:
            raise InvalidRequestError("token is missing.")

    def query_token(self, token_string: str, token_type_hint: str | None) -> _Held | None:
        presented = digest(token_string)
        refresh = self._store.oauth.refresh_token(presented)
        if refresh is not None:
            return _Held(presented, refresh.client)
        bearer = self._store.grants.bearer(presented)
        return None if bearer is None else _Held(presented, bearer[1].client)

    def revoke_token(self, token: _Held, request: OAuthRequest) -> None:
        self._store.oauth.revoke_token(token.digest, self._clock.now())
