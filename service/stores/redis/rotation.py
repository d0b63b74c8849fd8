"""Refresh tokens in Redis: see ``OAuthStore.rotate`` for the rule.

``parent`` is the token that one was minted for; those of one parent are twins. ``state`` is one of

- ``fresh``: not used yet;
- ``used``: it minted successors, none of which was used, so that it may mint another;
- ``superseded``: one of its successors, or one of its twins, was used first: presented, it revokes the grant;
- ``withdrawn``: it was too old, unused, when its parent minted another.
"""

from __future__ import annotations

START = """
local function start(refresh, parent)
  refresh.state, refresh.parent = 'fresh', parent
  put(at('refresh:' .. refresh.digest), refresh)
  keep_until(at('refresh:' .. refresh.digest), refresh.expires_at)
end
"""
"""Keeps a fresh token: the first of its grant, or the successor of another."""

ROTATE = (
    START
    + """
-- What Redis let go of at its end stays gone.
local function become(digest, state)
  local key = at('refresh:' .. digest)
  if redis.call('EXISTS', key) == 1 then redis.call('HSET', key, 'state', state) end
end

local digest, token, refresh, now = ARGV[1], cjson.decode(ARGV[2]), cjson.decode(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', at('refresh:' .. digest), 'grant', 'expires_at', 'state', 'parent')
local state, parent = kept[3], kept[4]
if not kept[1] or kept[1] ~= token.grant or tonumber(kept[2]) <= now then return 'unknown' end
if state == 'withdrawn' then return 'unknown' end
if state == 'superseded' then
  end_grant(token.grant, ARGV[4])
  return 'replayed'
end
if not lives(token.grant, now) then return 'unknown' end
if state == 'fresh' then
  if parent then
    become(parent, 'superseded')
    for _, twin in ipairs(redis.call('SMEMBERS', at('twins:' .. parent))) do become(twin, 'superseded') end
  end
  become(digest, 'used')
end
for _, twin in ipairs(redis.call('SMEMBERS', at('twins:' .. digest))) do
  local issued_at = redis.call('HGET', at('refresh:' .. twin), 'issued_at')
  if issued_at and tonumber(issued_at) < now - tonumber(ARGV[5]) then
    become(twin, 'withdrawn')
    redis.call('SREM', at('twins:' .. digest), twin)
  end
end
put_token(token, ARGV[4])
start(refresh, digest)
redis.call('SADD', at('twins:' .. digest), refresh.digest)
keep_until(at('twins:' .. digest), refresh.expires_at)
return 'done'
"""
)
"""ARGV: the digest, the token, the refresh token, now, how old an unused twin may be."""
