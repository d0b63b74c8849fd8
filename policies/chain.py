"""The hash chain: how tampering is found and named (G9).

An entry's hash is SHA-256 over the canonical JSON of its fields and of the hash before it. Beside it stands the
curator's MAC over that hash (``policies.authorship``), so that nobody else can append. Outside the graph are the
checkpoints (``policies.checkpoint``) and the curator's note of the last entry, so that what is cut off is missed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from policies.authorship import Purpose, is_authentic, mac
from policies.checkpoint import Checkpoint, CompactRange, is_signed
from policies.entries import Entry, EntryType, StoredEntry, broken_seals, canonical
from policies.terms import Instant

_LOOK_AHEAD = 10_000
"""How many entries beyond a break are read to tell a swap or an insertion from an edit."""


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the chain: what the next entry is linked to."""

    seq: int
    hash: str
    recorded_at: Instant


GENESIS = Head(seq=0, hash="0" * 64, recorded_at=Instant(0))
"""The head of an empty ledger."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with the ledger."""

    seq: int
    """The first entry concerned; 0 when it is none in particular."""
    reason: str
    """``edit``, ``delete``, ``insert``, ``swap``, ``truncation``, ``rewrite``, ``rollback`` or
    ``checkpoint``."""
    detail: str
    """A sentence for the owner, without private content."""


def next_instant(head: Head, now: Instant) -> Instant:
    """The ``recorded_at`` of the entry after ``head``: the clock's, else 1 microsecond after the head's."""
    return Instant(max(now, head.recorded_at + 1))


def entry_hash(seq: int, kind: EntryType, subject: str, recorded_at: Instant, body: str, prev: str) -> str:
    """The hash of an entry with these fields, hexadecimal."""
    return hashlib.sha256(
        canonical(
            {
                "seq": seq,
                "type": kind,
                "subject": subject,
                "recorded_at": str(recorded_at),
                "body": body,
                "prev": prev,
            }
        ).encode()
    ).hexdigest()


def link(head: Head, kind: EntryType, subject: str, body: str, now: Instant) -> Entry:
    """The entry that follows ``head``, its place, time and hash filled in."""
    seq, recorded_at = head.seq + 1, next_instant(head, now)
    sealed = entry_hash(seq, kind, subject, recorded_at, body, head.hash)
    return Entry(seq, kind, subject, recorded_at, body, head.hash, sealed)


def vouch(machine_key: bytes, entry: Entry, salt: str, sealed: Mapping[str, str]) -> StoredEntry:
    """The entry as it is stored: with its private content, and the curator's MAC.

    Args:
        machine_key: the store's.
        entry: the next one of the chain.
        salt: of its commitments.
        sealed: its private content by label.
    """
    return StoredEntry(entry, salt, sealed, mac(machine_key, Purpose.ENTRY, entry.hash))


def head_after(entry: Entry) -> Head:
    """The head of a chain that ends with ``entry``."""
    return Head(entry.seq, entry.hash, entry.recorded_at)


@dataclass(frozen=True, slots=True)
class Verification:
    """What ``mnemo verify`` answers about the chain."""

    size: int
    root: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def first_bad(self) -> Finding | None:
        """The finding about the earliest entry, None when nothing is wrong."""
        return min(self.findings, key=lambda finding: finding.seq, default=None)


def check_chain(
    entries: Iterable[StoredEntry],
    *,
    head: Head,
    machine_key: bytes,
    noted: Head | None = None,
    checkpoints: Sequence[Checkpoint] = (),
    key: bytes = b"",
) -> Verification:
    """Whether the ledger is what was recorded; if not, the first entry that is not and what was done to it.

    Args:
        entries: all of them, in the order of ``seq``; read once, so that a ledger of any size can be checked.
        head: what the ledger itself says its last entry is.
        machine_key: by which the curator vouches for each.
        noted: the last entry at the time when the curator last noted it outside the ledger; there may be more since.
        checkpoints: the exported ones, oldest first.
        key: the public key that their signatures must bear.
    """
    findings = list(_check_checkpoints(checkpoints, key))
    trusted = sorted((c for c in checkpoints if is_signed(c, key)), key=lambda c: c.size)
    marks = iter(trusted)
    mark = next(marks, None)
    tree, last, agreed = CompactRange(), GENESIS, 0
    stream = iter(entries)
    for stored in stream:
        broken = _check_link(stored, last, stream, head)
        broken = broken or _check_author(stored, stream, head, machine_key, noted)
        if broken is not None:
            return Verification(tree.size, tree.root, (*findings, broken))
        last, tree = head_after(stored.entry), tree.append(stored.entry.hash)
        while mark is not None and mark.size <= tree.size:
            if mark.size == tree.size:
                if mark.root != tree.root:
                    rewritten = _rewritten(agreed, mark.size, f"the checkpoint of {mark.size} entries")
                    return Verification(tree.size, tree.root, (*findings, rewritten))
                agreed = mark.size
            mark = next(marks, None)
        if noted is not None and noted.seq == tree.size and noted.hash != last.hash:
            rewritten = _rewritten(agreed, noted.seq, "the curator's note")
            return Verification(tree.size, tree.root, (*findings, rewritten))
    known = max(trusted[-1].size if trusted else 0, noted.seq if noted else 0)
    findings.extend(_check_end(last, head, known))
    return Verification(tree.size, tree.root, tuple(findings))


def _check_checkpoints(checkpoints: Sequence[Checkpoint], key: bytes) -> Iterator[Finding]:
    previous: Checkpoint | None = None
    for checkpoint in checkpoints:
        if not is_signed(checkpoint, key):
            yield Finding(0, "checkpoint", f"the checkpoint of {checkpoint.size} entries is not signed by us")
            continue
        follows = previous.digest if previous else ""
        if checkpoint.previous != follows or (previous and checkpoint.size < previous.size):
            yield Finding(
                0, "checkpoint", f"a checkpoint before that of {checkpoint.size} entries is missing"
            )
        previous = checkpoint


def _check_link(stored: StoredEntry, last: Head, rest: Iterator[StoredEntry], head: Head) -> Finding | None:
    """What is wrong with the entry that should follow ``last``, if anything is."""
    entry, seq = stored.entry, last.seq + 1
    if entry.seq > seq:
        return Finding(seq, "delete", f"entry {seq} is missing")
    if entry.seq < seq:
        return Finding(entry.seq, "insert", f"entry {entry.seq} stands twice")
    if _hash_at(entry, seq) != entry.hash or entry.prev != last.hash:
        return _name_break(entry, last, [one.entry for one in islice(rest, _LOOK_AHEAD)], head)
    if entry.recorded_at <= last.recorded_at:
        return Finding(seq, "edit", f"entry {seq} is not later than the one before")
    if labels := broken_seals(stored):
        return Finding(seq, "edit", f"the {', '.join(labels)} of entry {seq} is not what was recorded")
    return None


def _check_author(
    stored: StoredEntry, rest: Iterator[StoredEntry], head: Head, machine_key: bytes, noted: Head | None
) -> Finding | None:
    """What is wrong with the author of an entry that follows the one before, if anything is."""
    entry = stored.entry
    if is_authentic(machine_key, Purpose.ENTRY, entry.hash, stored.mac):
        return None
    follower = next(rest, None)
    if follower is None:
        breaks = (
            None
            if head.hash == entry.hash
            else Finding(entry.seq, "edit", f"entry {entry.seq} is not the last")
        )
    else:
        breaks = _check_link(follower, head_after(entry), rest, head)
    if breaks is not None and breaks.seq == entry.seq:
        return breaks  # what follows tells what was done
    if noted is not None and entry.seq <= noted.seq:
        return Finding(entry.seq, "rewrite", f"entry {entry.seq} is not the one that the curator recorded")
    return Finding(entry.seq, "insert", f"entry {entry.seq} was not recorded by the curator")


def _name_break(entry: Entry, last: Head, following: list[Entry], head: Head) -> Finding:
    """Tell what was done where the chain breaks, from the traces that each deed leaves.

    Args:
        entry: the first that does not follow.
        last: what it should have followed.
        following: the entries after it, some at least.
        head: what the ledger says its last entry is.
    """
    seq = entry.seq
    if _hash_at(entry, seq) != entry.hash:
        if any(later.prev == last.hash and _hash_at(later, seq) == later.hash for later in following):
            return Finding(seq, "swap", f"entry {seq} stands in another's place")
        if _hash_at(entry, seq + 1) == entry.hash:
            return Finding(seq, "delete", f"entry {seq} is missing, what follows was renumbered")
        if _hash_at(entry, seq - 1) == entry.hash:
            return Finding(last.seq, "insert", f"entry {last.seq} was inserted, what follows was renumbered")
    elif last.seq and (following[0].prev if following else head.hash) == entry.hash:
        # This entry and what comes next agree: it is the one before whose hash was made anew.
        return Finding(last.seq, "edit", f"entry {last.seq} is not the one that entry {seq} follows")
    return Finding(seq, "edit", f"entry {seq} is not what was recorded")


def _hash_at(entry: Entry, seq: int) -> str:
    return entry_hash(seq, entry.type, entry.subject, entry.recorded_at, entry.body, entry.prev)


def _rewritten(agreed: int, until: int, witness: str) -> Finding:
    return Finding(agreed + 1, "rewrite", f"entries {agreed + 1} to {until} are not those of {witness}")


def _check_end(last: Head, head: Head, known: int) -> Iterator[Finding]:
    if head.seq > last.seq:
        yield Finding(last.seq + 1, "truncation", f"entries {last.seq + 1} to {head.seq} are missing")
    elif (head.seq, head.hash) != (last.seq, last.hash):
        yield Finding(last.seq, "edit", "the head of the chain does not say what the last entry is")
    elif known > last.seq:
        detail = f"{known} entries were recorded, the ledger ends at {last.seq}"
        yield Finding(last.seq + 1, "rollback", detail)
