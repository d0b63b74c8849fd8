"""Whatever supersedes whatever, the ledger stays sound: contra-entries whole, levels never falling."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from policies.errors import IntervalReversed
from policies.invariants import check, ledger_of
from policies.supersession import closure, correction, retraction, standing, succession
from policies.terms import ContraRole, Discretion, Kind, Level, Memory, MemoryId, Version
from tests.support.memories import at, memory, moment, stored, versions

_deeds = st.lists(
    st.tuples(
        st.sampled_from(ContraRole),
        st.integers(0, 12),
        st.sampled_from(Level),
        st.sampled_from(Discretion),
        st.integers(1, 1000),
    ),
    max_size=7,
)


@given(st.sampled_from([Kind.FACT, Kind.EVENT, Kind.PREFERENCE]), _deeds)
def test_whatever_is_named_and_done_leaves_a_sound_chain(
    kind: Kind, deeds: list[tuple[ContraRole, int, Level, Discretion, int]]
) -> None:
    chain: list[Memory] = [memory("0", kind=kind, valid_from=moment(0))]
    for index, (role, named, level, discretion, second) in enumerate(deeds, start=1):
        before = versions(*chain)
        target = standing(before, chain[named % len(chain)].id, role)
        assert target is not None
        assert target.state.superseded_at is None
        if target.memory.kind is Kind.RETRACTION:
            continue
        new = memory(f"{index}", kind=kind, level=level, discretion=discretion)
        try:
            chain.extend(done(role, target, new, index, second))
        except IntervalReversed:
            continue
        changed = {
            v.memory.id for v, w in zip(before, versions(*chain), strict=False) if ended(v) != ended(w)
        }
        assert changed <= {target.memory.id}, "at most what was named is superseded"
    recorded = [replace(one, recorded_at=at(index)) for index, one in enumerate(chain)]
    assert check(ledger_of(stored(*recorded))) == ()


def done(role: ContraRole, target: Version, new: Memory, index: int, second: int) -> tuple[Memory, ...]:
    if role is ContraRole.CORRECTION:
        return (correction(target, new),)
    if role is ContraRole.CLOSURE:
        return (closure(target, new, moment(second)),)
    if role is ContraRole.SUCCESSION:
        return succession(target, new, MemoryId(f"mem:{index}c"), moment(second))
    return (retraction(target, new),)


def ended(version: Version) -> bool:
    return version.state.superseded_at is not None
