"""The lease of the one curator, a node of the ledger: who may commit, and the lock that proves it.

A lease is held by a name, for a time, under an epoch that rises whenever it is taken. Whoever writes to the
ledger or its projection first locks the lease in the same transaction and compares the epoch: read without
the lock, a former holder could pass the test and commit after its successor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cypher.graph import Graph, Tx
from cypher.statement import statement
from policies.chain import GENESIS
from policies.errors import InvariantBroken, StaleLease
from policies.terms import Instant

_CREATE = statement("create_ledger")
_LOCK = statement("lock_lease")
_GRANT = statement("grant_lease")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to commit."""

    holder: str
    epoch: int
    expires_at: Instant
    """From then on anybody may take it; until somebody does, it is still good."""
    ttl_us: int


def acquire(graph: Graph, holder: str, ttl_us: int, now: Instant) -> Lease | None:
    """Take the lease, unless another holder's has not expired. Creates what a ledger begins with.

    The same holder takes it anew at once: its name must not be that of another living process.
    """
    graph.write(_CREATE, genesis=GENESIS.hash)

    def take(tx: Tx) -> Lease | None:
        held = _locked(tx)
        if held.holder not in ("", holder) and held.expires_at > now:
            return None
        return _grant(tx, Lease(holder, held.epoch + 1, Instant(now + ttl_us), ttl_us))

    return graph.transaction(take)


def renew(graph: Graph, lease: Lease, now: Instant) -> Lease:
    """The lease for as long again, from now.

    Raises:
        StaleLease: another curator took it.
    """

    def extend(tx: Tx) -> Lease:
        hold(tx, lease)
        return _grant(tx, replace(lease, expires_at=Instant(now + lease.ttl_us)))

    return graph.transaction(extend)


def release(graph: Graph, lease: Lease) -> None:
    """Let anybody take it at once.

    Raises:
        StaleLease: another curator took it.
    """

    def free(tx: Tx) -> None:
        hold(tx, lease)
        _grant(tx, replace(lease, holder="", expires_at=Instant(0)))

    graph.transaction(free)


def hold(tx: Tx, lease: Lease) -> None:
    """Lock the lease until the transaction ends.

    Raises:
        StaleLease: another curator took it.
    """
    held = _locked(tx)
    if (held.epoch, held.holder) != (lease.epoch, lease.holder):
        raise StaleLease(f"epoch {held.epoch} instead of {lease.epoch}")


def _locked(tx: Tx) -> Lease:
    found = tx.run(_LOCK)
    if not found:
        raise InvariantBroken("the ledger has no lease node")
    record = found[0]
    return Lease(record["holder"], record["epoch"], Instant(record["expires_at"]), 0)


def _grant(tx: Tx, lease: Lease) -> Lease:
    tx.run(_GRANT, holder=lease.holder, epoch=lease.epoch, expires_at=lease.expires_at)
    return lease
