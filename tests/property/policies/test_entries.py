"""Every body leads back to exactly what it was made from."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from policies.chain import GENESIS, link
from policies.decision import PasskeyChange, Reclassification, RegistryChange
from policies.entries import (
    EntryType,
    StoredEntry,
    broken_seals,
    memory_body,
    memory_of,
    outcome_body,
    outcome_of,
    passkey_body,
    passkey_of,
    reclassification_body,
    reclassification_of,
    registry_body,
    registry_of,
    sealed_memory,
    sealed_outcome,
)
from policies.terms import Memory, OutcomeRecord
from tests.support import strategies as some


@given(some.memories, st.text("abc", max_size=5))
def test_a_memory_survives_its_body(memory: Memory, salt: str) -> None:
    entry = link(GENESIS, EntryType.MEMORY, memory.id, memory_body(memory, salt), memory.recorded_at)
    whole = StoredEntry(entry, salt, sealed_memory(memory))
    assert memory_of(whole) == memory
    assert broken_seals(whole) == ()


@given(some.memories, some.texts)
def test_no_other_text_fits_the_commitment(memory: Memory, text: str) -> None:
    entry = link(GENESIS, EntryType.MEMORY, memory.id, memory_body(memory, "salt"), memory.recorded_at)
    other = StoredEntry(entry, "salt", sealed_memory(replace(memory, text=text)))
    assert (broken_seals(other) == ()) == (text == memory.text)


@given(some.registry_changes)
def test_a_registry_change_survives_its_body(change: RegistryChange) -> None:
    entry = link(GENESIS, EntryType.REGISTRY, change.entity, registry_body(change), some.Instant(1))
    assert registry_of(entry) == change


@given(some.reclassifications)
def test_a_reclassification_survives_its_body(change: Reclassification) -> None:
    body = reclassification_body(change)
    assert (
        reclassification_of(link(GENESIS, EntryType.RECLASSIFICATION, change.memory, body, some.Instant(1)))
        == change
    )


@given(some.passkey_changes)
def test_a_passkey_change_survives_its_body(change: PasskeyChange) -> None:
    entry = link(GENESIS, EntryType.PASSKEY, change.credential, passkey_body(change), some.Instant(1))
    assert passkey_of(entry) == change


@given(some.outcomes)
def test_an_outcome_survives_its_body(record: OutcomeRecord) -> None:
    entry = link(GENESIS, EntryType.OUTCOME, record.proposal, outcome_body(record, "s"), some.Instant(1))
    assert outcome_of(StoredEntry(entry, "s", sealed_outcome(record))) == record
