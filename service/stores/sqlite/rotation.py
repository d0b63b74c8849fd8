"""Refresh tokens in SQLite: see ``OAuthStore.rotate`` for the rule.

``parent`` is the token that one was minted for; those of one parent are twins. ``state`` is one of

- ``fresh``: not used yet;
- ``used``: it minted successors, none of which was used, so that it may mint another;
- ``superseded``: one of its successors, or one of its twins, was used first: presented, it revokes the grant;
- ``withdrawn``: it was too old, unused, when its parent minted another.
"""

from __future__ import annotations

import sqlite3

from policies.terms import Instant
from service.stores.bounds import TWIN_US
from service.stores.protocol import Redeemed, RefreshToken, Token
from service.stores.records import fields_of
from service.stores.sqlite.database import insert
from service.stores.sqlite.grants import end_grant


def start(connection: sqlite3.Connection, refresh: RefreshToken, parent: str | None = None) -> None:
    """Keep a fresh token: the first of its grant, or the successor of another."""
    insert(connection, "refresh_tokens", {**fields_of(refresh), "parent": parent, "state": "fresh"})


def rotate(
    connection: sqlite3.Connection, digest: str, token: Token, refresh: RefreshToken, now: Instant
) -> Redeemed:
    """Use a refresh token in a transaction."""
    used = connection.execute(
        "SELECT refresh_tokens.parent, refresh_tokens.state, grants.id IS NOT NULL AS lives"
        " FROM refresh_tokens LEFT JOIN grants ON grants.id = refresh_tokens.grant"
        " AND grants.revoked_at IS NULL AND (grants.expires_at IS NULL OR grants.expires_at > :now)"
        " WHERE refresh_tokens.digest = :digest AND refresh_tokens.grant = :grant"
        " AND refresh_tokens.expires_at > :now AND state != 'withdrawn'",
        {"digest": digest, "grant": token.grant, "now": now},
    ).fetchone()
    if used is None:
        return Redeemed.UNKNOWN
    if used["state"] == "superseded":
        end_grant(connection, token.grant, now)
        return Redeemed.REPLAYED
    if not used["lives"]:
        return Redeemed.UNKNOWN
    if used["state"] == "fresh":
        connection.execute(
            "UPDATE refresh_tokens SET state = 'superseded'"
            " WHERE digest = :parent OR (parent = :parent AND state = 'fresh')",
            {"parent": used["parent"]},
        )
        connection.execute(
            "UPDATE refresh_tokens SET state = 'used' WHERE digest = :digest", {"digest": digest}
        )
    connection.execute(
        "UPDATE refresh_tokens SET state = 'withdrawn'"
        " WHERE parent = :digest AND state = 'fresh' AND issued_at < :youngest",
        {"digest": digest, "youngest": now - TWIN_US},
    )
    insert(connection, "tokens", fields_of(token))
    start(connection, refresh, digest)
    return Redeemed.DONE
