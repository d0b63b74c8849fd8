"""No change of a ledger goes unseen, whichever entry and whichever part of it is changed (G9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policies.chain import check_chain, head_after
from policies.entries import EntryType, StoredEntry
from tests.support.memories import MACHINE_KEY, at, memory, stored

LEDGER = stored(*(memory(str(n), recorded_at=at(n)) for n in range(1, 13)))
HEAD = head_after(LEDGER[-1].entry)

_changes: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "seq": st.integers(1, 20),
        "type": st.sampled_from(EntryType),
        "subject": st.text("abc", max_size=3),
        "recorded_at": st.integers(0, 2**53),
        "body": st.text("abc", max_size=5),
        "prev": st.text("0123456789abcdef", min_size=64, max_size=64),
        "hash": st.text("0123456789abcdef", min_size=64, max_size=64),
    },
)


def findings(ledger: list[StoredEntry]) -> bool:
    return bool(check_chain(ledger, head=HEAD, machine_key=MACHINE_KEY).findings)


@given(st.integers(0, len(LEDGER) - 1), _changes)
def test_a_changed_field_is_found(index: int, changes: dict[str, Any]) -> None:
    changed = replace(LEDGER[index], entry=replace(LEDGER[index].entry, **changes))
    ledger = [*LEDGER[:index], changed, *LEDGER[index + 1 :]]
    assert findings(ledger) == (changed != LEDGER[index])


@given(st.integers(0, len(LEDGER) - 1), st.text("0123456789abcdef", max_size=64))
def test_another_authors_entry_is_found_at_its_place(index: int, mac: str) -> None:
    ledger = [*LEDGER[:index], replace(LEDGER[index], mac=mac), *LEDGER[index + 1 :]]
    first = check_chain(ledger, head=HEAD, machine_key=MACHINE_KEY).first_bad
    assert first is not None
    assert first.seq == index + 1


@given(st.permutations(LEDGER), st.booleans())
def test_another_order_is_found(order: list[StoredEntry], renumber: bool) -> None:
    ledger = [
        replace(one, entry=replace(one.entry, seq=seq)) if renumber else one
        for seq, one in enumerate(order, start=1)
    ]
    assert findings(ledger) == (order != LEDGER)


@given(st.sets(st.integers(0, len(LEDGER) - 1), max_size=4))
def test_missing_entries_are_found_at_the_first(missing: set[int]) -> None:
    ledger = [one for index, one in enumerate(LEDGER) if index not in missing]
    first = check_chain(ledger, head=HEAD, machine_key=MACHINE_KEY).first_bad
    assert (first.seq if first else None) == (min(missing) + 1 if missing else None)
