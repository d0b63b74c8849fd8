"""Correction, succession, closure, retraction: who may, and what each writes (see the design, §4).

A correction says that the old assertion was wrong. A succession says that it was true until a date: the old
one is restated, closed there (a closure), and the new one begins. Along a chain a level never falls and the
strictest discretion holds, so that each contra-entry takes over those of what it supersedes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from policies.bitemporal import asserted_kind, follower, is_closed
from policies.moments import check_interval
from policies.terms import ContraRole, Kind, Memory, MemoryId, Moment, Provenance, Version


class Objection(StrEnum):
    """Why a contra-entry goes to the owner: codes of ``policies.reasons``."""

    OWNER_ONLY = "failure.owner_only"
    WEAKER = "authority.weaker"
    SUPERSEDED = "target.superseded"


def objection(target: Version, provenance: Provenance, *, by_owner: bool) -> Objection | None:
    """Why a contra-entry of this provenance may not supersede the target without the owner; None if it may.

    A failure is a lesson that only the owner supersedes. What the owner ruled has the authority of what they
    attested (G16). A target whose record time has ended was superseded meanwhile, by whatever else.
    """
    memory = target.memory
    if target.state.superseded_at is not None:
        return Objection.SUPERSEDED
    if by_owner:
        return None
    if asserted_kind(memory) is Kind.FAILURE:
        return Objection.OWNER_ONLY
    authority = Provenance.ATTESTED.rank if memory.ruled else memory.provenance.rank
    return Objection.WEAKER if provenance.rank > authority else None


def standing(chain: Sequence[Version], memory: MemoryId, role: ContraRole) -> Version | None:
    """What stands today in place of a memory, for a contra-entry of this role to supersede; None if not there.

    What was closed and succeeded stands itself where it is found wrong: correcting the past leaves the present
    alone. Where something is to succeed it, its successor stands in its place.

    Args:
        chain: the whole chain.
        memory: the id that was named.
        role: what the contra-entry is to do.
    """
    named = next((version for version in chain if version.memory.id == memory), None)
    wrong = role in (ContraRole.CORRECTION, ContraRole.RETRACTION)
    if named is None or (wrong and named.state.superseded_at is None):
        return named
    following = follower(chain, memory)
    return named if following is None else standing(chain, following.memory.id, role)


def correction(target: Version, new: Memory) -> Memory:
    """The memory that says the target was wrong and what is right.

    Raises:
        IntervalReversed: it ends before or when it begins.
    """
    check_interval(new.valid_from, new.valid_to)
    return _superseding(target, replace(new, supersedes=target.memory.id, contra=ContraRole.CORRECTION))


def closure(target: Version, new: Memory, ends: Moment) -> Memory:
    """The memory that restates the target with its end, and takes its place.

    Its text, kind and authority are the target's; id, root, proposer, ruling and evidence those of ``new``,
    which tells of the end. Evidence is served with it, to whom ``new`` might be. An end that the target has
    already, if earlier, stands.

    Args:
        target: what ceases to be true.
        new: a draft that bears what the closure has of its own.
        ends: the exclusive end.

    Raises:
        IntervalReversed: the target begins then or later.
    """
    old = target.memory
    if old.valid_to is not None and old.valid_to.at <= ends.at:
        ends = old.valid_to
    check_interval(old.valid_from, ends)
    telling = old if new.evidence is None else new
    restated = replace(
        old,
        id=new.id,
        level=max(old.level, telling.level),
        discretion=max(old.discretion, telling.discretion, key=lambda discretion: discretion.rank),
        kind=Kind.CLOSURE,
        restates=asserted_kind(old),
        valid_to=ends,
        recorded_at=new.recorded_at,
        root=new.root,
        parameters=new.parameters,
        proposed_by=new.proposed_by,
        ruled=old.ruled or new.ruled,
        evidence=new.evidence,
        supersedes=old.id,
        contra=ContraRole.CLOSURE,
    )
    return _superseding(target, restated)


def succession(target: Version, new: Memory, closure_id: MemoryId, begins: Moment) -> tuple[Memory, ...]:
    """The memories of a succession, in the order they are recorded: the closure, then what is true since.

    A target that is itself a closure and ends by then is closed already: only the second is written.

    Args:
        target: what was true until ``begins``.
        new: what is true since; its evidence stays its own.
        closure_id: the closure's id.
        begins: when the one ends and the other begins.

    Raises:
        IntervalReversed: the target begins then or later, or ``new`` ends then or earlier.
    """
    check_interval(begins, new.valid_to)
    closures: tuple[Memory, ...] = ()
    if not (target.memory.kind is Kind.CLOSURE and is_closed(target.memory, begins.at)):
        closures = (closure(target, replace(new, id=closure_id, evidence=None), begins),)
    closed = closures[0].id if closures else target.memory.id
    begun = replace(new, valid_from=begins, supersedes=closed, contra=ContraRole.SUCCESSION)
    return *closures, _superseding(target, begun)


def retraction(target: Version, new: Memory) -> Memory:
    """The memory that takes the target back. Never served: ``new`` bears who took it back, and why."""
    old = target.memory
    taken_back = replace(
        new,
        kind=Kind.RETRACTION,
        anchors=old.anchors,
        domains=old.domains,
        supersedes=old.id,
        contra=ContraRole.RETRACTION,
    )
    return _superseding(target, taken_back)


def _superseding(target: Version, memory: Memory) -> Memory:
    """The memory with the level and discretion that its place in the chain asks for."""
    state = target.state
    return replace(
        memory,
        level=max(memory.level, state.level),
        discretion=max(memory.discretion, state.discretion, key=lambda discretion: discretion.rank),
    )
