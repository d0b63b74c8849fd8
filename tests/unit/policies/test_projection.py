"""What a chain makes of its versions: ends of record time, levels, discretion, canonical anchors."""

from __future__ import annotations

import pytest

from policies.decision import Reclassification, RegistryChange, RegistryOp
from policies.errors import InvariantBroken
from policies.projection import Reclassified, Recorded, chain_states, chains_of
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    Kind,
    Level,
    Memory,
    MemoryId,
    Moment,
    Precision,
)
from tests.support.memories import EMPTY, at, memory, moment, registered, registry, versions

PAUL, ANNE = EntityId("ent:Paul"), EntityId("ent:Anne")


def superseding(name: str, target: str, role: ContraRole, second: int, **fields: object) -> Memory:
    return memory(name, supersedes=MemoryId(f"mem:{target}"), contra=role, recorded_at=at(second), **fields)


def test_a_memory_alone_is_believed_and_its_own_head() -> None:
    (state,) = (version.state for version in versions(memory()))
    assert (state.chain, state.head, state.position) == ("mem:one", "mem:one", 0)
    assert (state.superseded_at, state.ended_by, state.erased, state.changed_seq) == (None, None, False, 100)


@pytest.mark.parametrize("role", [ContraRole.CORRECTION, ContraRole.RETRACTION])
def test_a_correction_or_retraction_ends_the_record_time_of_its_target(role: ContraRole) -> None:
    old, new = versions(memory("a"), superseding("b", "a", role, 5))
    assert (old.state.superseded_at, old.state.ended_by) == (at(5), role)
    assert new.state.superseded_at is None
    assert old.state.head == "mem:b"
    assert new.state.chain == "mem:a"


def test_a_succession_ends_the_old_version_but_not_its_closure() -> None:
    old, closed, new = versions(
        memory("a"),
        superseding(
            "c", "a", ContraRole.CLOSURE, 5, kind=Kind.CLOSURE, restates=Kind.FACT, valid_to=moment(3)
        ),
        superseding("n", "c", ContraRole.SUCCESSION, 6, valid_from=moment(3)),
    )
    assert (old.state.superseded_at, old.state.ended_by) == (at(5), ContraRole.CLOSURE)
    assert (closed.state.superseded_at, closed.state.ended_by) == (None, None)
    assert new.state.superseded_at is None
    assert [version.state.position for version in (old, closed, new)] == [0, 1, 2]


def test_the_effective_level_is_the_highest_of_its_own_and_its_successors() -> None:
    chain = versions(
        memory("a", level=Level.S1),
        superseding("b", "a", ContraRole.CORRECTION, 1, level=Level.S3),
        superseding("c", "b", ContraRole.CORRECTION, 2, level=Level.S2),
    )
    assert [version.state.level for version in chain] == [Level.S3, Level.S3, Level.S2]


def test_the_level_is_at_least_that_of_anchors_and_domains_today() -> None:
    known = registry(registered("Paul", level=Level.S2), registered("Anne"))
    (anchored,) = versions(memory(anchors=(PAUL,)), registry=known)
    assert anchored.state.level == Level.S2
    (placed,) = versions(memory(domains=("work", "health")))
    assert placed.state.level == Level.S3
    (unknown,) = versions(memory(domains=("gone",)))
    assert unknown.state.level == Level.S3


def test_the_strictest_discretion_of_the_chain_holds_for_all_of_it() -> None:
    chain = versions(
        memory("a", discretion=Discretion.ON_REQUEST_ONLY),
        superseding("b", "a", ContraRole.CORRECTION, 1, discretion=Discretion.ON_DEMAND),
    )
    assert {version.state.discretion for version in chain} == {Discretion.ON_REQUEST_ONLY}


def test_the_owners_reclassification_replaces_the_versions_own() -> None:
    one, two = MemoryId("mem:a"), MemoryId("mem:b")
    reclassified = [
        Reclassified(Reclassification(one, level=Level.S2), 200),
        Reclassified(Reclassification(one, level=Level.S0, discretion=Discretion.OPEN), 201),
        Reclassified(Reclassification(two, discretion=Discretion.ON_DEMAND), 202),
        Reclassified(Reclassification(MemoryId("mem:elsewhere"), level=Level.S3), 900),
    ]
    chain = versions(
        memory("a", level=Level.S3, discretion=Discretion.ON_REQUEST_ONLY),
        superseding("b", "a", ContraRole.CORRECTION, 1, level=Level.S1),
        reclassified=reclassified,
    )
    assert [version.state.level for version in chain] == [Level.S1, Level.S1]
    assert {version.state.discretion for version in chain} == {Discretion.ON_DEMAND}
    assert {version.state.changed_seq for version in chain} == {202}


def test_anchors_are_canonical_and_told_once() -> None:
    known = registry(
        registered("Paul", level=Level.S2),
        registered("Anne"),
        RegistryChange(RegistryOp.MERGE, PAUL, other=ANNE),
    )
    (version,) = versions(memory(anchors=(ANNE, PAUL)), registry=known)
    assert version.state.anchors == (ANNE,)
    assert version.state.level == Level.S2


def test_a_change_of_the_registry_counts_as_a_change_of_the_state() -> None:
    known = registry(registered("Paul")).apply(RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S2), 500)
    (version,) = versions(memory(anchors=(PAUL,)), registry=known)
    assert version.state.changed_seq == 500


def test_memories_part_into_chains_in_their_order() -> None:
    one, two = memory("a"), memory("b")
    three = superseding("c", "a", ContraRole.CORRECTION, 1)
    recorded = [Recorded(one, 1), Recorded(two, 2), Recorded(three, 3)]
    assert chains_of(recorded) == [[recorded[0], recorded[2]], [recorded[1]]]


def test_a_second_successor_or_an_unknown_target_breaks_the_fold() -> None:
    one = Recorded(memory("a"), 1)
    two = Recorded(superseding("b", "a", ContraRole.CORRECTION, 1), 2)
    three = Recorded(superseding("c", "a", ContraRole.CORRECTION, 2), 3)
    for recorded in ([one, two, three], [two]):
        with pytest.raises(InvariantBroken):
            chains_of(recorded)
    with pytest.raises(InvariantBroken):
        chain_states([one, two, three], [], EMPTY)


def succeeded(*more: Memory) -> tuple[Memory, ...]:
    """An old version, closed, succeeded, and what follows."""
    return (
        memory("a"),
        superseding(
            "c", "a", ContraRole.CLOSURE, 5, kind=Kind.CLOSURE, restates=Kind.FACT, valid_to=moment(3)
        ),
        superseding("n", "c", ContraRole.SUCCESSION, 6, valid_from=moment(3)),
        *more,
    )


@pytest.mark.parametrize("role", [ContraRole.CORRECTION, ContraRole.RETRACTION])
def test_what_was_closed_and_succeeded_is_corrected_without_touching_its_successor(role: ContraRole) -> None:
    chain = versions(*succeeded(superseding("k", "c", role, 9, level=Level.S2)))
    _, closed, new, wrong = (version.state for version in chain)
    assert (closed.superseded_at, closed.ended_by) == (at(9), role)
    assert (new.superseded_at, new.level) == (None, Level.S0)
    assert wrong.superseded_at is None
    assert [version.state.head for version in chain] == ["mem:k", "mem:k", "mem:n", "mem:k"]
    assert [version.state.level for version in chain] == [Level.S2, Level.S2, Level.S0, Level.S2]


def test_a_lines_head_is_its_last_version() -> None:
    assert [version.state.head for version in versions(*succeeded())] == ["mem:n"] * 3


@pytest.mark.parametrize("role", [ContraRole.CLOSURE, ContraRole.SUCCESSION])
def test_what_was_succeeded_is_not_succeeded_or_closed_again(role: ContraRole) -> None:
    with pytest.raises(InvariantBroken):
        versions(*succeeded(superseding("k", "c", role, 9)))


def test_two_chains_are_not_one() -> None:
    with pytest.raises(InvariantBroken):
        versions(memory("a"), memory("b"))


def test_precision_is_no_part_of_the_state() -> None:
    day, month = Moment(at(0), Precision.DAY), Moment(at(0), Precision.MONTH)
    assert versions(memory(valid_from=day))[0].state == versions(memory(valid_from=month))[0].state
