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

    def take(
        self, kind: str, whom: str, each: int, of_all: int | None = None, *, at_once: int | None = None
    ) -> None:
        """Count one occurrence.

        Args:
            kind: what happens.
            whom: whose it is: an address, as ``service.proxies.client_address`` tells it, or a grant. Nothing that a
                stranger may choose at will, since each is a counter that is kept.
            each: how often a minute, and at once, for one of them.
            at_once: how often at once, if that is another number.
            of_all: the same as ``each`` for all of them together; None for no bound.

        Raises:
            RateLimited: it may not happen now; says when to come back.
        """
        self._take(f"{kind} {whom}", Rate(each, at_once or each))
        if of_all is not None:
            self._take(kind, Rate(of_all, of_all))

    def _take(self, key: str, rate: Rate) -> None:
        refuse_until_over(self._rates.take(key, rate, self._clock.now()))


def refuse_until_over(wait_us: int) -> None:
    """See that what was counted (``RateStore``) may happen now.

    Raises:
        RateLimited: it may not, for so many microseconds; says when to come back, in whole seconds.
    """
    if wait_us:
        raise RateLimited(retry_after_s=-(-wait_us // 1_000_000))
