"""What the curator wrote, told from what another did: a MAC under a key that the web process never reads (G9).

Entries, decisions that wait and the note of the last entry lie where others can write too: whoever holds the graph's
password could append an entry that fits the chain. So each bears a MAC by a key made of the ``machine`` key (see
``cypher.machine``), one for each kind of thing, so that none passes for another.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum


class Purpose(StrEnum):
    """What is vouched for; part of the key."""

    ENTRY = "mnemo: entries that the curator recorded"
    LAST_ENTRY = "mnemo: notes of the last entry"
    DECISION = "mnemo: decisions kept by the curator"


def mac(machine_key: bytes, purpose: Purpose, said: str) -> str:
    """The MAC of what is said, HMAC-SHA-256 in hexadecimal.

    Args:
        machine_key: the store's.
        purpose: what it is.
        said: any text; a lone surrogate does no harm.
    """
    key = hmac.new(machine_key, purpose.encode(), hashlib.sha256).digest()
    return hmac.new(key, said.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def is_authentic(machine_key: bytes, purpose: Purpose, said: str, given: str) -> bool:
    """Whether this MAC was given to what is said for this purpose. Takes as long whatever is wrong."""
    right = mac(machine_key, purpose, said).encode()
    return hmac.compare_digest(right, given.encode("utf-8", "surrogatepass"))
