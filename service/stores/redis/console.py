"""The owner's sign-in and sessions in Redis."""

from __future__ import annotations

import json
from typing import cast

from policies.terms import Instant
from service.stores.protocol import Credential, Session
from service.stores.records import credential_of, instant_or_none, session_of
from service.stores.redis.connection import Connection, Hash, as_json

_SESSIONS = """
local function end_session(digest)
  redis.call('ZREM', at('sessions'), digest)
  if redis.call('EXISTS', at('session:' .. digest)) == 0 then return 0 end
  redis.call('HSET', at('session:' .. digest), 'ended', '1')
  return 1
end

local function end_sessions(but)
  local ended = 0
  for _, digest in ipairs(redis.call('ZRANGE', at('sessions'), 0, -1)) do
    if digest ~= but then ended = ended + end_session(digest) end
  end
  return ended
end
"""

_LINKS = """
local function put_link(link)
  local earlier = redis.call('GET', at('linked:' .. link.purpose))
  if earlier then redis.call('DEL', at('link:' .. earlier)) end
  put(at('link:' .. link.digest), link)
  keep_until(at('link:' .. link.digest), link.expires_at)
  redis.call('SET', at('linked:' .. link.purpose), link.digest)
  keep_until(at('linked:' .. link.purpose), link.expires_at)
end
"""

# ARGV: the credential, the former one or nothing. 0: it is another.
_SET_CREDENTIAL = """
local former = ARGV[2] == '' and {} or cjson.decode(ARGV[2])
for _, name in ipairs({'passphrase', 'totp', 'changed_at'}) do
  if (redis.call('HGET', at('credential'), name) or nil) ~= former[name] then return 0 end
end
redis.call('DEL', at('credential'))
put(at('credential'), cjson.decode(ARGV[1]))
return 1
"""

# ARGV: the session. One that ended stays so: a request that was under way meanwhile must not bring it back.
_PUT_SESSION = """
local session = cjson.decode(ARGV[1])
local key = at('session:' .. session.digest)
if redis.call('HEXISTS', key, 'ended') == 1 then return end
put(key, session)
keep_until(key, session.expires_at)
redis.call('ZADD', at('sessions'), session.expires_at, session.digest)
"""

# ARGV: the digest.
_END_SESSION = _SESSIONS + "return end_session(ARGV[1])"

# ARGV: the digest of the one to leave, or nothing.
_END_SESSIONS = _SESSIONS + "return end_sessions(ARGV[1])"

# ARGV: the link.
_PUT_LINK = _LINKS + "put_link(cjson.decode(ARGV[1]))"

# ARGV: the digest, what to keep.
_REMEMBER = """
local kept, key = cjson.decode(ARGV[2]), at('kept:' .. ARGV[1])
put(key, kept)
keep_until(key, kept.expires_at)
"""

# ARGV: the link.
_RESET = (
    _SESSIONS
    + _LINKS
    + """
redis.call('DEL', at('credential'))
put_link(cjson.decode(ARGV[1]))
return end_sessions('')
"""
)


class RedisConsole:
    """Implements ``service.stores.protocol.ConsoleStore``."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._set_credential = connection.script(_SET_CREDENTIAL)
        self._put_session = connection.script(_PUT_SESSION)
        self._end_session = connection.script(_END_SESSION)
        self._end_sessions = connection.script(_END_SESSIONS)
        self._put_link = connection.script(_PUT_LINK)
        self._remember = connection.script(_REMEMBER)
        self._reset = connection.script(_RESET)

    def credential(self) -> Credential | None:
        """See ``ConsoleStore.credential``."""
        kept = self._connection.hash("credential")
        return None if kept is None else credential_of(kept)

    def set_credential(self, former: Credential | None, credential: Credential) -> bool:
        """See ``ConsoleStore.set_credential``."""
        return bool(self._set_credential(as_json(credential), "" if former is None else as_json(former)))

    def put_session(self, session: Session) -> None:
        """See ``ConsoleStore.put_session``."""
        self._put_session(as_json(session))

    def session(self, digest: str, now: Instant) -> Session | None:
        """See ``ConsoleStore.session``."""
        kept = self._connection.hash(f"session:{digest}")
        if kept is None or "ended" in kept:
            return None
        session = session_of(kept)
        return session if session.expires_at > now else None

    def sessions(self, now: Instant) -> list[Session]:
        """See ``ConsoleStore.sessions``."""
        kept = [session_of(kept) for kept in self._connection.listed("sessions", "session:")]
        living = [session for session in kept if session.expires_at > now]
        return sorted(living, key=lambda session: (-session.created_at, session.digest))

    def end_session(self, digest: str) -> None:
        """See ``ConsoleStore.end_session``."""
        self._end_session(digest)

    def end_sessions(self, but: str | None = None) -> int:
        """See ``ConsoleStore.end_sessions``."""
        return cast("int", self._end_sessions(but or ""))

    def put_link(self, digest: str, purpose: str, expires_at: Instant) -> None:
        """See ``ConsoleStore.put_link``."""
        self._put_link(_link(digest, purpose, expires_at))

    def link(self, digest: str, now: Instant) -> str | None:
        """See ``ConsoleStore.link``."""
        return _said(self._connection.hash(f"link:{digest}"), "purpose", now)

    def take_link(self, digest: str, now: Instant) -> str | None:
        """See ``ConsoleStore.take_link``."""
        return _said(self._connection.taken(f"link:{digest}"), "purpose", now)

    def remember(self, digest: str, value: str, expires_at: Instant) -> None:
        """See ``ConsoleStore.remember``."""
        self._remember(digest, json.dumps({"value": value, "expires_at": str(expires_at)}))

    def recall(self, digest: str, now: Instant) -> str | None:
        """See ``ConsoleStore.recall``."""
        return _said(self._connection.taken(f"kept:{digest}"), "value", now)

    def reset(self, digest: str, expires_at: Instant) -> int:
        """See ``ConsoleStore.reset``."""
        return cast("int", self._reset(_link(digest, "setup", expires_at)))


def _link(digest: str, purpose: str, expires_at: Instant) -> str:
    return json.dumps({"digest": digest, "purpose": purpose, "expires_at": str(expires_at)})


def _said(kept: Hash | None, name: str, now: Instant) -> str | None:
    """What a hash says under a name, unless it is over."""
    ends = None if kept is None else instant_or_none(kept, "expires_at")
    return kept[name] if kept is not None and ends is not None and ends > now else None
