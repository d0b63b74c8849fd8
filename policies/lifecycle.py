"""The life of a proposal in the inbox, as a table.

1. A proposal starts ``PENDING``. Each outcome recorded for it moves it along ``TRANSITIONS``.
2. ``committed``, ``duplicate`` and ``rejected`` are final: they lead to ``SETTLED``, which nothing leaves.
3. ``needs_owner`` leaves it open for the owner's ruling; ``error`` leaves it open to be tried again.
4. What is not in the table does not happen: a proposal is never re-admitted, a child of it is (G12).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from policies.errors import InvariantBroken
from policies.moments import SECOND_US
from policies.parameters import Parameters
from policies.terms import Instant, Outcome


class InboxState(StrEnum):
    """Where a proposal is."""

    PENDING = "pending"
    """Not decided yet."""
    RETRYING = "retrying"
    """Met an error: decided again once its delay is over."""
    NEEDS_OWNER = "needs_owner"
    """Open until the owner rules."""
    SETTLED = "settled"
    """Final."""


FINAL = frozenset({Outcome.COMMITTED, Outcome.DUPLICATE, Outcome.REJECTED})
"""The outcomes that nothing follows."""

TRANSITIONS: Mapping[tuple[InboxState, Outcome], InboxState] = MappingProxyType(
    {
        (InboxState.PENDING, Outcome.COMMITTED): InboxState.SETTLED,
        (InboxState.PENDING, Outcome.DUPLICATE): InboxState.SETTLED,
        (InboxState.PENDING, Outcome.REJECTED): InboxState.SETTLED,
        (InboxState.PENDING, Outcome.NEEDS_OWNER): InboxState.NEEDS_OWNER,
        (InboxState.PENDING, Outcome.ERROR): InboxState.RETRYING,
        (InboxState.RETRYING, Outcome.COMMITTED): InboxState.SETTLED,
        (InboxState.RETRYING, Outcome.DUPLICATE): InboxState.SETTLED,
        (InboxState.RETRYING, Outcome.REJECTED): InboxState.SETTLED,
        (InboxState.RETRYING, Outcome.NEEDS_OWNER): InboxState.NEEDS_OWNER,
        (InboxState.RETRYING, Outcome.ERROR): InboxState.RETRYING,
        # By the owner's ruling, which is a directive of its own: what it meets is that directive's outcome.
        (InboxState.NEEDS_OWNER, Outcome.COMMITTED): InboxState.SETTLED,
        (InboxState.NEEDS_OWNER, Outcome.DUPLICATE): InboxState.SETTLED,
        (InboxState.NEEDS_OWNER, Outcome.REJECTED): InboxState.SETTLED,
    }
)


def advance(state: InboxState, outcome: Outcome) -> InboxState:
    """The state of a proposal once this outcome is recorded.

    Raises:
        InvariantBroken: the table has no such transition.
    """
    following = TRANSITIONS.get((state, outcome))
    if following is None:
        raise InvariantBroken(f"a {state} proposal cannot become {outcome}")
    return following


def is_workable(state: InboxState) -> bool:
    """Whether the curator has to decide it (once its delay is over, if it has one)."""
    return state in (InboxState.PENDING, InboxState.RETRYING)


def retry_at(attempts: int, now: Instant, parameters: Parameters) -> Instant:
    """When to try again after so many failed attempts (1 for the first); the last delay is repeated."""
    delays = parameters.retry_delays_seconds
    return Instant(now + delays[min(max(attempts, 1), len(delays)) - 1] * SECOND_US)
