"""The refresh token grant (RFC 6749 section 6): a token has what the grant has now, whatever scope is asked.

How tokens follow one another, and what presenting an old one does, is the store's (``OAuthStore.rotate``).
"""

# Authlib ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownParameterType=false
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from typing import Any

from authlib.oauth2.rfc6749 import TokenMixin
from authlib.oauth2.rfc6749.grants import RefreshTokenGrant

from service.oauth.issuing import Issuing
from service.oauth.server import METHODS, OAuthRequest, RegisteredClient
from service.secrets import digest
from service.stores.protocol import RefreshToken


class KeptRefreshToken(TokenMixin):
    """A refresh token of the store, as Authlib asks about it."""

    def __init__(self, kept: RefreshToken) -> None:
        self.kept = kept

    def check_client(self, client: RegisteredClient) -> bool:
        """Whether it was issued to this client."""
        return self.kept.client == client.get_client_id()


class RefreshGrant(RefreshTokenGrant):
    """Checks what a refresh token is presented with."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    request: OAuthRequest  # pyright: ignore[reportIncompatibleVariableOverride]  (the only kind we make)

    def authenticate_refresh_token(self, refresh_token: str) -> KeptRefreshToken | None:
        """The token, whatever its state: using it tells."""
        kept = self._issuing.refresh_token(digest(refresh_token))
        return None if kept is None else KeptRefreshToken(kept)

    def _validate_token_scope(self, token: KeptRefreshToken) -> None:
        """A scope is a wish here too: nothing is refused for it, and nothing widened."""

    def create_token_response(self) -> tuple[int, dict[str, object], Any]:
        """The successors."""
        presented: Any = self.request.refresh_token
        return 200, self._issuing.rotate(presented.kept), self.TOKEN_RESPONSE_HEADER

    @property
    def _issuing(self) -> Issuing:
        return self.server.issuing
