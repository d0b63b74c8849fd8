"""What is believed near a statement: what says the same, what it contradicts, and what it says has ended.

The believed memories are kept here by what they are about, following the ledger, and their texts analysed once:
a hub like the owner has thousands of memories, and every statement about them is compared with all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from cypher.reader import Reader
from policies.bitemporal import is_closed
from policies.folding import fold
from policies.language.analysis import Analysis, analyse
from policies.language.conflicts import Meeting, meet
from policies.registry import Registry
from policies.terms import EntityId, Instant, Kind, MemoryId, Version
from policies.text import search_terms

PAGE_VERSIONS = 1_000


@dataclass(frozen=True, slots=True)
class Near:
    """What a statement meets, each oldest first."""

    same: tuple[Version, ...] = ()
    """What says all that it says."""
    conflicts: tuple[Version, ...] = ()
    """What it contradicts."""
    ended: tuple[Version, ...] = ()
    """What it says was true until a date."""


@dataclass(frozen=True, slots=True)
class _Analysed:
    """A text as it was analysed, and its folded form: what a name registered later is looked for in."""

    analysis: Analysis
    folded: str


class Known:
    """The believed memories, by entity."""

    def __init__(self, reader: Reader, zone: ZoneInfo) -> None:
        """Nothing is read yet."""
        self._reader = reader
        self._zone = zone
        self._seq = 0
        self._believed: dict[MemoryId, Version] = {}
        self._terms: dict[MemoryId, frozenset[str]] = {}
        self._about: defaultdict[EntityId, set[MemoryId]] = defaultdict(set)
        self._analysed: dict[MemoryId, _Analysed] = {}
        self._names: frozenset[tuple[str, EntityId]] = frozenset()
        self._registry_seq = 0

    def near(
        self,
        statement: str,
        analysis: Analysis,
        anchors: Iterable[EntityId],
        registry: Registry,
        *,
        said_at: Instant,
    ) -> Near:
        """What a statement of these anchors, with the valid times of its analysis, meets among what is believed.

        What had ended when a statement without dates was said, it says nothing about.
        """
        terms = frozenset(search_terms(statement))
        # Two values of one attribute need not share a word; whatever else meets shares most of them.
        has_value = analysis.attribute is not None or analysis.change is not None
        self._follow()
        self._forget_renamed(registry)
        met: dict[Meeting, list[Version]] = {meeting: [] for meeting in Meeting}
        dated = analysis.valid_from is not None or analysis.valid_to is not None
        for version in self._versions_about(anchors):
            if (dated or not is_closed(version.memory, said_at)) and (
                has_value or _alike(terms, self._terms[version.memory.id])
            ):
                meeting = meet(analysis, version, self._analysis(version, registry))
                if meeting is not Meeting.SUCCESSION or not _succeeded(version):
                    met[meeting].append(version)
        return Near(tuple(met[Meeting.SAME]), tuple(met[Meeting.CONFLICT]), tuple(met[Meeting.SUCCESSION]))

    def _versions_about(self, anchors: Iterable[EntityId]) -> list[Version]:
        ids = set[MemoryId]().union(*(self._about[anchor] for anchor in anchors))
        found = (self._believed[memory] for memory in ids)
        return sorted(found, key=lambda version: (version.memory.recorded_at, version.memory.id))

    def _follow(self) -> None:
        """Bring what is kept up to the ledger."""
        full = True
        while full and (page := self._reader.changed_since(self._seq, PAGE_VERSIONS)):
            full = len(page) >= PAGE_VERSIONS
            for version in page:
                self._drop(version.memory.id)
                state = version.state
                if (
                    state.superseded_at is None
                    and not state.erased
                    and version.memory.kind is not Kind.RETRACTION
                ):
                    self._believed[version.memory.id] = version
                    self._terms[version.memory.id] = frozenset(search_terms(version.memory.text))
                    for anchor in state.anchors:
                        self._about[anchor].add(version.memory.id)
                else:
                    self._analysed.pop(version.memory.id, None)
            self._seq = page[-1].state.changed_seq

    def _drop(self, memory: MemoryId) -> None:
        before = self._believed.pop(memory, None)
        self._terms.pop(memory, None)
        for anchor in before.state.anchors if before else ():
            self._about[anchor].discard(memory)

    def _forget_renamed(self, registry: Registry) -> None:
        """Analyse anew the texts that bear a name whose meaning in the registry has changed."""
        if registry.seq == self._registry_seq:
            return
        names = frozenset((fold(name), entity) for name, entity in registry.all_names())
        changed = {part for name, _ in names ^ self._names for part in (name, *name.split())}
        self._analysed = {
            memory: kept
            for memory, kept in self._analysed.items()
            if not any(part in kept.folded for part in changed)
        }
        self._names, self._registry_seq = names, registry.seq

    def _analysis(self, version: Version, registry: Registry) -> Analysis:
        memory = version.memory
        found = self._analysed.get(memory.id)
        if found is None:
            said_at = memory.evidence.said_at if memory.evidence else None
            analysis = analyse(
                memory.text, said_at=said_at or memory.recorded_at, zone=self._zone, registry=registry
            )
            found = self._analysed[memory.id] = _Analysed(analysis, fold(memory.text))
        return found.analysis


def _alike(terms: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two texts share at least half the terms of the shorter one."""
    return 2 * len(terms & others) >= min(len(terms), len(others))


def _succeeded(version: Version) -> bool:
    """Whether what is believed of the past has its succession already."""
    return version.state.head != version.memory.id
