"""A pack keeps to its caps whatever it is offered, and pages part a list (G4)."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from policies.budget import fill_pack, page, tokens
from policies.terms import EntityId
from tests.support.memories import OWNER, PARAMETERS, version

BUDGET = PARAMETERS.budget
_anchors = st.lists(
    st.sampled_from([OWNER, *(EntityId(f"ent:{n}") for n in range(4))]), max_size=3, unique=True
).map(lambda anchors: tuple(sorted(anchors)))
_offers = st.lists(
    st.tuples(_anchors, st.none() | st.sampled_from(["a", "b", "c"]), st.integers(0, 400)), max_size=30
)


@given(_offers, st.integers(1, 400))
def test_a_pack_is_within_every_cap_and_in_the_order_offered(
    offers: list[tuple[tuple[EntityId, ...], str | None, int]], max_tokens: int
) -> None:
    ordered = [
        version(f"{n:02}", anchors=anchors, event=event, text="x" * size)
        for n, (anchors, event, size) in enumerate(offers)
    ]
    chosen = fill_pack(
        ordered,
        budget=BUDGET,
        max_tokens=max_tokens,
        owner=OWNER,
        cost=lambda selection: sum(tokens(one.memory.text) for one in selection),
    )
    entities = Counter(a for one in chosen for a in one.state.anchors if a != OWNER)
    events = Counter(one.memory.event for one in chosen if one.memory.event)
    assert len(chosen) <= BUDGET.pack_items
    assert all(count <= BUDGET.pack_items_per_entity for count in entities.values())
    assert all(count <= BUDGET.pack_items_per_event for count in events.values())
    assert sum(tokens(one.memory.text) for one in chosen) <= max_tokens
    assert list(chosen) == sorted(chosen, key=ordered.index)


@given(st.lists(st.integers(), max_size=60), st.integers(1, 20))
def test_pages_follow_one_another_without_loss(items: list[int], limit: int) -> None:
    read: list[int] = []
    offset: int | None = 0
    while offset is not None:
        found = page(items, offset=offset, limit=limit, budget=BUDGET)
        assert len(found.items) <= min(limit, BUDGET.page_items)
        read.extend(found.items)
        offset = found.next_offset
    assert read == items
