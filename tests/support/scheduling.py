"""How workers share the suite: a file at a time, each Neo4j with one worker, the longest first.

A Neo4j takes half a minute of a core to start and to plan its first statements. The tests of a file that run on
one are therefore a piece of their own, and the worker that has begun on a release takes all its pieces.
"""

from __future__ import annotations

import re

from xdist.scheduler import LoadScopeScheduling  # pyright: ignore[reportMissingTypeStubs]
from xdist.workermanage import WorkerController  # pyright: ignore[reportMissingTypeStubs]

from tests.support.neo4j_server import RELEASES

_RELEASE = re.compile(rf"\[(?:.*-)?({'|'.join(RELEASES)})(?:-.*)?\]$")
_LONG = ("tests/e2e/",)
_SHORT = ("tests/docs/", "tests/property/", "tests/unit/")


def order_of(nodeid: str) -> int:
    """Where a test stands: long files first, then most, then the short ones that even out the end."""
    return 0 if nodeid.startswith(_LONG) else 2 if nodeid.startswith(_SHORT) else 1


class ByEngine(LoadScopeScheduling):
    """Hands out the pieces of the worker's own release first, then those of one that nobody has, then the rest."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return f"{file}@{found[1]}" if (found := _RELEASE.search(nodeid)) else file

    def _assign_work_unit(self, node: WorkerController) -> None:
        best = min(self.workqueue, key=lambda piece: self._cost(node, piece))
        self.workqueue.move_to_end(best, last=False)
        super()._assign_work_unit(node)

    def _cost(self, node: WorkerController, piece: str) -> int:
        """Of handing a piece to a worker; the queue's order decides between equals."""
        release = _release_of(piece)
        if release is None:
            return 2
        if release in self._releases_of(node):
            return 0
        if any(release in self._releases_of(other) for other in self.nodes):
            return 4
        return 3 if self._releases_of(node) else 1

    def _releases_of(self, node: WorkerController) -> set[str]:
        """The releases that a worker has begun on."""
        return {release for piece in self.assigned_work[node] if (release := _release_of(piece))}


def _release_of(piece: str) -> str | None:
    return piece.partition("@")[2] or None
