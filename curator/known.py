"""What is believed near a statement: what it contradicts, and what it says has ended.

Old texts are analysed as new ones are, and the analyses kept: a hub like the owner has thousands of memories.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from policies.language.conflicts import Meeting, meet

from cypher.reader import Reader
from policies.language.analysis import Analysis, analyse
from policies.registry import Registry
from policies.terms import EntityId, Instant, Memory, MemoryId, Version

NEAR_MAX = 5_000
"""Most memories that one statement is compared with, the last recorded first."""
KEPT_MAX = 20_000


@dataclass(frozen=True, slots=True)
class Near:
    """What a statement meets."""

    conflicts: tuple[Version, ...] = ()
    """What it contradicts, oldest first."""
    succeeds: Version | None = None
    """What it says was true until a date."""


class Known:
    """Compares statements with what is believed about the same entities."""

    def __init__(self, reader: Reader, zone: ZoneInfo) -> None:
        """Nothing is read yet."""
        self._reader = reader
        self._zone = zone
        self._kept: OrderedDict[MemoryId, Analysis] = OrderedDict()
        self._kept_under = 0

    def near(
        self, analysis: Analysis, anchors: Iterable[EntityId], registry: Registry, *, now: Instant
    ) -> Near:
        """What a new statement, of these anchors, meets among what is believed."""
        conflicts: list[Version] = []
        succeeds: Version | None = None
        for version in self._reader.versions_about(tuple(anchors), limit=NEAR_MAX):
            meeting = meet(analysis, version, self._analysis(version.memory, registry))
            if meeting is Meeting.CONFLICT:
                conflicts.append(version)
            elif meeting is Meeting.SUCCESSION and succeeds is None and not _succeeded(version):
                succeeds = version
        return Near(tuple(reversed(conflicts)), succeeds)

    def _analysis(self, memory: Memory, registry: Registry) -> Analysis:
        if registry.seq != self._kept_under:
            # A name that is registered since may be what an old text was about.
            self._kept.clear()
            self._kept_under = registry.seq
        found = self._kept.get(memory.id)
        if found is None:
            said_at = memory.evidence.said_at if memory.evidence else None
            found = analyse(
                memory.text,
                words=None,
                said_at=said_at or memory.recorded_at,
                zone=self._zone,
                registry=registry,
            )
            self._kept[memory.id] = found
            if len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        self._kept.move_to_end(memory.id)
        return found


def _succeeded(version: Version) -> bool:
    """Whether what is believed of the past has its succession already."""
    return version.state.head != version.memory.id
