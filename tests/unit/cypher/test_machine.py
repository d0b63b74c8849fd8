"""The machine's own proofs: its key is made when it is first needed, and its links are good once read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from cypher.keys import create_keys
from cypher.machine import machine_key, new_link
from policies.errors import StoreInvalid
from policies.machine_links import LinkPurpose, bind, read_bound
from tests.support.memories import at


def test_a_store_that_is_older_than_the_key_gets_it_and_keeps_it(tmp_path: Path) -> None:
    create_keys(tmp_path, ["owner"])
    key = machine_key(tmp_path)
    assert machine_key(tmp_path) == key
    assert sorted(path.name for path in tmp_path.iterdir()) == ["machine.key", "owner.key"]


def test_a_damaged_key_is_told_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "machine.key").write_bytes(b"short")
    with pytest.raises(StoreInvalid):
        machine_key(tmp_path)


def test_two_links_differ_and_each_bears_its_nonce(tmp_path: Path) -> None:
    one, other = (new_link(tmp_path, LinkPurpose.PASSKEY, at(60)) for _ in range(2))
    bound = [bind(token, "credential", "key") for token in (one, other)]
    nonces = [read_bound(machine_key(tmp_path), token, "credential", "key", at(0)) for token in bound]
    assert len(set(nonces)) == 2
