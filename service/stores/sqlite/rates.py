"""Counters in SQLite: until when an allowance is used up, one number a counter."""

from __future__ import annotations

import sqlite3
from typing import cast

from policies.terms import GrantId, Instant
from service.stores.protocol import Rate
from service.stores.sqlite.database import Database


class SqliteRates:
    """Implements ``service.stores.protocol.RateStore``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def charge(self, grant: GrantId, kind: str, rate: Rate, now: Instant) -> int:
        """See ``RateStore.charge``."""
        with self._database.transaction(durable=False) as connection:
            wait = _count(connection, f"{grant} {kind}", rate, now)
            if wait == 0:
                connection.execute(
                    "UPDATE grants SET calls = calls + 1, last_used_at = :now WHERE id = :grant",
                    {"now": now, "grant": grant},
                )
        return wait

    def take(self, key: str, rate: Rate, now: Instant) -> int:
        """See ``RateStore.take``."""
        with self._database.transaction(durable=False) as connection:
            return _count(connection, _taken(key), rate, now)

    def forgive(self, key: str) -> None:
        """See ``RateStore.forgive``."""
        with self._database.transaction(durable=False) as connection:
            connection.execute("DELETE FROM rates WHERE key = :key", {"key": _taken(key)})


def _taken(key: str) -> str:
    """No grant's counter begins so: the id of a grant begins with ``grant:``."""
    return f"take:{key}"


def _count(connection: sqlite3.Connection, key: str, rate: Rate, now: Instant) -> int:
    counted = connection.execute(
        "INSERT INTO rates (key, used_until) VALUES (:key, :now + :step) ON CONFLICT (key)"
        " DO UPDATE SET used_until = max(used_until, :now) + :step"
        " WHERE max(used_until, :now) - :now <= :tolerance RETURNING used_until",
        {"key": key, "now": now, "step": rate.step_us, "tolerance": rate.tolerance_us},
    ).fetchone()
    if counted is not None:
        return 0
    row = connection.execute("SELECT used_until FROM rates WHERE key = :key", {"key": key}).fetchone()
    return max(cast("int", row["used_until"]) - now - rate.tolerance_us, 1)
