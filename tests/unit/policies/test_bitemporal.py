"""What counts as true now, then, and as we believed it (G3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.bitemporal import (
    HAPPENED,
    AsOf,
    asserted_kind,
    is_served_by_id,
    is_visible,
    is_withdrawn,
    status,
    successor,
)
from policies.errors import InvariantBroken
from policies.moments import Period
from policies.terms import ContraRole, Instant, Kind, MemoryId, Status, Version
from tests.support.memories import at, memory, moment, version, versions

NOW = AsOf(at(100))


def period(start: int, end: int) -> Period:
    return Period(at(start), at(end))


def visible(one: Version, *, valid_at: Period | None = None, known_before: Instant | None = None) -> bool:
    return is_visible(one, AsOf(at(100), valid_at, known_before))


def corrected(role: ContraRole = ContraRole.CORRECTION, **fields: object) -> tuple[Version, ...]:
    kind = {ContraRole.RETRACTION: Kind.RETRACTION}.get(role, Kind.FACT)
    return versions(
        memory("a", recorded_at=at(10), **fields),
        memory("b", recorded_at=at(50), supersedes=MemoryId("mem:a"), contra=role, kind=kind),
    )


def test_what_has_no_dates_is_true_now_and_at_any_time() -> None:
    assert visible(version())
    assert visible(version(), valid_at=period(-1000, -999))
    assert status(version(), NOW) is Status.CURRENT


def test_the_announced_future_is_served_and_marked() -> None:
    future = version(valid_from=moment(200))
    assert visible(future)
    assert status(future, NOW) is Status.ANNOUNCED
    assert not visible(future, valid_at=period(100, 101))
    assert visible(future, valid_at=period(150, 201))


def test_what_is_closed_is_served_only_by_its_id_or_of_its_time() -> None:
    past = version(valid_from=moment(10), valid_to=moment(50))
    assert not visible(past)
    assert is_served_by_id(past, NOW)
    assert status(past, NOW) is Status.CLOSED
    assert visible(past, valid_at=period(49, 50))


def test_intervals_are_half_open() -> None:
    one = version(valid_from=moment(10), valid_to=moment(50))
    assert not visible(one, valid_at=period(9, 10))
    assert visible(one, valid_at=period(10, 11))
    assert not visible(one, valid_at=period(50, 51))
    assert not is_visible(one, AsOf(at(50)))
    assert is_visible(one, AsOf(Instant(at(50) - 1)))


def test_a_partial_valid_at_asks_for_any_overlap() -> None:
    one = version(valid_from=moment(10), valid_to=moment(50))
    assert visible(one, valid_at=period(0, 100))
    assert visible(one, valid_at=period(0, 11))
    assert visible(one, valid_at=period(49, 90))


@pytest.mark.parametrize("kind", sorted(HAPPENED))
def test_what_happened_is_not_closed_by_its_own_end(kind: Kind) -> None:
    happened = version(kind=kind, valid_from=moment(10), valid_to=moment(20))
    assert visible(happened)
    assert status(happened, NOW) is Status.CURRENT
    assert visible(happened, valid_at=period(60, 61))
    assert not visible(happened, valid_at=period(5, 6))


def test_what_happened_is_closed_by_a_succession() -> None:
    closed = version(kind=Kind.CLOSURE, restates=Kind.DECISION, valid_to=moment(20))
    assert asserted_kind(closed.memory) is Kind.DECISION
    assert not visible(closed)
    assert status(closed, NOW) is Status.CLOSED
    assert visible(closed, valid_at=period(10, 11))


def test_a_corrected_version_is_believed_only_in_the_past() -> None:
    old, new = corrected()
    assert (visible(old), visible(new)) == (False, True)
    assert status(old, NOW) is Status.SUPERSEDED
    assert (visible(old, known_before=at(50)), visible(new, known_before=at(50))) == (True, False)
    assert status(old, AsOf(at(100), None, at(50))) is Status.CURRENT
    assert (visible(old, known_before=at(51)), visible(new, known_before=at(51))) == (False, True)


def test_nothing_is_known_before_it_was_recorded() -> None:
    one = version(recorded_at=at(10))
    assert not visible(one, known_before=at(10))
    assert visible(one, known_before=Instant(at(10) + 1))


def test_a_retracted_version_is_marked_and_its_retraction_never_served() -> None:
    old, retraction = corrected(ContraRole.RETRACTION)
    assert status(old, NOW) is Status.RETRACTED
    assert not visible(old)
    assert not is_served_by_id(old, NOW)
    assert not visible(retraction)
    assert not is_served_by_id(retraction, NOW)
    assert visible(old, known_before=at(40))


def test_what_was_believed_is_judged_by_the_present_of_that_time() -> None:
    one = version(recorded_at=at(10), valid_to=moment(60))
    assert not visible(one)
    assert visible(one, known_before=at(40))
    assert not visible(one, known_before=at(70))
    assert not visible(one, known_before=at(5000)), "the future is not known"


def test_an_erased_version_is_never_served() -> None:
    one = version()
    erased = replace(one, state=replace(one.state, erased=True))
    assert not visible(erased)
    assert not visible(erased, known_before=at(99))
    assert not is_served_by_id(erased, NOW)
    assert status(erased, NOW) is Status.ERASED


def test_a_question_about_the_past_finds_the_old_truth_after_a_succession() -> None:
    old, closed, new = versions(
        memory("a", recorded_at=at(1)),
        memory(
            "c",
            recorded_at=at(60),
            supersedes=MemoryId("mem:a"),
            contra=ContraRole.CLOSURE,
            kind=Kind.CLOSURE,
            restates=Kind.FACT,
            valid_to=moment(40),
        ),
        memory(
            "n",
            recorded_at=at(61),
            supersedes=MemoryId("mem:c"),
            contra=ContraRole.SUCCESSION,
            valid_from=moment(40),
        ),
    )
    assert [visible(one) for one in (old, closed, new)] == [False, False, True]
    before, after = period(30, 31), period(50, 51)
    assert [visible(one, valid_at=before) for one in (old, closed, new)] == [False, True, False]
    assert [visible(one, valid_at=after) for one in (old, closed, new)] == [False, False, True]
    assert [visible(one, valid_at=after, known_before=at(55)) for one in (old, closed, new)] == [
        True,
        False,
        False,
    ]


def test_what_was_taken_back_in_the_end_is_withdrawn_with_all_that_led_to_it() -> None:
    chain = versions(
        memory("a"),
        memory("b", supersedes=MemoryId("mem:a"), contra=ContraRole.CORRECTION),
        memory("c", supersedes=MemoryId("mem:b"), contra=ContraRole.CLOSURE, kind=Kind.CLOSURE),
        memory("n", supersedes=MemoryId("mem:c"), contra=ContraRole.SUCCESSION),
        memory("r", supersedes=MemoryId("mem:c"), contra=ContraRole.RETRACTION, kind=Kind.RETRACTION),
    )
    assert [is_withdrawn(one, chain) for one in chain] == [True, True, True, False, True]
    assert not any(is_withdrawn(one, corrected()) for one in corrected())
    with pytest.raises(InvariantBroken):
        is_withdrawn(chain[0], ())


def test_a_superseded_id_leads_to_its_own_past_restated_before_what_is_true_since() -> None:
    written = (
        memory("a"),
        memory("c", supersedes=MemoryId("mem:a"), contra=ContraRole.CLOSURE, kind=Kind.CLOSURE),
        memory("n", supersedes=MemoryId("mem:c"), contra=ContraRole.SUCCESSION),
        memory("k", supersedes=MemoryId("mem:c"), contra=ContraRole.CORRECTION),
    )
    chain = versions(*written[:3])
    assert successor(chain, MemoryId("mem:a"), NOW, lambda _: True) is chain[1]
    assert successor(chain, MemoryId("mem:a"), NOW, lambda one: one is chain[2]) is chain[2]
    corrected = versions(*written)
    for name in ("a", "c"):
        assert successor(corrected, MemoryId(f"mem:{name}"), NOW, lambda _: True) is corrected[3]


def test_a_superseded_id_leads_to_the_first_later_version_that_may_be_served() -> None:
    chain = versions(
        memory("a"),
        memory("b", supersedes=MemoryId("mem:a"), contra=ContraRole.CORRECTION),
        memory("c", supersedes=MemoryId("mem:b"), contra=ContraRole.CORRECTION),
    )
    assert successor(chain, MemoryId("mem:a"), NOW, lambda _: True) is chain[2]
    assert successor(chain, MemoryId("mem:c"), NOW, lambda _: True) is None
    assert successor(chain, MemoryId("mem:a"), NOW, lambda _: False) is None
    assert successor(chain, MemoryId("mem:unknown"), NOW, lambda _: True) is None
