"""Keys: made once, of 32 random bytes, for this account alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from cypher.keys import KEY_BYTES, KEY_NAMES, create_keys, read_key
from policies.errors import StoreInvalid


def test_keys_differ_and_are_made_once(tmp_path: Path) -> None:
    keys_dir = tmp_path / "keys"
    create_keys(keys_dir)
    made = [read_key(keys_dir, name) for name in KEY_NAMES]
    assert len(set(made)) == 4
    assert {len(key) for key in made} == {KEY_BYTES}
    create_keys(keys_dir)
    assert [read_key(keys_dir, name) for name in KEY_NAMES] == made


def test_keys_are_for_this_account_alone(tmp_path: Path) -> None:
    create_keys(tmp_path / "keys")
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "keys").iterdir()} == {0o600}


def test_a_missing_or_damaged_key_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreInvalid):
        read_key(tmp_path, "owner")
    (tmp_path / "owner.key").write_bytes(b"short")
    with pytest.raises(StoreInvalid):
        read_key(tmp_path, "owner")
