"""One SQLite file in WAL mode, shared by threads and by the processes of one machine."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from policies.errors import StoreUnavailable
from service.stores.records import Fields
from service.stores.sqlite.migrations import MIGRATIONS

_BUSY_S = 5.0

Row = dict[str, object]


class Database:
    """A connection and its lock. Rows are dictionaries by column."""

    def __init__(self, path: Path) -> None:
        """Open the file, creating it readable by this account alone, and bring its tables up to date.

        Raises:
            StoreUnavailable: it cannot be opened.
        """
        self._lock = threading.Lock()
        with _answering():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._connection.row_factory = _row
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._migrate()
            except BaseException:
                self._connection.close()
                raise

    def rows(self, sql: str, **values: int | str | None) -> list[Row]:
        """What one statement reads."""
        with self._lock, _answering():
            return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, **values: int | str | None) -> Row | None:
        """The first row that one statement reads."""
        rows = self.rows(sql, **values)
        return rows[0] if rows else None

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Generator[sqlite3.Connection]:
        """Everything in the context, or nothing, alone among all processes.

        Args:
            durable: it survives a power loss. A counter need not, and every call would pay for it.

        Raises:
            StoreUnavailable: the file cannot be read or written, or stays locked.
        """
        with self._lock, _answering():
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def _migrate(self) -> None:
        with self.transaction() as connection:
            done = cast("int", connection.execute("PRAGMA user_version").fetchone()["user_version"])
            for number, migration in enumerate(MIGRATIONS[done:], start=done + 1):
                for statement in filter(str.strip, migration.split(";")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")


def insert(connection: sqlite3.Connection, table: str, values: Fields) -> None:
    """A new row.

    Raises:
        IntegrityError: its key is taken.
    """
    connection.execute(_insert(table, values), values)


def put(connection: sqlite3.Connection, table: str, values: Fields, key: str) -> None:
    """A row, new or changed; columns that ``values`` do not name stay as they are."""
    changed = ", ".join(f"{column} = excluded.{column}" for column in values if column != key)
    connection.execute(f"{_insert(table, values)} ON CONFLICT ({key}) DO UPDATE SET {changed}", values)


def _insert(table: str, values: Fields) -> str:
    columns, places = ", ".join(values), ", ".join(f":{column}" for column in values)
    return f"INSERT INTO {table} ({columns}) VALUES ({places})"  # noqa: S608  (names of ours)


def _row(cursor: sqlite3.Cursor, values: tuple[object, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.description, values, strict=True)}


@contextmanager
def _answering() -> Generator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as fault:
        raise StoreUnavailable(f"SQLite: {type(fault).__name__}") from fault
