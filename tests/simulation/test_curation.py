"""A seeded life of a store: proposals, directives, repeats, kills at any write, successors, stale curators.

After every step the ledger's invariants hold and nothing was settled twice; in the end everything is settled,
the chain verifies and the projection is what a rebuild would make. A failure prints its seed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from curator.curating import Curator
from curator.known import Known, Near
from cypher.engine import Engine
from cypher.reader import Reader
from policies import invariants
from policies.entries import EntryType, outcome_of
from policies.errors import StaleLease
from policies.lifecycle import FINAL, InboxState
from policies.terms import MemoryId, ProposalId, Version
from policies.text import dedup_key
from tests.support.crashing import CrashingGraph, Killed
from tests.support.curated import Curated
from tests.support.graphs import make_settings

STEPS = 60
PEOPLE = ("Léa Roux", "Paul Durand", "Zoé Lambert", "Karim Haddad")
DEEDS = (
    "works at Acme",
    "likes coffee",
    "does not like coffee",
    "lives in Lyon",
    "lives in Lille",
    "met Paul",
)


class Life:
    """One store, what happened to it, and what must be true of it."""

    def __init__(self, tmp_path: Path, engine: Engine, seed: int) -> None:
        self.chance = random.Random(seed)
        self.graph = CrashingGraph(engine.graph)
        self.store = Curated(make_settings(tmp_path / "life"), engine)
        self.store.curator = self._curator()
        self.proposals: list[ProposalId] = []
        self.directives: list[ProposalId] = []
        self.kills = 0

    def _curator(self) -> Curator:
        return Curator(self.store.settings, self.graph, self.store.clock, self.store.ids)

    def step(self) -> None:
        """Something happens."""
        chance = self.chance.random()
        if chance < 0.45:
            self.proposals.append(self._propose())
        elif chance < 0.65:
            self.directives.append(self._direct())
        elif chance < 0.8:
            self._survive(self.store.lane)
        elif chance < 0.95:
            self._survive(self.store.run)
        else:
            self._let_a_stale_curator_try()

    def _propose(self) -> ProposalId:
        tool = self.chance.choice(("claude", "gemini"))
        known = self._believed()
        if known and self.chance.random() < 0.3:
            target = self.chance.choice(known)
            if self.chance.random() < 0.3:
                return self.store.propose("retract", tool=tool, id=target, reason="wrong")
            change = self.chance.choice(("correction", "succession"))
            return self.store.propose(
                "correct", tool=tool, id=target, statement=self._saying(), change=change
            )
        return self.store.remember(self._saying(), tool=tool)

    def _direct(self) -> ProposalId:
        waiting = self.store.curator.inbox.view(state=InboxState.NEEDS_OWNER, limit=50)
        if waiting and self.chance.random() < 0.5:
            ruling = self.chance.choice(("keep-old", "keep-new", "keep-both", "reject"))
            proposal = self.chance.choice(waiting).proposal.id
            return self.store.submit_directive("rule", proposal=proposal, ruling=ruling)
        known = self._believed()
        if known and self.chance.random() < 0.2:
            level = self.chance.choice(("S1", "S2", "S3"))
            return self.store.submit_directive("reclassify", memory=self.chance.choice(known), level=level)
        if self.chance.random() < 0.6:
            return self.store.submit_directive("register", name=self.chance.choice(PEOPLE), type="person")
        return self.store.submit_directive("declare", text=self._saying())

    def _saying(self) -> str:
        return f"{self.chance.choice(PEOPLE)} {self.chance.choice(DEEDS)}"

    def _survive(self, act: Callable[[], object]) -> None:
        """Act, and perhaps die at one of the writes; a successor begins anew."""
        if self.chance.random() < 0.5:
            self.graph.die(writes_left=self.chance.randrange(12), after=self.chance.random() < 0.5)
        try:
            act()
        except Killed:
            self.kills += 1
            self.store.curator = self._curator()
        finally:
            self.graph.live()

    def _let_a_stale_curator_try(self) -> None:
        """One that was cut off wakes up after another took over: it may not commit."""
        stale = self._curator()
        assert stale.leadership.try_take()
        lost = stale.leadership.lease
        self.store.clock.advance(60)
        taken = self._curator().committer.acquire("another machine", 1_000_000, self.store.clock.now())
        assert taken is not None
        for proposal in stale.committer.pending(self.store.clock.now(), 1):
            with pytest.raises(StaleLease):
                stale.committer.commit(lost, stale.settler.decide(proposal), self.store.clock.now())
        stale.committer.release(taken)
        stale.leadership.give_up()

    def _believed(self) -> list[MemoryId]:
        return [v.memory.id for v in self._versions() if v.state.superseded_at is None]

    def _versions(self) -> list[Version]:
        return Reader(self.graph).changed_since(0, 10_000)

    def check(self) -> None:
        """What must hold after every step."""
        reader = Reader(self.graph)
        stored = list(reader.all_entries())
        assert invariants.check(invariants.ledger_of(stored)) == ()
        final = Counter(
            record.proposal
            for one in stored
            if one.entry.type is EntryType.OUTCOME and (record := outcome_of(one)).outcome in FINAL
        )
        assert set(final.values()) <= {1}
        said = Counter(
            dedup_key(v.memory.text, v.state.anchors, v.memory.domains)
            for v in self._versions()
            if v.state.superseded_at is None and v.memory.contra is None and not v.memory.ruled
        )
        assert set(said.values()) <= {1}, "something is believed twice"

    def end(self) -> None:
        """What must hold when everything had its turn."""
        self.store.clock.advance(86_400)
        self.store.lane()
        self.store.run()
        for proposal in (*self.proposals, *self.directives):
            assert self.store.view(proposal).state in (InboxState.SETTLED, InboxState.NEEDS_OWNER)
        verified = self.store.curator.verify()
        assert verified.ok, verified.reason


def live(tmp_path: Path, engine: Engine, seed: int) -> Life:
    print(f"seed {seed}")
    life = Life(tmp_path, engine, seed)
    life.store.register("Louis Martin", owner=True)
    for name, kind in (
        ("Acme", "organisation"),
        ("Lyon", "place"),
        ("Lille", "place"),
        ("Paul Martin", "person"),
    ):
        life.store.register(name, kind)
    for _ in range(STEPS):
        life.step()
        life.check()
    life.end()
    return life


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_life_of_kills_and_repeats_ends_sound(tmp_path: Path, engine: Engine, seed: int) -> None:
    life = live(tmp_path, engine, seed)
    assert life.kills > 0


def test_the_simulation_finds_a_planted_bug(
    tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(_reader: Reader, _keys: Collection[str]) -> list[Version]:
        return []

    def oblivious(_known: Known, *_statement: object, **_said: object) -> Near:
        return Near()

    monkeypatch.setattr(Reader, "versions_by_dedup_key", forgetful)
    monkeypatch.setattr(Known, "near", oblivious)
    with pytest.raises(AssertionError, match="believed twice"):
        live(tmp_path, engine, 1)
