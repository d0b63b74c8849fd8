"""One Redis, and the names of what a store keeps in it.

Every key begins with ``{mnemo:STORE}:``, a hash tag, so that all keys of a store live in one slot of a cluster and a
script may reach any of them. After it:

=====================  ========  ====================================================================
``grant:ID``           hash      a grant
``grants``             sorted    ids of grants, by creation
``names``              hash      name of a grant that is not revoked: its id
``awaiting``           sorted    ids of grants that no code was redeemed for yet, by when to forget them
``token:DIGEST``       hash      an access token; expires
``tokens:ID``          sorted    digests of a grant's access tokens, by their end
``rate:GRANT KIND``    number    until when an allowance is used up; expires
``taken:KEY``          number    the same, of what is no grant's; expires
``client:ID``          hash      a client; ``used`` once a code was redeemed
``idle``               sorted    ids of clients never used, by when to forget them
``request:DIGEST``     hash      an authorization request; expires
``code:DIGEST``        hash      a code; ``used`` once redeemed; expires
``refresh:DIGEST``     hash      a refresh token, its ``parent`` and ``state`` (see ``rotation``); expires
``twins:DIGEST``       set       digests of its successors that were not withdrawn; expires
``credential``         hash      how the owner signs in
``session:DIGEST``     hash      a session; ``ended`` once it was; expires
``sessions``           sorted    digests of sessions that have not ended, by their end
``link:DIGEST``        hash      a one-time link; expires
``linked:PURPOSE``     string    the digest of the link of that purpose; expires
``kept:DIGEST``        hash      a challenge, a half-done sign-in; expires
=====================  ========  ====================================================================

What expires does so an hour after its end, by the clock of Redis: whether something is over is told by the clock of
the caller, which may be another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from policies.errors import StoreUnavailable
from service.stores.records import Record, fields_of, known

_TIMEOUT_S = 5.0

# What all scripts begin with. KEYS[1] is what all keys of the store begin with. Instants stay below 2^53, which Lua's
# numbers keep exact; records come as JSON whose values are all text, so that none becomes a number on the way.
_LIBRARY = """
local function at(name) return KEYS[1] .. name end

local function put(key, record)
  local flat = {}
  for name, value in pairs(record) do
    flat[#flat + 1] = name
    flat[#flat + 1] = value
  end
  redis.call('HSET', key, unpack(flat))
end

local function keep_until(key, instant)
  local time = redis.call('TIME')
  local left = math.floor(tonumber(instant) / 1000) - time[1] * 1000 - math.floor(time[2] / 1000)
  redis.call('PEXPIRE', key, string.format('%.0f', math.max(left, 0) + 3600000))
end

local function put_token(token, now)
  redis.call('ZREMRANGEBYSCORE', at('tokens:' .. token.grant), '-inf', now)
  put(at('token:' .. token.digest), token)
  redis.call('ZADD', at('tokens:' .. token.grant), token.expires_at or '+inf', token.digest)
  if token.expires_at then keep_until(at('token:' .. token.digest), token.expires_at) end
end

local function end_grant(id, instant)
  local grant = at('grant:' .. id)
  for _, digest in ipairs(redis.call('ZRANGE', at('tokens:' .. id), 0, -1)) do
    redis.call('DEL', at('token:' .. digest))
  end
  redis.call('DEL', at('tokens:' .. id))
  if redis.call('EXISTS', grant) == 0 then return 0 end
  if redis.call('HSETNX', grant, 'revoked_at', instant) == 0 then return 0 end
  redis.call('HDEL', at('names'), redis.call('HGET', grant, 'name'))
  return 1
end

local function lives(id, now)
  local kept = redis.call('HMGET', at('grant:' .. id), 'id', 'revoked_at', 'expires_at')
  return kept[1] and not kept[2] and not (kept[3] and tonumber(kept[3]) <= now)
end
"""

# ARGV: the index (a sorted set), what keys of its members begin with. All hashes that the index names, in order.
_LISTED = """
local found = {}
for _, member in ipairs(redis.call('ZRANGE', at(ARGV[1]), 0, -1)) do
  local kept = redis.call('HGETALL', at(ARGV[2] .. member))
  if #kept > 0 then found[#found + 1] = kept end
end
return found
"""

# ARGV: a key. The hash, and nobody finds it again.
_TAKEN = """
local kept = redis.call('HGETALL', at(ARGV[1]))
redis.call('DEL', at(ARGV[1]))
return kept
"""

Hash = dict[str, str]
Script = Callable[..., Any]
"""Takes the values of ARGV; one round trip."""


class Connection:
    """A client of Redis for one store."""

    def __init__(self, url: str, store: str, password: str | None) -> None:
        """Prepare it; nothing is sent yet. See ``RedisStore``."""
        self._prefix = f"{{mnemo:{store}}}:"
        # redis-py leaves most of its answers untyped: they are cast where they are read. It does not retry by
        # itself: a code that was redeemed, and the answer lost, would be taken for replayed.
        self._client: Any = redis.Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url,
            password=password,
            decode_responses=True,
            socket_timeout=_TIMEOUT_S,
            socket_connect_timeout=_TIMEOUT_S,
            retry=Retry(NoBackoff(), 0),
        )
        self._listed = self.script(_LISTED)
        self._taken = self.script(_TAKEN)

    def script(self, source: str) -> Script:
        """A script to call, after what all scripts begin with.

        The call raises ``StoreUnavailable`` when Redis does not answer.
        """
        registered = self._client.register_script(_LIBRARY + source)

        def call(*values: int | str) -> Any:
            with _answering():
                return registered(keys=[self._prefix], args=values)

        return call

    def hash(self, key: str) -> Hash | None:
        """One hash."""
        with _answering():
            return cast("Hash", self._client.hgetall(self._prefix + key)) or None

    def taken(self, key: str) -> Hash | None:
        """One hash, which nobody finds again."""
        return pairs(self._taken(key)) or None

    def listed(self, index: str, kind: str) -> list[Hash]:
        """The hashes ``kind`` + member of a sorted set's members, in its order."""
        return [pairs(flat) for flat in self._listed(index, kind)]

    def forget(self, key: str) -> None:
        """Remove one key."""
        with _answering():
            self._client.delete(self._prefix + key)

    def ping(self) -> None:
        """Return when Redis answers.

        Raises:
            StoreUnavailable: it does not.
        """
        with _answering():
            self._client.ping()

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()


def as_json(record: Record) -> str:
    """A record for a script: JSON whose values are all text; what is not known is absent."""
    return json.dumps({name: str(value) for name, value in known(fields_of(record)).items()})


def pairs(flat: list[str]) -> Hash:
    """A hash as a script answers it."""
    return dict(zip(flat[::2], flat[1::2], strict=True))


@contextmanager
def _answering() -> Generator[None]:
    try:
        yield
    except redis.RedisError as fault:
        raise StoreUnavailable(f"Redis: {type(fault).__name__}") from fault
