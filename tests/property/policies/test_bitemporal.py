"""Laws of the two time axes: intervals partition time, belief partitions record time (G3)."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from policies.bitemporal import AsOf, is_believed, is_visible, overlaps, status
from policies.moments import Period
from policies.supersession import succession
from policies.terms import Instant, Kind, MemoryId, Moment, Precision, Status
from tests.support.memories import at, memory, version, versions

_seconds = st.integers(-1000, 1000)
_bounds = st.none() | _seconds.map(lambda s: Moment(at(s), Precision.INSTANT))


@given(_bounds, _bounds, _seconds, st.integers(0, 500), st.integers(0, 500))
def test_a_period_overlaps_exactly_when_a_part_of_it_does(
    begins: Moment | None, ends: Moment | None, start: int, first: int, second: int
) -> None:
    assume(begins is None or ends is None or begins.at < ends.at)
    assume(first and second)
    one = memory(valid_from=begins, valid_to=ends)
    split, end = start + first, start + first + second
    whole = overlaps(one, Period(at(start), at(end)))
    parts = overlaps(one, Period(at(start), at(split))), overlaps(one, Period(at(split), at(end)))
    assert whole == any(parts)


@given(_bounds, _bounds, _seconds)
def test_status_says_what_visibility_does(begins: Moment | None, ends: Moment | None, now: int) -> None:
    assume(begins is None or ends is None or begins.at < ends.at)
    one = version(valid_from=begins, valid_to=ends)
    as_of = AsOf(at(now))
    assert is_visible(one, as_of) == (status(one, as_of) in (Status.CURRENT, Status.ANNOUNCED))


@given(st.lists(st.integers(1, 900), min_size=1, max_size=5, unique=True), st.integers(1, 1000))
def test_at_any_time_one_version_of_a_corrected_chain_is_believed(times: list[int], asked: int) -> None:
    recorded = sorted(times)
    chain = versions(
        *(
            memory(
                str(index),
                recorded_at=at(second),
                supersedes=MemoryId(f"mem:{index - 1}") if index else None,
                contra="correction" if index else None,
            )
            for index, second in enumerate(recorded)
        )
    )
    believed = [one for one in chain if is_believed(one, AsOf(at(2000), None, Instant(at(asked) + 1)))]
    assert len(believed) == (1 if asked >= recorded[0] else 0)
    assert len([one for one in chain if is_believed(one, AsOf(at(2000)))]) == 1


@given(_seconds, _seconds, st.sampled_from([Kind.FACT, Kind.PREFERENCE, Kind.RULE]))
def test_after_a_succession_exactly_one_of_old_and_new_is_true_at_any_instant(
    date: int, asked: int, kind: Kind
) -> None:
    (old,) = versions(memory("old", kind=kind))
    written = succession(
        old, memory("new", kind=kind), MemoryId("mem:closure"), Moment(at(date), Precision.DAY)
    )
    chain = versions(old.memory, *written)
    instant = Period(at(asked), Instant(at(asked) + 1))
    true_then = [one.memory.id for one in chain if is_visible(one, AsOf(at(5000), instant))]
    assert true_then == (["mem:new"] if asked >= date else ["mem:closure"])
