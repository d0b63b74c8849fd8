"""Signed checkpoints, and the Merkle root that they sign: what the ledger was, fixed outside the graph (G9).

The leaves of the Merkle tree (RFC 6962, section 2.1) are the 32 bytes of the entries' hashes. A checkpoint fixes
size and root under an Ed25519 signature, so that even a whole chain forged anew is found.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from policies.entries import canonical
from policies.errors import InvariantBroken
from policies.terms import Instant


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
    """A checkpoint from its exported line. Its signature is not looked at: see ``is_signed``.

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


def is_signed(checkpoint: Checkpoint, key: bytes) -> bool:
    """Whether the checkpoint was signed by the private key that goes with this public one (32 raw bytes)."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(
            bytes.fromhex(checkpoint.signature), checkpoint.payload()
        )
    except InvalidSignature:
        return False
    return True
