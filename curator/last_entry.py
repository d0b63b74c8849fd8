"""The curator's note of the last entry, a file outside the graph and its backups: what is cut off is missed (G9).

Checkpoints are signed by runs; between two of them the owner's directives are committed by themselves. So after each
commit the curator notes where the chain ends. A crash in between leaves a note that is behind, which is no harm. A
chain that was put back behind its note is told by ``mnemo verify``, and stays told: no note is made of it any more.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import cast

from curator.durable import write_durably
from policies.authorship import Purpose, is_authentic, mac
from policies.chain import Head
from policies.entries import canonical
from policies.errors import InvariantBroken
from policies.terms import Instant

log = logging.getLogger("mnemo.curator")


class LastEntry:
    """The last entry of one store, as noted."""

    def __init__(self, path: Path, machine_key: bytes, hash_at: Callable[[int], str | None]) -> None:
        """Keep it in a file, whose directory is made when it is first written.

        Args:
            path: of the file.
            machine_key: that vouches for it.
            hash_at: the hash of the ledger's entry with a sequence; None where there is none.
        """
        self._path = path
        self._key = machine_key
        self._hash_at = hash_at
        self._mine: Head | None = None

    def read(self) -> Head | None:
        """What was noted; None before the first.

        Raises:
            InvariantBroken: the file does not hold a note of this store's curator.
        """
        try:
            line = self._path.read_text("utf-8")
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise InvariantBroken(f"{self._path.name} cannot be read") from fault
        try:
            value = cast("dict[str, object]", json.loads(line))
            noted = Head(int(str(value["seq"])), str(value["hash"]), Instant(int(str(value["recorded_at"]))))
            given = str(value["mac"])
        except (ValueError, KeyError, TypeError) as fault:
            raise InvariantBroken(f"{self._path.name} is not a note of the last entry") from fault
        if not is_authentic(self._key, Purpose.LAST_ENTRY, _said(noted), given):
            raise InvariantBroken(f"{self._path.name} is not this curator's note")
        return noted

    def write(self, end: Head) -> None:
        """Note the end of the chain durably, unless the chain is not the one that was noted before."""
        try:
            before = self.read()
        except InvariantBroken as fault:
            log.error("no note is made of entry %s: %s", end.seq, fault)  # noqa: TRY400  (verify tells it)
            return
        if before is not None and not self._holds(before, end):
            log.error("no note is made of entry %s: entry %s is not the one noted", end.seq, before.seq)
            return
        if before is not None and end.seq <= before.seq:
            return  # committed before
        try:
            given = mac(self._key, Purpose.LAST_ENTRY, _said(end))
            write_durably(self._path, canonical({**_fields(end), "mac": given}))
        except OSError as fault:
            # What was committed stays so: the next note tells of it too.
            log.error("no note is made of entry %s: %s", end.seq, fault.strerror)  # noqa: TRY400
        else:
            self._mine = end

    def _holds(self, before: Head, end: Head) -> bool:
        """Whether the chain that ends so has what was noted. Looked up, unless this object noted it just before."""
        went_on = before == self._mine and end.seq > before.seq
        return went_on or self._hash_at(before.seq) == before.hash


def _fields(head: Head) -> dict[str, object]:
    return {"format": 1, "seq": head.seq, "hash": head.hash, "recorded_at": str(head.recorded_at)}


def _said(head: Head) -> str:
    return canonical(_fields(head))
