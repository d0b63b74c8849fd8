"""Grants and bearer tokens in Redis."""

from __future__ import annotations

import json
from typing import cast

from policies.errors import GrantChanged, GrantNameTaken
from policies.terms import Grant, GrantId, Instant
from service.stores.protocol import Code, Token
from service.stores.records import ALLOWED, grant_of, token_of
from service.stores.redis.connection import Connection, as_json, pairs

# ARGV: the grant, its token or code, which of the two, the grant that it replaces or nothing.
_ADD = """
local grant, proof = cjson.decode(ARGV[1]), cjson.decode(ARGV[2])
local bearer = redis.call('HGET', at('names'), grant.name)
if bearer and bearer ~= ARGV[4] then return 0 end
if ARGV[4] ~= '' then end_grant(ARGV[4], grant.created_at) end
redis.call('HSET', at('names'), grant.name, grant.id)
put(at('grant:' .. grant.id), grant)
redis.call('ZADD', at('grants'), grant.created_at, grant.id)
if ARGV[3] == 'code' then
  put(at('code:' .. proof.digest), proof)
  keep_until(at('code:' .. proof.digest), proof.expires_at)
  redis.call('ZADD', at('awaiting'), proof.expires_at, grant.id)
else
  put_token(proof, grant.created_at)
end
return 1
"""

# ARGV: the grant, the former one, the names of what may change. -1: the name is taken; -2: it is not as it was.
_UPDATE = """
local grant, former, allowed = cjson.decode(ARGV[1]), cjson.decode(ARGV[2]), cjson.decode(ARGV[3])
local key = at('grant:' .. grant.id)
local kept = redis.call('HMGET', key, 'name', 'revoked_at')
if not kept[1] or kept[2] then return 0 end
for _, name in ipairs(allowed) do
  if (redis.call('HGET', key, name) or nil) ~= former[name] then return -2 end
end
if grant.name ~= kept[1] then
  if redis.call('HSETNX', at('names'), grant.name, grant.id) == 0 then return -1 end
  redis.call('HDEL', at('names'), kept[1])
end
for _, name in ipairs(allowed) do
  if grant[name] then redis.call('HSET', key, name, grant[name]) else redis.call('HDEL', key, name) end
end
return 1
"""

# ARGV: the name. The grant that bears it.
_NAMED = """
local id = redis.call('HGET', at('names'), ARGV[1])
if not id then return {} end
return redis.call('HGETALL', at('grant:' .. id))
"""

# ARGV: the digest. The token and its grant.
_BEARER = """
local token = redis.call('HGETALL', at('token:' .. ARGV[1]))
if #token == 0 then return {{}, {}} end
local id = redis.call('HGET', at('token:' .. ARGV[1]), 'grant')
return {token, redis.call('HGETALL', at('grant:' .. id))}
"""

# ARGV: the id, the instant.
_REVOKE = "return end_grant(ARGV[1], ARGV[2])"

# ARGV: the instant.
_REVOKE_ALL = """
local ended = 0
for _, id in ipairs(redis.call('ZRANGE', at('grants'), 0, -1)) do ended = ended + end_grant(id, ARGV[1]) end
return ended
"""


class RedisGrants:
    """Implements ``service.stores.protocol.GrantStore``."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._add = connection.script(_ADD)
        self._update = connection.script(_UPDATE)
        self._named = connection.script(_NAMED)
        self._bearer = connection.script(_BEARER)
        self._revoke = connection.script(_REVOKE)
        self._revoke_all = connection.script(_REVOKE_ALL)

    def add(self, grant: Grant, proof: Token | Code, replaces: GrantId | None = None) -> None:
        """See ``GrantStore.add``."""
        kind = "code" if isinstance(proof, Code) else "token"
        if not self._add(as_json(grant), as_json(proof), kind, replaces or ""):
            raise GrantNameTaken(name=grant.name)

    def update(self, former: Grant, grant: Grant) -> bool:
        """See ``GrantStore.update``."""
        changed = cast("int", self._update(as_json(grant), as_json(former), json.dumps(ALLOWED)))
        if changed == -1:
            raise GrantNameTaken(name=grant.name)
        if changed < 0:
            raise GrantChanged(name=former.name)
        return bool(changed)

    def grants(self) -> list[Grant]:
        """See ``GrantStore.grants``."""
        return [grant_of(kept) for kept in self._connection.listed("grants", "grant:")]

    def grant(self, grant: GrantId) -> Grant | None:
        """See ``GrantStore.grant``."""
        kept = self._connection.hash(f"grant:{grant}")
        return None if kept is None else grant_of(kept)

    def named(self, name: str) -> Grant | None:
        """See ``GrantStore.named``."""
        kept = pairs(self._named(name))
        return grant_of(kept) if kept else None

    def bearer(self, digest: str) -> tuple[Token, Grant] | None:
        """See ``GrantStore.bearer``."""
        token, grant = (pairs(flat) for flat in self._bearer(digest))
        return (token_of(token), grant_of(grant)) if token and grant else None

    def revoke(self, grant: GrantId, at: Instant) -> bool:
        """See ``GrantStore.revoke``."""
        return bool(self._revoke(grant, at))

    def revoke_all(self, at: Instant) -> int:
        """See ``GrantStore.revoke_all``."""
        return cast("int", self._revoke_all(at))
