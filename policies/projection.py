"""From a chain's versions, the owner's reclassifications and the registry to the state of each version.

One pure fold, used in the transaction of a commit for the chains it touches and by a rebuild for all (G14).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from policies.decision import Reclassification
from policies.errors import InvariantBroken
from policies.registry import Registry
from policies.terms import ContraRole, Discretion, Level, Memory, MemoryId, MemoryState


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


def may_follow(followed_by: Collection[ContraRole | None], role: ContraRole | None) -> bool:
    """Whether one more memory may supersede a version, given the roles of those that already do.

    A version is superseded once. Only what was closed and succeeded, being believed still, may be found wrong
    afterwards: it may yet be corrected or retracted, its successor aside.
    """
    if not followed_by:
        return True
    wrong = role in (ContraRole.CORRECTION, ContraRole.RETRACTION)
    return wrong and set(followed_by) == {ContraRole.SUCCESSION}


def chains_of(memories: Iterable[Recorded]) -> list[list[Recorded]]:
    """Memories, in the order of their entries, parted into chains, each in that order.

    Raises:
        InvariantBroken: a memory supersedes one that is not there or that may not be superseded any more.
    """
    chains: list[list[Recorded]] = []
    members: dict[MemoryId, list[Recorded]] = {}
    followers: dict[MemoryId, list[ContraRole | None]] = {}
    for recorded in memories:
        memory = recorded.memory
        if memory.supersedes is None:
            chain: list[Recorded] = []
            chains.append(chain)
        else:
            chain = members.get(memory.supersedes, [])
            if not chain or not may_follow(followers[memory.supersedes], memory.contra):
                raise InvariantBroken(f"{memory.id} supersedes what may not be superseded")
            followers[memory.supersedes].append(memory.contra)
        chain.append(recorded)
        members[memory.id], followers[memory.id] = chain, []
    return chains


def chain_states(
    chain: Sequence[Recorded], reclassified: Iterable[Reclassified], registry: Registry
) -> tuple[MemoryState, ...]:
    """The states of one chain's versions, in the chain's order.

    Args:
        chain: the whole chain, in the order of its entries.
        reclassified: the reclassifications of its versions, in the order of their entries.
        registry: as it is today.

    Raises:
        InvariantBroken: it is not one chain (see ``chains_of``).
    """
    if len(chains_of(chain)) != 1:
        raise InvariantBroken(f"{chain[0].memory.id} and what follows is not one chain")
    rulings = _rulings(chain, reclassified)
    discretion = max((r.discretion for r in rulings.values()), key=lambda d: d.rank)
    last_seq = max(
        *(recorded.seq for recorded in chain),
        *(ruling.seq for ruling in rulings.values()),
        *(registry.touched.get(anchor, 0) for r in chain for anchor in r.memory.anchors),
    )
    enders: dict[MemoryId, Memory] = {}
    heads: dict[MemoryId, MemoryId] = {}
    levels: dict[MemoryId, Level] = {}
    for recorded in reversed(chain):
        memory = recorded.memory
        levels[memory.id] = max(
            rulings[memory.id].level, _floor(memory, registry), levels.get(memory.id, Level.S0)
        )
        heads.setdefault(memory.id, memory.id)
        if memory.supersedes is not None:
            levels[memory.supersedes] = max(levels[memory.id], levels.get(memory.supersedes, Level.S0))
            if memory.contra is not ContraRole.SUCCESSION:
                enders[memory.supersedes] = memory
                heads[memory.supersedes] = heads[memory.id]
            else:
                # What is closed stays believed, true of the past, unless something else ends it.
                heads.setdefault(memory.supersedes, heads[memory.id])
    return tuple(
        MemoryState(
            memory=memory.id,
            chain=chain[0].memory.id,
            head=heads[memory.id],
            position=position,
            superseded_at=enders[memory.id].recorded_at if memory.id in enders else None,
            ended_by=enders[memory.id].contra if memory.id in enders else None,
            level=levels[memory.id],
            discretion=discretion,
            anchors=tuple(sorted({registry.canonical(anchor) for anchor in memory.anchors})),
            changed_seq=last_seq,
        )
        for position, memory in enumerate(recorded.memory for recorded in chain)
    )


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
