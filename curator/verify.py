"""``mnemo verify``: whether the ledger is what was recorded, and if not, where it first is not (G9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from curator.witnesses import Witnesses
from cypher.graph import Graph
from cypher.inbox import Inbox
from cypher.reader import Reader
from cypher.rebuild import compare
from policies import chain, invariants
from policies.chain import Verification
from policies.checkpoint import public_key
from policies.decision import PasskeyOp
from policies.errors import InvariantBroken
from policies.invariants import Breach, Ledger
from policies.parameters import Parameters
from policies.passkeys import challenge_of, encoded
from policies.terms import Proposal


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found, as ``mnemo verify`` answers it."""

    ok: bool
    size: int
    root: str
    head: str
    """Hash of the last entry."""
    first_bad: int | None = None
    """The first entry that is not what was recorded; None where the fault is not in an entry."""
    reason: str | None = None

    def to_json(self) -> dict[str, object]:
        """``{ok, size, root, first_bad, reason}``."""
        return {
            "ok": self.ok,
            "size": self.size,
            "root": self.root,
            "first_bad": self.first_bad,
            "reason": self.reason,
        }


def verify(graph: Graph, witnesses: Witnesses, parameters: Parameters) -> Verified:
    """Check the chain against itself and its witnesses, then the invariants, then the projection.

    Args:
        graph: the store's.
        witnesses: what the ledger is held against.
        parameters: the owner's.

    Raises:
        LedgerUnavailable: the graph does not answer.
    """
    reader = Reader(graph)
    try:
        signed, noted = witnesses.checkpoints.all(), witnesses.last_entry.read()
    except InvariantBroken as fault:
        return Verified(False, 0, "", reader.chain_end().hash, None, f"checkpoint: {fault}")
    head = reader.chain_end()
    found = chain.check_chain(
        reader.all_entries(),
        head=head,
        machine_key=witnesses.machine_key,
        noted=noted,
        checkpoints=signed,
        key=public_key(witnesses.checkpoint_key),
    )
    if not found.ok:
        return _broken(found, head.hash)
    ledger = invariants.ledger_of(reader.all_entries())
    breaches = (*invariants.check(ledger), *_confirms_another(ledger, Inbox(graph, parameters)))
    if breaches:
        first = min(breaches, key=lambda breach: breach.seq)
        reason = f"{first.invariant}: {first.detail}"
        return Verified(False, found.size, found.root, head.hash, first.seq, reason)
    differing = compare(graph, parameters)
    if differing:
        first_differing = differing[0]
        reason = f"projection: {first_differing.subject} {first_differing.problem} (remedy: mnemo rebuild)"
        return Verified(False, found.size, found.root, head.hash, None, reason)
    return Verified(True, found.size, found.root, head.hash)


def _confirms_another(ledger: Ledger, inbox: Inbox) -> Iterator[Breach]:
    """Confirmations whose signature is not of the directive that they name, as the inbox has it."""
    for seq, _, change in ledger.passkeys:
        if change.op is not PasskeyOp.CONFIRM or change.proposal is None or change.signed is None:
            continue  # without a signature: told by the invariants
        found = inbox.view(ids=[change.proposal], limit=1)
        if not found or _challenge(found[0].proposal) != change.signed.challenge:
            yield Breach(seq, "confirms_what_was_signed", "what a passkey signed is not what was confirmed")


def _challenge(directive: Proposal) -> str | None:
    try:
        return encoded(challenge_of(directive))
    except InvariantBroken:
        return None  # what the inbox has is no directive at all


def _broken(found: Verification, head: str) -> Verified:
    first = found.first_bad
    if first is None:
        raise InvariantBroken("a verification that failed without a finding")
    return Verified(False, found.size, found.root, head, first.seq or None, f"{first.reason}: {first.detail}")
