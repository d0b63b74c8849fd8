"""Authlib's authorization server, told what we hold: clients and codes in the store, answers as plain values.

Authlib checks requests against RFC 6749, 7636 and 7009; what it leaves open, or allows and we do not, is decided
in the files beside this one. It is synchronous: run it in a worker thread. It never sees the web framework's
request, and never the address that a request came by: only the configured one.
"""

# Authlib ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownParameterType=false
# pyright: reportUnknownArgumentType=false, reportMissingParameterType=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import base64
import hmac
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from authlib.oauth2.rfc6749 import (
    AuthorizationServer,
    ClientMixin,
    InvalidRequestError,
    OAuth2Error,
)
from authlib.oauth2.rfc6749 import OAuth2Request as AuthlibRequest
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload

from policies.errors import ClientUnknown
from policies.parameters import Parameters
from policies.ports import Clock
from service.oauth.asking import Asked
from service.oauth.client_metadata import AUTH_METHODS
from service.oauth.endpoints import Answer, refusal
from service.oauth.errors import Unauthenticated, description
from service.oauth.issuing import Issuing
from service.oauth.redirects import answering, is_allowed, matches
from service.secrets import digest
from service.stores.protocol import Client, OAuthStore

METHODS = list(AUTH_METHODS)


class OAuthRequest(AuthlibRequest):
    """A request as Authlib reads it, at an endpoint of the configured address."""

    def __init__(self, asked: Asked, uri: str) -> None:
        super().__init__(asked.method, uri, headers=asked.headers)
        self.asked = asked
        self.payload = BasicOAuth2Payload(dict(asked.values))

    @property
    def form(self) -> Mapping[str, str]:
        """The parameters."""
        return self.asked.values


class RegisteredClient(ClientMixin):
    """A client of the store, as Authlib asks about it."""

    def __init__(self, kept: Client, parameters: Parameters) -> None:
        self.kept = kept
        self._parameters = parameters

    def get_client_id(self) -> str:
        """Its id."""
        return self.kept.id

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Whether it may be called back there: what it registered once may be allowed no more."""
        characters = self._parameters.connecting.redirect_uri_characters
        return matches(self.kept.redirect_uris, redirect_uri) and is_allowed(
            redirect_uri, self._parameters.private_callbacks, characters
        )

    def check_client_secret(self, client_secret: object) -> bool:
        """Whether a secret is its own."""
        expected = self.kept.secret
        return (
            expected is not None
            and isinstance(client_secret, str)
            and hmac.compare_digest(digest(client_secret), expected)
        )

    def check_grant_type(self, grant_type: str) -> bool:
        """Every client may use both grant types: refresh tokens are always issued."""
        return True

    def check_response_type(self, response_type: str) -> bool:
        """That it is ``code`` is checked with the rest of the request."""
        return True

    def get_allowed_scope(self, scope: str | None) -> str:
        """A scope is a wish: the owner decides."""
        return ""


class Server(AuthorizationServer):
    """The authorization server of one store."""

    def __init__(
        self, issuer: str, clients: OAuthStore, issuing: Issuing, clock: Clock, parameters: Parameters
    ) -> None:
        """Serve as ``issuer``."""
        super().__init__()
        self.issuer = issuer
        self.issuing = issuing
        self._clients = clients
        self._clock = clock
        self._parameters = parameters

    def query_client(self, client_id: str) -> RegisteredClient:
        """A client that asks to connect.

        Raises:
            ClientUnknown: there is none, or it is about to be forgotten.
        """
        found = self._clients.client(client_id)
        end = None if found is None else found.expires_at
        pending_us = self._parameters.connecting.pending_us
        if found is None or (end is not None and end < self._clock.now() + pending_us):
            raise ClientUnknown
        return RegisteredClient(found, self._parameters)

    def begin(self, request: OAuthRequest) -> str:
        """Check an authorization request: where its answer goes.

        Raises:
            OAuth2Error: something is wrong that its client is to be told.
            MnemoError: something is wrong that only the person can be told.
        """
        return str(self.get_consent_grant(request).redirect_uri)

    def give(self, request: OAuthRequest) -> Answer:
        """Answer a token request."""
        answer: Any = self.create_token_response(request)
        return answer

    def end(self, request: OAuthRequest) -> Answer:
        """Answer a revocation request."""
        answer: Any = self.create_endpoint_response("revocation", request)
        return answer

    def authenticate_client(
        self, request: OAuthRequest, methods: Sequence[str], endpoint: str = "token"
    ) -> RegisteredClient:
        """The client of a request that holds its credentials: a secret if it has one, else its id.

        Raises:
            InvalidRequestError: it uses two ways at once.
            Unauthenticated: it is unknown, or its secret is wrong or missing.
        """
        client_id, secret = _credentials(request.asked)
        found = self._clients.client(client_id) if client_id else None
        if found is None:
            raise Unauthenticated
        client = RegisteredClient(found, self._parameters)
        if (found.secret is None) != (secret is None) or (secret and not client.check_client_secret(secret)):
            raise Unauthenticated
        request.auth_method = found.auth_method
        return client

    def validate_requested_scope(self, scope: str | None) -> None:
        """Anything may be asked."""

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Nobody listens."""

    def create_oauth2_request(self, request: OAuthRequest) -> OAuthRequest:
        """Ours are built already."""
        return request

    def handle_response(
        self, status: int, body: Mapping[str, object] | str, headers: Sequence[tuple[str, str]]
    ) -> Answer:
        """A plain value."""
        kept = {name: value for name, value in headers if name != "Content-Type"}
        return Answer(status, body if isinstance(body, Mapping) else None, kept)

    def handle_error_response(self, request: OAuthRequest, error: OAuth2Error) -> Answer:
        """To the client: in its redirect with ``state`` and ``iss`` (RFC 9207) where it has one, else as JSON."""
        if not error.redirect_uri:
            return refusal(error)
        where = answering(
            error.redirect_uri,
            error=error.error,
            error_description=description(error),
            state=request.asked.values.get("state"),
            iss=self.issuer,
        )
        return Answer(303, headers={"Location": where})


def _credentials(asked: Asked) -> tuple[str | None, str | None]:
    """The client id and secret of a request, from its header or its form; an empty secret is none."""
    client_id, secret = asked.values.get("client_id"), asked.values.get("client_secret")
    kind, _, encoded = asked.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return client_id, secret
    try:
        decoded = base64.b64decode(encoded.strip(), validate=True).decode("utf-8")
    except ValueError:
        raise Unauthenticated from None
    of_header, _, secret_of_header = (unquote(part) for part in decoded.partition(":"))
    if secret is not None or client_id not in (None, of_header):
        raise InvalidRequestError("The client authenticates in two ways at once.")
    return of_header, secret_of_header or None
