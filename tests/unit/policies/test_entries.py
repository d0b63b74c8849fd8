"""Bodies are canonical, hold no private content, and say what they are."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from policies.chain import GENESIS, link
from policies.entries import (
    EntryType,
    StoredEntry,
    broken_seals,
    canonical,
    commitment,
    memory_body,
    memory_of,
    outcome_body,
    outcome_of,
    passkey_of,
    reclassification_of,
    registry_body,
    registry_of,
    sealed_memory,
    sealed_outcome,
)
from policies.errors import InvariantBroken
from policies.terms import (
    EntityId,
    Evidence,
    Instant,
    Outcome,
    OutcomeRecord,
    ProposalId,
    Relation,
)
from tests.support.memories import at, memory, registered, stored

PRIVATE = memory(
    text="texte privé",
    event="the secret party",
    tags=("intimate",),
    relation=Relation(EntityId("ent:a"), "adores", EntityId("ent:b")),
    evidence=Evidence("verbatim words", "the owner", "chat seventeen", at(3)),
)


def test_a_body_holds_no_private_content_in_the_clear() -> None:
    body = memory_body(PRIVATE, "salt")
    for secret in sealed_memory(PRIVATE).values():
        assert secret not in body


def test_the_same_content_under_another_salt_is_another_commitment() -> None:
    assert commitment("text", "a", "same") != commitment("text", "b", "same")
    assert commitment("text", "a", "same") != commitment("words", "a", "same")


def test_a_body_is_canonical_json_with_its_format() -> None:
    body = memory_body(PRIVATE, "salt")
    assert json.loads(body)["format"] == 1
    assert canonical(json.loads(body)) == body


def test_authentic_content_breaks_no_seal() -> None:
    assert broken_seals(stored(PRIVATE)[0]) == ()


@pytest.mark.parametrize("label", sorted(sealed_memory(PRIVATE)))
def test_changed_missing_or_added_content_breaks_its_seal(label: str) -> None:
    whole = stored(PRIVATE)[0]
    sealed = dict(whole.sealed)
    assert broken_seals(replace(whole, sealed=sealed | {label: sealed[label] + "!"})) == (label,)
    assert broken_seals(replace(whole, sealed={k: v for k, v in sealed.items() if k != label})) == (label,)
    bare = stored(memory(text=PRIVATE.text))[0]
    if label != "text":
        assert broken_seals(replace(bare, sealed=dict(bare.sealed) | {label: "added"})) == (label,)


def test_another_salt_breaks_every_seal() -> None:
    whole = stored(PRIVATE)[0]
    assert broken_seals(replace(whole, salt="other")) == tuple(sorted(whole.sealed))


def test_a_registry_entry_has_nothing_sealed() -> None:
    change = registered("paul")
    entry = link(GENESIS, EntryType.REGISTRY, change.entity, registry_body(change), at(0))
    assert broken_seals(StoredEntry(entry)) == ()


def test_details_of_an_outcome_are_sealed() -> None:
    record = OutcomeRecord(
        ProposalId("prop:a"), Outcome.REJECTED, "name.unregistered", at(1), details={"n": "Zoé"}
    )
    body = outcome_body(record, "salt")
    assert "Zoé" not in body
    entry = link(GENESIS, EntryType.OUTCOME, record.proposal, body, at(2))
    assert outcome_of(StoredEntry(entry, "salt", sealed_outcome(record))) == record


def test_an_entry_is_not_read_as_another_type() -> None:
    entry = stored(memory())[0]
    with pytest.raises(InvariantBroken):
        registry_of(entry.entry)
    with pytest.raises(InvariantBroken):
        reclassification_of(entry.entry)
    with pytest.raises(InvariantBroken):
        outcome_of(entry)
    with pytest.raises(InvariantBroken):
        passkey_of(entry.entry)


@pytest.mark.parametrize("body", ["not json", "[1]", '{"format":2}', "{}"])
def test_a_body_that_this_code_does_not_know_is_refused(body: str) -> None:
    entry = link(GENESIS, EntryType.MEMORY, "mem:a", body, Instant(1))
    with pytest.raises(InvariantBroken):
        memory_of(StoredEntry(entry))


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), 2**60, "\ud800"])
def test_what_is_not_plain_json_has_no_canonical_form(value: object) -> None:
    with pytest.raises(InvariantBroken):
        canonical(value)
