"""What the owner is told that each scope would show: counted in one index, equal to what each view has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.terms import ContraRole, Discretion, EntityId, Kind, Level, MemoryId, View
from service.reading import ProfileArguments, Reading
from service.reading.holdings import Holding
from tests.support.ledger import MemoryLedger
from tests.support.memories import memory, moment
from tests.support.reading import OWNER, SCOPES, STANDARD

MARIE, INITECH, OWNER_ID = (EntityId(f"ent:{name}") for name in ("Marie Leroy", "Initech", "owner"))


@pytest.fixture
def filled(read: Reading, ledger: MemoryLedger) -> Reading:
    """Memories of every level, and of everything that is not to be counted."""
    ledger.record(
        memory("a", domains=("food",), anchors=(OWNER_ID,)),
        memory("b", domains=("work",), anchors=(INITECH,), level=Level.S1),
        memory("c", anchors=(MARIE, OWNER_ID), level=Level.S2, discretion=Discretion.ON_DEMAND),
        memory("d", level=Level.S3),
        memory("announced", level=Level.S1, valid_from=moment(10**9)),
        memory("happened", kind=Kind.EVENT, valid_to=moment(5)),
        memory("closed", valid_to=moment(5)),
        memory("aimed", anchors=(MARIE,), discretion=Discretion.ON_REQUEST_ONLY),
        memory("wrong"),
    )
    ledger.record(
        memory("right", level=Level.S1, supersedes=MemoryId("mem:wrong"), contra=ContraRole.CORRECTION)
    )
    return read


def test_each_level_is_counted_with_those_below_it(filled: Reading) -> None:
    assert filled.holdings(OWNER) == {
        Level.S0: Holding(memories=2, entities=0),
        Level.S1: Holding(memories=5, entities=1),
        Level.S2: Holding(memories=6, entities=2),
        Level.S3: Holding(memories=7, entities=2),
    }


@pytest.mark.parametrize("view", SCOPES.values(), ids=SCOPES)
def test_what_is_told_of_a_scope_is_what_its_own_view_holds(filled: Reading, view: View) -> None:
    own = filled.holdings(view)
    assert list(own) == [level for level in Level if level <= view.level]
    assert own[view.level] == filled.holdings(OWNER)[view.level]


def test_of_a_view_limited_to_domains_only_theirs_are_counted(filled: Reading) -> None:
    limited = replace(STANDARD, domains=frozenset({"work"}))
    assert filled.holdings(limited)[Level.S1] == Holding(memories=1, entities=1)
    listed = filled.profile(limited, ProfileArguments("assistant-standard"))["entities"]
    assert [entity["name"] for entity in listed] == ["Initech"]


def test_a_level_that_is_raised_is_counted_at_once(filled: Reading, ledger: MemoryLedger) -> None:
    ledger.reclassify(MemoryId("mem:b"), level=Level.S3)
    counted = filled.holdings(OWNER)
    assert (counted[Level.S1].memories, counted[Level.S3].memories) == (4, 7)
