"""COMPOSITION of what serves calls on a store, for every transport: the web process, stdio and the command line.

It knows no transport, so that a command does not load what only the web process needs.
"""

from __future__ import annotations

from cypher.browsing import Browsing
from cypher.console_urls import console_address
from cypher.engine import Engine, connect
from cypher.inbox import Inbox
from cypher.keys import read_key
from cypher.reader import Reader
from cypher.schedule import Nightly
from cypher.service_log import ServiceLog, ServiceLogEntry
from cypher.settings import Settings
from policies.parameters import Parameters
from policies.ports import Clock, IdFactory
from service.audit_log import AuditLog
from service.calls import Calls, House
from service.cursors import Cursors
from service.ledger import Ledger, OpenLedger
from service.metrics import Metrics
from service.reading import Reading


def open_ledger(settings: Settings, clock: Clock, numbers: Parameters) -> Ledger:
    """The store's ledger, to be opened when somebody asks."""
    return Ledger(lambda: hold(connect(settings), settings, clock, numbers))


def hold(engine: Engine, settings: Settings, clock: Clock, numbers: Parameters) -> OpenLedger:
    """All that the service holds of a ledger, on an engine."""
    reader = Reader(engine.graph, numbers)
    return OpenLedger(
        engine=engine,
        reader=reader,
        browsing=Browsing(engine.graph),
        inbox=Inbox(engine.graph, numbers),
        service_log=ServiceLog(engine.graph),
        reading=Reading(
            reader, clock, parameters=numbers, zone=settings.zone, folder=settings.store_dir / "index"
        ),
    )


def build_calls(
    settings: Settings,
    ledger: Ledger,
    numbers: Parameters,
    clock: Clock,
    ids: IdFactory,
    metrics: Metrics,
) -> Calls:
    """What serves calls, for any transport."""
    key = read_key(settings.keys_dir, "cursor")
    house = House(
        ledger=ledger,
        cursors=Cursors(key, clock, numbers.limits.cursor_seconds),
        clock=clock,
        ids=ids,
        parameters=numbers,
        zone=settings.zone,
        handle=settings.facts.handle,
        owner=settings.facts.owner,
        language=settings.facts.lang,
        nightly=Nightly(settings.nightly, settings.zone),
        address=console_address(settings),
        digest_key=key,
    )
    audit_log: AuditLog[ServiceLogEntry] = AuditLog(
        lambda entries: ledger.current().service_log.append(list(entries))
    )
    return Calls(house, audit_log, metrics)
