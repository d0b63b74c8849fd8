"""What reading needs of the ledger, and no more: ``cypher.reader.Reader`` is it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from policies.entries import StoredEntry
from policies.registry import Registry
from policies.terms import EntityId, Level, MemoryId, Version


class Head(Protocol):
    """Where the ledger stands."""

    @property
    def seq(self) -> int:
        """Sequence of the last entry; 0 for an empty ledger."""
        ...

    @property
    def registry_seq(self) -> int:
        """Sequence of the last registry entry; 0 without any."""
        ...


class Source(Protocol):
    """The ledger as reading sees it. Everything it gives is checked against the view before it is used."""

    def head(self) -> Head:
        """Where the ledger stands, in one cheap read."""
        ...

    def changed_since(self, seq: int, limit: int) -> Sequence[Version]:
        """Versions whose state changed after a sequence, in the order of change; whole sequences."""
        ...

    def versions(self, ids: Sequence[MemoryId]) -> dict[MemoryId, Version]:
        """The versions of some ids; unknown ones are left out."""
        ...

    def chain_of(self, memory: MemoryId) -> Sequence[Version]:
        """The versions of the chain that one belongs to, oldest first; empty for an unknown id."""
        ...

    def on_request_about(
        self, entities: Sequence[EntityId], domains: Sequence[str], *, level: Level, limit: int
    ) -> Sequence[Version]:
        """Versions of discretion ``on_request_only`` and of this level at most, by memory id.

        Args:
            entities: canonical; anchored on one of these,
            domains: or in one of these.
            level: the view's, so that what is above takes none of the places.
            limit: how many at most.
        """
        ...

    def registry(self) -> Registry:
        """The owner's list of entities as it stands."""
        ...

    def entries(self, after_seq: int, limit: int) -> Sequence[StoredEntry]:
        """The ledger's entries after a sequence, in order."""
        ...
