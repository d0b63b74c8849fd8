"""The projection kept up, made anew, and compared; what one transaction could not do, the next curator does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cypher.committer import Committer
from cypher.projection import TOUCHED_MAX
from cypher.rebuild import Difference, compare, is_current, rebuild
from cypher.statement import parse_statement
from policies.decision import RegistryChange, RegistryOp
from policies.errors import StaleLease
from policies.parameters import parameters
from policies.terms import EntityId, Level, MemoryId, Outcome, Relation
from tests.support.clocks import CountingIds
from tests.support.committing import FOREVER_US, Ledger
from tests.support.memories import MACHINE_KEY, PARAMETERS, at, memory, registered

PAUL, ACME = EntityId("ent:paul"), EntityId("ent:acme")


def damage(ledger: Ledger, text: str) -> None:
    ledger.graph.write(parse_statement("damage_projection", f"// By hand.\n{text}"))


def small(ledger: Ledger) -> None:
    ledger.register(registered("paul"), registered("acme"))
    for i in range(5):
        ledger.remember(f"m{i}", anchors=(PAUL, ACME), relation=Relation(PAUL, "knows", ACME))


@pytest.mark.parametrize(
    ("by_hand", "found"),
    [
        ("MATCH (s:State {memory: 'mem:m1'}) DETACH DELETE s", Difference("mem:m1", "missing")),
        ("MATCH (s:State {memory: 'mem:m1'}) SET s.level = 0", Difference("mem:m1", "state")),
        ("MATCH (s:State {memory: 'mem:m1'}) SET s.note = 'x'", Difference("mem:m1", "state")),
        ("MATCH (s:State {memory: 'mem:m1'})-[a:ABOUT]->({id: 'ent:paul'}) DELETE a", Difference("mem:m1", "link")),
        ("MATCH (s:State {memory: 'mem:m1'})-[a:OBJECT]->() DELETE a", Difference("mem:m1", "link")),
        ("MATCH (s:State {memory: 'mem:m1'})-[a:OF]->() DELETE a", Difference("mem:m1", "link")),
        ("CREATE (:State {memory: 'mem:x', change: '0000000000000001 mem:x'})", Difference("mem:x", "extra")),
        ("MATCH (e:Entity {id: 'ent:acme'}) SET e.name = 'x'", Difference("ent:acme", "entity")),
        ("MATCH (e:Entity {id: 'ent:acme'}) SET e.id = 'ent:zz'", Difference("ent:zz", "extra")),
    ],
    ids=lambda value: value.problem if isinstance(value, Difference) else "by hand",
)  # fmt: skip
def test_what_was_changed_by_hand_is_found_and_made_anew(
    ledger: Ledger, by_hand: str, found: Difference
) -> None:
    small(ledger)
    assert compare(ledger.graph, PARAMETERS) == []
    damage(ledger, by_hand)
    assert found in compare(ledger.graph, PARAMETERS)
    rebuild(ledger.graph, ledger.lease, PARAMETERS)
    assert compare(ledger.graph, PARAMETERS) == []
    assert ledger.verify().ok


def test_a_rebuild_that_was_interrupted_is_done_by_the_next_curator(ledger: Ledger) -> None:
    small(ledger)
    assert is_current(ledger.graph, PARAMETERS)
    damage(
        ledger, "MATCH (p:Published) SET p.rules = '' WITH p MATCH (s:State) WHERE s.seq > 6 DETACH DELETE s"
    )
    assert not is_current(ledger.graph, PARAMETERS)
    assert ledger.committer.acquire("tests", FOREVER_US, at(9)) is not None
    assert is_current(ledger.graph, PARAMETERS)
    assert compare(ledger.graph, PARAMETERS) == []


def test_a_floor_that_the_owner_raised_holds_for_what_was_committed_before(ledger: Ledger) -> None:
    ledger.remember("one", domains=("work",))
    raised = parameters({"domains": {"work": {"floor": "S3"}}})
    Committer(ledger.graph, MACHINE_KEY, CountingIds(), raised).acquire("tests", FOREVER_US, at(9))
    version = ledger.reader.versions([MemoryId("mem:one")])[MemoryId("mem:one")]
    assert version.state.level == Level.S3
    assert compare(ledger.graph, raised) == []
    assert compare(ledger.graph, PARAMETERS) != []


def test_a_stale_curator_rebuilds_nothing(ledger: Ledger) -> None:
    small(ledger)
    ledger.committer.acquire("other", FOREVER_US, at(10**10))
    with pytest.raises(StaleLease):
        rebuild(ledger.graph, ledger.lease, PARAMETERS)
    assert compare(ledger.graph, PARAMETERS) == []


def many(ledger: Ledger) -> int:
    """More memories about Paul than one transaction projects anew; how many."""
    count = TOUCHED_MAX + 20
    ledger.register(registered("paul"), registered("acme"))
    proposal = ledger.submit("many")
    memories = [memory(f"m{i:04d}", anchors=(PAUL,)) for i in range(count)]
    ledger.commit(ledger.decision(proposal, Outcome.COMMITTED, *memories))
    return count


def test_a_registry_entry_that_touches_many_memories_reaches_all_before_it_is_told(ledger: Ledger) -> None:
    count = many(ledger)
    before = ledger.reader.head().seq
    ledger.direct("level", registry=(RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S2),))
    changed = ledger.reader.changed_since(before, 10)
    assert len(changed) == count
    assert {one.state.level for one in changed} == {Level.S2}
    ledger.direct("merge", registry=(RegistryChange(RegistryOp.MERGE, PAUL, other=ACME),))
    assert len(ledger.reader.versions_about([ACME], limit=10**4)) == count
    assert compare(ledger.graph, PARAMETERS) == []


def test_what_a_killed_curator_left_unprojected_the_next_one_projects(ledger: Ledger) -> None:
    count = many(ledger)
    ledger.direct("level", registry=(RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S3),))
    damage(
        ledger,
        "MATCH (h:ChainHead) SET h.projected_seq = 2 WITH h MATCH (s:State) WHERE s.seq > 300 SET s.level = 1",
    )
    assert len(compare(ledger.graph, PARAMETERS)) > count - 300
    following = Committer(ledger.graph, MACHINE_KEY, CountingIds("next"))
    assert following.acquire("next", FOREVER_US, at(10**10)) is not None
    assert compare(ledger.graph, PARAMETERS) == []


def test_a_projection_of_many_chains_is_made_anew_in_steps(ledger: Ledger) -> None:
    many(ledger)
    target = MemoryId("mem:m0001")
    ledger.remember("right", supersedes=target, contra="correction", anchors=(PAUL,))
    whole = ledger.reader.changed_since(0, 10**6)
    rebuild(ledger.graph, replace(ledger.lease), PARAMETERS)
    assert ledger.reader.changed_since(0, 10**6) == whole
    assert compare(ledger.graph, PARAMETERS) == []
