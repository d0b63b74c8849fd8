"""The store in one SQLite file (WAL): for one machine, shared by the processes on it."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from policies.errors import GrantNameTaken, StoreUnavailable
from policies.terms import Grant, GrantId, Instant, Level
from service.stores.protocol import Rate, Token

# One entry a version, applied in order; PRAGMA user_version says how many have been.
_MIGRATIONS = (
    """
    CREATE TABLE grants (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, scope TEXT NOT NULL, level INTEGER NOT NULL,
        client TEXT NOT NULL, domains TEXT, may_read INTEGER NOT NULL, may_propose INTEGER NOT NULL,
        language TEXT, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER,
        last_used_at INTEGER, calls INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX living_name ON grants (name) WHERE revoked_at IS NULL;
    CREATE TABLE tokens (
        digest TEXT PRIMARY KEY, grant_id TEXT NOT NULL REFERENCES grants (id), audience TEXT NOT NULL,
        expires_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_of_grant ON tokens (grant_id);
    CREATE TABLE rates (key TEXT PRIMARY KEY, used_until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """,
)

_COLUMNS = (
    "id, name, scope, level, client, domains, may_read, may_propose, language, created_at, expires_at, "
    "revoked_at, last_used_at, calls"
)
_BUSY_S = 5.0


class SqliteStore:
    """Implements ``service.stores.protocol.Store``."""

    def __init__(self, path: Path) -> None:
        """Open the file, creating it readable by this account alone, and bring its tables up to date."""
        self._lock = threading.Lock()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        with _answering():
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._migrate()

    def add(self, grant: Grant, token: Token) -> None:
        """See ``Store.add``."""
        with self._transaction() as connection:
            try:
                connection.execute(
                    f"INSERT INTO grants ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608
                    _row(grant),
                )
            except sqlite3.IntegrityError as fault:
                raise GrantNameTaken(name=grant.name) from fault
            connection.execute(
                "INSERT INTO tokens (digest, grant_id, audience, expires_at) VALUES (?,?,?,?)",
                (token.digest, token.grant, token.audience, token.expires_at),
            )

    def grants(self) -> list[Grant]:
        """See ``Store.grants``."""
        return [_grant(row) for row in self._all(f"SELECT {_COLUMNS} FROM grants ORDER BY created_at, id")]  # noqa: S608

    def grant(self, grant: GrantId) -> Grant | None:
        """See ``Store.grant``."""
        rows = self._all(f"SELECT {_COLUMNS} FROM grants WHERE id = ?", grant)  # noqa: S608
        return _grant(rows[0]) if rows else None

    def named(self, name: str) -> Grant | None:
        """See ``Store.named``."""
        rows = self._all(f"SELECT {_COLUMNS} FROM grants WHERE name = ? AND revoked_at IS NULL", name)  # noqa: S608
        return _grant(rows[0]) if rows else None

    def bearer(self, digest: str) -> tuple[Token, Grant] | None:
        """See ``Store.bearer``."""
        columns = ", ".join(f"grants.{column.strip()}" for column in _COLUMNS.split(","))
        rows = self._all(
            f"SELECT {columns}, tokens.audience, tokens.expires_at FROM tokens"  # noqa: S608
            " JOIN grants ON grants.id = tokens.grant_id WHERE tokens.digest = ?",
            digest,
        )
        if not rows:
            return None
        *columns_of_grant, audience, expires_at = rows[0]
        grant = _grant(tuple(columns_of_grant))
        token = Token(digest, grant.id, cast("str", audience), cast("Instant | None", expires_at))
        return token, grant

    def revoke(self, grant: GrantId, at: Instant) -> bool:
        """See ``Store.revoke``."""
        with self._transaction() as connection:
            ended = connection.execute(
                "UPDATE grants SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", (at, grant)
            ).rowcount
            connection.execute("DELETE FROM tokens WHERE grant_id = ?", (grant,))
            connection.execute("DELETE FROM rates WHERE key LIKE ? || ' %'", (grant,))
        return ended == 1

    def charge(self, grant: GrantId, kind: str, rate: Rate, now: Instant) -> int:
        """See ``Store.charge``."""
        key = f"{grant} {kind}"
        with self._transaction(durable=False) as connection:
            counted = connection.execute(
                "INSERT INTO rates (key, used_until) VALUES (:key, :now + :step) ON CONFLICT (key)"
                " DO UPDATE SET used_until = max(used_until, :now) + :step"
                " WHERE max(used_until, :now) - :now <= :tolerance RETURNING used_until",
                {"key": key, "now": now, "step": rate.step_us, "tolerance": rate.tolerance_us},
            ).fetchone()
            if counted is not None:
                connection.execute(
                    "UPDATE grants SET calls = calls + 1, last_used_at = ? WHERE id = ?", (now, grant)
                )
                return 0
            used_until = cast(
                "int", connection.execute("SELECT used_until FROM rates WHERE key = ?", (key,)).fetchone()[0]
            )
        return max(used_until - now - rate.tolerance_us, 1)

    def ping(self) -> None:
        """See ``Store.ping``."""
        self._all("SELECT 1")

    def close(self) -> None:
        """See ``Store.close``."""
        with self._lock:
            self._connection.close()

    def _migrate(self) -> None:
        with self._transaction() as connection:
            done = cast("int", connection.execute("PRAGMA user_version").fetchone()[0])
            for number, migration in enumerate(_MIGRATIONS[done:], start=done + 1):
                for statement in filter(str.strip, migration.split(";")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")

    def _all(self, sql: str, *arguments: object) -> list[tuple[object, ...]]:
        with self._lock, _answering():
            return self._connection.execute(sql, arguments).fetchall()

    @contextmanager
    def _transaction(self, *, durable: bool = True) -> Generator[sqlite3.Connection]:
        with self._lock, _answering():
            # A grant or its end must survive a power loss; a counter need not, and every call pays for it.
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


@contextmanager
def _answering() -> Generator[None]:
    try:
        yield
    except sqlite3.Error as fault:
        raise StoreUnavailable(f"SQLite: {type(fault).__name__}") from fault


def _row(grant: Grant) -> tuple[object, ...]:
    return (
        grant.id,
        grant.name,
        grant.scope,
        int(grant.level),
        grant.client,
        None if grant.domains is None else json.dumps(grant.domains),
        grant.may_read,
        grant.may_propose,
        grant.language,
        grant.created_at,
        grant.expires_at,
        grant.revoked_at,
        grant.last_used_at,
        grant.calls,
    )


def _grant(row: tuple[object, ...]) -> Grant:
    (
        grant,
        name,
        scope,
        level,
        client,
        domains,
        may_read,
        may_propose,
        language,
        created_at,
        expires_at,
        revoked_at,
        last_used_at,
        calls,
    ) = row
    return Grant(
        id=GrantId(cast("str", grant)),
        name=cast("str", name),
        scope=cast("str", scope),
        level=Level(cast("int", level)),
        client=cast("str", client),
        domains=None if domains is None else tuple(json.loads(cast("str", domains))),
        may_read=bool(may_read),
        may_propose=bool(may_propose),
        language=cast("str | None", language),
        created_at=cast("Instant", created_at),
        expires_at=cast("Instant | None", expires_at),
        revoked_at=cast("Instant | None", revoked_at),
        last_used_at=cast("Instant | None", last_used_at),
        calls=cast("int", calls),
    )
