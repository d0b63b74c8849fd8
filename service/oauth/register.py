"""``POST /register``: a client registers by itself (RFC 7591).

Open to everybody: registering gives nothing, and a client that the owner never grants anything is forgotten after a
day. Authlib's endpoint is not used: it mints secrets for public clients and drops what native ones say.
"""

from __future__ import annotations

from dataclasses import dataclass

from authlib.oauth2.rfc7591 import InvalidClientMetadataError
from starlette.requests import Request
from starlette.responses import Response

from policies.parameters import Parameters
from policies.ports import Clock, IdFactory
from policies.terms import Instant
from service.counting import Counting
from service.oauth.asking import json_object
from service.oauth.client_metadata import checked, told
from service.oauth.endpoints import Answer, answered
from service.proxies import client_address
from service.secrets import digest, new_secret
from service.stores.protocol import Client, OAuthStore

_SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class _Sent:
    body: bytes
    address: str


class Register:
    """Registers clients in a store."""

    def __init__(
        self,
        store: OAuthStore,
        clock: Clock,
        ids: IdFactory,
        parameters: Parameters,
        counting: Counting,
        issuer: str,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._parameters = parameters
        self._counting = counting
        self._issuer = issuer

    async def serve(self, request: Request) -> Response:
        """Answer one request."""
        return await answered(self._read(request), self._answer)

    async def _read(self, request: Request) -> _Sent:
        return _Sent(await request.body(), client_address(request.scope))

    def _answer(self, sent: _Sent) -> Answer:
        bounds = self._parameters.connecting
        self._counting.take(
            "registrations",
            sent.address,
            bounds.registrations_per_minute,
            bounds.registrations_of_all_per_minute,
        )
        metadata = checked(read_metadata(sent.body), self._parameters)
        now = self._clock.now()
        secret = None if metadata.auth_method == "none" else new_secret()
        token = new_secret()
        client = Client(
            # Without a colon, which separates id and secret in a header.
            id=self._ids.new("client").replace(":", "-"),
            name=metadata.name,
            redirect_uris=metadata.redirect_uris,
            created_at=now,
            expires_at=Instant(now + bounds.unused_client_seconds * _SECOND_US),
            auth_method=metadata.auth_method,
            secret=None if secret is None else digest(secret),
            registration_token=digest(token),
            metadata=metadata.others,
        )
        self._store.put_client(client)
        return Answer(201, registration(client, self._issuer, token, secret))


def read_metadata(body: bytes) -> dict[str, object]:
    """The metadata that a client sends.

    Raises:
        InvalidClientMetadataError: it is no JSON object.
    """
    given = json_object(body)
    if given is None:
        raise InvalidClientMetadataError("The body must be one JSON object.")
    return dict(given)


def registration(client: Client, issuer: str, token: str, secret: str | None) -> dict[str, object]:
    """What a client is told of its registration (RFC 7591 section 3.2.1, RFC 7592 section 3).

    Args:
        client: as it is kept.
        issuer: of the server.
        token: what manages the registration.
        secret: a new one; it is told this once, since only its digest is kept.
    """
    shown = {} if secret is None else {"client_secret": secret}
    return {
        **told(client),
        "client_id_issued_at": client.created_at // _SECOND_US,
        **shown,
        **({} if client.secret is None else {"client_secret_expires_at": 0}),
        "registration_client_uri": f"{issuer}/register/{client.id}",
        "registration_access_token": token,
    }
