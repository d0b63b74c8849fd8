"""The store in Redis: for several machines. What must be atomic is a Lua script, one round trip each.

All keys of a store share one hash tag, so that they live in one slot of a cluster: ``{mnemo:STORE}:`` then
``grant:ID`` (hash), ``token:DIGEST`` (hash), ``tokens:ID`` (set), ``grants`` (sorted by creation), ``names``
(hash), ``rate:ID KIND`` (number, expiring once it says nothing more).
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

import redis

from policies.errors import GrantNameTaken, StoreUnavailable
from policies.terms import Grant, GrantId, Instant, Level
from service.stores.protocol import Rate, Token

_TIMEOUT_S = 5.0

# KEYS: names, grant, grants, token, tokens of the grant. ARGV: name, id, created_at, count of grant fields,
# then the fields and values of the grant, then those of the token.
_ADD = """
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
local fields = tonumber(ARGV[4])
redis.call('HSET', KEYS[2], unpack(ARGV, 5, 4 + fields))
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
redis.call('HSET', KEYS[4], unpack(ARGV, 5 + fields))
redis.call('SADD', KEYS[5], KEYS[4])
return 1
"""

# KEYS: token. ARGV: prefix of grants. One round trip for the two hashes.
_BEARER = """
local token = redis.call('HGETALL', KEYS[1])
if #token == 0 then return {} end
return {token, redis.call('HGETALL', ARGV[1] .. redis.call('HGET', KEYS[1], 'grant'))}
"""

# KEYS: grant, names, tokens of the grant. ARGV: at, id.
_REVOKE = """
for _, token in ipairs(redis.call('SMEMBERS', KEYS[3])) do redis.call('DEL', token) end
redis.call('DEL', KEYS[3])
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HSETNX', KEYS[1], 'revoked_at', ARGV[1]) == 0 then return 0 end
local name = redis.call('HGET', KEYS[1], 'name')
if redis.call('HGET', KEYS[2], name) == ARGV[2] then redis.call('HDEL', KEYS[2], name) end
return 1
"""

# KEYS: rate, grant. ARGV: now, step, tolerance. Numbers stay below 2^53, which Lua keeps exact.
_CHARGE = """
local now, step, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used_until = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
if used_until - now > tolerance then return math.max(used_until - now - tolerance, 1) end
redis.call('SET', KEYS[1], string.format('%.0f', used_until + step), 'PX', ARGV[4])
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HINCRBY', KEYS[2], 'calls', 1)
  redis.call('HSET', KEYS[2], 'last_used_at', ARGV[1])
end
return 0
"""


class RedisStore:
    """Implements ``service.stores.protocol.Store``."""

    def __init__(self, url: str, store: str, password: str | None = None) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            url: ``redis://``, ``rediss://`` or ``unix://``, without a password.
            store: the store's name: stores may share a server.
            password: from a file, never from an address.
        """
        self._prefix = f"{{mnemo:{store}}}:"
        # redis-py leaves most of its answers untyped: they are cast where they are read.
        self._client: Any = redis.Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url,
            password=password,
            decode_responses=True,
            socket_timeout=_TIMEOUT_S,
            socket_connect_timeout=_TIMEOUT_S,
        )
        self._add = self._client.register_script(_ADD)
        self._bearer = self._client.register_script(_BEARER)
        self._revoke = self._client.register_script(_REVOKE)
        self._charge = self._client.register_script(_CHARGE)

    def add(self, grant: Grant, token: Token) -> None:
        """See ``Store.add``."""
        fields = [part for pair in _fields(grant).items() for part in pair]
        kept = {"grant": token.grant, "audience": token.audience, **_known("expires_at", token.expires_at)}
        of_token = [part for pair in kept.items() for part in pair]
        keys = [
            self._key("names"),
            self._key("grant:", grant.id),
            self._key("grants"),
            self._key("token:", token.digest),
            self._key("tokens:", grant.id),
        ]
        arguments = [grant.name, grant.id, grant.created_at, len(fields), *fields, *of_token]
        with _answering():
            added = self._add(keys=keys, args=arguments)
        if not added:
            raise GrantNameTaken(name=grant.name)

    def grants(self) -> list[Grant]:
        """See ``Store.grants``."""
        with _answering():
            ids = cast("list[str]", self._client.zrange(self._key("grants"), 0, -1))
            pipeline = self._client.pipeline(transaction=False)
            for grant in ids:
                pipeline.hgetall(self._key("grant:", grant))
            return [_grant(kept) for kept in cast("list[dict[str, str]]", pipeline.execute())]

    def grant(self, grant: GrantId) -> Grant | None:
        """See ``Store.grant``."""
        with _answering():
            kept = cast("dict[str, str]", self._client.hgetall(self._key("grant:", grant)))
        return _grant(kept) if kept else None

    def named(self, name: str) -> Grant | None:
        """See ``Store.named``."""
        with _answering():
            grant = cast("str | None", self._client.hget(self._key("names"), name))
        return self.grant(GrantId(grant)) if grant is not None else None

    def bearer(self, digest: str) -> tuple[Token, Grant] | None:
        """See ``Store.bearer``."""
        with _answering():
            found = cast(
                "list[list[str]]",
                self._bearer(keys=[self._key("token:", digest)], args=[self._key("grant:")]),
            )
        if not found or not found[1]:
            return None
        of_token, grant = _pairs(found[0]), _grant(_pairs(found[1]))
        return Token(digest, grant.id, of_token["audience"], _instant(of_token, "expires_at")), grant

    def revoke(self, grant: GrantId, at: Instant) -> bool:
        """See ``Store.revoke``."""
        keys = [self._key("grant:", grant), self._key("names"), self._key("tokens:", grant)]
        with _answering():
            return bool(self._revoke(keys=keys, args=[at, grant]))

    def charge(self, grant: GrantId, kind: str, rate: Rate, now: Instant) -> int:
        """See ``Store.charge``."""
        keys = [self._key("rate:", f"{grant} {kind}"), self._key("grant:", grant)]
        keep_ms = (rate.tolerance_us + rate.step_us) // 1_000 + 60_000
        with _answering():
            return int(self._charge(keys=keys, args=[now, rate.step_us, rate.tolerance_us, keep_ms]))

    def ping(self) -> None:
        """See ``Store.ping``."""
        with _answering():
            self._client.ping()

    def close(self) -> None:
        """See ``Store.close``."""
        self._client.close()

    def _key(self, kind: str, rest: str = "") -> str:
        return f"{self._prefix}{kind}{rest}"


@contextmanager
def _answering() -> Generator[None]:
    try:
        yield
    except redis.RedisError as fault:
        raise StoreUnavailable(f"Redis: {type(fault).__name__}") from fault


def _known(name: str, value: int | str | None) -> dict[str, int | str]:
    return {} if value is None else {name: value}


def _fields(grant: Grant) -> dict[str, int | str]:
    """A grant as a hash: what is not known has no field."""
    return {
        "id": grant.id,
        "name": grant.name,
        "scope": grant.scope,
        "level": int(grant.level),
        "client": grant.client,
        "may_read": int(grant.may_read),
        "may_propose": int(grant.may_propose),
        "created_at": grant.created_at,
        "calls": grant.calls,
        **_known("domains", None if grant.domains is None else json.dumps(grant.domains)),
        **_known("language", grant.language),
        **_known("expires_at", grant.expires_at),
        **_known("revoked_at", grant.revoked_at),
        **_known("last_used_at", grant.last_used_at),
    }


def _pairs(flat: list[str]) -> dict[str, str]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _instant(kept: Mapping[str, str], name: str) -> Instant | None:
    return Instant(int(kept[name])) if name in kept else None


def _grant(kept: Mapping[str, str]) -> Grant:
    return Grant(
        id=GrantId(kept["id"]),
        name=kept["name"],
        scope=kept["scope"],
        level=Level(int(kept["level"])),
        client=kept["client"],
        domains=tuple(json.loads(kept["domains"])) if "domains" in kept else None,
        may_read=kept["may_read"] == "1",
        may_propose=kept["may_propose"] == "1",
        language=kept.get("language"),
        created_at=Instant(int(kept["created_at"])),
        expires_at=_instant(kept, "expires_at"),
        revoked_at=_instant(kept, "revoked_at"),
        last_used_at=_instant(kept, "last_used_at"),
        calls=int(kept["calls"]),
    )
