"""One view's index on disk: made, followed on, and made anew when missing, damaged or another ledger's."""

from __future__ import annotations

import json
import logging
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Protocol

import tantivy

from policies.terms import MemoryId, Version
from service.reading.index import documents
from service.reading.index.documents import Edge
from service.reading.index.edges import Edges
from service.reading.index.snapshot import IndexDamaged, Snapshot
from service.reading.source import Source

_WRITER_BYTES = 16_000_000
_BATCH = 1_000
_FOLLOWED = "followed.json"

_log = logging.getLogger(__name__)


class Holdings(Protocol):
    """What an index holds: a view, seen from the side of one version."""

    @property
    def name(self) -> str:
        """Names the view, and the index's directory."""
        ...

    def in_view(self, version: Version) -> bool:
        """Whether the version is in the view, so that its words may lead to another of its chain."""
        ...

    def holds(self, version: Version, chain: Sequence[Version]) -> bool:
        """Whether the version has its place in the index."""
        ...

    def surfaces(self, version: Version) -> bool:
        """Whether the version surfaces by itself."""
        ...


@dataclass(frozen=True, slots=True)
class Followed:
    """Where an index stands: what it holds, how it was made, whose it is, how far it has followed."""

    format: int
    holds: str
    made_with: str
    """Digest of the parameters: floors, domains and stop-words follow from them."""
    seq: int
    """Sequence of the last ledger entry that is in it."""
    entry_hash: str
    """Hash of that entry: another ledger, or this one put back to an earlier state, has another there."""
    documents: int


class ViewIndex:
    """The index of one view, shared by the threads of one process."""

    def __init__(self, folder: Path, holdings: Holdings, made_with: str, source: Source) -> None:
        """Name an index; nothing is read before the first ``snapshot``.

        Args:
            folder: a directory of its own, made when missing.
            holdings: what it holds.
            made_with: digest of the parameters.
            source: the ledger to follow.
        """
        self._folder = folder
        self._holdings = holdings
        self._made_with = made_with
        self._source = source
        self._lock = threading.Lock()
        self._index: tantivy.Index | None = None
        self._writer: tantivy.IndexWriter | None = None
        self._snapshot: Snapshot | None = None

    def snapshot(self, seq: int) -> Snapshot:
        """What the view may be served, with the ledger followed up to ``seq``.

        Whoever finds the index behind waits until it is not; what is up to date is shared without a lock.

        Raises:
            LedgerUnavailable: the ledger could not be followed.
        """
        current = self._snapshot
        if current is not None and current.seq == seq:
            return current
        with self._lock:
            current = self._snapshot or self._opened()
            if current.seq > seq and self._hash_of(current.seq) is None:
                current = self._made_anew()
            self._snapshot = current if current.seq >= seq else self._followed(current, seq)
            return self._snapshot

    def discard(self, snapshot: Snapshot) -> None:
        """Throw the index away because a snapshot of it could not be read: the next call makes it anew."""
        with self._lock:
            if self._snapshot is snapshot:
                self._made_anew()
                self._snapshot = None

    def close(self) -> None:
        """End what runs in the background and let go of the files."""
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._writer is not None:
            self._writer.wait_merging_threads()
        self._index = self._writer = self._snapshot = None

    def _opened(self) -> Snapshot:
        """What lies on disk, if it is this view's and this ledger's; else an empty index."""
        known = self._read_followed()
        if known is None:
            return self._made_anew()
        try:
            self._index = tantivy.Index.open(str(self._folder))
            found = Snapshot.of(self._index, known.seq, Edges())
            if found.memories(open_only=False) == known.documents:
                return Snapshot.of(self._index, known.seq, found.drawn())
        except (ValueError, OSError, IndexDamaged) as error:
            _log.warning("the text index %s cannot be read and is made anew: %s", self._holdings.name, error)
        return self._made_anew()

    def _made_anew(self) -> Snapshot:
        self._let_go()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(mode=0o700, parents=True)
        self._index = tantivy.Index(documents.schema(), path=str(self._folder))
        return Snapshot.of(self._index, 0, Edges())

    def _followed(self, current: Snapshot, seq: int) -> Snapshot:
        """The snapshot after everything that has changed since, up to ``seq`` at least."""
        if self._index is None:
            return self._followed(self._made_anew(), seq)
        if self._writer is None:
            self._index.register_tokenizer("whitespace", _whitespace())
            self._writer = self._index.writer(_WRITER_BYTES, 1)
        reached, edges, touched = current.seq, current.edges, False
        while changed := self._source.changed_since(reached, _BATCH):
            edges = self._take_up(self._writer, changed, edges)
            reached, touched = changed[-1].state.changed_seq, True
        if not touched:
            return current.later(max(reached, seq))
        self._writer.commit()
        snapshot = Snapshot.of(self._index, max(reached, seq), edges)
        self._write_followed(snapshot)
        return snapshot

    def _take_up(self, writer: tantivy.IndexWriter, changed: Sequence[Version], edges: Edges) -> Edges:
        gone: list[MemoryId] = []
        come: list[Edge] = []
        for chain in _chains(changed):
            for position, version in enumerate(chain):
                writer.delete_documents_by_term("memory", version.memory.id)
                gone.append(version.memory.id)
                if not self._holdings.holds(version, chain):
                    continue
                former = [earlier for earlier in chain[:position] if self._holdings.in_view(earlier)]
                surfaces = self._holdings.surfaces(version)
                writer.add_document(documents.document(version, former, surfaces=surfaces))
                drawn = documents.edge_of(version, surfaces=surfaces)
                if drawn is not None:
                    come.append(drawn)
        return edges.changed(gone, come)

    def _read_followed(self) -> Followed | None:
        """Where the index on disk stands, None unless it is this view's and this ledger's."""
        try:
            known = Followed(**json.loads((self._folder / _FOLLOWED).read_text()))
        except (OSError, ValueError, TypeError):
            return None
        made = (documents.FORMAT, self._holdings.name, self._made_with)
        ours = (known.format, known.holds, known.made_with) == made
        return known if ours and self._hash_of(known.seq) == known.entry_hash else None

    def _write_followed(self, snapshot: Snapshot) -> None:
        """Say how far the index has followed, after its commit: what is taken up twice does no harm."""
        known = Followed(
            format=documents.FORMAT,
            holds=self._holdings.name,
            made_with=self._made_with,
            seq=snapshot.seq,
            entry_hash=self._hash_of(snapshot.seq) or "",
            documents=snapshot.memories(open_only=False),
        )
        written = self._folder / f"{_FOLLOWED}.new"
        written.write_text(json.dumps(asdict(known)))
        written.replace(self._folder / _FOLLOWED)
        for file in self._folder.iterdir():
            # What a merge in the background has replaced meanwhile is gone.
            with suppress(FileNotFoundError):
                file.chmod(0o600)

    def _hash_of(self, seq: int) -> str | None:
        """The hash of the ledger's entry of a sequence, None where there is none."""
        if seq == 0:
            return ""
        found = self._source.entries(seq - 1, 1)
        return found[0].entry.hash if found and found[0].entry.seq == seq else None


def _chains(changed: Sequence[Version]) -> Iterator[list[Version]]:
    """The chains of a batch, oldest version first. They are whole: a chain's versions change together."""
    ordered = sorted(changed, key=lambda v: (v.state.changed_seq, v.state.chain, v.state.position))
    for _, versions in groupby(ordered, key=lambda version: version.state.chain):
        yield list(versions)


def _whitespace() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
