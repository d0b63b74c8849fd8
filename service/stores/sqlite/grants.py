"""Grants and bearer tokens in SQLite."""

from __future__ import annotations

import sqlite3

from policies.errors import GrantChanged, GrantNameTaken
from policies.terms import Grant, GrantId, Instant
from service.stores.protocol import Code, Token
from service.stores.records import ALLOWED, fields_of, grant_of, token_of
from service.stores.sqlite.database import Database, insert

_UPDATE = f"UPDATE grants SET {', '.join(f'{name} = :{name}' for name in ALLOWED)} WHERE id = :id"  # noqa: S608


class SqliteGrants:
    """Implements ``service.stores.protocol.GrantStore``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, grant: Grant, proof: Token | Code, replaces: GrantId | None = None) -> None:
        """See ``GrantStore.add``."""
        table, awaits_until = ("codes", proof.expires_at) if isinstance(proof, Code) else ("tokens", None)
        with self._database.transaction() as connection:
            if replaces is not None:
                end_grant(connection, replaces, grant.created_at)
            try:
                insert(connection, "grants", {**fields_of(grant), "awaits_until": awaits_until})
            except sqlite3.IntegrityError as fault:
                raise GrantNameTaken(name=grant.name) from fault
            insert(connection, table, fields_of(proof))

    def update(self, former: Grant, grant: Grant) -> bool:
        """See ``GrantStore.update``."""
        known = fields_of(former)
        with self._database.transaction() as connection:
            kept = connection.execute(
                "SELECT * FROM grants WHERE id = :id AND revoked_at IS NULL", {"id": grant.id}
            ).fetchone()
            if kept is None:
                return False
            if any(kept[name] != known[name] for name in ALLOWED):
                raise GrantChanged(name=former.name)
            try:
                connection.execute(_UPDATE, fields_of(grant))
            except sqlite3.IntegrityError as fault:
                raise GrantNameTaken(name=grant.name) from fault
        return True

    def grants(self) -> list[Grant]:
        """See ``GrantStore.grants``."""
        return [grant_of(row) for row in self._database.rows("SELECT * FROM grants ORDER BY created_at, id")]

    def grant(self, grant: GrantId) -> Grant | None:
        """See ``GrantStore.grant``."""
        row = self._database.row("SELECT * FROM grants WHERE id = :grant", grant=grant)
        return None if row is None else grant_of(row)

    def named(self, name: str) -> Grant | None:
        """See ``GrantStore.named``."""
        row = self._database.row("SELECT * FROM grants WHERE name = :name AND revoked_at IS NULL", name=name)
        return None if row is None else grant_of(row)

    def bearer(self, digest: str) -> tuple[Token, Grant] | None:
        """See ``GrantStore.bearer``."""
        row = self._database.row(
            "SELECT grants.*, tokens.audience AS audience, tokens.expires_at AS token_expires_at"
            " FROM tokens JOIN grants ON grants.id = tokens.grant WHERE tokens.digest = :digest",
            digest=digest,
        )
        if row is None:
            return None
        of_token = {**row, "digest": digest, "grant": row["id"], "expires_at": row["token_expires_at"]}
        return token_of(of_token), grant_of(row)

    def revoke(self, grant: GrantId, at: Instant) -> bool:
        """See ``GrantStore.revoke``."""
        with self._database.transaction() as connection:
            return end_grant(connection, grant, at)

    def revoke_all(self, at: Instant) -> int:
        """See ``GrantStore.revoke_all``."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM tokens")
            return connection.execute(
                "UPDATE grants SET revoked_at = :at WHERE revoked_at IS NULL", {"at": at}
            ).rowcount


def end_grant(connection: sqlite3.Connection, grant: str, at: Instant) -> bool:
    """Revoke a grant in a transaction; see ``GrantStore.revoke``."""
    connection.execute("DELETE FROM tokens WHERE grant = :grant", {"grant": grant})
    ended = connection.execute(
        "UPDATE grants SET revoked_at = :at WHERE id = :grant AND revoked_at IS NULL",
        {"grant": grant, "at": at},
    )
    return ended.rowcount == 1
