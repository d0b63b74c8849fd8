"""The one object that answers reads: it holds the indexes of its process and makes each call's context."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

from policies.errors import LedgerUnavailable
from policies.parameters import Parameters
from policies.ports import Clock
from policies.registry import Registry
from policies.terms import Level, View
from service.reading import holdings, pack, profile, recall, resources
from service.reading import path as paths
from service.reading.asking import Moved
from service.reading.call import Call
from service.reading.index import IndexDamaged, Indexes
from service.reading.items import Answer
from service.reading.question import known_to
from service.reading.source import Source

_TRIES = 3

_log = logging.getLogger(__name__)
T = TypeVar("T")


class Reading:
    """Answers every read of one process. Thread-safe; every method blocks.

    What it returns is plain JSON, shaped as the tools answer but for cursors: ``next_cursor`` is the state
    to sign and bind to the grant and the arguments, and comes back as the ``cursor`` argument.
    """

    def __init__(
        self, source: Source, clock: Clock, *, parameters: Parameters, zone: ZoneInfo, folder: Path
    ) -> None:
        """Make a reading of one store.

        Args:
            source: its ledger.
            clock: tells what "now" is.
            parameters: the owner's.
            zone: the owner's.
            folder: where text indexes are kept, the store's ``index`` directory.
        """
        self._source = source
        self._clock = clock
        self._parameters = parameters
        self._zone = zone
        self._indexes = Indexes(folder, source, parameters)
        self._registries = _Registries(source)

    def profile(self, view: View, arguments: profile.ProfileArguments) -> Answer:
        """What an assistant reads first (see ``service.reading.profile``)."""
        return self._answer(view, lambda call: profile.profile(call, arguments))

    def context_pack(self, view: View, arguments: pack.PackArguments) -> Answer:
        """What surfaces on a topic, within a budget (see ``service.reading.pack``)."""
        return self._answer(view, lambda call: pack.context_pack(call, arguments))

    def recall(self, view: View, arguments: recall.RecallArguments) -> Answer:
        """The answer to a question, or memories by id (see ``service.reading.recall``)."""
        return self._answer(view, lambda call: recall.recall(call, arguments))

    def path(self, view: View, arguments: paths.PathArguments) -> Answer:
        """How two entities are linked (see ``service.reading.path``)."""
        return self._answer(view, lambda call: paths.path(call, arguments))

    def memory(self, view: View, identifier: str) -> Answer:
        """One memory, as an item (see ``service.reading.resources``)."""
        return self._answer(view, lambda call: resources.memory(call, identifier))

    def entity(self, view: View, identifier: str) -> Answer:
        """One entity, with what is in view about it (see ``service.reading.resources``)."""
        return self._answer(view, lambda call: resources.entity(call, identifier))

    def complete(self, view: View, prefix: str) -> list[str]:
        """Names in view that begin so (see ``service.reading.resources``)."""
        return self._answer(view, lambda call: resources.complete(call, prefix))

    def holdings(self, view: View) -> dict[Level, holdings.Holding]:
        """How much views of each level up to this one hold (see ``service.reading.holdings``)."""
        return self._answer(view, holdings.holdings)

    def close(self) -> None:
        """Let go of the indexes; what is on disk stays for the next process."""
        self._indexes.close()

    def _answer(self, view: View, work: Callable[[Call], T]) -> T:
        """Do the work of one call, anew if the ledger moved under it or an index turned out to be damaged."""
        for tries_left in range(_TRIES - 1, -1, -1):
            try:
                return work(self._call(view, last_try=tries_left == 0))
            except Moved:
                continue
            except IndexDamaged as damaged:
                _log.warning("a text index is damaged and is made anew: %s", damaged)
                self._indexes.discard(damaged.snapshot)
        raise LedgerUnavailable("the text index cannot be read")

    def _call(self, view: View, *, last_try: bool) -> Call:
        head = self._source.head()
        return Call(
            view=view,
            registry=self._registries.known_to(view, head.registry_seq),
            source=self._source,
            indexes=self._indexes,
            parameters=self._parameters,
            zone=self._zone,
            now=self._clock.now(),
            seq=head.seq,
            last_try=last_try,
        )


class _Registries:
    """The registry as each level may know it, folded anew only when it has changed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._whole: Registry | None = None
        self._known: dict[Level, Registry] = {}

    def known_to(self, view: View, seq: int) -> Registry:
        with self._lock:
            if self._whole is None or self._whole.seq < seq:
                self._whole = self._source.registry()
                self._known.clear()
            if view.level not in self._known:
                self._known[view.level] = known_to(self._whole, replace(view, domains=None))
            return self._known[view.level]
