"""Who may supersede what, and what a correction, a succession, a closure and a retraction write (G16)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.errors import IntervalReversed
from policies.supersession import Objection, closure, correction, objection, retraction, standing, succession
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    Evidence,
    GrantId,
    Kind,
    Level,
    MemoryId,
    Precision,
    ProposalId,
    Provenance,
    Version,
)
from tests.support.memories import memory, moment, version, versions

OLD = version(
    "old",
    text="Works at Acme",
    kind=Kind.FACT,
    provenance=Provenance.ATTESTED,
    confidence=1.0,
    level=Level.S2,
    discretion=Discretion.ON_DEMAND,
    valid_from=moment(10),
    anchors=(EntityId("ent:acme"),),
    domains=("work",),
    evidence=Evidence("I work at Acme", "owner", "cli", None),
)
NEW = memory(
    "new",
    text="Works at Globex",
    root=ProposalId("prop:p"),
    proposed_by=GrantId("grant:g"),
    evidence=Evidence("since March at Globex", "owner", "chat", None),
)
C = MemoryId("mem:closure")


@pytest.mark.parametrize("target", Provenance)
@pytest.mark.parametrize("own", Provenance)
def test_a_weaker_provenance_goes_to_the_owner(target: Provenance, own: Provenance) -> None:
    found = objection(version(provenance=target), own, by_owner=False)
    assert (found is Objection.WEAKER) == (own.rank > target.rank)
    assert objection(version(provenance=target), own, by_owner=True) is None


def test_what_the_owner_ruled_has_the_authority_of_what_they_attested() -> None:
    ruled = version(provenance=Provenance.REPORTED, ruled=True)
    assert objection(ruled, Provenance.QUOTED, by_owner=False) is Objection.WEAKER
    assert objection(ruled, Provenance.ATTESTED, by_owner=False) is None


@pytest.mark.parametrize("kind", [{"kind": Kind.FAILURE}, {"kind": Kind.CLOSURE, "restates": Kind.FAILURE}])
def test_a_failure_is_superseded_by_the_owner_alone(kind: dict[str, Kind]) -> None:
    failure = version(**kind)
    assert objection(failure, Provenance.ATTESTED, by_owner=False) is Objection.OWNER_ONLY
    assert objection(failure, Provenance.ATTESTED, by_owner=True) is None


def test_what_was_superseded_meanwhile_goes_to_the_owner_and_stays_for_them() -> None:
    old, _ = versions(memory("a"), memory("b", supersedes=MemoryId("mem:a"), contra=ContraRole.CORRECTION))
    for by_owner in (False, True):
        assert objection(old, Provenance.ATTESTED, by_owner=by_owner) is Objection.SUPERSEDED


def test_what_stands_in_place_of_a_memory_depends_on_what_is_to_be_done() -> None:
    chain = versions(
        memory("a"),
        memory("b", supersedes=MemoryId("mem:a"), contra=ContraRole.CORRECTION),
        memory("c", supersedes=MemoryId("mem:b"), contra=ContraRole.CLOSURE, kind=Kind.CLOSURE),
        memory("n", supersedes=MemoryId("mem:c"), contra=ContraRole.SUCCESSION),
    )
    for name in ("a", "b", "c"):
        for wrong in (ContraRole.CORRECTION, ContraRole.RETRACTION):
            assert standing(chain, MemoryId(f"mem:{name}"), wrong) is chain[2]
        for since in (ContraRole.SUCCESSION, ContraRole.CLOSURE):
            assert standing(chain, MemoryId(f"mem:{name}"), since) is chain[3]
    for role in ContraRole:
        assert standing(chain, MemoryId("mem:n"), role) is chain[3]
        assert standing(chain, MemoryId("mem:elsewhere"), role) is None


def test_a_correction_supersedes_its_target_and_nothing_else() -> None:
    written = correction(OLD, NEW)
    assert (written.supersedes, written.contra) == ("mem:old", ContraRole.CORRECTION)
    assert (written.text, written.kind, written.evidence) == (NEW.text, NEW.kind, NEW.evidence)


def test_a_correction_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(IntervalReversed):
        correction(OLD, replace(NEW, valid_from=moment(5), valid_to=moment(5)))


def test_a_succession_writes_the_closure_then_what_is_true_since() -> None:
    begins = moment(50, Precision.MONTH)
    closed, begun = succession(OLD, NEW, C, begins)
    assert (closed.id, closed.kind, closed.restates) == (C, Kind.CLOSURE, Kind.FACT)
    assert (closed.supersedes, closed.contra) == ("mem:old", ContraRole.CLOSURE)
    assert (closed.text, closed.anchors, closed.domains) == ("Works at Acme", OLD.memory.anchors, ("work",))
    assert (closed.valid_from, closed.valid_to) == (moment(10), begins)
    assert (closed.provenance, closed.confidence) == (Provenance.ATTESTED, 1.0)
    assert (closed.root, closed.proposed_by, closed.evidence) == (NEW.root, NEW.proposed_by, None)
    assert (begun.id, begun.text, begun.kind) == ("mem:new", "Works at Globex", Kind.FACT)
    assert (begun.supersedes, begun.contra, begun.valid_from) == (C, ContraRole.SUCCESSION, begins)
    assert (begun.provenance, begun.evidence) == (NEW.provenance, NEW.evidence)


@pytest.mark.parametrize("second", [5, 10])
def test_a_succession_at_or_before_the_beginning_of_its_target_is_refused(second: int) -> None:
    with pytest.raises(IntervalReversed):
        succession(OLD, NEW, C, moment(second))


def test_a_succession_by_what_has_already_ended_is_refused() -> None:
    with pytest.raises(IntervalReversed):
        succession(OLD, replace(NEW, valid_to=moment(50)), C, moment(50))


def test_an_earlier_end_of_the_target_stands() -> None:
    ended = version("old", valid_to=moment(20))
    closed, begun = succession(ended, NEW, C, moment(50))
    assert closed.valid_to == moment(20)
    assert begun.valid_from == moment(50)


def test_a_later_end_of_the_target_is_brought_forward() -> None:
    closed, _ = succession(version("old", valid_to=moment(90)), NEW, C, moment(50))
    assert closed.valid_to == moment(50)


def closed_version(second: int) -> Version:
    return version("old", kind=Kind.CLOSURE, restates=Kind.PREFERENCE, valid_to=moment(second))


def test_what_is_closed_already_is_succeeded_without_closing_it_again() -> None:
    (begun,) = succession(closed_version(20), NEW, C, moment(50))
    assert (begun.supersedes, begun.contra) == ("mem:old", ContraRole.SUCCESSION)


def test_a_closure_that_ends_later_is_restated_as_what_it_restates() -> None:
    closed, _ = succession(closed_version(90), NEW, C, moment(50))
    assert (closed.restates, closed.valid_to) == (Kind.PREFERENCE, moment(50))


def test_a_closure_alone_keeps_the_words_that_told_of_the_end() -> None:
    closed = closure(OLD, NEW, moment(50))
    assert (closed.id, closed.text, closed.evidence) == (NEW.id, OLD.memory.text, NEW.evidence)
    assert closed.valid_to == moment(50)


@pytest.mark.parametrize(("old", "new"), [(True, False), (False, True), (False, False)])
def test_a_closure_is_ruled_when_either_is(old: bool, new: bool) -> None:
    closed = closure(version("old", ruled=old), replace(NEW, ruled=new), moment(50))
    assert closed.ruled == (old or new)


def test_a_closure_is_at_the_level_of_the_words_that_are_served_with_it() -> None:
    old = version("old", level=Level.S1, valid_from=moment(10))
    told = replace(NEW, level=Level.S2, discretion=Discretion.ON_DEMAND)
    closed = closure(old, told, moment(50))
    assert (closed.level, closed.discretion) == (Level.S2, Discretion.ON_DEMAND)
    ended, _ = succession(old, told, C, moment(50))
    assert ended.evidence is None
    assert (ended.level, ended.discretion) == (Level.S1, Discretion.OPEN)


def test_a_retraction_keeps_what_its_target_is_about() -> None:
    written = retraction(OLD, NEW)
    assert (written.kind, written.supersedes, written.contra) == (
        Kind.RETRACTION,
        "mem:old",
        ContraRole.RETRACTION,
    )
    assert (written.anchors, written.domains) == (OLD.memory.anchors, OLD.memory.domains)


def test_along_a_chain_levels_and_discretion_never_fall() -> None:
    for written in (
        correction(OLD, NEW),
        closure(OLD, NEW, moment(50)),
        retraction(OLD, NEW),
        *succession(OLD, NEW, C, moment(50)),
    ):
        assert (written.level, written.discretion) == (OLD.state.level, Discretion.ON_DEMAND)
    higher = correction(OLD, replace(NEW, level=Level.S3, discretion=Discretion.ON_REQUEST_ONLY))
    assert (higher.level, higher.discretion) == (Level.S3, Discretion.ON_REQUEST_ONLY)
