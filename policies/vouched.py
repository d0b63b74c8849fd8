"""The machine's word in the ledger: for the first passkey, and for beginning anew.

No passkey can sign for these, and whoever holds the graph's password could append such entries by itself. So each bears
a MAC by a key made of the ``machine`` key, which the web process never reads; ``mnemo verify`` checks it again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import replace

from policies.decision import PasskeyChange, PasskeyOp
from policies.entries import passkey_body
from policies.errors import DirectiveRefused
from policies.passkeys import Passkeys
from policies.terms import Instant

_PURPOSE = b"mnemo: passkey entries that the machine vouches for"


def vouch(machine_key: bytes, change: PasskeyChange) -> PasskeyChange:
    """The change with the machine's word for all of it."""
    return replace(change, word=_mac(machine_key, change))


def without_word(
    machine_key: bytes, changes: Iterable[tuple[int, Instant, PasskeyChange]]
) -> Iterator[tuple[int, str]]:
    """The entries (sequence, what is wrong) that need the machine's word and lack it, or that repeat another's.

    Args:
        machine_key: the home's.
        changes: all passkey entries: sequence, recorded at, change.
    """
    known, given = Passkeys(), set[str | None]()
    for seq, at, change in changes:
        if change.op is PasskeyOp.RESET or (change.op is PasskeyOp.ENROL and not known.living):
            right = _mac(machine_key, change).encode()
            if not hmac.compare_digest(right, (change.word or "").encode("utf-8", "surrogatepass")):
                yield seq, "the machine did not vouch for a first passkey or a reset"
            elif change.word in given:
                yield seq, "the machine's word serves a second time"
            given.add(change.word)
        try:
            known = known.apply(change, seq, at)
        except DirectiveRefused:
            continue  # told by the invariants


def _mac(machine_key: bytes, change: PasskeyChange) -> str:
    key = hmac.new(machine_key, _PURPOSE, hashlib.sha256).digest()
    said = f"{change.credential}\n{passkey_body(replace(change, word=None))}"
    return hmac.new(key, said.encode(), hashlib.sha256).hexdigest()
