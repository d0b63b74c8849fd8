"""The tables of the SQLite store.

A column bears the name of the attribute that it keeps (``service.stores.records``). What no record says:
``grants.awaits_until``, when a grant that no code was redeemed for yet is forgotten; ``clients.used``, whether one
was; ``codes.used``; of a refresh token, its ``parent`` and its ``state`` (see ``oauth``); ``sessions.ended``.
"""

from __future__ import annotations

MIGRATIONS = (
    """
    CREATE TABLE grants (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, scope TEXT NOT NULL, level INTEGER NOT NULL,
        client TEXT NOT NULL, domains TEXT, may_read INTEGER NOT NULL, may_propose INTEGER NOT NULL,
        language TEXT, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER,
        last_used_at INTEGER, calls INTEGER NOT NULL, awaits_until INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX living_name ON grants (name) WHERE revoked_at IS NULL;
    CREATE TABLE tokens (
        digest TEXT PRIMARY KEY, grant TEXT NOT NULL, audience TEXT NOT NULL, expires_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_of_grant ON tokens (grant);
    CREATE TABLE rates (key TEXT PRIMARY KEY, used_until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE clients (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, redirect_uris TEXT NOT NULL, created_at INTEGER NOT NULL,
        expires_at INTEGER, auth_method TEXT NOT NULL, secret TEXT, registration_token TEXT,
        metadata TEXT NOT NULL, used INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE requests (
        digest TEXT PRIMARY KEY, client TEXT NOT NULL, redirect_uri TEXT NOT NULL, state TEXT,
        challenge TEXT NOT NULL, resource TEXT NOT NULL, scopes TEXT NOT NULL, expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE codes (
        digest TEXT PRIMARY KEY, grant TEXT NOT NULL, client TEXT NOT NULL, redirect_uri TEXT NOT NULL,
        challenge TEXT NOT NULL, resource TEXT NOT NULL, expires_at INTEGER NOT NULL,
        used INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE refresh_tokens (
        digest TEXT PRIMARY KEY, grant TEXT NOT NULL, client TEXT NOT NULL, audience TEXT NOT NULL,
        issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, parent TEXT, state TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX fresh_twins ON refresh_tokens (parent) WHERE state = 'fresh';
    CREATE TABLE credentials (
        one INTEGER PRIMARY KEY CHECK (one = 1), passphrase TEXT NOT NULL, totp TEXT,
        changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sessions (
        digest TEXT PRIMARY KEY, created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
        fresh_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, method TEXT NOT NULL, agent TEXT NOT NULL,
        ended INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE links (
        purpose TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE kept (
        digest TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
)
"""One entry a version, applied in order; PRAGMA user_version says how many have been."""
