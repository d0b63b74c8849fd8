"""``/register/{client_id}``: a client reads, replaces or removes its registration (RFC 7592), by its own token."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace

from authlib.oauth2.rfc6749 import InvalidRequestError
from starlette.requests import Request
from starlette.responses import Response

from policies.parameters import Parameters
from policies.ports import Clock
from service.counting import Counting
from service.oauth.client_metadata import checked
from service.oauth.endpoints import Answer, answered
from service.oauth.errors import RegistrationTokenRefused
from service.oauth.register import read_metadata, registration
from service.proxies import client_address
from service.secrets import digest, new_secret
from service.stores.protocol import Client, Store

METHODS = ["GET", "PUT", "DELETE"]

# What the server decides: a client that sends one is mistaken (RFC 7592 section 2.2).
_NOT_ITS_OWN = {
    "registration_access_token",
    "registration_client_uri",
    "client_secret_expires_at",
    "client_id_issued_at",
}


@dataclass(frozen=True, slots=True)
class _Sent:
    method: str
    client_id: str
    token: str
    body: bytes
    address: str


class Manage:
    """Manages registrations in a store."""

    def __init__(
        self, store: Store, clock: Clock, parameters: Parameters, counting: Counting, issuer: str
    ) -> None:
        self._store = store
        self._clock = clock
        self._parameters = parameters
        self._counting = counting
        self._issuer = issuer

    async def serve(self, request: Request) -> Response:
        """Answer one request."""
        return await answered(self._read(request), self._answer)

    async def _read(self, request: Request) -> _Sent:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        return _Sent(
            method=request.method,
            client_id=str(request.path_params["client_id"]),
            token=token.strip() if kind.lower() == "bearer" else "",
            body=await request.body(),
            address=client_address(request.scope),
        )

    def _answer(self, sent: _Sent) -> Answer:
        client = self._managed(sent)
        if sent.method != "GET":
            bounds = self._parameters.connecting
            self._counting.take(
                "changes",
                sent.address,
                bounds.registrations_per_minute,
                bounds.registrations_of_all_per_minute,
            )
        if sent.method == "DELETE":
            self._remove(client)
            return Answer(204)
        client, secret = (client, None) if sent.method != "PUT" else self._replaced(client, sent.body)
        return Answer(200, registration(client, self._issuer, sent.token, secret))

    def _managed(self, sent: _Sent) -> Client:
        found = self._store.oauth.client(sent.client_id)
        expected = "" if found is None else found.registration_token or ""
        if found is None or not hmac.compare_digest(digest(sent.token), expected):
            self._counting.take("refusals", sent.address, self._parameters.connecting.refusals_per_minute)
            raise RegistrationTokenRefused
        return found

    def _replaced(self, client: Client, body: bytes) -> tuple[Client, str | None]:
        """The client with new metadata, and a secret if it now authenticates by one and had none."""
        given = read_metadata(body)
        if _NOT_ITS_OWN & given.keys() or given.get("client_id") != client.id:
            raise InvalidRequestError("The client must name itself, and nothing that the server decides.")
        if "client_secret" in given and digest(str(given["client_secret"])) != client.secret:
            raise InvalidRequestError("The secret is not that of the client.")
        metadata = checked(given, self._parameters)
        is_public = metadata.auth_method == "none"
        secret = None if is_public or client.secret is not None else new_secret()
        changed = replace(
            client,
            name=metadata.name,
            redirect_uris=metadata.redirect_uris,
            auth_method=metadata.auth_method,
            secret=None if is_public else client.secret if secret is None else digest(secret),
            metadata=metadata.others,
        )
        self._store.oauth.put_client(changed)
        return changed, secret

    def _remove(self, client: Client) -> None:
        """Forget a client and end what it was granted (RFC 7592 section 2.3)."""
        for grant in self._store.grants.grants():
            if grant.client == client.id and grant.revoked_at is None:
                self._store.grants.revoke(grant.id, self._clock.now())
        self._store.oauth.remove_client(client.id)
