"""What is over is forgotten, however much of it there is."""

from __future__ import annotations

import anyio
import anyio.to_thread
import pytest

from policies.terms import Instant
from service.oauth.routes import AuthorizationServer
from service.stores.protocol import Store
from tests.contract.stores.made import NOW, session
from tests.support.clocks import SetClock
from tests.support.waiting import eventually

ROUNDS = 21


@pytest.mark.anyio
async def test_a_sweep_goes_on_until_nothing_is_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """CWE-770: it stopped after twenty rounds, so that strangers filled the store faster than it was swept."""
    few = 5
    for kind in ("sqlite", "redis"):
        monkeypatch.setattr(f"service.stores.{kind}.oauth.SWEEP_MAX", few)
    for number in range(few * ROUNDS + 1):
        store.console.put_session(session(number, expires_at=NOW))
    server = AuthorizationServer([], store, SetClock(NOW))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.keep_swept)
        await anyio.to_thread.run_sync(lambda: eventually(lambda: _left(store) == 0))
        tasks.cancel_scope.cancel()


def _left(store: Store) -> int:
    """How many sessions are kept that are over."""
    return len(store.console.sessions(Instant(0)))
