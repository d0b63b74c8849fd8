"""The hash chain, its Merkle root and the signed checkpoints: how tampering is found and named (G9).

An entry's hash is SHA-256 over the canonical JSON of its fields and of the hash before it. The leaves of the
Merkle tree (RFC 6962, section 2.1) are the 32 bytes of those hashes. A checkpoint, exported outside the
graph, fixes size and root under an Ed25519 signature, so that even a whole chain forged anew is found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from policies.entries import Entry, EntryType, StoredEntry, broken_seals, canonical
from policies.errors import InvariantBroken
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


def head_after(entry: Entry) -> Head:
    """The head of a chain that ends with ``entry``."""
    return Head(entry.seq, entry.hash, entry.recorded_at)


@dataclass(frozen=True, slots=True)
class CompactRange:
    """The Merkle tree of the first ``size`` entries, as the roots of its perfect subtrees, largest first.

    Grows by one entry in O(log size), so that a run needs to read only what was recorded since the last one.
    """

    size: int = 0
    nodes: tuple[bytes, ...] = ()

    def append(self, entry_digest: str) -> CompactRange:
        """The tree with one more leaf: the entry's hash, hexadecimal."""
        node = hashlib.sha256(b"\x00" + bytes.fromhex(entry_digest)).digest()
        nodes, size = list(self.nodes), self.size
        while size & 1:
            node = _parent(nodes.pop(), node)
            size >>= 1
        return CompactRange(self.size + 1, (*nodes, node))

    @property
    def root(self) -> str:
        """The RFC 6962 root, hexadecimal; of no entries, the hash of nothing."""
        if not self.nodes:
            return hashlib.sha256(b"").hexdigest()
        root = self.nodes[-1]
        for node in reversed(self.nodes[:-1]):
            root = _parent(node, root)
        return root.hex()


def _parent(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A statement, signed outside the graph, of what the ledger was at the end of a run."""

    store: str
    size: int
    root: str
    head: str
    """Hash of the last entry."""
    at: Instant
    previous: str
    """SHA-256 of the checkpoint before; ``""`` for the first. A missing one in the middle shows."""
    signature: str = ""
    """Ed25519 over the canonical JSON of everything else, hexadecimal."""

    def payload(self) -> bytes:
        """What is signed."""
        return canonical(
            {
                "format": 1,
                "store": self.store,
                "size": self.size,
                "root": self.root,
                "head": self.head,
                "at": str(self.at),
                "previous": self.previous,
            }
        ).encode()

    @property
    def digest(self) -> str:
        """SHA-256 of the signed checkpoint, for the next one's ``previous``."""
        return hashlib.sha256(self.payload() + bytes.fromhex(self.signature)).hexdigest()

    def to_json(self) -> str:
        """One line of canonical JSON, as exported."""
        return canonical({**json.loads(self.payload()), "signature": self.signature})


def sign_checkpoint(checkpoint: Checkpoint, private_key: bytes) -> Checkpoint:
    """The checkpoint signed by an Ed25519 key of 32 raw bytes."""
    signature = Ed25519PrivateKey.from_private_bytes(private_key).sign(checkpoint.payload())
    return Checkpoint(
        checkpoint.store,
        checkpoint.size,
        checkpoint.root,
        checkpoint.head,
        checkpoint.at,
        checkpoint.previous,
        signature.hex(),
    )


def public_key(private_key: bytes) -> bytes:
    """The 32 raw bytes of the public key that goes with a private one."""
    return Ed25519PrivateKey.from_private_bytes(private_key).public_key().public_bytes_raw()


def read_checkpoint(line: str) -> Checkpoint:
    """A checkpoint from its exported line. Its signature is not looked at: see ``is_authentic``.

    Raises:
        InvariantBroken: it is not a checkpoint, or of a format this code does not know.
    """
    try:
        value = cast("dict[str, object]", json.loads(line))
        if value["format"] != 1:
            raise InvariantBroken("a checkpoint of an unknown format")
        signature = str(value["signature"])
        bytes.fromhex(signature)
        return Checkpoint(
            store=str(value["store"]),
            size=int(str(value["size"])),
            root=str(value["root"]),
            head=str(value["head"]),
            at=Instant(int(str(value["at"]))),
            previous=str(value["previous"]),
            signature=signature,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InvariantBroken("not a checkpoint") from error


def is_authentic(checkpoint: Checkpoint, key: bytes) -> bool:
    """Whether the checkpoint was signed by the private key that goes with this public one (32 raw bytes)."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(
            bytes.fromhex(checkpoint.signature), checkpoint.payload()
        )
    except InvalidSignature:
        return False
    return True


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
    entries: Iterable[StoredEntry], *, head: Head, checkpoints: Sequence[Checkpoint] = (), key: bytes = b""
) -> Verification:
    """Whether the ledger is what was recorded; if not, the first entry that is not and what was done to it.

    Args:
        entries: all of them, in the order of ``seq``; read once, so that a ledger of any size can be checked.
        head: what the ledger itself says its last entry is.
        checkpoints: the exported ones, oldest first.
        key: the public key that their signatures must bear.
    """
    findings = list(_check_checkpoints(checkpoints, key))
    trusted = sorted((c for c in checkpoints if is_authentic(c, key)), key=lambda c: c.size)
    marks = iter(trusted)
    mark = next(marks, None)
    tree, last, agreed = CompactRange(), GENESIS, 0
    stream = iter(entries)
    for stored in stream:
        broken = _check_link(stored, last, stream, head)
        if broken is not None:
            return Verification(tree.size, tree.root, (*findings, broken))
        last, tree = head_after(stored.entry), tree.append(stored.entry.hash)
        while mark is not None and mark.size <= tree.size:
            if mark.size == tree.size:
                if mark.root != tree.root:
                    return Verification(tree.size, tree.root, (*findings, _rewritten(agreed, mark)))
                agreed = mark.size
            mark = next(marks, None)
    findings.extend(_check_end(last, head, trusted[-1].size if trusted else 0))
    return Verification(tree.size, tree.root, tuple(findings))


def _check_checkpoints(checkpoints: Sequence[Checkpoint], key: bytes) -> Iterator[Finding]:
    previous: Checkpoint | None = None
    for checkpoint in checkpoints:
        if not is_authentic(checkpoint, key):
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


def _rewritten(agreed: int, mark: Checkpoint) -> Finding:
    return Finding(
        agreed + 1,
        "rewrite",
        f"entries {agreed + 1} to {mark.size} are not those of the checkpoint of {mark.size} entries",
    )


def _check_end(last: Head, head: Head, checkpointed: int) -> Iterator[Finding]:
    if head.seq > last.seq:
        yield Finding(last.seq + 1, "truncation", f"entries {last.seq + 1} to {head.seq} are missing")
    elif (head.seq, head.hash) != (last.seq, last.hash):
        yield Finding(last.seq, "edit", "the head of the chain does not say what the last entry is")
    elif checkpointed > last.seq:
        yield Finding(
            last.seq + 1,
            "rollback",
            f"a checkpoint knows {checkpointed} entries, the ledger ends at {last.seq}",
        )
