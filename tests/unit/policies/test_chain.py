"""Whatever is done to the ledger by hand is found, named, and laid at the first broken entry (G9)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from policies.chain import (
    GENESIS,
    Head,
    Verification,
    check_chain,
    entry_hash,
    head_after,
    link,
    next_instant,
    vouch,
)
from policies.checkpoint import Checkpoint, CompactRange, public_key, sign_checkpoint
from policies.entries import Entry, EntryType, StoredEntry
from policies.terms import Instant
from tests.support.memories import MACHINE_KEY, at, memory, stored

KEY = bytes(range(32))
PUBLIC = public_key(KEY)
SIZE = 8
LEDGER = stored(*(memory(str(n), recorded_at=at(n)) for n in range(1, SIZE + 1)))
HEAD = head_after(LEDGER[-1].entry)


def rehashed(entry: Entry, **changes: object) -> Entry:
    """The entry with these changes and a hash that fits them."""
    changed = replace(entry, **changes)  # type: ignore[arg-type]
    fitting = entry_hash(
        changed.seq, changed.type, changed.subject, changed.recorded_at, changed.body, changed.prev
    )
    return replace(changed, hash=fitting)


def forged(ledger: list[StoredEntry], first: int, body: str) -> list[StoredEntry]:
    """The ledger with another body at this sequence, and every hash from there made anew."""
    done = ledger[: first - 1]
    head = head_after(done[-1].entry) if done else GENESIS
    for one in ledger[first - 1 :]:
        entry = rehashed(one.entry, prev=head.hash, body=body if one.entry.seq == first else one.entry.body)
        done.append(replace(one, entry=entry, sealed={} if one.entry.seq == first else one.sealed))
        head = head_after(entry)
    return done


def checkpoint(
    size: int, *, previous: Checkpoint | None = None, ledger: list[StoredEntry] = LEDGER
) -> Checkpoint:
    tree = CompactRange()
    for one in ledger[:size]:
        tree = tree.append(one.entry.hash)
    before = previous.digest if previous else ""
    head = ledger[size - 1].entry.hash if size else GENESIS.hash
    return sign_checkpoint(Checkpoint("default", size, tree.root, head, at(size), before), KEY)


def verify(
    ledger: list[StoredEntry], *checkpoints: Checkpoint, head: Head = HEAD, noted: Head | None = None
) -> Verification:
    return check_chain(
        iter(ledger), head=head, machine_key=MACHINE_KEY, noted=noted, checkpoints=checkpoints, key=PUBLIC
    )


def vouched(ledger: list[StoredEntry]) -> list[StoredEntry]:
    """The ledger as whoever holds the ``machine`` key would make it."""
    return [vouch(MACHINE_KEY, one.entry, one.salt, one.sealed) for one in ledger]


def test_an_untouched_ledger_verifies() -> None:
    first = checkpoint(3)
    verified = verify(LEDGER, first, checkpoint(SIZE, previous=first))
    assert verified.ok
    assert verified.first_bad is None
    assert (verified.size, verified.root) == (SIZE, checkpoint(SIZE).root)


def test_an_empty_ledger_verifies() -> None:
    assert verify([], head=GENESIS).ok
    assert verify([], head=GENESIS).root == hashlib.sha256(b"").hexdigest()


def edited_body(seq: int) -> list[StoredEntry]:
    one = LEDGER[seq - 1]
    changed = replace(one, entry=replace(one.entry, body=one.entry.body.replace('"S0"', '"S3"')))
    return [*LEDGER[: seq - 1], changed, *LEDGER[seq:]]


def edited_and_rehashed(seq: int) -> list[StoredEntry]:
    one = LEDGER[seq - 1]
    changed = replace(one, entry=rehashed(one.entry, subject="mem:other"))
    return [*LEDGER[: seq - 1], changed, *LEDGER[seq:]]


def edited_text(seq: int) -> list[StoredEntry]:
    one = LEDGER[seq - 1]
    return [*LEDGER[: seq - 1], replace(one, sealed={"text": "something else"}), *LEDGER[seq:]]


def edited_prev(seq: int) -> list[StoredEntry]:
    one = LEDGER[seq - 1]
    changed = replace(one, entry=rehashed(one.entry, prev="f" * 64))
    return [*LEDGER[: seq - 1], changed, *LEDGER[seq:]]


def moved_back_in_time(seq: int) -> list[StoredEntry]:
    one = LEDGER[seq - 1]
    changed = replace(one, entry=rehashed(one.entry, recorded_at=Instant(0)))
    return [*LEDGER[: seq - 1], changed, *LEDGER[seq:]]


@pytest.mark.parametrize(
    "edit", [edited_body, edited_and_rehashed, edited_text, edited_prev, moved_back_in_time]
)
@pytest.mark.parametrize("seq", [1, 2, 5, SIZE - 1])
def test_an_edit_is_laid_at_the_entry_that_was_edited(
    edit: Callable[[int], list[StoredEntry]], seq: int
) -> None:
    found = verify(edit(seq)).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (seq, "edit")


@pytest.mark.parametrize("edit", [edited_body, edited_and_rehashed, edited_text, edited_prev])
def test_an_edit_of_the_last_entry_is_found(edit: Callable[[int], list[StoredEntry]]) -> None:
    found = verify(edit(SIZE)).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (SIZE, "edit")


@pytest.mark.parametrize("seq", [1, 4])
def test_a_deleted_entry_is_named(seq: int) -> None:
    found = verify([*LEDGER[: seq - 1], *LEDGER[seq:]]).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (seq, "delete")


def renumbered(ledger: list[StoredEntry]) -> list[StoredEntry]:
    return [replace(one, entry=replace(one.entry, seq=seq)) for seq, one in enumerate(ledger, start=1)]


def test_a_deletion_behind_new_numbers_is_named() -> None:
    found = verify(renumbered([*LEDGER[:3], *LEDGER[4:]])).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (4, "delete")


def test_an_entry_that_stands_twice_is_named() -> None:
    found = verify([*LEDGER[:4], LEDGER[3], *LEDGER[4:]]).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (4, "insert")


def test_an_insertion_behind_new_numbers_is_named() -> None:
    intruder = link(head_after(LEDGER[2].entry), EntryType.MEMORY, "mem:x", "{}", at(3))
    found = verify(renumbered([*LEDGER[:3], StoredEntry(intruder), *LEDGER[3:]])).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (4, "insert")


@pytest.mark.parametrize(("one", "two"), [(3, 4), (2, 7), (1, SIZE)])
def test_swapped_entries_are_named(one: int, two: int) -> None:
    order = list(LEDGER)
    order[one - 1], order[two - 1] = order[two - 1], order[one - 1]
    found = verify(renumbered(order)).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (one, "swap")


def test_a_cut_end_is_a_truncation() -> None:
    found = verify(LEDGER[:6]).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (7, "truncation")


def test_a_head_that_disagrees_with_the_last_entry_is_found() -> None:
    found = verify(LEDGER, head=replace(HEAD, hash="0" * 64)).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (SIZE, "edit")


def test_an_older_whole_ledger_is_a_rollback() -> None:
    found = verify(LEDGER[:6], checkpoint(SIZE), head=head_after(LEDGER[5].entry)).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (7, "rollback")


def test_a_ledger_forged_anew_is_a_rewrite_since_the_last_checkpoint_that_agrees() -> None:
    first = checkpoint(3)
    last = checkpoint(SIZE, previous=first)
    other = vouched(forged(LEDGER, 5, '{"format":1}'))
    head = head_after(other[-1].entry)
    assert verify(other, head=head).ok, (
        "with the machine's key in the forger's hands, a checkpoint alone tells"
    )
    found = verify(other, first, last, head=head).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (4, "rewrite")


@pytest.mark.parametrize("first", [1, 5, SIZE])
def test_a_ledger_forged_anew_without_the_machines_key_is_laid_at_the_first_forged_entry(first: int) -> None:
    other = forged(LEDGER, first, '{"format":1}')
    head = head_after(other[-1].entry)
    for noted, reason in ((None, "insert"), (HEAD, "rewrite")):
        found = verify(other, head=head, noted=noted).first_bad
        assert found is not None
        assert (found.seq, found.reason) == (first, reason)


@pytest.mark.parametrize("noted", [None, HEAD])
def test_an_entry_that_another_appended_is_named(noted: Head | None) -> None:
    entry = link(HEAD, EntryType.MEMORY, "mem:x", '{"format":1}', at(99))
    for mac in ("", LEDGER[-1].mac, "\ud800", vouch(b"o" * 32, entry, "", {}).mac):
        found = verify([*LEDGER, StoredEntry(entry, mac=mac)], head=head_after(entry), noted=noted).first_bad
        assert found is not None
        assert (found.seq, found.reason) == (SIZE + 1, "insert")


def test_what_was_cut_off_since_the_last_checkpoint_is_missed_by_the_curators_note() -> None:
    head = head_after(LEDGER[5].entry)
    assert verify(LEDGER[:6], checkpoint(3), head=head).ok, "without the note nothing tells"
    found = verify(LEDGER[:6], checkpoint(3), head=head, noted=HEAD).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (7, "rollback")


def test_a_ledger_that_was_put_back_and_went_on_is_a_rewrite_of_what_was_noted() -> None:
    other = vouched(forged(LEDGER, 5, '{"format":1}'))
    head = head_after(other[-1].entry)
    found = verify(other, checkpoint(3), head=head, noted=head_after(LEDGER[5].entry)).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (4, "rewrite")


def test_a_note_that_is_behind_does_no_harm() -> None:
    assert verify(LEDGER, noted=head_after(LEDGER[5].entry)).ok
    assert verify(LEDGER, noted=HEAD).ok


def test_a_checkpoint_that_somebody_else_signed_is_found_and_not_believed() -> None:
    ours = checkpoint(3)
    theirs = sign_checkpoint(replace(ours, root="f" * 64, signature=""), bytes(32))
    verified = verify(LEDGER, theirs)
    assert [finding.reason for finding in verified.findings] == ["checkpoint"]


def test_a_missing_checkpoint_is_found() -> None:
    first = checkpoint(3)
    second = checkpoint(5, previous=first)
    third = checkpoint(SIZE, previous=second)
    assert verify(LEDGER, first, second, third).ok
    assert [finding.reason for finding in verify(LEDGER, first, third).findings] == ["checkpoint"]
    assert [finding.reason for finding in verify(LEDGER, second, third).findings] == ["checkpoint"]


def test_two_checkpoints_of_one_size_agree() -> None:
    first = checkpoint(3)
    again = sign_checkpoint(replace(first, at=at(99), previous=first.digest, signature=""), KEY)
    assert verify(LEDGER, first, again).ok


def test_a_checkpoint_of_an_empty_ledger_agrees() -> None:
    assert verify(LEDGER, checkpoint(0)).ok


def test_record_time_advances_although_the_clock_stands_or_goes_back() -> None:
    assert next_instant(HEAD, Instant(HEAD.recorded_at + 5)) == HEAD.recorded_at + 5
    assert next_instant(HEAD, HEAD.recorded_at) == HEAD.recorded_at + 1
    assert next_instant(HEAD, Instant(0)) == HEAD.recorded_at + 1
