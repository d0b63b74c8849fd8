"""The one place that runs statements: transactions, retries, and what becomes of the driver's errors.

Every statement runs in a managed transaction of the official driver on a named database. A write conflict is
retried by the driver; a broken unique constraint once by us, because an embedded engine answers so to all but
one of several concurrent ``MERGE`` of a new key; a lost connection once more, after the connection had its
chance to bring the engine back. Nothing of the driver leaves this module but records.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Literal, Protocol, TypeVar

import neo4j
from neo4j.exceptions import (
    ConfigurationError,
    ConstraintError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ResultError,
    TransactionError,
)

from cypher.statement import Statement
from policies.errors import (
    CommitUncertain,
    InvariantBroken,
    LedgerConflict,
    LedgerUnavailable,
    MnemoError,
    SettingInvalid,
)

Record = neo4j.Record
T = TypeVar("T")

STATEMENT_S_MAX = 10.0
"""How long a transaction may run. Neo4j is told with each; the embedded engine at its start."""
RETRY_AFTER_S = 5
"""What a caller is told to wait when the engine does not answer."""

_log = logging.getLogger(__name__)


class Connection(Protocol):
    """Where a graph is: one database of one engine."""

    @property
    def database(self) -> str:
        """The database's name, passed with every transaction: a pooled connection keeps the former one."""
        ...

    def driver(self, failed: neo4j.Driver | None = None) -> neo4j.Driver:
        """A driver on a living engine.

        Args:
            failed: the driver that just lost its connection, if one did: the engine is looked at again.

        Raises:
            LedgerUnavailable: the engine cannot be reached, nor brought back within its bound.
        """
        ...


class Tx:
    """A transaction under way."""

    def __init__(self, tx: neo4j.ManagedTransaction) -> None:
        self._tx = tx

    def run(self, statement: Statement, /, **parameters: object) -> list[Record]:
        """Run a statement and hold all that it returns.

        Raises:
            InvariantBroken: the parameters are not those the statement declares.
        """
        if parameters.keys() != statement.parameters:
            raise InvariantBroken(f"{statement.name} takes {sorted(statement.parameters)}")
        return list(self._tx.run(statement.text, parameters))


class Graph:
    """Runs statements on one database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self, statement: Statement, /, **parameters: object) -> list[Record]:
        """Run one statement that only reads. Raises as ``transaction``."""
        return self._run("read", lambda tx: tx.run(statement, **parameters))

    def write(self, statement: Statement, /, **parameters: object) -> list[Record]:
        """Run one statement in a transaction of its own. Raises as ``transaction``."""
        return self._run("write", lambda tx: tx.run(statement, **parameters))

    def transaction(self, work: Callable[[Tx], T]) -> T:
        """Run ``work`` in one transaction: all of it, or nothing. It may be run more than once.

        Raises:
            LedgerUnavailable: the engine does not answer, even after what retrying is due; nothing was kept.
            CommitUncertain: the connection was lost while committing: whether it was kept is not known.
            LedgerConflict: a unique key is taken.
            InvariantBroken: the engine refused a statement.
            MnemoError: whatever ``work`` raises; nothing was kept.
        """
        return self._run("write", work)

    def _run(self, access: Literal["read", "write"], work: Callable[[Tx], T]) -> T:
        driver = self._connection.driver()
        try:
            return self._attempt(driver, access, work)
        except (DriverError, Neo4jError) as fault:
            if isinstance(fault, ConstraintError):
                again = driver
            elif _lost(fault):
                _log.info("the graph's connection was lost (%s)", type(fault).__name__)
                again = self._connection.driver(failed=driver)
                if again is driver:
                    raise told(fault) from None  # it has tried for long enough by itself
            else:
                raise told(fault) from None
        try:
            return self._attempt(again, access, work)
        except (DriverError, Neo4jError) as fault:
            raise told(fault) from None

    def _attempt(self, driver: neo4j.Driver, access: Literal["read", "write"], work: Callable[[Tx], T]) -> T:
        @neo4j.unit_of_work(timeout=STATEMENT_S_MAX)
        def unit(tx: neo4j.ManagedTransaction) -> T:
            return work(Tx(tx))

        # The shared bookmarks let a cluster's reads see this process's own writes.
        bookmarks = driver.execute_query_bookmark_manager
        with driver.session(  # pyright: ignore[reportUnknownMemberType]  (its options are untyped)
            database=self._connection.database, bookmark_manager=bookmarks
        ) as session:
            return session.execute_read(unit) if access == "read" else session.execute_write(unit)


def _lost(fault: DriverError | Neo4jError) -> bool:
    """Whether the connection was lost with nothing kept, so that the work may be run again."""
    kept_or_misused = (Neo4jError, IncompleteCommit, ConfigurationError, ResultError, TransactionError)
    return not isinstance(fault, kept_or_misused)


def told(fault: DriverError | Neo4jError) -> MnemoError:
    """What the caller is told. The engine's own words may quote stored values: its code alone is kept."""
    code = (fault.code if isinstance(fault, Neo4jError) else None) or type(fault).__name__
    match fault:
        case IncompleteCommit():
            return CommitUncertain(code, retry_after_s=RETRY_AFTER_S)
        case ConstraintError():
            return LedgerConflict(code)
        case Neo4jError() if ".Security." in code:
            return SettingInvalid(code, setting="MNEMO_GRAPH_PASSWORD_FILE", problem="setting.refused")
        # Ended for its length, for a lock's sake or with its database: the statement itself was in order.
        case Neo4jError() if not (fault.is_retryable() or ".Transaction." in code or ".Database." in code):
            return InvariantBroken(f"the engine refused a statement: {code}")
        case ConfigurationError() | ResultError() | TransactionError():
            return InvariantBroken(f"the driver was misused: {code}")
        case _:
            return LedgerUnavailable(code, retry_after_s=RETRY_AFTER_S)
