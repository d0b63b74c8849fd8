"""What is believed near a statement: what it contradicts, and what it says has ended.

Old texts are analysed as new ones are, and the analyses kept: a hub like the owner has thousands of memories.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from cypher.reader import Reader
from policies.bitemporal import is_closed
from policies.language.analysis import Analysis, analyse
from policies.language.conflicts import Meeting, meet
from policies.registry import Registry
from policies.terms import EntityId, Instant, Memory, MemoryId, Version

NEAR_MAX = 5_000
"""Most memories that one statement is compared with, the last recorded first."""
KEPT_MAX = 20_000


@dataclass(frozen=True, slots=True)
class Near:
    """What a statement meets, each oldest first."""

    same: tuple[Version, ...] = ()
    """What says all that it says."""
    conflicts: tuple[Version, ...] = ()
    """What it contradicts."""
    ended: tuple[Version, ...] = ()
    """What it says was true until a date."""


class Known:
    """Compares statements with what is believed about the same entities."""

    def __init__(self, reader: Reader, zone: ZoneInfo) -> None:
        """Nothing is read yet."""
        self._reader = reader
        self._zone = zone
        self._versions: dict[MemoryId, Version] = {}
        """What the last statement was compared with: mostly what the next one is."""
        self._kept: OrderedDict[MemoryId, Analysis] = OrderedDict()
        self._kept_under = 0

    def near(
        self, analysis: Analysis, anchors: Iterable[EntityId], registry: Registry, *, said_at: Instant
    ) -> Near:
        """What a statement of these anchors, with the valid times of its analysis, meets among what is believed.

        What had ended when a statement without dates was said, it says nothing about.
        """
        met: dict[Meeting, list[Version]] = {meeting: [] for meeting in Meeting}
        dated = analysis.valid_from is not None or analysis.valid_to is not None
        about = self._reader.versions_about(tuple(anchors), known=self._versions, limit=NEAR_MAX)
        self._versions = {version.memory.id: version for version in about}
        for version in reversed(about):
            if dated or not is_closed(version.memory, said_at):
                meeting = meet(analysis, version, self._analysis(version.memory, registry))
                if meeting is not Meeting.SUCCESSION or not _succeeded(version):
                    met[meeting].append(version)
        return Near(tuple(met[Meeting.SAME]), tuple(met[Meeting.CONFLICT]), tuple(met[Meeting.SUCCESSION]))

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
