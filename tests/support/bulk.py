"""Many invented memories at once, for measurements: Zipf-like words, a few anchors each, all levels."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from cypher.committer import Committer, Lease
from cypher.inbox import Inbox
from cypher.reader import Reader
from policies.decision import Decision, RegistryChange, RestsOn, Settlement
from policies.terms import (
    EntityId,
    EntityType,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    Outcome,
    Proposal,
    ProposalId,
    Provenance,
    Relation,
)
from tests.support.memories import memory, registered

WORDS = 8_000
ENTITIES = 500
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u")]
_BATCH = 250


def word(number: int) -> str:
    """The invented word of a rank: short ones are the common ones."""
    letters = _SYLLABLES[number % 70] + _SYLLABLES[number // 70 % 70]
    return letters if number < 4_900 else letters + _SYLLABLES[number // 4_900]


def entity(number: int) -> EntityId:
    """The id of an invented entity."""
    return EntityId(f"ent:{name(number)}")


def name(number: int) -> str:
    """What an invented entity is called."""
    return f"{word(number + 2_000).capitalize()} {word(number + 4_000).capitalize()}"


def entities() -> list[RegistryChange]:
    """The owner and ``ENTITIES`` others."""
    others = (
        registered(name(n), EntityType.PERSON if n % 2 else EntityType.ORGANISATION) for n in range(ENTITIES)
    )
    return [registered("owner", owner=True), *others]


def memories(count: int, seed: int = 0) -> Iterator[Memory]:
    """Invented memories of about twelve words; every tenth draws an edge, one in ten is above S1."""
    rng = random.Random(seed)
    weights = list(itertools.accumulate(1 / (n + 5) for n in range(WORDS)))
    for number in range(count):
        about = tuple(
            sorted({entity(min(int(rng.expovariate(0.02)), ENTITIES - 1)) for _ in range(rng.randint(0, 3))})
        )
        text = " ".join(word(n) for n in rng.choices(range(WORDS), cum_weights=weights, k=12))
        yield memory(
            f"bulk{number:07}",
            text=text,
            kind=rng.choice([Kind.FACT, Kind.PREFERENCE, Kind.EVENT, Kind.DECISION]),
            level=Level.S1 if rng.random() < 0.9 else Level.S3,
            provenance=rng.choice(list(Provenance)),
            anchors=about,
            domains=(rng.choice(["work", "home", "food", "travel"]),),
            relation=Relation(about[0], "knows", about[1]) if len(about) > 1 and number % 10 == 0 else None,
        )


def load(
    reader: Reader,
    inbox: Inbox,
    committer: Committer,
    lease: Lease,
    now: Instant,
    found: Sequence[Memory],
    registry: Sequence[RegistryChange] = (),
) -> None:
    """Commit many memories in few transactions, as the directives of an owner.

    Args:
        reader: of the ledger.
        inbox: of the same.
        committer: of the same.
        lease: held.
        now: when.
        found: what to commit.
        registry: entities to register first, in one transaction.
    """
    if registry:
        _commit(reader, inbox, committer, lease, now, f"registry{now}", registry=tuple(registry))
    for start in range(0, len(found), _BATCH):
        batch = tuple(found[start : start + _BATCH])
        _commit(reader, inbox, committer, lease, now, f"bulk{batch[0].id}", memories=batch)


def _commit(
    reader: Reader,
    inbox: Inbox,
    committer: Committer,
    lease: Lease,
    now: Instant,
    name: str,
    *,
    memories: tuple[Memory, ...] = (),
    registry: tuple[RegistryChange, ...] = (),
) -> None:
    directive = ProposalId(f"prop:{name}")
    inbox.submit(Proposal(directive, "declare", {}, now, grant=None), key=None, digest=name)
    head = reader.head()
    ids: tuple[MemoryId, ...] = tuple(memory.id for memory in memories)
    decision = Decision(
        proposal=directive,
        root=directive,
        rests_on=RestsOn(registry_seq=head.registry_seq, watermark=head.seq),
        settlements=(Settlement(directive, Outcome.COMMITTED, "committed", memories=ids),),
        memories=memories,
        registry=registry,
    )
    committer.commit(lease, decision, now)
