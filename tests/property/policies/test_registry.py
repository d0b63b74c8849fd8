"""Whatever the owner asks, the registry stays one: merges end, names lead home, folds agree (G11, G14)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from policies.decision import RegistryChange, RegistryOp
from policies.errors import DirectiveRefused
from policies.registry import Registry, registry_of
from policies.terms import EntityId, EntityType, Level
from tests.support.memories import EMPTY, PARAMETERS

_ids = st.sampled_from([EntityId(f"ent:{n}") for n in range(5)])
_changes = st.builds(
    RegistryChange,
    op=st.sampled_from(RegistryOp),
    entity=_ids,
    name=st.sampled_from(["Anne", "Paul", "paul", "Zoé"]),
    type=st.sampled_from(EntityType),
    level=st.none() | st.sampled_from(Level),
    aliases=st.lists(st.sampled_from(["Nanou", "Popaul", "ZOE"]), max_size=2).map(tuple),
    owner=st.booleans(),
    other=_ids,
)
_registered = [
    RegistryChange(RegistryOp.REGISTER, EntityId(f"ent:{n}"), name=f"N{n}", type=EntityType.PERSON)
    for n in range(4)
]


def accepted(changes: list[RegistryChange]) -> tuple[list[tuple[int, RegistryChange]], Registry]:
    """The changes that the registry takes, numbered, and the registry they make one by one."""
    known, taken = EMPTY, list[tuple[int, RegistryChange]]()
    for seq, one in enumerate([*_registered, *changes], start=1):
        try:
            known = known.apply(one, seq)
        except DirectiveRefused:
            continue
        taken.append((seq, one))
    return taken, known


@given(st.lists(_changes, max_size=25))
def test_folding_at_once_gives_what_folding_one_by_one_gave(changes: list[RegistryChange]) -> None:
    taken, known = accepted(changes)
    assert registry_of(PARAMETERS, taken) == known


@given(st.lists(_changes, max_size=25))
def test_every_entity_has_one_canonical_entity_whose_group_it_is_in(changes: list[RegistryChange]) -> None:
    _, known = accepted(changes)
    for entity in known.entities:
        canonical = known.canonical(entity)
        assert known.canonical(canonical) == canonical
        assert entity in known.group(canonical)
        assert known.level(entity) == max(known.entities[member].level for member in known.group(entity))


@given(st.lists(_changes, max_size=25))
def test_every_name_finds_its_entity(changes: list[RegistryChange]) -> None:
    _, known = accepted(changes)
    for name, canonical in known.all_names():
        assert canonical in {entity.id for entity in known.named(name)}


@given(st.lists(_changes, max_size=25))
def test_what_must_never_be_merged_never_is(changes: list[RegistryChange]) -> None:
    _, known = accepted(changes)
    for entity in known.entities.values():
        for other in entity.never_merge:
            assert known.canonical(entity.id) != known.canonical(other)


@given(st.lists(_changes, max_size=25), _changes)
def test_only_touched_entities_change_level_or_canonical(
    changes: list[RegistryChange], one: RegistryChange
) -> None:
    _, known = accepted(changes)
    try:
        after = known.apply(one, 1000)
    except DirectiveRefused:
        return
    for entity in known.entities.keys() - set(after.touched_at(1000)):
        assert after.level(entity) == known.level(entity)
        assert after.canonical(entity) == known.canonical(entity)
