"""Whether the service lives (``/healthz``), is of use (``/readyz``), and what it counts (``/metrics``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from cypher.settings import Network
from policies.errors import MnemoError
from policies.ports import Clock
from policies.terms import Level, View
from service.ledger import Ledger
from service.metrics import Metrics
from service.proxies import is_asked_from
from service.stores.protocol import Store

_PROBE = View(level=Level.S0)
"""The narrowest view: completing in it opens its index and brings it up to the ledger."""


class Health:
    """Asks every part whether it answers."""

    def __init__(
        self,
        ledger: Ledger,
        store: Store,
        clock: Clock,
        metrics: Metrics,
        metrics_from: Sequence[Network] = (),
    ) -> None:
        """Ask the parts of a service; ``metrics_from``: whom the counts are told besides this machine."""
        self._ledger = ledger
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._metrics_from = tuple(metrics_from)

    async def healthz(self, _request: Request) -> Response:
        """200 as long as this process answers at all."""
        return PlainTextResponse("ok\n")

    async def readyz(self, _request: Request) -> Response:
        """200 once engine, index and store answer and a curator is alive; else 503, and which is missing."""
        ready = await anyio.to_thread.run_sync(self.parts)
        return JSONResponse(ready, 200 if all(ready.values()) else 503, {"Cache-Control": "no-store"})

    async def metrics(self, request: Request) -> Response:
        """Counters in the Prometheus text format.

        Raises:
            HTTPException: who asks is not near; what is not for them is not there.
        """
        if not is_asked_from(request.scope, self._metrics_from):
            raise HTTPException(404)
        ready = await anyio.to_thread.run_sync(self.parts)
        return PlainTextResponse(self._metrics.text(ready), media_type="text/plain; version=0.0.4")

    def parts(self) -> dict[str, bool]:
        """Which parts answer now."""
        return {
            "engine": _answers(lambda: self._ledger.current().reader.head()),
            "index": _answers(lambda: self._ledger.current().reading.complete(_PROBE, "")),
            "store": _answers(self._store.ping),
            "curator": _answers(self._check_curator),
        }

    def _check_curator(self) -> None:
        if self._ledger.current().inbox.curator().alive_until <= self._clock.now():
            raise MnemoError("no curator is alive")


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except MnemoError:
        return False
    return True
