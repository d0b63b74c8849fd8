"""The records of ``protocol`` as flat fields and back: columns in SQLite, the fields of a hash in Redis.

A field bears the name of its attribute. What is not known is None in a row, and absent from a hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from policies.terms import Grant, GrantId, Instant, Level
from service.stores.protocol import (
    AuthorizationRequest,
    Client,
    Code,
    Credential,
    RefreshToken,
    Session,
    Token,
)

Fields = dict[str, int | str | None]
Kept = Mapping[str, object]
"""A row or a hash: numbers may be text."""

Record = Grant | Token | RefreshToken | Client | AuthorizationRequest | Code | Credential | Session

ALLOWED = ("name", "scope", "level", "domains", "may_read", "may_propose", "expires_at", "language")
"""What the owner allows a grant; the rest of it is what happens to it."""


def fields_of(record: Record) -> Fields:
    """What a record says, flat; what has parts is JSON."""
    return {field.name: _flat(getattr(record, field.name)) for field in fields(record)}


def known(values: Fields) -> dict[str, int | str]:
    """Without what is not known."""
    return {name: value for name, value in values.items() if value is not None}


def grant_of(kept: Kept) -> Grant:
    """The grant that was kept."""
    return Grant(
        id=GrantId(_text(kept, "id")),
        name=_text(kept, "name"),
        scope=_text(kept, "scope"),
        level=Level(_number(kept, "level")),
        client=_text(kept, "client"),
        domains=_texts(kept, "domains") if kept.get("domains") is not None else None,
        may_read=bool(_number(kept, "may_read")),
        may_propose=bool(_number(kept, "may_propose")),
        language=_text_or_none(kept, "language"),
        created_at=_instant(kept, "created_at"),
        expires_at=instant_or_none(kept, "expires_at"),
        revoked_at=instant_or_none(kept, "revoked_at"),
        last_used_at=instant_or_none(kept, "last_used_at"),
        calls=_number(kept, "calls"),
    )


def token_of(kept: Kept) -> Token:
    """The access token that was kept."""
    return Token(
        digest=_text(kept, "digest"),
        grant=GrantId(_text(kept, "grant")),
        audience=_text(kept, "audience"),
        expires_at=instant_or_none(kept, "expires_at"),
    )


def refresh_token_of(kept: Kept) -> RefreshToken:
    """The refresh token that was kept."""
    return RefreshToken(
        digest=_text(kept, "digest"),
        grant=GrantId(_text(kept, "grant")),
        client=_text(kept, "client"),
        audience=_text(kept, "audience"),
        issued_at=_instant(kept, "issued_at"),
        expires_at=_instant(kept, "expires_at"),
    )


def client_of(kept: Kept) -> Client:
    """The client that was kept."""
    return Client(
        id=_text(kept, "id"),
        name=_text(kept, "name"),
        redirect_uris=_texts(kept, "redirect_uris"),
        created_at=_instant(kept, "created_at"),
        expires_at=instant_or_none(kept, "expires_at"),
        auth_method=_text(kept, "auth_method"),
        secret=_text_or_none(kept, "secret"),
        registration_token=_text_or_none(kept, "registration_token"),
        metadata=cast("dict[str, object]", json.loads(_text(kept, "metadata"))),
    )


def request_of(kept: Kept) -> AuthorizationRequest:
    """The authorization request that was kept."""
    return AuthorizationRequest(
        digest=_text(kept, "digest"),
        client=_text(kept, "client"),
        redirect_uri=_text(kept, "redirect_uri"),
        state=_text_or_none(kept, "state"),
        challenge=_text(kept, "challenge"),
        resource=_text(kept, "resource"),
        scopes=_texts(kept, "scopes"),
        expires_at=_instant(kept, "expires_at"),
    )


def code_of(kept: Kept) -> Code:
    """The authorization code that was kept."""
    return Code(
        digest=_text(kept, "digest"),
        grant=GrantId(_text(kept, "grant")),
        client=_text(kept, "client"),
        redirect_uri=_text(kept, "redirect_uri"),
        challenge=_text(kept, "challenge"),
        resource=_text(kept, "resource"),
        expires_at=_instant(kept, "expires_at"),
    )


def credential_of(kept: Kept) -> Credential:
    """How the owner signs in, as it was kept."""
    return Credential(
        passphrase=_text(kept, "passphrase"),
        totp=_text_or_none(kept, "totp"),
        changed_at=_instant(kept, "changed_at"),
    )


def session_of(kept: Kept) -> Session:
    """The session that was kept."""
    return Session(
        digest=_text(kept, "digest"),
        created_at=_instant(kept, "created_at"),
        seen_at=_instant(kept, "seen_at"),
        fresh_at=_instant(kept, "fresh_at"),
        expires_at=_instant(kept, "expires_at"),
        method=_text(kept, "method"),
        agent=_text(kept, "agent"),
    )


def instant_or_none(kept: Kept, name: str) -> Instant | None:
    """An instant that may be unknown."""
    return None if kept.get(name) is None else _instant(kept, name)


def _flat(value: Any) -> int | str | None:
    if isinstance(value, tuple | Mapping):
        return json.dumps(value)
    return int(value) if isinstance(value, int) else cast("str | None", value)


def _number(kept: Kept, name: str) -> int:
    return int(cast("int | str", kept[name]))


def _instant(kept: Kept, name: str) -> Instant:
    return Instant(_number(kept, name))


def _text(kept: Kept, name: str) -> str:
    return cast("str", kept[name])


def _text_or_none(kept: Kept, name: str) -> str | None:
    return cast("str | None", kept.get(name))


def _texts(kept: Kept, name: str) -> tuple[str, ...]:
    return tuple(cast("list[str]", json.loads(_text(kept, name))))
