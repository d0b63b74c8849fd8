"""The registry: names, levels, reversible merges, and what it refuses (G11)."""

from __future__ import annotations

from typing import Any

import pytest

from policies.decision import RegistryChange, RegistryOp
from policies.errors import DirectiveRefused
from policies.registry import Registry
from policies.terms import EntityId, EntityType, Level
from tests.support.memories import OWNER, registered, registry

ANNE, PAUL, PAOLO, ZOE = (EntityId(f"ent:{name}") for name in ("Anne", "Paul", "Paolo", "Zoé"))
FOUR = (
    registered("owner", owner=True),
    registered("Anne", aliases=("Annie",)),
    registered("Paul", aliases=("Popaul",), level=Level.S2),
    registered("Paolo"),
)


def change(op: RegistryOp, entity: EntityId, other: EntityId | None = None, **fields: Any) -> RegistryChange:
    return RegistryChange(op, entity, other=other, **fields)


def merge(entity: EntityId, into: EntityId) -> RegistryChange:
    return change(RegistryOp.MERGE, entity, into)


def ids(found: tuple[Any, ...]) -> list[str]:
    return [entity.id for entity in found]


def test_default_levels_follow_the_type() -> None:
    known = registry(
        registered("owner", owner=True),
        registered("Anne"),
        registered("Rex", EntityType.ANIMAL),
        registered("Acme", EntityType.ORGANISATION),
    )
    assert known.level(OWNER) == Level.S0
    assert known.level(ANNE) == Level.S1
    assert known.level(EntityId("ent:Rex")) == Level.S1
    assert known.level(EntityId("ent:Acme")) == Level.S0
    assert known.owner is not None
    assert known.owner.id == OWNER


def test_an_unknown_entity_is_as_intimate_as_can_be_and_has_no_names() -> None:
    known = registry()
    assert known.owner is None
    assert known.level(ZOE) == Level.S3
    assert known.entity(ZOE) is None
    assert known.names(ZOE) == ()
    assert known.named("Zoé") == ()
    assert known.canonical(ZOE) == ZOE


def test_a_name_resolves_whatever_its_case_accents_and_form() -> None:
    known = registry(registered("Zoé", aliases=("L’Érable",)))
    for name in ("zoe", "ZOÉ", "Zoe\u0301", "l'erable", "ent:Zoé"):
        assert ids(known.named(name)) == [ZOE]


def test_a_name_above_the_level_does_not_resolve() -> None:
    known = registry(*FOUR)
    assert ids(known.named("Paul", level=Level.S2)) == [PAUL]
    assert known.named("Paul", level=Level.S1) == ()
    assert known.named("ent:Paul", level=Level.S1) == ()


def test_two_entities_of_one_name_both_answer() -> None:
    known = registry(
        registered("Paul"), RegistryChange(RegistryOp.REGISTER, PAOLO, name="PAUL", type=EntityType.PERSON)
    )
    assert ids(known.named("paul")) == [PAOLO, PAUL]


def test_aliases_are_kept_once() -> None:
    known = registry(
        registered("Anne", aliases=("Annie", "ANNIE", "anne", "\u200b")),
        change(RegistryOp.ALIAS, ANNE, aliases=("annie", "Nanou")),
    )
    assert known.entities[ANNE].aliases == ("Annie", "Nanou")
    assert known.names(ANNE) == ("Anne", "Annie", "Nanou")
    assert list(known.all_names()) == [("Anne", ANNE), ("Annie", ANNE), ("Nanou", ANNE)]


def test_a_merged_entity_answers_through_its_canonical_one_at_the_higher_level() -> None:
    known = registry(*FOUR, merge(PAUL, PAOLO), merge(PAOLO, ANNE))
    assert known.canonical(PAUL) == ANNE
    assert ids(known.named("popaul")) == [ANNE]
    assert known.group(PAUL) == known.group(ANNE) == tuple(sorted((ANNE, PAUL, PAOLO)))
    assert known.level(ANNE) == Level.S2
    assert known.names(PAUL) == ("Anne", "Annie", "Paolo", "Paul", "Popaul")
    entity = known.entity(PAUL)
    assert entity is not None
    assert entity.id == ANNE


def test_a_merge_is_undone_without_trace() -> None:
    before = registry(*FOUR)
    after = registry(*FOUR, merge(PAUL, ANNE), change(RegistryOp.UNMERGE, PAUL))
    assert after.entities == before.entities
    assert after.level(ANNE) == Level.S1
    assert ids(after.named("Paul")) == [PAUL]


def test_a_level_named_by_the_owner_replaces_the_default() -> None:
    known = registry(*FOUR, change(RegistryOp.LEVEL, ANNE, level=Level.S3))
    assert known.level(ANNE) == Level.S3


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (registered("Anne"), "entity.registered"),
        (RegistryChange(RegistryOp.REGISTER, ZOE, type=EntityType.PERSON), "entity.incomplete"),
        (
            RegistryChange(RegistryOp.REGISTER, ZOE, name=" \u200b", type=EntityType.PERSON),
            "entity.incomplete",
        ),
        (RegistryChange(RegistryOp.REGISTER, ZOE, name="Zoé"), "entity.incomplete"),
        (registered("Zoé", owner=True), "entity.second_owner"),
        (change(RegistryOp.ALIAS, ZOE, aliases=("Z",)), "entity.unknown"),
        (change(RegistryOp.LEVEL, ANNE), "entity.incomplete"),
        (merge(ANNE, ZOE), "entity.unknown"),
        (change(RegistryOp.MERGE, ANNE), "entity.unknown"),
        (merge(OWNER, ANNE), "merge.owner"),
        (merge(ANNE, ANNE), "merge.circle"),
        (change(RegistryOp.UNMERGE, ANNE), "merge.none"),
        (change(RegistryOp.NEVER_MERGE, ANNE, ANNE), "merge.already"),
    ],
)
def test_what_breaks_a_rule_is_refused(bad: RegistryChange, problem: str) -> None:
    with pytest.raises(DirectiveRefused) as refusal:
        registry(*FOUR).apply(bad, 9)
    assert refusal.value.details["problem"] == problem


def test_a_merged_entity_is_not_merged_again() -> None:
    with pytest.raises(DirectiveRefused):
        registry(*FOUR, merge(PAUL, ANNE), merge(PAUL, PAOLO))


def test_merges_never_close_a_circle() -> None:
    with pytest.raises(DirectiveRefused) as refusal:
        registry(*FOUR, merge(PAUL, ANNE), merge(PAOLO, PAUL), merge(ANNE, PAOLO))
    assert refusal.value.details["problem"] == "merge.circle"


@pytest.mark.parametrize("barred", [(PAUL, ANNE), (ANNE, PAUL)])
def test_what_must_never_be_merged_is_not_even_through_others(barred: tuple[EntityId, EntityId]) -> None:
    known = registry(*FOUR, change(RegistryOp.NEVER_MERGE, *barred), merge(PAOLO, PAUL))
    for attempt in (merge(PAUL, ANNE), merge(ANNE, PAOLO)):
        with pytest.raises(DirectiveRefused) as refusal:
            known.apply(attempt, 9)
        assert refusal.value.details["problem"] == "merge.forbidden"


def test_each_entry_tells_whose_chains_it_touches() -> None:
    known = registry(*FOUR, merge(PAUL, PAOLO), change(RegistryOp.ALIAS, ANNE, aliases=("A",)))
    assert known.seq == 6
    assert known.touched_at(5) == (PAOLO, PAUL)
    assert known.touched_at(6) == ()
    assert known.apply(merge(PAOLO, ANNE), 7).touched_at(7) == (ANNE, PAOLO, PAUL)
    assert known.apply(change(RegistryOp.UNMERGE, PAUL), 7).touched_at(7) == (PAOLO, PAUL)
    assert known.apply(change(RegistryOp.LEVEL, PAUL, level=Level.S0), 7).touched_at(7) == (PAOLO, PAUL)
    assert known.apply(change(RegistryOp.NEVER_MERGE, ANNE, PAUL), 7).touched_at(7) == ()


def test_within_a_level_what_is_above_is_not_registered() -> None:
    known = registry(*FOUR)
    assert known.within(Level.S3) is known
    everyday = known.within(Level.S1)
    assert PAUL not in everyday.entities
    assert everyday.named("Paul") == ()
    assert ids(everyday.named("Annie")) == [ANNE]
    assert everyday.seq == known.seq


def test_applying_leaves_the_registry_before_as_it_was() -> None:
    before = registry(*FOUR)
    after = before.apply(merge(PAUL, ANNE), 9)
    assert isinstance(after, Registry)
    assert before.canonical(PAUL) == PAUL
    assert before.seq == 4
