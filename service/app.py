"""COMPOSITION ROOT of the web process: one Starlette app with ``/mcp``, probes and metrics."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
from mcp.server import Server
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware, get_access_token
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cypher.keys import read_key
from cypher.settings import Settings
from policies.errors import GrantRefused
from policies.parameters import Parameters, parameters
from policies.ports import Clock, IdFactory
from policies.terms import Grant, Level, View
from service.addresses import MCP_PATHS, Addresses, addresses_of
from service.auth import GrantToken, GrantVerifier, RequireGrant, bearer_backend, challenge
from service.calls import Calls
from service.console.house import House as ConsoleHouse
from service.console.proofs import Proofs
from service.console.routes import console_routes
from service.console.sessions import Sessions
from service.console.signing import Signing
from service.console.site import Site
from service.console.tallying import Tally
from service.counting import Counting
from service.grants import Grants, store_audience
from service.health import Health
from service.ledger import Ledger
from service.limits import Allowance, BodyBound, BodyLimit, CallRate, OneMessage, PlainPath, Refusals
from service.mcp import PROPOSING, Caller, Context, build_server
from service.metrics import Metrics
from service.oauth.consent import Consent
from service.oauth.documents import Fetch
from service.oauth.fetching import PinnedFetcher
from service.oauth.routes import authorization_server, is_endpoint, is_for_programs
from service.opening import build_calls, open_ledger
from service.origins import METRICS, CrossOrigin, Origins, OwnAddresses
from service.proxies import TrustedProxies
from service.stores import open_store
from service.stores.protocol import Store


def create_app(
    settings: Settings,
    *,
    clock: Clock,
    ids: IdFactory,
    fetch: Fetch | None = None,
    build: Callable[[Calls, Caller], Server[Any]] = build_server,
) -> Starlette:
    """The app of one store's web process. It opens the ledger once it runs, and answers meanwhile.

    Args:
        settings: of the store.
        clock: tells the time everywhere but in durations.
        ids: makes the ids of proposals, grants, clients and log entries.
        fetch: gets the metadata documents of clients; None: from the public internet.
        build: makes what answers behind the transport of ``/mcp``.

    Raises:
        StoreInvalid: a key of the store is missing.
        StoreUnavailable: the store of grants cannot be opened.
    """
    numbers = parameters()
    store = open_store(settings)
    metrics = Metrics()
    ledger = open_ledger(settings, clock, numbers)
    calls = build_calls(settings, ledger, numbers, clock, ids, metrics)
    addresses = addresses_of(settings)
    grants = Grants(store, numbers, clock, ids, store_audience(settings.store))
    sessions = StreamableHTTPSessionManager(build(calls, _bearer), stateless=True)
    endpoint = _mcp_endpoint(sessions, grants, store, clock, numbers, settings, addresses)
    health = Health(ledger, store, clock, metrics, settings.metrics_from)
    tally = Tally(lambda: ledger.current().reading.holdings(View(level=Level.S3, owner=True)))
    site = _site(settings, numbers, clock, ids, addresses, store, ledger, grants, tally)
    oauth = authorization_server(
        store, addresses, numbers, clock, ids, fetch=fetch or _fetcher(numbers), page=site.failed
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with sessions.run(), anyio.create_task_group() as tasks:
            tasks.start_soon(ledger.keep_opening)
            tasks.start_soon(oauth.keep_swept)
            yield
            tasks.cancel_scope.cancel()
        tally.close()
        await anyio.to_thread.run_sync(ledger.close)
        store.close()

    app = Starlette(
        routes=[
            *(Route(path, endpoint) for path in MCP_PATHS),
            Route("/healthz", health.healthz, methods=["GET"]),
            Route("/readyz", health.readyz, methods=["GET"]),
            Route(METRICS, health.metrics, methods=["GET"]),
            *oauth.routes,
            *console_routes(site),
        ],
        exception_handlers={404: site.unknown, 405: site.unknown},
        middleware=_gates(settings, addresses, numbers, metrics),
        lifespan=lifespan,
    )
    # Its Location would be made from the request, and a client would send its code or its token there again.
    app.router.redirect_slashes = False
    return app


def _site(
    settings: Settings,
    numbers: Parameters,
    clock: Clock,
    ids: IdFactory,
    addresses: Addresses,
    store: Store,
    ledger: Ledger,
    grants: Grants,
    tally: Tally,
) -> Site:
    """The owner's console."""
    return Site(
        ConsoleHouse(
            settings=settings,
            parameters=numbers,
            clock=clock,
            ids=ids,
            addresses=addresses,
            store=store,
            ledger=ledger,
            grants=grants,
            sessions=Sessions(store.console, clock, addresses, read_key(settings.keys_dir, "cursor")),
            signing=Signing(store, clock),
            proofs=Proofs(
                store.rates, clock, read_key(settings.keys_dir, "cursor"), f"Mnemo {settings.store}"
            ),
            consent=Consent(store, grants, addresses, numbers, clock),
            tally=tally,
        )
    )


def _gates(
    settings: Settings, addresses: Addresses, numbers: Parameters, metrics: Metrics
) -> list[Middleware]:
    """What stands in front of everything, outermost first."""
    origins = Origins(addresses, settings.browser_origins)
    usual, small = BodyBound(numbers.limits.body_bytes), BodyBound(numbers.connecting.body_bytes)
    return [
        Middleware(TrustedProxies, proxies=settings.trusted_proxies),
        Middleware(CrossOrigin, origins=origins),
        Middleware(
            Refusals,
            language=settings.facts.lang,
            challenge=lambda scope: challenge(scope, addresses),
            is_for_programs=is_for_programs,
            metrics=metrics,
        ),
        Middleware(OwnAddresses, addresses=addresses, origins=origins),
        Middleware(PlainPath),
        Middleware(BodyLimit, bound_of=lambda path: small if is_endpoint(path) else usual),
    ]


def _fetcher(numbers: Parameters) -> PinnedFetcher:
    bounds = numbers.connecting
    return PinnedFetcher(bytes_max=bounds.document_bytes, seconds_max=bounds.document_timeout_seconds)


async def _bearer(_ctx: Context) -> Grant:
    token = get_access_token()
    if not isinstance(token, GrantToken):
        raise GrantRefused
    return token.grant


def _mcp_endpoint(
    sessions: StreamableHTTPSessionManager,
    grants: Grants,
    store: Store,
    clock: Clock,
    numbers: Parameters,
    settings: Settings,
    addresses: Addresses,
) -> ASGIApp:
    """The layers of ``/mcp``, outermost last: who calls, one message, how often, then the protocol."""
    app: ASGIApp = AuthContextMiddleware(StreamableHTTPASGIApp(sessions))
    app = CallRate(app, Allowance(store, clock, numbers.limits, PROPOSING))
    app = OneMessage(app)
    app = RequireGrant(_PostOnly(app), Counting(store.rates, clock), numbers.connecting.refusals_per_minute)
    verifier = GrantVerifier(grants, store_audience(settings.store), addresses.resource)
    return AuthenticationMiddleware(app, backend=bearer_backend(verifier, addresses))


class _PostOnly:
    """Answers 405 to what is no POST: a stateless endpoint has no stream to open and no session to end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["method"] == "POST":
            await self._app(scope, receive, send)
        else:
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
