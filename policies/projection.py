"""From a chain's versions, the owner's reclassifications and the registry to the state of each version.

One pure fold, used in the transaction of a commit for the chains it touches and by a rebuild for all (G14).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from policies.decision import Reclassification
from policies.errors import InvariantBroken
from policies.registry import Registry
from policies.terms import ContraRole, Discretion, Instant, Level, Memory, MemoryId, MemoryState


@dataclass(frozen=True, slots=True)
class Recorded:
    """A memory and the sequence of its entry."""

    memory: Memory
    seq: int


@dataclass(frozen=True, slots=True)
class Reclassified:
    """A reclassification and the sequence of its entry."""

    change: Reclassification
    seq: int


@dataclass(frozen=True, slots=True)
class _Ruling:
    """What the owner's reclassifications make of one version."""

    level: Level
    discretion: Discretion
    seq: int


def chains_of(memories: Iterable[Recorded]) -> list[list[Recorded]]:
    """Memories, in the order of their entries, parted into chains, each oldest first.

    Raises:
        InvariantBroken: a memory supersedes one that is not there or that another supersedes already.
    """
    chains: list[list[Recorded]] = []
    tails: dict[MemoryId, list[Recorded]] = {}
    for recorded in memories:
        target = recorded.memory.supersedes
        chain = [] if target is None else tails.pop(target, None)
        if chain is None:
            raise InvariantBroken(f"{recorded.memory.id} supersedes what is not the head of a chain")
        if not chain:
            chains.append(chain)
        chain.append(recorded)
        tails[recorded.memory.id] = chain
    return chains


def chain_states(
    chain: Sequence[Recorded], reclassified: Iterable[Reclassified], registry: Registry
) -> tuple[MemoryState, ...]:
    """The states of one chain's versions, in the chain's order.

    Args:
        chain: the whole chain, oldest first, each version superseding the one before.
        reclassified: the reclassifications of its versions, in the order of their entries.
        registry: as it is today.

    Raises:
        InvariantBroken: the chain is not linear.
    """
    for before, after in pairwise(chain):
        if after.memory.supersedes != before.memory.id:
            raise InvariantBroken(f"{after.memory.id} does not supersede {before.memory.id}")
    rulings = _rulings(chain, reclassified)
    discretion = max((r.discretion for r in rulings.values()), key=lambda d: d.rank)
    last_seq = max(
        *(recorded.seq for recorded in chain),
        *(ruling.seq for ruling in rulings.values()),
        *(registry.touched.get(anchor, 0) for r in chain for anchor in r.memory.anchors),
    )
    states: list[MemoryState] = []
    level = Level.S0
    for position in range(len(chain) - 1, -1, -1):
        memory = chain[position].memory
        level = max(level, rulings[memory.id].level, _floor(memory, registry))
        superseded_at, ended_by = _end(chain, position)
        states.append(
            MemoryState(
                memory=memory.id,
                chain=chain[0].memory.id,
                head=chain[-1].memory.id,
                position=position,
                superseded_at=superseded_at,
                ended_by=ended_by,
                level=level,
                discretion=discretion,
                anchors=tuple(sorted({registry.canonical(anchor) for anchor in memory.anchors})),
                changed_seq=last_seq,
            )
        )
    return tuple(reversed(states))


def _rulings(chain: Sequence[Recorded], reclassified: Iterable[Reclassified]) -> dict[MemoryId, _Ruling]:
    rulings = {r.memory.id: _Ruling(r.memory.level, r.memory.discretion, 0) for r in chain}
    for ruled in reclassified:
        known = rulings.get(ruled.change.memory)
        if known is None:
            continue
        level, discretion = ruled.change.level, ruled.change.discretion
        rulings[ruled.change.memory] = _Ruling(
            level=known.level if level is None else level,
            discretion=known.discretion if discretion is None else discretion,
            seq=ruled.seq,
        )
    return rulings


def _floor(memory: Memory, registry: Registry) -> Level:
    """The lowest level that its anchors and domains allow today."""
    anchors = (registry.level(anchor) for anchor in memory.anchors)
    return max(registry.parameters.floor(memory.domains), *anchors, Level.S0)


def _end(chain: Sequence[Recorded], position: int) -> tuple[Instant | None, ContraRole | None]:
    """When, and by what, the record time of a version ended."""
    if position + 1 == len(chain):
        return None, None
    successor = chain[position + 1].memory
    if successor.contra is ContraRole.SUCCESSION:
        # Its target is a closure: true of the past, still believed.
        return None, None
    return successor.recorded_at, successor.contra
