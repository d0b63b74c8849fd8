"""Whatever is done to the ledger by hand is found, named, and laid at the first broken entry (G9)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from policies.chain import (
    GENESIS,
    Checkpoint,
    CompactRange,
    Head,
    Verification,
    check_chain,
    entry_hash,
    head_after,
    is_authentic,
    link,
    next_instant,
    public_key,
    read_checkpoint,
    sign_checkpoint,
)
from policies.entries import Entry, EntryType, StoredEntry
from policies.errors import InvariantBroken
from policies.terms import Instant
from tests.support.memories import at, memory, stored

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


def verify(ledger: list[StoredEntry], *checkpoints: Checkpoint, head: Head = HEAD) -> Verification:
    return check_chain(iter(ledger), head=head, checkpoints=checkpoints, key=PUBLIC)


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
    other = forged(LEDGER, 5, '{"format":1}')
    head = head_after(other[-1].entry)
    assert verify(other, head=head).ok, "without a checkpoint nothing tells"
    found = verify(other, first, last, head=head).first_bad
    assert found is not None
    assert (found.seq, found.reason) == (4, "rewrite")


def test_a_checkpoint_that_somebody_else_signed_is_found_and_not_believed() -> None:
    ours = checkpoint(3)
    theirs = sign_checkpoint(replace(ours, root="f" * 64, signature=""), bytes(32))
    verified = verify(LEDGER, theirs)
    assert [finding.reason for finding in verified.findings] == ["checkpoint"]
    assert not is_authentic(theirs, PUBLIC)


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


def test_a_checkpoint_survives_its_line() -> None:
    whole = checkpoint(SIZE)
    assert read_checkpoint(whole.to_json()) == whole
    assert is_authentic(read_checkpoint(whole.to_json()), PUBLIC)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        checkpoint(1).to_json().replace('"format":1', '"format":2'),
        '{"format":1,"signature":"zz"}',
    ],
)
def test_a_line_that_is_no_checkpoint_is_refused(line: str) -> None:
    with pytest.raises(InvariantBroken):
        read_checkpoint(line)


def test_record_time_advances_although_the_clock_stands_or_goes_back() -> None:
    assert next_instant(HEAD, Instant(HEAD.recorded_at + 5)) == HEAD.recorded_at + 5
    assert next_instant(HEAD, HEAD.recorded_at) == HEAD.recorded_at + 1
    assert next_instant(HEAD, Instant(0)) == HEAD.recorded_at + 1


def test_the_root_is_that_of_rfc_6962() -> None:
    # Certificate Transparency's known answers (leaves "", 00, 10, 2021, …), here over entry digests instead:
    # the definition is recursive, split at the largest power of two below the size.
    def reference(leaves: list[bytes]) -> bytes:
        if len(leaves) == 1:
            return hashlib.sha256(b"\x00" + leaves[0]).digest()
        split = 1
        while split * 2 < len(leaves):
            split *= 2
        return hashlib.sha256(b"\x01" + reference(leaves[:split]) + reference(leaves[split:])).digest()

    tree = CompactRange()
    digests = [hashlib.sha256(bytes([n])).digest() for n in range(70)]
    for size, digest in enumerate(digests, start=1):
        tree = tree.append(digest.hex())
        assert tree.root == reference(digests[:size]).hex()
        assert len(tree.nodes) == size.bit_count()
