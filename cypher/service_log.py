"""The log of the service's calls (G6): who asked what, which ids were served. No text, no secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cypher.graph import Graph
from cypher.records import Row, place_key
from cypher.statement import statement
from policies.errors import CommitUncertain
from policies.terms import GrantId, Instant, MemoryId

_APPEND = statement("append_log")
_LIST = statement("list_log")
_LIST_OF_GRANT = statement("list_log_of_grant")

_END_OF_TIME = Instant(10**19)


@dataclass(frozen=True, slots=True)
class ServiceLogEntry:
    """One call."""

    id: str
    """``log:`` and 128 random bits."""
    at: Instant
    grant: GrantId
    tool: str
    """The tool, or the method of what is no tool."""
    view: str
    """What the grant might be served: canonical JSON."""
    arguments: str
    """A keyed digest of the arguments: tells equal calls, and nothing else."""
    served: tuple[MemoryId, ...]
    verdict: str
    """Of the answer; the code of the error, if it is one."""
    duration_us: int

    @property
    def place(self) -> str:
        """Where the call stands among all of them: the page after it begins there."""
        return place_key(self.at, self.id)


class ServiceLog:
    """One process's hold on the log. May be shared by threads."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def append(self, calls: Sequence[ServiceLogEntry]) -> None:
        """Record calls, all or none, in one write. Recording them again changes nothing.

        Raises:
            LedgerUnavailable: they may not have been recorded; nothing may be served.
        """
        if not calls:
            return
        rows = [_row(call) for call in calls]
        try:
            self._graph.write(_APPEND, entries=rows)
        except CommitUncertain:
            self._graph.write(_APPEND, entries=rows)

    def read(
        self,
        *,
        grant: GrantId | None = None,
        memory: MemoryId | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[ServiceLogEntry]:
        """Calls, newest first.

        Args:
            grant: only this one's.
            memory: only those that served this one; takes time in proportion to the stretch of time.
            since: not before this instant.
            until: before this instant.
            after: the place of the last call of the page before.
            limit: most calls.
        """
        earliest = place_key(since or 0)
        latest = place_key(_END_OF_TIME if until is None else until)
        if after is not None:
            latest = min(latest, after)
        if grant is None:
            found = self._graph.read(_LIST, since=earliest, before=latest, memory=memory, limit=limit)
        else:
            stretch = {"since": f"{grant} {earliest}", "before": f"{grant} {latest}"}
            found = self._graph.read(_LIST_OF_GRANT, **stretch, memory=memory, limit=limit)
        return [_entry(record["entry"]) for record in found]


def _row(call: ServiceLogEntry) -> Row:
    return {
        "id": call.id,
        "place": call.place,
        "by_grant": f"{call.grant} {call.place}",
        "at": call.at,
        "grant": call.grant,
        "tool": call.tool,
        "view": call.view,
        "arguments": call.arguments,
        "ids": list(call.served),
        "verdict": call.verdict,
        "duration_us": call.duration_us,
    }


def _entry(row: Row) -> ServiceLogEntry:
    return ServiceLogEntry(
        id=row["id"],
        at=Instant(row["at"]),
        grant=GrantId(row["grant"]),
        tool=row["tool"],
        view=row["view"],
        arguments=row["arguments"],
        served=tuple(MemoryId(memory) for memory in row["ids"]),
        verdict=row["verdict"],
        duration_us=row["duration_us"],
    )
