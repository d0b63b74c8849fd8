"""May this be served? Scope, domains and discretion in one place (G1, G2, G16).

The same predicates are asked before anything is scored and again before an answer leaves.
"""

from __future__ import annotations

from dataclasses import dataclass

from policies.registry import Registry
from policies.terms import Discretion, Entity, EntityId, Kind, MemoryId, Provenance, Version, View


def in_scope(version: Version, view: View) -> bool:
    """Whether the version is within what the view is limited to: its effective level, and all its domains.

    A memory of no domain is outside a view that is limited to some.
    """
    if version.state.erased or version.state.level > view.level:
        return False
    return view.domains is None or (
        bool(version.memory.domains) and view.domains.issuperset(version.memory.domains)
    )


def in_view(version: Version, view: View) -> bool:
    """Whether the version exists for the view at all: within its scope, and no retraction."""
    return version.memory.kind is not Kind.RETRACTION and in_scope(version, view)


def is_confirmed(version: Version) -> bool:
    """Whether the owner attested the memory or ruled on it: what a rule needs to reach other tools (G16)."""
    return version.memory.provenance is Provenance.ATTESTED or version.memory.ruled


def surfaces(version: Version, view: View) -> bool:
    """Whether the version may surface by itself, in a profile or a pack."""
    if version.state.discretion is not Discretion.OPEN or not in_view(version, view):
        return False
    return version.memory.kind is not Kind.RULE or is_confirmed(version)


def is_topical(version: Version, view: View) -> bool:
    """Whether a topical question reaches it: what indexes, statistics, counts and paths are made of."""
    return version.state.discretion is not Discretion.ON_REQUEST_ONLY and in_view(version, view)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a recall names: what it takes to reach an ``on_request_only`` memory."""

    ids: frozenset[MemoryId] = frozenset()
    entities: frozenset[EntityId] = frozenset()
    """From ``about``, canonical."""
    domains: frozenset[str] = frozenset()
    """From ``about``; the ``domains`` argument only filters."""

    @property
    def is_about(self) -> bool:
        """Whether ``about`` names anything."""
        return bool(self.entities or self.domains)


def is_aimed(version: Version, view: View, aim: Aim, registry: Registry, *, matches: bool) -> bool:
    """Whether a recall reaches the version, even ``on_request_only``, because it aims at it by name.

    Args:
        version: any version.
        view: the caller's.
        aim: what the recall names.
        registry: as of today.
        matches: whether the recall's query, not empty, matches the version's text.
    """
    if not in_view(version, view):
        return False
    if version.memory.id in aim.ids:
        return True
    owner = registry.owner
    others = frozenset(version.state.anchors) - ({owner.id} if owner else set())
    named = (
        not aim.entities.isdisjoint(others) if others else not aim.domains.isdisjoint(version.memory.domains)
    )
    return matches and named


def resolves(entity: Entity, view: View, registry: Registry) -> bool:
    """Whether an entity's names resolve for a view; one above it is as if it were not registered."""
    return registry.level(entity.id) <= view.level
