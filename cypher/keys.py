"""The store's secret keys: files of 32 random bytes that only this account can read, outside the graph."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Literal, get_args

from policies.errors import StoreInvalid

KeyName = Literal["owner", "cursor", "checkpoint", "machine"]
"""``owner`` proves that a directive is the owner's; ``cursor`` signs cursors and digests arguments in the
service log; ``checkpoint`` is the Ed25519 seed that signs checkpoints; ``machine`` vouches for what the curator
records and proves that the owner is at this machine, and is for commands and the curator alone: see
``cypher.machine``."""
KEY_NAMES: tuple[KeyName, ...] = get_args(KeyName)

KEY_BYTES = 32


def create_keys(keys_dir: Path) -> None:
    """Create the keys that do not exist yet; those that do are left as they are."""
    keys_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in KEY_NAMES:
        try:
            handle = os.open(_path(keys_dir, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())


def read_key(keys_dir: Path, name: KeyName) -> bytes:
    """The key's 32 bytes.

    Raises:
        StoreInvalid: the key is missing or damaged.
    """
    try:
        key = _path(keys_dir, name).read_bytes()
    except OSError as fault:
        raise StoreInvalid(store=str(keys_dir.parent.name), problem="key") from fault
    if len(key) != KEY_BYTES:
        raise StoreInvalid(store=str(keys_dir.parent.name), problem="key")
    return key


def check_keys(keys_dir: Path) -> None:
    """See that every key is there, for a command that looks at a store or starts it; nothing of them is kept.

    Raises:
        StoreInvalid: a key is missing or damaged.
    """
    for name in KEY_NAMES:
        read_key(keys_dir, name)


def _path(keys_dir: Path, name: KeyName) -> Path:
    return keys_dir / f"{name}.key"
