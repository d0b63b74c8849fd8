"""The service's hold on the ledger: opened in the background, so that the service answers while it starts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import anyio
import anyio.to_thread

from cypher.browsing import Browsing
from cypher.engine import Engine
from cypher.inbox import Inbox
from cypher.reader import Reader
from cypher.service_log import ServiceLog
from policies.errors import LedgerUnavailable, MnemoError
from service.reading import Reading

log = logging.getLogger("mnemo.ledger")

RETRY_S_MIN = 1.0
RETRY_S_MAX = 30.0


@dataclass(frozen=True, slots=True)
class OpenLedger:
    """What the service may hold of the ledger: reading it, submitting to the inbox, logging its own calls."""

    engine: Engine
    reader: Reader
    browsing: Browsing
    inbox: Inbox
    service_log: ServiceLog
    reading: Reading


class Ledger:
    """The ledger once it is open, and the error to raise until then."""

    def __init__(self, connect: Callable[[], OpenLedger]) -> None:
        """Open with ``connect``, which may take seconds and may raise ``MnemoError``."""
        self._connect = connect
        self._open: OpenLedger | None = None

    def current(self) -> OpenLedger:
        """The open ledger.

        Raises:
            LedgerUnavailable: it is not open yet.
        """
        if self._open is None:
            raise LedgerUnavailable("not open yet", retry_after_s=int(RETRY_S_MIN))
        return self._open

    def open(self) -> None:
        """Open it now. Raises whatever ``connect`` does."""
        if self._open is None:
            self._open = self._connect()

    async def keep_opening(self) -> None:
        """Try until it is open, waiting longer each time, up to a bound."""
        delay_s = RETRY_S_MIN
        while True:
            try:
                await anyio.to_thread.run_sync(self.open)
            except MnemoError as error:
                log.warning("the ledger does not open (%s); trying again in %.0f s", error.code, delay_s)
            else:
                return
            await anyio.sleep(delay_s)
            delay_s = min(delay_s * 2, RETRY_S_MAX)

    def close(self) -> None:
        """Let go of the engine; the last process to do so stops an embedded one."""
        opened, self._open = self._open, None
        if opened is not None:
            opened.reading.close()
            opened.engine.close()
