"""How often an address, and everybody together, may ask for what costs something."""

from __future__ import annotations

from policies.errors import RateLimited
from policies.ports import Clock
from service.stores.protocol import Rate, RateStore


class Counting:
    """Counts in a store, so that several processes count together."""

    def __init__(self, rates: RateStore, clock: Clock) -> None:
        self._rates = rates
        self._clock = clock

    def take(self, kind: str, address: str, each: int, of_all: int | None = None) -> None:
        """Count one occurrence.

        Args:
            kind: what happens.
            address: of whom, as ``service.proxies.client_address`` tells it.
            each: how often a minute, and at once, for one address.
            of_all: the same for all addresses together; None for no bound.

        Raises:
            RateLimited: it may not happen now; says when to come back.
        """
        self._take(f"{kind} {address}", each)
        if of_all is not None:
            self._take(kind, of_all)

    def _take(self, key: str, per_minute: int) -> None:
        refuse_until_over(self._rates.take(key, Rate(per_minute, per_minute), self._clock.now()))


def refuse_until_over(wait_us: int) -> None:
    """See that what was counted (``RateStore``) may happen now.

    Raises:
        RateLimited: it may not, for so many microseconds; says when to come back, in whole seconds.
    """
    if wait_us:
        raise RateLimited(retry_after_s=-(-wait_us // 1_000_000))
