"""Lists that are held whole, a numbered page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from service.console.visit import Visit

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Numbered(Generic[Row]):
    """One page of a list."""

    rows: Sequence[Row]
    number: int
    """From 1."""
    pages: int
    """How many there are; 1 for an empty list."""

    @property
    def former(self) -> int | None:
        """The number of the page before; None on the first."""
        return self.number - 1 if self.number > 1 else None

    @property
    def following(self) -> int | None:
        """The number of the page after; None on the last."""
        return self.number + 1 if self.number < self.pages else None


def numbered(visit: Visit, found: Sequence[Row], size: int) -> Numbered[Row]:
    """The page that the query asks for by ``page``.

    A list may have become shorter since it was linked to: beyond its end is its last page, and what is no number is
    the first.
    """
    asked = visit.query("page")
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 7
    pages = max(1, -(-len(found) // size))
    number = min(max(1, int(asked)), pages) if is_number else 1
    return Numbered(found[(number - 1) * size : number * size], number, pages)
