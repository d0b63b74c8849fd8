"""What counts as true: visibility on both time axes, and the status it gives a version (G3).

Valid time is when an assertion is true in the world, record time when Mnemo came to know it; both half-open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from policies.errors import InvariantBroken
from policies.moments import Period
from policies.terms import ContraRole, Instant, Kind, Memory, MemoryId, Status, Version

HAPPENED = frozenset({Kind.EVENT, Kind.DECISION, Kind.CHANGE, Kind.FAILURE})
"""Kinds that happened once and for all: no end of theirs closes them, only a succession does."""


@dataclass(frozen=True, slots=True)
class AsOf:
    """The moment on both axes that a question is asked about."""

    now: Instant
    valid_at: Period | None = None
    """None: whatever is not closed now, the announced future included."""
    known_before: Instant | None = None
    """The exclusive end of what is known; None: all that we believe today."""

    @property
    def present(self) -> Instant:
        """What "now" means: in a question about what was believed, the end of that time."""
        return self.now if self.known_before is None else Instant(min(self.now, self.known_before))


def asserted_kind(memory: Memory) -> Kind:
    """The kind of the assertion itself: a closure's is that of what it restates."""
    return memory.restates or memory.kind


def is_believed(version: Version, as_of: AsOf) -> bool:
    """Whether it was recorded, and its record time had not ended, as of the moment; never if erased."""
    if version.state.erased:
        return False
    ended = version.state.superseded_at
    if as_of.known_before is None:
        return ended is None
    return version.memory.recorded_at < as_of.known_before and (ended is None or ended >= as_of.known_before)


def is_closed(memory: Memory, at: Instant) -> bool:
    """Whether the assertion has ceased to be true at an instant."""
    return memory.kind not in HAPPENED and memory.valid_to is not None and memory.valid_to.at <= at


def is_announced(memory: Memory, at: Instant) -> bool:
    """Whether the assertion is only to become true after an instant."""
    return memory.valid_from is not None and memory.valid_from.at > at


def overlaps(memory: Memory, period: Period) -> bool:
    """Whether the assertion is true at any time of a period; an unknown end is no bound."""
    begins = memory.valid_from is None or memory.valid_from.at < period.end
    return begins and not is_closed(memory, period.start)


def is_visible(version: Version, as_of: AsOf) -> bool:
    """Whether a question finds the version: believed, an assertion, and true at the time asked about."""
    memory = version.memory
    if memory.kind is Kind.RETRACTION or not is_believed(version, as_of):
        return False
    if as_of.valid_at is None:
        return not is_closed(memory, as_of.present)
    return overlaps(memory, as_of.valid_at)


def is_served_by_id(version: Version, as_of: AsOf) -> bool:
    """Whether the version answers to its own id: a closed one does too, marked so by its status."""
    return version.memory.kind is not Kind.RETRACTION and is_believed(version, as_of)


def status(version: Version, as_of: AsOf) -> Status:
    """What the version is as of the moment; of a closed time asked about, still as of the present."""
    memory, state = version.memory, version.state
    if state.erased:
        return Status.ERASED
    if not is_believed(version, as_of):
        return Status.RETRACTED if state.ended_by is ContraRole.RETRACTION else Status.SUPERSEDED
    if is_announced(memory, as_of.present):
        return Status.ANNOUNCED
    return Status.CLOSED if is_closed(memory, as_of.present) else Status.CURRENT


def follower(chain: Sequence[Version], memory: MemoryId) -> Version | None:
    """What took the place of a version of a chain: what ended it, else what succeeded it, else None."""
    after = [version for version in chain if version.memory.supersedes == memory]
    ending = (version for version in after if version.memory.contra is not ContraRole.SUCCESSION)
    return next(ending, after[0] if after else None)


def is_withdrawn(version: Version, chain: Sequence[Version]) -> bool:
    """Whether what was believed was taken back in the end: no tool is served it, of whatever time it asks."""
    while version.state.superseded_at is not None:
        following = follower(chain, version.memory.id)
        if following is None:
            raise InvariantBroken(f"{version.memory.id} was ended by nothing in its chain")
        version = following
    return version.memory.kind is Kind.RETRACTION


def successor(
    chain: Sequence[Version], memory: MemoryId, as_of: AsOf, served: Callable[[Version], bool]
) -> Version | None:
    """What to serve in place of a superseded version: the first of its line that may be.

    Args:
        chain: the whole chain, oldest first.
        memory: the id asked for.
        as_of: the moment on both axes.
        served: whether the view may be served a version (``policies.access``).
    """
    following = follower(chain, memory)
    while following is not None and not (is_served_by_id(following, as_of) and served(following)):
        following = follower(chain, following.memory.id)
    return following
