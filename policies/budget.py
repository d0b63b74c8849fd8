"""How much is served at once: the caps of a pack, the pages of a list (G4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from policies.parameters import Budget
from policies.terms import EntityId, Version

T = TypeVar("T")


def tokens(text: str) -> int:
    """The tokens that a text counts for: a third of its UTF-8 bytes, rounded up."""
    return -(-len(text.encode()) // 3)


def fill_pack(
    ordered: Iterable[Version],
    *,
    budget: Budget,
    max_tokens: int,
    owner: EntityId | None,
    cost: Callable[[Sequence[Version]], int],
) -> tuple[Version, ...]:
    """The memories of a pack: as many of the best as its caps allow. One that does not fit is skipped.

    Args:
        ordered: candidates, best first.
        budget: the caps.
        max_tokens: the pack's own budget.
        owner: the owner's entity, which does not count.
        cost: the tokens of the whole text that a selection would make.
    """
    chosen: list[Version] = []
    entities, events = Counter[EntityId](), Counter[str]()
    for version in ordered:
        if len(chosen) >= budget.pack_items:
            break
        anchors = [anchor for anchor in version.state.anchors if anchor != owner]
        event = version.memory.event
        if any(entities[anchor] >= budget.pack_items_per_entity for anchor in anchors):
            continue
        if event is not None and events[event] >= budget.pack_items_per_event:
            continue
        if cost([*chosen, version]) > max_tokens:
            continue
        chosen.append(version)
        entities.update(anchors)
        events.update([event] if event is not None else [])
    return tuple(chosen)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list, and where the next one begins."""

    items: tuple[T, ...]
    next_offset: int | None
    """None: this is the last page."""


def page(items: Sequence[T], *, offset: int, limit: int, budget: Budget) -> Page[T]:
    """A page of a list: at most ``limit`` items, and never more than the owner allows.

    An offset beyond the end gives an empty last page.
    """
    end = offset + max(1, min(limit, budget.page_items))
    return Page(tuple(items[offset:end]), end if end < len(items) else None)
