"""The life of a proposal: what is final stays so, what is open waits (G12, G13)."""

from __future__ import annotations

import pytest

from policies.errors import InvariantBroken
from policies.lifecycle import FINAL, TRANSITIONS, InboxState, advance, is_workable, retry_at
from policies.moments import SECOND_US
from policies.terms import Instant, Outcome
from tests.support.memories import PARAMETERS

OPEN = (InboxState.PENDING, InboxState.RETRYING, InboxState.NEEDS_OWNER)


@pytest.mark.parametrize("state", OPEN)
@pytest.mark.parametrize("outcome", sorted(FINAL))
def test_a_final_outcome_settles_whatever_is_open(state: InboxState, outcome: Outcome) -> None:
    assert advance(state, outcome) is InboxState.SETTLED


@pytest.mark.parametrize("outcome", Outcome)
def test_nothing_leaves_what_is_settled(outcome: Outcome) -> None:
    with pytest.raises(InvariantBroken):
        advance(InboxState.SETTLED, outcome)


@pytest.mark.parametrize("state", [InboxState.PENDING, InboxState.RETRYING])
def test_an_error_leaves_it_open_to_be_tried_again(state: InboxState) -> None:
    assert advance(state, Outcome.ERROR) is InboxState.RETRYING
    assert advance(state, Outcome.NEEDS_OWNER) is InboxState.NEEDS_OWNER
    assert is_workable(state)


@pytest.mark.parametrize("outcome", [Outcome.NEEDS_OWNER, Outcome.ERROR])
def test_what_waits_for_the_owner_is_not_worked_on(outcome: Outcome) -> None:
    assert not is_workable(InboxState.NEEDS_OWNER)
    assert not is_workable(InboxState.SETTLED)
    with pytest.raises(InvariantBroken):
        advance(InboxState.NEEDS_OWNER, outcome)


def test_every_state_is_reached_from_the_first() -> None:
    reached = {InboxState.PENDING}
    for _ in InboxState:
        reached |= {to for (state, _), to in TRANSITIONS.items() if state in reached}
    assert reached == set(InboxState)


def test_each_attempt_waits_longer_up_to_the_last_delay() -> None:
    delays = [retry_at(n, Instant(0), PARAMETERS) // SECOND_US for n in range(1, 8)]
    assert delays == [30, 120, 600, 3600, 21600, 21600, 21600]
    assert retry_at(0, Instant(7), PARAMETERS) == 7 + 30 * SECOND_US
