"""How much is served at once (G4)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from policies.budget import fill_pack, page, tokens
from policies.terms import EntityId, Version
from tests.support.memories import OWNER, PARAMETERS, version

BUDGET = PARAMETERS.budget
PAUL, ANNE = EntityId("ent:Paul"), EntityId("ent:Anne")


def total(chosen: Sequence[Version]) -> int:
    return sum(tokens(one.memory.text) for one in chosen)


def fill(*ordered: Version, max_tokens: int = 10_000) -> list[str]:
    chosen = fill_pack(ordered, budget=BUDGET, max_tokens=max_tokens, owner=OWNER, cost=total)
    return [one.memory.id.removeprefix("mem:") for one in chosen]


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("é", 1), ("éé", 2)])
def test_a_token_is_a_third_of_the_bytes_rounded_up(text: str, count: int) -> None:
    assert tokens(text) == count


def test_a_pack_holds_twelve_at_most() -> None:
    assert fill(*(version(str(n)) for n in range(20))) == [str(n) for n in range(12)]


def test_a_pack_holds_two_of_an_entity_and_goes_on_with_others() -> None:
    about_paul = [version(f"p{n}", anchors=(PAUL, OWNER)) for n in range(4)]
    both = version("both", anchors=(ANNE, PAUL))
    anne = version("anne", anchors=(ANNE,))
    assert fill(*about_paul, both, anne) == ["p0", "p1", "anne"]


def test_the_owner_and_domains_do_not_count() -> None:
    own = [version(str(n), anchors=(OWNER,), domains=("work",)) for n in range(5)]
    assert fill(*own) == ["0", "1", "2", "3", "4"]


def test_a_pack_holds_one_memory_of_an_event() -> None:
    party = [version(str(n), event="party") for n in range(3)]
    assert fill(*party, version("other", event="wedding"), version("none")) == ["0", "other", "none"]


def test_what_does_not_fit_is_skipped_not_the_end() -> None:
    long, short = version("long", text="x" * 300), version("short", text="x" * 30)
    assert fill(version("first", text="x" * 30), long, short, max_tokens=25) == ["first", "short"]


def test_a_skipped_memory_uses_up_nothing() -> None:
    long = [version(f"l{n}", text="x" * 300, anchors=(PAUL,), event="party") for n in range(2)]
    assert fill(*long, version("s", text="x", anchors=(PAUL,), event="party"), max_tokens=20) == ["s"]


def test_the_cost_is_that_of_the_whole_selection() -> None:
    def growing(chosen: Sequence[Version]) -> int:
        return 10 + len(chosen)

    ordered = [version(str(n)) for n in range(5)]
    chosen = fill_pack(ordered, budget=BUDGET, max_tokens=12, owner=None, cost=growing)
    assert len(chosen) == 2


@pytest.mark.parametrize(
    ("offset", "limit", "items", "following"),
    [
        (0, 12, list(range(12)), 12),
        (12, 12, list(range(12, 20)), None),
        (0, 100, list(range(12)), 12),
        (0, 5, list(range(5)), 5),
        (8, 12, list(range(8, 20)), None),
        (0, 0, [0], 1),
        (40, 12, [], None),
    ],
)
def test_a_page_is_bounded_and_tells_where_the_next_begins(
    offset: int, limit: int, items: list[int], following: int | None
) -> None:
    found = page(range(20), offset=offset, limit=limit, budget=BUDGET)
    assert (list(found.items), found.next_offset) == (items, following)
