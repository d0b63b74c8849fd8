"""Decisions that the curator keeps until they are committed, sealed: the place where they wait is no safe one.

They wait in the graph, where the web process can write too. So each bears a MAC, bound to the proposal that it decides.
What bears no right one was not decided here.
"""

from __future__ import annotations

from policies.authorship import Purpose, is_authentic, mac
from policies.terms import ProposalId


def seal(machine_key: bytes, proposal: ProposalId, decision: str) -> str:
    """A decision as it is to be kept.

    Args:
        machine_key: the store's.
        proposal: that is decided.
        decision: as JSON.
    """
    return f"{mac(machine_key, Purpose.DECISION, _said(proposal, decision))} {decision}"


def unseal(machine_key: bytes, proposal: ProposalId, kept: str) -> str | None:
    """The decision that was kept for this proposal; None where it was not sealed so."""
    given, _, decision = kept.partition(" ")
    said = _said(proposal, decision)
    return decision if is_authentic(machine_key, Purpose.DECISION, said, given) else None


def _said(proposal: ProposalId, decision: str) -> str:
    return f"{proposal}\n{decision}"  # an id is free of newlines, the first of which ends it
