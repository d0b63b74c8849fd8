"""Clients, requests, codes and refresh tokens in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import cast

from policies.terms import GrantId, Instant
from service.stores.bounds import REPLAY_US, SWEEP_MAX
from service.stores.protocol import (
    AuthorizationRequest,
    Client,
    Code,
    Redeemed,
    RefreshToken,
    Token,
)
from service.stores.records import client_of, code_of, fields_of, refresh_token_of, request_of
from service.stores.sqlite.database import Database, Row, insert, put
from service.stores.sqlite.grants import end_grant
from service.stores.sqlite.rotation import rotate, start

# What is over, by table: its key, and the condition. ``:replayed`` is a day before ``:now``.
_OVER = (
    ("requests", "digest", "expires_at <= :now"),
    ("codes", "digest", "expires_at <= CASE WHEN used THEN :replayed ELSE :now END"),
    ("tokens", "digest", "expires_at <= :now"),
    ("refresh_tokens", "digest", "expires_at <= :now"),
    ("clients", "id", "expires_at <= :now AND NOT used"),
    ("grants", "id", "awaits_until <= :now"),
    ("rates", "key", "used_until <= :now"),
    ("sessions", "digest", "expires_at <= :now"),
    ("links", "purpose", "expires_at <= :now"),
    ("kept", "digest", "expires_at <= :now"),
)


class SqliteOAuth:
    """Implements ``service.stores.protocol.OAuthStore``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put_client(self, client: Client) -> None:
        """See ``OAuthStore.put_client``."""
        with self._database.transaction() as connection:
            put(connection, "clients", fields_of(client), "id")
            _forget_end_of_used(connection, client.id)

    def client(self, client: str) -> Client | None:
        """See ``OAuthStore.client``."""
        row = self._database.row("SELECT * FROM clients WHERE id = :client", client=client)
        return None if row is None else client_of(row)

    def clients_of(self, ids: Iterable[str]) -> Mapping[str, Client]:
        """See ``OAuthStore.clients_of``."""
        rows = self._database.rows(
            "SELECT * FROM clients WHERE id IN (SELECT value FROM json_each(:ids))",
            ids=json.dumps(sorted(set(ids))),
        )
        return {client.id: client for client in map(client_of, rows)}

    def remove_client(self, client: str) -> bool:
        """See ``OAuthStore.remove_client``."""
        with self._database.transaction() as connection:
            removed = connection.execute("DELETE FROM clients WHERE id = :client", {"client": client})
        return removed.rowcount == 1

    def put_request(self, request: AuthorizationRequest) -> None:
        """See ``OAuthStore.put_request``."""
        with self._database.transaction(durable=False) as connection:
            put(connection, "requests", fields_of(request), "digest")

    def request(self, digest: str, now: Instant) -> AuthorizationRequest | None:
        """See ``OAuthStore.request``."""
        row = self._database.row(
            "SELECT * FROM requests WHERE digest = :digest AND expires_at > :now", digest=digest, now=now
        )
        return None if row is None else request_of(row)

    def take_request(self, digest: str, now: Instant) -> AuthorizationRequest | None:
        """See ``OAuthStore.take_request``."""
        with self._database.transaction() as connection:
            taken = cast(
                "list[Row]",
                connection.execute(
                    "DELETE FROM requests WHERE digest = :digest AND expires_at > :now RETURNING *",
                    {"digest": digest, "now": now},
                ).fetchall(),
            )
        return request_of(taken[0]) if taken else None

    def code(self, digest: str) -> Code | None:
        """See ``OAuthStore.code``."""
        row = self._database.row("SELECT * FROM codes WHERE digest = :digest", digest=digest)
        return None if row is None else code_of(row)

    def redeem(self, digest: str, token: Token, refresh: RefreshToken, now: Instant) -> Redeemed:
        """See ``OAuthStore.redeem``."""
        with self._database.transaction() as connection:
            code = connection.execute(
                "SELECT codes.*, grants.id IS NOT NULL AS lives FROM codes LEFT JOIN grants"
                " ON grants.id = codes.grant AND grants.revoked_at IS NULL"
                " AND (grants.expires_at IS NULL OR grants.expires_at > :now)"
                " WHERE codes.digest = :digest AND codes.grant = :grant"
                " AND codes.expires_at > CASE WHEN used THEN :replayed ELSE :now END",
                {"digest": digest, "grant": token.grant, "now": now, "replayed": now - REPLAY_US},
            ).fetchone()
            if code is None:
                return Redeemed.UNKNOWN
            if code["used"]:
                end_grant(connection, token.grant, now)
                return Redeemed.REPLAYED
            if not code["lives"]:
                return Redeemed.UNKNOWN
            connection.execute("UPDATE codes SET used = 1 WHERE digest = :digest", {"digest": digest})
            connection.execute("UPDATE clients SET used = 1 WHERE id = :client", {"client": code["client"]})
            _forget_end_of_used(connection, code["client"])
            connection.execute(
                "UPDATE grants SET awaits_until = NULL WHERE id = :grant", {"grant": token.grant}
            )
            insert(connection, "tokens", fields_of(token))
            start(connection, refresh)
        return Redeemed.DONE

    def refresh_token(self, digest: str) -> RefreshToken | None:
        """See ``OAuthStore.refresh_token``."""
        row = self._database.row("SELECT * FROM refresh_tokens WHERE digest = :digest", digest=digest)
        return None if row is None else refresh_token_of(row)

    def rotate(self, digest: str, token: Token, refresh: RefreshToken, now: Instant) -> Redeemed:
        """See ``OAuthStore.rotate``."""
        with self._database.transaction() as connection:
            return rotate(connection, digest, token, refresh, now)

    def revoke_token(self, digest: str, at: Instant) -> GrantId | None:
        """See ``OAuthStore.revoke_token``."""
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT grant FROM tokens WHERE digest = :digest"
                " UNION ALL SELECT grant FROM refresh_tokens WHERE digest = :digest",
                {"digest": digest},
            ).fetchone()
            if row is None:
                return None
            end_grant(connection, row["grant"], at)
        return GrantId(row["grant"])

    def sweep(self, now: Instant) -> int:
        """See ``OAuthStore.sweep``."""
        values = {"now": now, "replayed": now - REPLAY_US, "most": SWEEP_MAX}
        with self._database.transaction(durable=False) as connection:
            return sum(
                connection.execute(
                    f"DELETE FROM {table} WHERE {key} IN"  # noqa: S608  (names of ours)
                    f" (SELECT {key} FROM {table} WHERE {over} LIMIT :most)",
                    values,
                ).rowcount
                for table, key, over in _OVER
            )


def _forget_end_of_used(connection: sqlite3.Connection, client: str) -> None:
    """A registered client that was used has no end; a metadata document is fetched again all the same."""
    connection.execute(
        "UPDATE clients SET expires_at = NULL WHERE id = :client AND used AND registration_token IS NOT NULL",
        {"client": client},
    )
