"""What the owner does that is weighty: once there is a passkey, nothing of it is done without one.

Declaring health, lowering a level, enrolling or withdrawing a passkey. It is told by what a decision would write, not
by the verb that leads to it: a correction can declare health, undoing a merge can lower a level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from policies.decision import Decision, PasskeyOp, Reclassification, RegistryOp
from policies.registry import Registry, registry_of
from policies.terms import Kind, Level, Memory, MemoryId, Provenance

HEALTH = "health"
"""The domain of health and psychology."""
HELD = frozenset({PasskeyOp.ENROL, PasskeyOp.WITHDRAW})
"""The changes of passkeys that an earlier one confirms."""


def weight(decision: Decision, levels: Mapping[MemoryId, Level], registry: Registry) -> str | None:
    """Why a decision is weighty, for the owner to be told: ``health``, ``level`` or ``passkey``; None: it is not.

    Args:
        decision: what would be written.
        levels: the effective levels today of the memories that it reclassifies.
        registry: as it is today.
    """
    if any(change.op in HELD for change in decision.passkeys):
        return "passkey"
    if declares_health(decision.memories):
        return "health"
    lowers = any(lowers_level(change, levels[change.memory]) for change in decision.reclassifications)
    return "level" if lowers or _lowers_entities(decision, registry) else None


def declares_health(memories: Iterable[Memory]) -> bool:
    """Whether the owner says with one of these, or rules so, what is filed under health.

    To take back what was declared is no declaration; what a tool files there by itself says nothing of health, or the
    gates would have held it back.
    """
    return any(
        HEALTH in memory.domains
        and memory.kind is not Kind.RETRACTION
        and (memory.provenance is Provenance.ATTESTED or memory.ruled)
        for memory in memories
    )


def lowers_level(change: Reclassification, level: Level) -> bool:
    """Whether a reclassification puts a memory below the level that it has."""
    return change.level is not None and change.level < level


def _lowers_entities(decision: Decision, registry: Registry) -> bool:
    """Whether what is anchored on some entity would have a lower floor."""
    lowering = {one.entity for one in decision.registry if one.op in (RegistryOp.LEVEL, RegistryOp.UNMERGE)}
    if not lowering:
        return False
    changes = [(registry.seq + 1 + place, change) for place, change in enumerate(decision.registry)]
    after = registry_of(registry.parameters, changes, after=registry)
    return any(
        after.entities[one].level < registry.entities[one].level or after.level(one) < registry.level(one)
        for entity in lowering
        for one in registry.group(entity)
    )
