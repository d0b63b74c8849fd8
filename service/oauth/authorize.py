"""``/authorize``: checks what a client asks for, keeps it, and sends the browser on to the owner's consent.

What is wrong is told to the client in its redirect, but where the client or the redirect is itself in doubt, or where
the redirect leads off the machine or into a program and the owner never let the client in: then a page tells it to the
person, and nothing is sent anywhere (RFC 6749 section 4.1.2.1, RFC 9700 section 4.11.2). No cookie is read here.
"""

from __future__ import annotations

import anyio.to_thread
from authlib.oauth2.rfc6749 import OAuth2Error
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from policies.errors import ConnectionInvalid, MnemoError
from policies.parameters import Parameters
from policies.ports import Clock
from policies.terms import Instant
from service.addresses import Addresses
from service.counting import Counting
from service.oauth.asking import Asked, read_form
from service.oauth.code_grant import check_answerable
from service.oauth.documents import Documents
from service.oauth.endpoints import NO_STORE, ErrorPage
from service.oauth.redirects import is_loopback
from service.oauth.server import OAuthRequest, Server
from service.secrets import digest, new_secret
from service.stores.protocol import AuthorizationRequest, Store

METHODS = ["GET", "POST"]


class Authorize:
    """Begins what the owner's consent ends."""

    def __init__(
        self,
        server: Server,
        store: Store,
        documents: Documents,
        counting: Counting,
        addresses: Addresses,
        parameters: Parameters,
        clock: Clock,
        page: ErrorPage,
    ) -> None:
        self._server = server
        self._store = store
        self._documents = documents
        self._counting = counting
        self._addresses = addresses
        self._parameters = parameters
        self._clock = clock
        self._page = page

    async def serve(self, request: Request) -> Response:
        """Answer one request."""
        bounds = self._parameters.connecting
        try:
            asked = await read_form(request, bounds.body_bytes, bounds.parameter_characters)
            where = await anyio.to_thread.run_sync(self._next, asked)
        except OAuth2Error:
            return await anyio.to_thread.run_sync(self._page, request, ConnectionInvalid())
        except MnemoError as error:
            return await anyio.to_thread.run_sync(self._page, request, error)
        return RedirectResponse(where, 303, headers={**NO_STORE, "Referrer-Policy": "no-referrer"})

    def _next(self, asked: Asked) -> str:
        """Where the browser goes: to the consent, or back to the client with what is wrong.

        Raises:
            MnemoError: nobody can be answered.
        """
        bounds = self._parameters.connecting
        self._counting.take(
            "requests", asked.address, bounds.requests_per_minute, bounds.requests_of_all_per_minute
        )
        check_answerable(asked)
        client_id = asked.values["client_id"]
        if client_id.startswith("https://"):
            self._documents.refresh(client_id, asked.address)
        request = OAuthRequest(asked, f"{self._addresses.public_url}/authorize")
        try:
            redirect_uri = self._server.begin(request)
        except OAuth2Error as error:
            if not error.redirect_uri or not self._may_be_told(client_id, error.redirect_uri):
                raise
            return self._server.handle_error_response(request, error).headers["Location"]
        return f"/consent/{self._kept(asked, redirect_uri)}"

    def _may_be_told(self, client: str, redirect_uri: str) -> bool:
        """Whether the browser is sent to a client with an error, though nobody has signed in.

        Anybody registers, so a link to this service would lead wherever its author likes (RFC 9700 section 4.11.2): to
        another host, or into a program by a scheme of its own. An address on the owner's machine is another matter:
        any page may link to it as it is, and a program that waits there should not wait for nothing.
        """
        return is_loopback(redirect_uri) or any(
            grant.client == client and grant.revoked_at is None for grant in self._store.grants.grants()
        )

    def _kept(self, asked: Asked, redirect_uri: str) -> str:
        """Keep the request; the handle that its consent page carries."""
        bounds = self._parameters.connecting
        handle = new_secret()
        wished = asked.values.get("scope", "").split()
        self._store.oauth.put_request(
            AuthorizationRequest(
                digest=digest(handle),
                client=asked.values["client_id"],
                redirect_uri=redirect_uri,
                state=asked.values.get("state"),
                challenge=asked.values["code_challenge"],
                resource=self._addresses.resource,
                scopes=tuple(scope for scope in self._parameters.scopes if scope in wished),
                expires_at=Instant(self._clock.now() + bounds.request_seconds * 1_000_000),
            )
        )
        return handle
