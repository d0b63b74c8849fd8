"""A page that shows counts never waits long for them."""

from __future__ import annotations

import threading

from policies.errors import LedgerUnavailable
from policies.terms import Level
from service.console.tallying import Holdings, Tally
from service.reading import Holding

COUNTED = {Level.S0: Holding(memories=1, entities=0)}


def test_what_is_counted_in_time_is_told() -> None:
    tally = Tally(lambda: COUNTED)
    assert tally.now() == COUNTED
    tally.close()


def test_what_is_not_counted_in_time_goes_on_and_is_told_later() -> None:
    may_end, begun = threading.Event(), list[int]()

    def count() -> Holdings:
        begun.append(1)
        may_end.wait(10)
        return COUNTED

    tally = Tally(count)
    assert tally.now(0.01) is None
    assert tally.now(0.01) is None
    assert begun == [1], "one count at a time"
    may_end.set()
    assert tally.now(10) == COUNTED
    tally.close()


def test_a_ledger_that_does_not_answer_gives_no_counts_and_is_asked_again() -> None:
    answers = iter([LedgerUnavailable(), None])

    def count() -> Holdings:
        error = next(answers)
        if error is not None:
            raise error
        return COUNTED

    tally = Tally(count)
    assert tally.now() is None
    assert tally.now() == COUNTED
    tally.close()
