"""The machine's own proofs: its key is as the store was made with, and its links are good once read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from cypher.keys import create_keys
from cypher.machine import machine_key, new_link
from policies.errors import StoreInvalid
from policies.machine_links import LinkPurpose, bind, read_bound
from tests.support.memories import at


@pytest.mark.parametrize("damaged", [None, b"short"])
def test_a_key_that_is_missing_or_damaged_is_told_and_not_replaced(
    tmp_path: Path, damaged: bytes | None
) -> None:
    if damaged is not None:
        (tmp_path / "machine.key").write_bytes(damaged)
    with pytest.raises(StoreInvalid):
        machine_key(tmp_path)
    assert (tmp_path / "machine.key").exists() is (damaged is not None)


def test_two_links_differ_and_each_bears_its_nonce(tmp_path: Path) -> None:
    create_keys(tmp_path)
    one, other = (new_link(tmp_path, LinkPurpose.PASSKEY, at(60)) for _ in range(2))
    bound = [bind(token, "credential", "key") for token in (one, other)]
    nonces = [read_bound(machine_key(tmp_path), token, "credential", "key", at(0)) for token in bound]
    assert len(set(nonces)) == 2
