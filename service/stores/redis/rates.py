"""Counters in Redis: until when an allowance is used up, one number a counter, gone once it says nothing more."""

from __future__ import annotations

from typing import cast

from policies.terms import GrantId, Instant
from service.stores.protocol import Rate
from service.stores.redis.connection import Connection

# ARGV: the counter, now, step, tolerance, how many ms to keep it, the grant that is used or nothing.
_COUNT = """
local key, now, step, tolerance = at(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local used_until = math.max(tonumber(redis.call('GET', key) or '0'), now)
if used_until - now > tolerance then return math.max(used_until - now - tolerance, 1) end
redis.call('SET', key, string.format('%.0f', used_until + step), 'PX', ARGV[5])
local grant = at('grant:' .. ARGV[6])
if ARGV[6] ~= '' and redis.call('EXISTS', grant) == 1 then
  redis.call('HINCRBY', grant, 'calls', 1)
  redis.call('HSET', grant, 'last_used_at', ARGV[2])
end
return 0
"""


class RedisRates:
    """Implements ``service.stores.protocol.RateStore``."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._count = connection.script(_COUNT)

    def charge(self, grant: GrantId, kind: str, rate: Rate, now: Instant) -> int:
        """See ``RateStore.charge``."""
        return self._counted(f"rate:{grant} {kind}", rate, now, grant)

    def take(self, key: str, rate: Rate, now: Instant) -> int:
        """See ``RateStore.take``."""
        return self._counted(f"taken:{key}", rate, now, "")

    def forgive(self, key: str) -> None:
        """See ``RateStore.forgive``."""
        self._connection.forget(f"taken:{key}")

    def _counted(self, key: str, rate: Rate, now: Instant, grant: str) -> int:
        keep_ms = (rate.tolerance_us + rate.step_us) // 1_000 + 60_000
        return cast("int", self._count(key, now, rate.step_us, rate.tolerance_us, keep_ms, grant))
