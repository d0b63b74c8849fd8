"""``mnemo mcp``: serves one assistant over standard input and output, under a named grant."""

from __future__ import annotations

from contextlib import closing
from functools import partial

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server

from cypher.runtime import RandomIds, SystemClock
from cypher.settings import Settings
from policies.parameters import parameters
from policies.ports import Clock, IdFactory
from policies.terms import Grant
from service.grants import Grants, store_audience
from service.limits import Allowance, called_tool
from service.mcp import PROPOSING, Context, build_server
from service.metrics import Metrics
from service.opening import build_calls, open_ledger
from service.stores import open_store


def run_stdio(settings: Settings, name: str) -> None:
    """Serve until the input closes.

    Args:
        settings: of the store.
        name: of the grant; ``cli`` is the built-in one. It is looked up again on each call.

    Raises:
        GrantUnknown: no living grant bears the name.
        GrantRefused: it expired.
        LedgerUnavailable: the engine cannot be started.
    """
    anyio.run(partial(_serve, settings, name, SystemClock(), RandomIds()))


async def _serve(settings: Settings, name: str, clock: Clock, ids: IdFactory) -> None:
    numbers = parameters()
    ledger = open_ledger(settings, clock, numbers)
    with closing(open_store(settings)) as store:
        grants = Grants(store, numbers, clock, ids, store_audience(settings.store))
        allowance = Allowance(store, clock, numbers.limits, PROPOSING)
        granted = grants.named(name).id
        try:
            await anyio.to_thread.run_sync(ledger.open)
            calls = build_calls(settings, ledger, numbers, clock, ids, Metrics())

            def admitted(tool: str | None) -> Grant:
                grant = grants.current(granted)
                allowance.charge(grant, tool)
                return grant

            async def caller(ctx: Context) -> Grant:
                return await anyio.to_thread.run_sync(admitted, called_tool(ctx.method, ctx.params))

            server = build_server(calls, caller)
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())
        finally:
            await anyio.to_thread.run_sync(ledger.close)
