"""G14: the projection, dropped and made anew, equals the live one, whatever was committed in whatever order."""

from __future__ import annotations

import random

import pytest

from cypher.graph import Graph
from cypher.rebuild import compare, rebuild
from policies.decision import Reclassification, RegistryChange, RegistryOp
from policies.errors import DirectiveRefused
from policies.registry import Registry
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    Kind,
    Level,
    Memory,
    MemoryId,
    Outcome,
    Relation,
    Version,
)
from tests.support.committing import Ledger
from tests.support.memories import PARAMETERS, memory, moment, registered

STEPS = 60
ENTITIES = [EntityId(f"ent:e{i}") for i in range(6)]
DOMAINS = ("work", "home", "health", "learning")


class Story:
    """Random commits of every kind, from one seed."""

    def __init__(self, ledger: Ledger, seed: int) -> None:
        self.ledger = ledger
        self.random = random.Random(seed)
        self.step = 0
        self.heads: list[MemoryId] = []

    def go_on(self) -> None:
        self.step += 1
        deeds = [self.remember] * 4 + [self.correct, self.succeed, self.retract, self.reclassify]
        deeds += [self.level, self.merge, self.unmerge, self.two_at_once]
        self.random.choice(deeds)()

    def draft(self, suffix: str = "", **more: object) -> Memory:
        pick = self.random
        anchors = tuple(sorted(pick.sample(ENTITIES, pick.randrange(3))))
        relation = Relation(anchors[0], "knows", anchors[1]) if len(anchors) == 2 else None
        whole: dict[str, object] = {
            "kind": pick.choice([Kind.FACT, Kind.RELATION, Kind.EVENT, Kind.PREFERENCE]),
            "level": pick.choice(list(Level)),
            "discretion": pick.choice(list(Discretion)),
            "anchors": anchors,
            "domains": tuple(pick.sample(DOMAINS, pick.randrange(3))),
            "relation": relation,
            "valid_from": moment(pick.randrange(1000)) if pick.random() < 0.3 else None,
        }
        return memory(f"{self.step:03d}{suffix}", **(whole | more))

    def commit(self, *memories: Memory) -> None:
        proposal = self.ledger.submit(f"step{self.step}")
        self.ledger.commit(self.ledger.decision(proposal, Outcome.COMMITTED, *memories))
        self.heads = [one for one in self.heads if one not in {m.supersedes for m in memories}]
        superseded = {m.supersedes for m in memories}
        self.heads += [m.id for m in memories if m.id not in superseded]

    def remember(self) -> None:
        self.commit(self.draft())

    def correct(self) -> None:
        if self.heads:
            target = self.random.choice(self.heads)
            self.commit(self.draft(supersedes=target, contra=ContraRole.CORRECTION))

    def succeed(self) -> None:
        if self.heads:
            target = self.random.choice(self.heads)
            closure = self.draft(
                "a", supersedes=target, contra=ContraRole.CLOSURE, kind=Kind.CLOSURE, restates=Kind.FACT
            )
            self.commit(closure, self.draft("b", supersedes=closure.id, contra=ContraRole.SUCCESSION))

    def retract(self) -> None:
        if self.heads:
            target = self.random.choice(self.heads)
            self.commit(self.draft(supersedes=target, contra=ContraRole.RETRACTION, kind=Kind.RETRACTION))

    def reclassify(self) -> None:
        if self.heads:
            change = Reclassification(
                self.random.choice(self.heads),
                self.random.choice([None, *Level]),
                self.random.choice([None, *Discretion]),
            )
            self.ledger.direct(f"step{self.step}", reclassifications=(change,))

    def level(self) -> None:
        entity, level = self.random.choice(ENTITIES), self.random.choice(list(Level))
        self.change(RegistryChange(RegistryOp.LEVEL, entity, level=level))

    def merge(self) -> None:
        entity, other = self.random.sample(ENTITIES, 2)
        self.change(RegistryChange(RegistryOp.MERGE, entity, other=other))

    def unmerge(self) -> None:
        self.change(RegistryChange(RegistryOp.UNMERGE, self.random.choice(ENTITIES)))

    def two_at_once(self) -> None:
        """A registration, a level and a memory anchored on both, in one commit."""
        new = f"new{self.step}"
        one = self.draft(anchors=(EntityId(f"ent:{new}"), *ENTITIES[:1]), relation=None)
        proposal = self.ledger.submit(f"step{self.step}")
        changes = (registered(new), RegistryChange(RegistryOp.LEVEL, ENTITIES[0], level=Level.S2))
        self.ledger.commit(self.ledger.decision(proposal, Outcome.COMMITTED, one, registry=changes))
        self.heads.append(one.id)

    def change(self, *changes: RegistryChange) -> None:
        registry: Registry = self.ledger.reader.registry()
        try:
            for change in changes:
                registry = registry.apply(change, registry.seq + 1)
        except DirectiveRefused:
            return
        self.ledger.direct(f"step{self.step}", registry=changes)


def everything(ledger: Ledger) -> list[Version]:
    return ledger.reader.changed_since(0, 10**6)


@pytest.mark.parametrize("seed", [1, 2])
def test_g14_after_random_commits_the_live_projection_is_the_one_made_anew(graph: Graph, seed: int) -> None:
    ledger = Ledger(graph)
    ledger.register(*(registered(entity.removeprefix("ent:")) for entity in ENTITIES))
    story = Story(ledger, seed)
    for step in range(STEPS):
        story.go_on()
        if step % 20 == 19:
            assert compare(graph, PARAMETERS) == [], f"seed {seed}, step {step}"
    live = everything(ledger)
    edges = ledger.reader.edges_of(ENTITIES, level=Level.S3, limit=1000)
    rebuild(graph, ledger.lease, PARAMETERS)
    assert compare(graph, PARAMETERS) == []
    assert everything(ledger) == live
    assert ledger.reader.edges_of(ENTITIES, level=Level.S3, limit=1000) == edges
    assert ledger.verify().ok
