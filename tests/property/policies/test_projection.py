"""Laws of the fold: levels never fall along a chain seen backwards, one discretion, one believed end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from policies.decision import Reclassification
from policies.projection import Reclassified, Recorded, chain_states, chains_of
from policies.terms import ContraRole, Discretion, EntityId, Level, Memory, MemoryId
from tests.support.memories import at, memory, registered, registry

_REGISTRY = registry(registered("a"), registered("b", level=Level.S2))
_links = st.lists(
    st.fixed_dictionaries(
        {
            "contra": st.sampled_from(ContraRole),
            "level": st.sampled_from(Level),
            "discretion": st.sampled_from(Discretion),
            "anchors": st.sampled_from([(), (EntityId("ent:a"),), (EntityId("ent:b"),)]),
            "domains": st.sampled_from([(), ("food",), ("family",)]),
        }
    ),
    min_size=1,
    max_size=6,
)


def chain_from(links: list[dict[str, object]]) -> list[Recorded]:
    made: list[Memory] = []
    for index, link in enumerate(links):
        target = made[-1].id if made else None
        whole = link | {"supersedes": target, "contra": link["contra"] if made else None}
        made.append(memory(str(index), recorded_at=at(index), **whole))
    return [Recorded(one, index + 10) for index, one in enumerate(made)]


@given(_links)
def test_levels_fall_only_towards_the_head(links: list[dict[str, object]]) -> None:
    levels = [state.level for state in chain_states(chain_from(links), [], _REGISTRY)]
    assert levels == sorted(levels, reverse=True)


@given(_links)
def test_no_state_is_below_its_own_version_or_its_anchors(links: list[dict[str, object]]) -> None:
    chain = chain_from(links)
    for recorded, state in zip(chain, chain_states(chain, [], _REGISTRY), strict=True):
        assert state.level >= recorded.memory.level
        assert all(state.level >= _REGISTRY.level(anchor) for anchor in state.anchors)
        assert state.discretion.rank >= recorded.memory.discretion.rank


@given(_links)
def test_record_time_ends_exactly_where_the_successor_says(links: list[dict[str, object]]) -> None:
    chain = chain_from(links)
    states = chain_states(chain, [], _REGISTRY)
    for state, successor in zip(states, [*chain[1:], None], strict=True):
        if successor is None or successor.memory.contra is ContraRole.SUCCESSION:
            assert state.superseded_at is None
        else:
            assert state.superseded_at == successor.memory.recorded_at
            assert state.ended_by is successor.memory.contra


@given(_links, st.lists(st.tuples(st.integers(0, 5), st.sampled_from(Level)), max_size=4))
def test_a_rebuild_gives_what_the_commits_gave(
    links: list[dict[str, object]], rulings: list[tuple[int, Level]]
) -> None:
    """Projected after each entry or once at the end, the states are the same (G14)."""
    chain = chain_from(links)
    reclassified = [
        Reclassified(Reclassification(MemoryId(f"mem:{index}"), level), 100 + n)
        for n, (index, level) in enumerate(rulings)
        if index < len(chain)
    ]
    live = ()
    for length in range(1, len(chain) + 1):
        live = chain_states(chain[:length], [], _REGISTRY)
    for count in range(1, len(reclassified) + 1):
        live = chain_states(chain, reclassified[:count], _REGISTRY)
    (rebuilt_chain,) = chains_of(chain)
    assert chain_states(rebuilt_chain, reclassified, _REGISTRY) == live
