"""Memories, versions and registries for tests: whole by default, each test names what matters to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from policies.chain import GENESIS, Head, head_after, link, vouch
from policies.decision import RegistryChange, RegistryOp
from policies.entries import EntryType, StoredEntry, memory_body, sealed_memory
from policies.parameters import parameters
from policies.projection import Reclassified, Recorded, chain_states
from policies.registry import Registry, registry_of
from policies.terms import (
    Discretion,
    EntityId,
    EntityType,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    Moment,
    Precision,
    ProposalId,
    Provenance,
    Version,
)

PARAMETERS = parameters()
SECOND = 1_000_000
MACHINE_KEY = b"the machine key of the tests ..."
OWNER = EntityId("ent:owner")


def at(second: int) -> Instant:
    """An instant, in seconds since 2026-01-01T00:00:00Z."""
    return Instant((1_767_225_600 + second) * SECOND)


def moment(second: int, precision: Precision = Precision.INSTANT) -> Moment:
    return Moment(at(second), precision)


def memory(name: str = "one", **qualifications: Any) -> Memory:
    """A memory ``mem:<name>``: a reported everyday fact, unless said otherwise."""
    whole: dict[str, Any] = {
        "id": MemoryId(f"mem:{name}"),
        "text": f"Text of {name}",
        "language": "en",
        "kind": Kind.FACT,
        "provenance": Provenance.REPORTED,
        "confidence": 0.5,
        "level": Level.S0,
        "discretion": Discretion.OPEN,
        "recorded_at": at(0),
        "root": ProposalId(f"prop:{name}"),
        "parameters": "digest",
    }
    return Memory(**(whole | qualifications))


def registered(
    name: str,
    kind: EntityType = EntityType.PERSON,
    *,
    aliases: tuple[str, ...] = (),
    level: Level | None = None,
    owner: bool = False,
) -> RegistryChange:
    """The registration of ``ent:<name>``."""
    return RegistryChange(
        RegistryOp.REGISTER,
        EntityId(f"ent:{name}"),
        name=name,
        type=kind,
        aliases=aliases,
        level=level,
        owner=owner,
    )


def registry(*changes: RegistryChange) -> Registry:
    """The owner's registry after these entries, numbered from 1; ``ent:owner`` is not in it by itself."""
    return registry_of(PARAMETERS, enumerate(changes, start=1))


EMPTY = registry()


def versions(
    *chain: Memory, registry: Registry = EMPTY, reclassified: Sequence[Reclassified] = ()
) -> tuple[Version, ...]:
    """The versions of one chain, oldest first."""
    recorded = [Recorded(one, 100 + seq) for seq, one in enumerate(chain)]
    states = chain_states(recorded, reclassified, registry)
    return tuple(Version(one, state) for one, state in zip(chain, states, strict=True))


def version(name: str = "one", **qualifications: Any) -> Version:
    """A version alone in its chain."""
    return versions(memory(name, **qualifications))[0]


def stored(*memories: Memory, salt: str = "salt") -> list[StoredEntry]:
    """The ledger that holds these memories and nothing else."""
    head: Head = GENESIS
    ledger: list[StoredEntry] = []
    for one in memories:
        entry = link(head, EntryType.MEMORY, one.id, memory_body(one, salt), one.recorded_at)
        ledger.append(vouch(MACHINE_KEY, entry, salt, sealed_memory(one)))
        head = head_after(entry)
    return ledger
