"""Whatever supersedes whatever, the ledger stays sound: contra-entries whole, levels never falling."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from policies.errors import IntervalReversed
from policies.invariants import check, ledger_of
from policies.supersession import closure, correction, retraction, succession
from policies.terms import Discretion, Kind, Level, Memory, MemoryId
from tests.support.memories import at, memory, moment, stored, versions

_deeds = st.lists(
    st.tuples(
        st.sampled_from(["correct", "succeed", "close", "retract"]),
        st.sampled_from(Level),
        st.sampled_from(Discretion),
        st.integers(1, 1000),
    ),
    max_size=5,
)


@given(st.sampled_from([Kind.FACT, Kind.EVENT, Kind.PREFERENCE]), _deeds)
def test_any_sequence_of_contra_entries_leaves_a_sound_chain(
    kind: Kind, deeds: list[tuple[str, Level, Discretion, int]]
) -> None:
    chain: list[Memory] = [memory("0", kind=kind, valid_from=moment(0))]
    for index, (deed, level, discretion, second) in enumerate(deeds, start=1):
        target = versions(*chain)[-1]
        new = memory(f"{index}", kind=kind, level=level, discretion=discretion)
        try:
            if deed == "correct":
                chain.append(correction(target, new))
            elif deed == "close":
                chain.append(closure(target, new, moment(second)))
            elif deed == "succeed":
                chain.extend(succession(target, new, MemoryId(f"mem:{index}c"), moment(second)))
            else:
                chain.append(retraction(target, new))
                break
        except IntervalReversed:
            continue
    recorded = [replace(one, recorded_at=at(index)) for index, one in enumerate(chain)]
    assert check(ledger_of(stored(*recorded))) == ()
