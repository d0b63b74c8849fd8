"""What is weighty is told by what a decision writes."""

from __future__ import annotations

from typing import Any

import pytest

from policies.decision import (
    Decision,
    PasskeyChange,
    PasskeyOp,
    Reclassification,
    RegistryChange,
    RegistryOp,
    RestsOn,
)
from policies.registry import Registry
from policies.terms import Discretion, EntityId, Kind, Level, MemoryId, ProposalId, Provenance
from policies.weighty import weight
from tests.support.memories import EMPTY, memory, registered, registry

ONE = MemoryId("mem:one")
PAUL, ANNE = EntityId("ent:paul"), EntityId("ent:anne")
PEOPLE = registry(registered("paul", level=Level.S2), registered("anne", level=Level.S3))
MERGED = PEOPLE.apply(RegistryChange(RegistryOp.MERGE, PAUL, other=ANNE), 3)


def weighed(
    levels: dict[MemoryId, Level] | None = None, known: Registry = EMPTY, **written: Any
) -> str | None:
    decision = Decision(ProposalId("prop:a"), ProposalId("prop:a"), RestsOn(0, 0), (), **written)
    return weight(decision, levels or {}, known)


def health(**qualifications: Any) -> str | None:
    whole: dict[str, Any] = {"domains": ("health", "work"), "provenance": Provenance.ATTESTED}
    return weighed(memories=(memory("a"), memory("b", **(whole | qualifications))))


def test_what_the_owner_files_under_health_is_weighty() -> None:
    assert health() == "health"
    assert health(provenance=Provenance.QUOTED, ruled=True) == "health"


def test_what_is_not_said_of_health_or_not_by_the_owner_is_not() -> None:
    assert weighed() is None
    assert health(domains=("work",)) is None
    assert health(provenance=Provenance.QUOTED) is None
    assert health(kind=Kind.RETRACTION) is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Reclassification(ONE, level=Level.S1), "level"),
        (Reclassification(ONE, level=Level.S2), None),
        (Reclassification(ONE, level=Level.S3), None),
        (Reclassification(ONE, discretion=Discretion.OPEN), None),
    ],
)
def test_a_reclassification_is_weighty_where_it_lowers_the_level(
    change: Reclassification, why: str | None
) -> None:
    assert weighed({ONE: Level.S2}, reclassifications=(change,)) == why


@pytest.mark.parametrize(
    ("known", "change", "why"),
    [
        (PEOPLE, RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S1), "level"),
        (PEOPLE, RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S3), None),
        (PEOPLE, RegistryChange(RegistryOp.MERGE, PAUL, other=ANNE), None),
        (PEOPLE, RegistryChange(RegistryOp.ALIAS, PAUL, aliases=("Polo",)), None),
        (PEOPLE, registered("zoe", level=Level.S0), None),
        (MERGED, RegistryChange(RegistryOp.UNMERGE, PAUL), "level"),
        (MERGED, RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S0), "level"),
        (MERGED, RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S3), None),
    ],
)
def test_a_change_of_the_registry_is_weighty_where_an_entitys_level_falls(
    known: Registry, change: RegistryChange, why: str | None
) -> None:
    assert weighed(known=known, registry=(change,)) == why


@pytest.mark.parametrize(
    ("op", "why"),
    [
        (PasskeyOp.ENROL, "passkey"),
        (PasskeyOp.WITHDRAW, "passkey"),
        (PasskeyOp.RESET, None),
        (PasskeyOp.CONFIRM, None),
    ],
)
def test_enrolling_and_withdrawing_a_passkey_are_weighty_beginning_anew_is_not(
    op: PasskeyOp, why: str | None
) -> None:
    assert weighed(passkeys=(PasskeyChange(op, "c"),)) == why
