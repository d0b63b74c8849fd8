"""Decisions that the curator keeps until they are committed, sealed: the place where they wait is no safe one.

They wait in the graph, where the web process can write too. So each bears a MAC, bound to the proposal that it decides,
by a key made of the ``machine`` key, which that process never reads. What bears no right one was not decided here.
"""

from __future__ import annotations

import hashlib
import hmac

from policies.terms import ProposalId

_PURPOSE = b"mnemo: decisions kept by the curator"


def seal(machine_key: bytes, proposal: ProposalId, decision: str) -> str:
    """A decision as it is to be kept.

    Args:
        machine_key: the home's.
        proposal: that is decided.
        decision: as JSON.
    """
    return f"{_mac(machine_key, proposal, decision)} {decision}"


def unseal(machine_key: bytes, proposal: ProposalId, kept: str) -> str | None:
    """The decision that was kept for this proposal; None where it was not sealed so."""
    mac, _, decision = kept.partition(" ")
    whole = mac.encode("utf-8", "surrogatepass")
    return decision if hmac.compare_digest(_mac(machine_key, proposal, decision).encode(), whole) else None


def _mac(machine_key: bytes, proposal: ProposalId, decision: str) -> str:
    key = hmac.new(machine_key, _PURPOSE, hashlib.sha256).digest()
    # An id is free of newlines, the first of which ends it.
    return hmac.new(
        key, f"{proposal}\n{decision}".encode("utf-8", "surrogatepass"), hashlib.sha256
    ).hexdigest()
