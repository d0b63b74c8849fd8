"""``POST /token``: tokens for a code or for a refresh token (RFC 6749 sections 4.1.3 and 6)."""

from __future__ import annotations

from authlib.oauth2.rfc6749 import InvalidRequestError
from starlette.requests import Request
from starlette.responses import Response

from policies.parameters import Connecting
from service.addresses import Addresses
from service.counting import Counting
from service.oauth.asking import Asked, read_form
from service.oauth.code_grant import check_once, check_resource
from service.oauth.endpoints import Answer, answered
from service.oauth.server import OAuthRequest, Server

_REFUSED = ("invalid_client", "invalid_grant")


class Token:
    """Gives tokens."""

    def __init__(self, server: Server, counting: Counting, addresses: Addresses, bounds: Connecting) -> None:
        self._server = server
        self._counting = counting
        self._addresses = addresses
        self._bounds = bounds

    async def serve(self, request: Request) -> Response:
        """Answer one request."""
        reading = read_form(request, self._bounds.body_bytes, self._bounds.parameter_characters)
        return await answered(reading, self._answer)

    def _answer(self, asked: Asked) -> Answer:
        check_once(asked)
        if "grant_type" not in asked.values:
            raise InvalidRequestError("grant_type is missing.")
        check_resource(asked, self._addresses.resources)
        answer = self._server.give(OAuthRequest(asked, f"{self._addresses.public_url}/token"))
        if answer.error in _REFUSED:
            self._counting.take("refusals", asked.address, self._bounds.refusals_per_minute)
        return answer
