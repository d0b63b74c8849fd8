"""Clients, requests, codes and refresh tokens in Redis."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import cast

from policies.terms import GrantId, Instant
from service.stores.bounds import REPLAY_US, SWEEP_MAX, TWIN_US
from service.stores.protocol import (
    AuthorizationRequest,
    Client,
    Code,
    Redeemed,
    RefreshToken,
    Token,
)
from service.stores.records import client_of, code_of, refresh_token_of, request_of
from service.stores.redis.connection import Connection, as_json, pairs
from service.stores.redis.rotation import ROTATE, START

# A registered client that was used has no end; a metadata document is fetched again all the same.
_FORGET_END_OF_USED = """
local function forget_end_of_used(id)
  local kept = redis.call('HMGET', at('client:' .. id), 'used', 'registration_token')
  if not kept[1] then return end
  redis.call('ZREM', at('idle'), id)
  if kept[2] then redis.call('HDEL', at('client:' .. id), 'expires_at') end
end
"""

# ARGV: the client.
_PUT_CLIENT = (
    _FORGET_END_OF_USED
    + """
local client = cjson.decode(ARGV[1])
local key = at('client:' .. client.id)
client.used = redis.call('HGET', key, 'used') or nil
redis.call('DEL', key)
put(key, client)
if client.expires_at then
  redis.call('ZADD', at('idle'), client.expires_at, client.id)
else
  redis.call('ZREM', at('idle'), client.id)
end
forget_end_of_used(client.id)
"""
)

# ARGV: the ids. The clients that there are.
_CLIENTS_OF = """
local found = {}
for _, id in ipairs(cjson.decode(ARGV[1])) do
  local kept = redis.call('HGETALL', at('client:' .. id))
  if #kept > 0 then found[#found + 1] = kept end
end
return found
"""

# ARGV: the id.
_REMOVE_CLIENT = """
redis.call('ZREM', at('idle'), ARGV[1])
return redis.call('DEL', at('client:' .. ARGV[1]))
"""

# ARGV: the request.
_PUT_REQUEST = """
local request = cjson.decode(ARGV[1])
local key = at('request:' .. request.digest)
redis.call('DEL', key)
put(key, request)
keep_until(key, request.expires_at)
"""

# ARGV: the digest, the token, the refresh token, now, how long a used code is known again.
_REDEEM = (
    START
    + _FORGET_END_OF_USED
    + """
local token, now = cjson.decode(ARGV[2]), tonumber(ARGV[4])
local key = at('code:' .. ARGV[1])
local kept = redis.call('HMGET', key, 'grant', 'client', 'expires_at', 'used')
if not kept[1] or kept[1] ~= token.grant then return 'unknown' end
local ends = tonumber(kept[3])
if kept[4] then
  if ends + tonumber(ARGV[5]) <= now then return 'unknown' end
  end_grant(token.grant, ARGV[4])
  return 'replayed'
end
if ends <= now or not lives(token.grant, now) then return 'unknown' end
redis.call('HSET', key, 'used', '1')
keep_until(key, string.format('%.0f', ends + tonumber(ARGV[5])))
redis.call('ZREM', at('awaiting'), token.grant)
if redis.call('EXISTS', at('client:' .. kept[2])) == 1 then
  redis.call('HSET', at('client:' .. kept[2]), 'used', '1')
  forget_end_of_used(kept[2])
end
put_token(token, ARGV[4])
start(cjson.decode(ARGV[3]))
return 'done'
"""
)

# ARGV: the digest, the instant. The grant.
_REVOKE_BY = """
local grant = redis.call('HGET', at('token:' .. ARGV[1]), 'grant')
  or redis.call('HGET', at('refresh:' .. ARGV[1]), 'grant')
if grant then end_grant(grant, ARGV[2]) end
return grant
"""

# ARGV: now, how many of each. What has an end of its own is forgotten by Redis.
_SWEEP = """
local function over(index)
  return redis.call('ZRANGEBYSCORE', at(index), '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
end
local grants, clients, sessions = over('awaiting'), over('idle'), over('sessions')
for _, id in ipairs(grants) do
  end_grant(id, ARGV[1])
  redis.call('DEL', at('grant:' .. id))
  redis.call('ZREM', at('grants'), id)
  redis.call('ZREM', at('awaiting'), id)
end
for _, id in ipairs(clients) do
  redis.call('DEL', at('client:' .. id))
  redis.call('ZREM', at('idle'), id)
end
for _, digest in ipairs(sessions) do
  redis.call('DEL', at('session:' .. digest))
  redis.call('ZREM', at('sessions'), digest)
end
return #grants + #clients + #sessions
"""


class RedisOAuth:
    """Implements ``service.stores.protocol.OAuthStore``."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._put_client = connection.script(_PUT_CLIENT)
        self._clients_of = connection.script(_CLIENTS_OF)
        self._remove_client = connection.script(_REMOVE_CLIENT)
        self._put_request = connection.script(_PUT_REQUEST)
        self._redeem = connection.script(_REDEEM)
        self._rotate = connection.script(ROTATE)
        self._revoke_by = connection.script(_REVOKE_BY)
        self._sweep = connection.script(_SWEEP)

    def put_client(self, client: Client) -> None:
        """See ``OAuthStore.put_client``."""
        self._put_client(as_json(client))

    def client(self, client: str) -> Client | None:
        """See ``OAuthStore.client``."""
        kept = self._connection.hash(f"client:{client}")
        return None if kept is None else client_of(kept)

    def clients_of(self, ids: Iterable[str]) -> Mapping[str, Client]:
        """See ``OAuthStore.clients_of``."""
        found = [client_of(pairs(flat)) for flat in self._clients_of(json.dumps(sorted(set(ids))))]
        return {client.id: client for client in found}

    def remove_client(self, client: str) -> bool:
        """See ``OAuthStore.remove_client``."""
        return bool(self._remove_client(client))

    def put_request(self, request: AuthorizationRequest) -> None:
        """See ``OAuthStore.put_request``."""
        self._put_request(as_json(request))

    def request(self, digest: str, now: Instant) -> AuthorizationRequest | None:
        """See ``OAuthStore.request``."""
        kept = self._connection.hash(f"request:{digest}")
        return None if kept is None else _waiting(request_of(kept), now)

    def take_request(self, digest: str, now: Instant) -> AuthorizationRequest | None:
        """See ``OAuthStore.take_request``."""
        kept = self._connection.taken(f"request:{digest}")
        return None if kept is None else _waiting(request_of(kept), now)

    def code(self, digest: str) -> Code | None:
        """See ``OAuthStore.code``."""
        kept = self._connection.hash(f"code:{digest}")
        return None if kept is None else code_of(kept)

    def redeem(self, digest: str, token: Token, refresh: RefreshToken, now: Instant) -> Redeemed:
        """See ``OAuthStore.redeem``."""
        return Redeemed(self._redeem(digest, as_json(token), as_json(refresh), now, REPLAY_US))

    def refresh_token(self, digest: str) -> RefreshToken | None:
        """See ``OAuthStore.refresh_token``."""
        kept = self._connection.hash(f"refresh:{digest}")
        return None if kept is None else refresh_token_of(kept)

    def rotate(self, digest: str, token: Token, refresh: RefreshToken, now: Instant) -> Redeemed:
        """See ``OAuthStore.rotate``."""
        return Redeemed(self._rotate(digest, as_json(token), as_json(refresh), now, TWIN_US))

    def revoke_token(self, digest: str, at: Instant) -> GrantId | None:
        """See ``OAuthStore.revoke_token``."""
        grant = cast("str | None", self._revoke_by(digest, at))
        return None if grant is None else GrantId(grant)

    def sweep(self, now: Instant) -> int:
        """See ``OAuthStore.sweep``."""
        return cast("int", self._sweep(now, SWEEP_MAX))


def _waiting(request: AuthorizationRequest, now: Instant) -> AuthorizationRequest | None:
    return request if request.expires_at > now else None
