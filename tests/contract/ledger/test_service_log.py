"""The log of calls: one write for many, read by grant, by memory and by time."""

from __future__ import annotations

from cypher.graph import Graph
from cypher.service_log import ServiceLog, ServiceLogEntry
from policies.terms import GrantId, MemoryId
from tests.support.memories import at

A, B = GrantId("grant:a"), GrantId("grant:b")


def call(i: int, grant: GrantId, *served: str) -> ServiceLogEntry:
    return ServiceLogEntry(
        id=f"log:{i:02d}",
        at=at(i // 2),
        grant=grant,
        tool="mem_recall",
        view='{"domains":null,"level":"S1"}',
        arguments=f"digest{i}",
        served=tuple(MemoryId(one) for one in served),
        verdict="certain",
        duration_us=100 + i,
    )


CALLS = [call(i, A if i % 3 else B, *(["mem:x", "mem:y"] if i % 4 == 0 else [])) for i in range(10)]


def test_calls_are_read_back_newest_first_and_paged(graph: Graph) -> None:
    log = ServiceLog(graph)
    log.append(CALLS[:4])
    log.append(CALLS[4:])
    log.append([])
    assert log.read(limit=100) == CALLS[::-1]
    for grant in (None, A, B):
        wanted = [one for one in CALLS[::-1] if grant in (None, one.grant)]
        found: list[ServiceLogEntry] = []
        while page := log.read(grant=grant, after=found[-1].place if found else None, limit=3):
            found += page
        assert found == wanted


def test_calls_are_found_by_what_they_served_and_when(graph: Graph) -> None:
    log = ServiceLog(graph)
    log.append(CALLS)
    assert log.read(memory=MemoryId("mem:y"), limit=10) == [CALLS[8], CALLS[4], CALLS[0]]
    assert log.read(memory=MemoryId("mem:y"), grant=A, limit=10) == [CALLS[8], CALLS[4]]
    assert log.read(memory=MemoryId("mem:none"), limit=10) == []
    assert log.read(since=at(1), until=at(3), limit=10) == CALLS[2:6][::-1]
    assert log.read(grant=B, since=at(1), until=at(3), limit=10) == [CALLS[3]]


def test_recording_calls_again_changes_nothing(graph: Graph) -> None:
    log = ServiceLog(graph)
    log.append(CALLS[:3])
    log.append(CALLS[:5])
    assert log.read(limit=100) == CALLS[4::-1]
