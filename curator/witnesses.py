"""What is known of a ledger outside its graph: what ``mnemo verify`` holds it against (G9)."""

from __future__ import annotations

from dataclasses import dataclass

from curator.checkpoints import Checkpoints
from curator.last_entry import LastEntry
from cypher.keys import read_key
from cypher.machine import machine_key
from cypher.reader import Reader
from cypher.settings import Settings


@dataclass(frozen=True, slots=True)
class Witnesses:
    """The files and keys of one store."""

    checkpoints: Checkpoints
    checkpoint_key: bytes
    """Signs checkpoints."""
    last_entry: LastEntry
    machine_key: bytes
    """Vouches for each entry."""


def call_witnesses(settings: Settings, reader: Reader) -> Witnesses:
    """Those of a store.

    Raises:
        StoreInvalid: a key is missing or damaged.
    """
    folder, machine = settings.store_dir / "checkpoints", machine_key(settings.keys_dir)

    def hash_at(seq: int) -> str | None:
        found = reader.entries(seq - 1, 1)
        return found[0].entry.hash if found and found[0].entry.seq == seq else None

    return Witnesses(
        checkpoints=Checkpoints(folder, settings.store),
        checkpoint_key=read_key(settings.keys_dir, "checkpoint"),
        last_entry=LastEntry(folder / "last-entry.json", machine, hash_at),
        machine_key=machine,
    )
