"""What was closed and succeeded can be found wrong afterwards, and the present stays as it is."""

from __future__ import annotations

import pytest

from policies.terms import ContraRole, Kind, Memory, MemoryId, Outcome
from tests.support.curated import Curated, instant


@pytest.fixture
def home(store: Curated) -> Curated:
    """Someone, and whom she may work for."""
    store.register("Léa Roux")
    for name in ("Acme", "Globex", "Initech", "Hooli"):
        store.register(name, "organisation")
    return store


@pytest.fixture
def employed(home: Curated) -> tuple[Memory, Memory]:
    """A closed employment and the present one."""
    old = home.memory_of(home.remember("Léa Roux works at Acme since 2021"))
    since = home.propose(
        "correct",
        id=old.id,
        statement="Léa Roux works at Globex",
        change="succession",
        effective="2026-03",
    )
    present = home.memory_of(since)
    assert present.supersedes is not None
    return home.version(present.supersedes).memory, present


def test_a_correction_of_the_closed_past_leaves_the_present_alone(
    home: Curated, employed: tuple[Memory, Memory]
) -> None:
    closed, present = employed
    proposal = home.propose("correct", id=closed.id, statement="Léa Roux works at Initech since 2021")
    right = home.memory_of(proposal)
    assert (right.supersedes, right.contra) == (closed.id, ContraRole.CORRECTION)
    assert right.valid_to is not None
    assert right.valid_to.at == instant("2026-03-01T00:00:00+01:00"), "it keeps the end of what it corrects"
    assert home.version(closed.id).state.superseded_at == right.recorded_at
    assert home.version(present.id).state.superseded_at is None
    assert home.version(present.id).state.head == present.id


def test_the_closed_past_can_be_taken_back(home: Curated, employed: tuple[Memory, Memory]) -> None:
    closed, present = employed
    assert home.direct("retract", id=closed.id).outcome is Outcome.COMMITTED
    assert home.version(closed.id).state.ended_by is ContraRole.RETRACTION
    assert home.version(present.id).state.superseded_at is None


def test_what_names_the_version_before_the_closure_falls_on_the_closure(
    home: Curated, employed: tuple[Memory, Memory]
) -> None:
    closed, present = employed
    assert closed.kind is Kind.CLOSURE
    first = MemoryId(str(closed.supersedes))
    right = home.memory_of(
        home.propose("correct", id=first, statement="Léa Roux works at Initech since 2021")
    )
    assert right.supersedes == closed.id
    assert home.version(present.id).state.superseded_at is None


def test_what_would_succeed_the_closed_past_goes_to_the_owner(
    home: Curated, employed: tuple[Memory, Memory]
) -> None:
    closed, present = employed
    again = home.propose(
        "correct",
        id=closed.id,
        statement="Léa Roux works at Initech",
        change="succession",
        effective="2026-09",
    )
    outcome = home.decided(again)
    assert (outcome.outcome, outcome.reason) == (Outcome.NEEDS_OWNER, "target.superseded")
    assert home.version(present.id).state.superseded_at is None


def test_the_present_goes_on_being_succeeded_after_the_past_was_corrected(
    home: Curated, employed: tuple[Memory, Memory]
) -> None:
    closed, present = employed
    home.memory_of(home.propose("correct", id=closed.id, statement="Léa Roux works at Initech since 2021"))
    since = home.propose(
        "correct",
        id=present.id,
        statement="Léa Roux works at Hooli",
        change="succession",
        effective="2026-09",
    )
    newest = home.memory_of(since)
    assert newest.contra is ContraRole.SUCCESSION
    assert home.version(present.id).state.ended_by is ContraRole.CLOSURE
    assert home.direct("reclassify", memory=newest.id, level="S2").outcome is Outcome.COMMITTED
