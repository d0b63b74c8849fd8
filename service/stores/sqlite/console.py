"""The owner's sign-in and sessions in SQLite."""

from __future__ import annotations

import sqlite3
from typing import cast

from policies.terms import Instant
from service.stores.protocol import Credential, Session
from service.stores.records import credential_of, fields_of, session_of
from service.stores.sqlite.database import Database, put


class SqliteConsole:
    """Implements ``service.stores.protocol.ConsoleStore``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def credential(self) -> Credential | None:
        """See ``ConsoleStore.credential``."""
        row = self._database.row("SELECT * FROM credentials")
        return None if row is None else credential_of(row)

    def set_credential(self, former: Credential | None, credential: Credential) -> bool:
        """See ``ConsoleStore.set_credential``."""
        with self._database.transaction() as connection:
            row = connection.execute("SELECT * FROM credentials").fetchone()
            if former != (None if row is None else credential_of(row)):
                return False
            put(connection, "credentials", {"one": 1, **fields_of(credential)}, "one")
        return True

    def put_session(self, session: Session) -> None:
        """See ``ConsoleStore.put_session``."""
        with self._database.transaction(durable=False) as connection:
            put(connection, "sessions", fields_of(session), "digest")

    def session(self, digest: str, now: Instant) -> Session | None:
        """See ``ConsoleStore.session``."""
        row = self._database.row(
            "SELECT * FROM sessions WHERE digest = :digest AND NOT ended AND expires_at > :now",
            digest=digest,
            now=now,
        )
        return None if row is None else session_of(row)

    def sessions(self, now: Instant) -> list[Session]:
        """See ``ConsoleStore.sessions``."""
        rows = self._database.rows(
            "SELECT * FROM sessions WHERE NOT ended AND expires_at > :now ORDER BY created_at DESC, digest",
            now=now,
        )
        return [session_of(row) for row in rows]

    def end_session(self, digest: str) -> None:
        """See ``ConsoleStore.end_session``."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE sessions SET ended = 1 WHERE digest = :digest", {"digest": digest})

    def end_sessions(self, but: str | None = None) -> int:
        """See ``ConsoleStore.end_sessions``."""
        with self._database.transaction() as connection:
            return _end_sessions(connection, but)

    def put_link(self, digest: str, purpose: str, expires_at: Instant) -> None:
        """See ``ConsoleStore.put_link``."""
        with self._database.transaction() as connection:
            _put_link(connection, digest, purpose, expires_at)

    def link(self, digest: str, now: Instant) -> str | None:
        """See ``ConsoleStore.link``."""
        row = self._database.row(
            "SELECT purpose FROM links WHERE digest = :digest AND expires_at > :now", digest=digest, now=now
        )
        return None if row is None else cast("str", row["purpose"])

    def take_link(self, digest: str, now: Instant) -> str | None:
        """See ``ConsoleStore.take_link``."""
        with self._database.transaction() as connection:
            taken = connection.execute(
                "DELETE FROM links WHERE digest = :digest AND expires_at > :now RETURNING purpose",
                {"digest": digest, "now": now},
            ).fetchall()
        return cast("str", taken[0]["purpose"]) if taken else None

    def remember(self, digest: str, value: str, expires_at: Instant) -> None:
        """See ``ConsoleStore.remember``."""
        kept = {"digest": digest, "value": value, "expires_at": expires_at}
        with self._database.transaction(durable=False) as connection:
            put(connection, "kept", {**kept}, "digest")

    def recall(self, digest: str, now: Instant) -> str | None:
        """See ``ConsoleStore.recall``."""
        with self._database.transaction() as connection:
            recalled = connection.execute(
                "DELETE FROM kept WHERE digest = :digest AND expires_at > :now RETURNING value",
                {"digest": digest, "now": now},
            ).fetchall()
        return cast("str", recalled[0]["value"]) if recalled else None

    def reset(self, digest: str, expires_at: Instant) -> int:
        """See ``ConsoleStore.reset``."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM credentials")
            _put_link(connection, digest, "setup", expires_at)
            return _end_sessions(connection, None)


def _end_sessions(connection: sqlite3.Connection, but: str | None) -> int:
    return connection.execute(
        "UPDATE sessions SET ended = 1 WHERE NOT ended AND digest IS NOT :but", {"but": but}
    ).rowcount


def _put_link(connection: sqlite3.Connection, digest: str, purpose: str, expires_at: Instant) -> None:
    put(connection, "links", {"purpose": purpose, "digest": digest, "expires_at": expires_at}, "purpose")
