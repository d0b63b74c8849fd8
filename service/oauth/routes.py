"""The authorization server, put together: every route, and what sweeps up behind it."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import anyio
import anyio.to_thread
from starlette.routing import Route

from policies.errors import StoreUnavailable
from policies.parameters import Parameters
from policies.ports import Clock, IdFactory
from service.addresses import Addresses
from service.counting import Counting
from service.oauth import authorize, manage
from service.oauth.authorize import Authorize
from service.oauth.code_grant import Bindings, CodeGrant
from service.oauth.documents import Documents, Fetch
from service.oauth.endpoints import ErrorPage
from service.oauth.issuing import Issuing
from service.oauth.manage import Manage
from service.oauth.metadata import metadata_routes
from service.oauth.refresh_grant import RefreshGrant
from service.oauth.register import Register
from service.oauth.revoke import Revoke
from service.oauth.server import Server
from service.oauth.token import Token
from service.stores.protocol import Store

log = logging.getLogger("mnemo.oauth")

_FOR_PROGRAMS = ("/register", "/token", "/revoke")
SWEEP_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class AuthorizationServer:
    """What the web process serves and runs of it."""

    routes: list[Route]
    store: Store
    clock: Clock

    async def keep_swept(self) -> None:
        """Forget what is over, now and every ten minutes, until cancelled."""
        while True:
            try:
                # In rounds, so that none keeps the store from others for long; all of it, or strangers fill it faster.
                while await anyio.to_thread.run_sync(self.store.oauth.sweep, self.clock.now()):
                    pass
            except StoreUnavailable:
                log.warning("the store does not answer: what is over is forgotten later")
            await anyio.sleep(SWEEP_SECONDS)


def is_for_programs(path: str) -> bool:
    """Whether an endpoint answers programs of this server's, which read errors as RFC 6749 section 5.2 tells them."""
    return any(path == one or path.startswith(f"{one}/") for one in _FOR_PROGRAMS)


def is_endpoint(path: str) -> bool:
    """Whether an endpoint is this server's: what it is sent is small."""
    return path == "/authorize" or is_for_programs(path)


def authorization_server(
    store: Store,
    addresses: Addresses,
    parameters: Parameters,
    clock: Clock,
    ids: IdFactory,
    *,
    fetch: Fetch,
    page: ErrorPage,
) -> AuthorizationServer:
    """The authorization server of one store.

    Args:
        store: of the clients and the grants.
        addresses: the service's own; the issuer is its public one.
        parameters: bounds and scopes.
        clock: tells the time.
        ids: makes the ids of clients.
        fetch: gets the metadata document at an address.
        page: shows an error to the person at the browser.
    """
    bounds, issuer = parameters.connecting, addresses.public_url
    counting = Counting(store.rates, clock)
    documents = Documents(store.oauth, clock, counting, parameters, fetch)
    server = Server(issuer, store.oauth, Issuing(store, clock, counting, bounds), clock, parameters)
    server.register_grant(CodeGrant, [Bindings(addresses.resources)])
    server.register_grant(RefreshGrant)
    asking = Authorize(server, store, documents, counting, addresses, parameters, clock, page)
    registering = Register(store.oauth, clock, ids, parameters, counting, issuer)
    managing = Manage(store, clock, parameters, counting, issuer)
    giving = Token(server, counting, addresses, bounds)
    ending = Revoke(server, store, clock, counting, addresses, bounds)
    routes = [
        *metadata_routes(addresses, parameters.scopes),
        Route("/authorize", asking.serve, methods=authorize.METHODS),
        Route("/register", registering.serve, methods=["POST"]),
        Route("/register/{client_id}", managing.serve, methods=manage.METHODS),
        Route("/token", giving.serve, methods=["POST"]),
        Route("/revoke", ending.serve, methods=["POST"]),
    ]
    return AuthorizationServer(routes, store, clock)
