"""A checkpoint says what the ledger was, and nobody but the holder of its key can have said so (G9)."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from policies.checkpoint import (
    Checkpoint,
    CompactRange,
    is_signed,
    public_key,
    read_checkpoint,
    sign_checkpoint,
)
from policies.errors import InvariantBroken
from tests.support.memories import at

KEY = bytes(range(32))
PUBLIC = public_key(KEY)
WHOLE = sign_checkpoint(Checkpoint("default", 3, "a" * 64, "b" * 64, at(3), ""), KEY)


def test_a_checkpoint_survives_its_line() -> None:
    assert read_checkpoint(WHOLE.to_json()) == WHOLE
    assert is_signed(read_checkpoint(WHOLE.to_json()), PUBLIC)


def test_what_was_changed_or_signed_by_another_is_not_signed() -> None:
    assert not is_signed(replace(WHOLE, size=4), PUBLIC)
    assert not is_signed(sign_checkpoint(WHOLE, bytes(32)), PUBLIC)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        WHOLE.to_json().replace('"format":1', '"format":2'),
        '{"format":1,"signature":"zz"}',
    ],
)
def test_a_line_that_is_no_checkpoint_is_refused(line: str) -> None:
    with pytest.raises(InvariantBroken):
        read_checkpoint(line)


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
