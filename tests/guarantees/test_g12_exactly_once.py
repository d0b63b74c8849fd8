"""G12: whatever is killed or cut off, a proposal is committed once."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from cypher.committer import Committer
from cypher.graph import Graph
from cypher.rebuild import compare
from cypher.service_log import ServiceLog, ServiceLogEntry
from cypher.settings import Settings
from policies.entries import EntryType
from policies.errors import LedgerUnavailable
from policies.terms import GrantId, MemoryId, Outcome
from tests.support.bolt_proxy import COMMIT
from tests.support.clocks import CountingIds
from tests.support.committing import Ledger
from tests.support.memories import MACHINE_KEY, PARAMETERS, at, memory
from tests.support.relayed import relayed

ROOT = Path(__file__).parents[2]
PROPOSALS = 60
KILLS = 6


@pytest.mark.slow
def test_g12_a_curator_killed_again_and_again_commits_each_proposal_once(
    settings: Settings, graph: Graph
) -> None:
    seeded = random.Random(7)
    ledger = Ledger(graph, holder="killed")
    for i in range(PROPOSALS):
        ledger.submit(f"p{i:02d}", grant="ab"[i % 2])
    told: list[str] = []
    for _ in range(KILLS):
        told += _run_and_kill(settings, after=seeded.randrange(1, 9))
    told += _run(settings)
    outcomes = Counter(
        stored.entry.subject
        for stored in ledger.reader.all_entries()
        if stored.entry.type is EntryType.OUTCOME
    )
    assert outcomes == {f"prop:p{i:02d}": 1 for i in range(PROPOSALS)}
    assert max(Counter(told).values()) == 1
    assert set(told) <= outcomes.keys()
    assert ledger.reader.head().seq == ledger.reader.chain_end().seq == 2 * PROPOSALS
    assert ledger.verify().ok
    assert compare(graph, PARAMETERS) == []
    assert ledger.committer.pending(at(10**9), 10) == []


def _start(settings: Settings) -> subprocess.Popen[str]:
    where = [settings.graph_url or "", str(settings.graph_password_file or "")]
    command = [sys.executable, "-m", "tests.support.commit_process", str(settings.home), *where]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def _run_and_kill(settings: Settings, *, after: int) -> list[str]:
    """Kill it in the middle of whatever it does after so many commits; what it had said."""
    with _start(settings) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        said = [process.stdout.readline().strip() for _ in range(after)]
        process.kill()
        return said + process.stdout.read().split()


def _run(settings: Settings) -> list[str]:
    with _start(settings) as process:
        assert process.stdout is not None
        lines = process.stdout.read().split()
    assert process.returncode == 0
    return lines[1:]


@pytest.mark.parametrize("deliver", [True, False], ids=["kept", "lost"])
def test_g12_a_connection_lost_while_committing_commits_once(
    settings: Settings, graph: Graph, deliver: bool
) -> None:
    ledger = Ledger(graph)
    proposal = ledger.submit("one")
    decision = ledger.decision(proposal, Outcome.COMMITTED, memory("one"))
    with relayed(settings, cut_at=COMMIT, times=1, deliver=deliver) as connection:
        committer = Committer(Graph(connection), MACHINE_KEY, CountingIds("cut off"))
        result = committer.commit(ledger.lease, decision, at(9))
    assert result.repeated is deliver
    assert [one.memory.id for one in ledger.reader.changed_since(0, 10)] == ["mem:one"]
    assert ledger.reader.chain_end().seq == 2
    assert ledger.verify().ok


def test_g12_a_commit_that_stays_uncertain_is_told_of_when_it_is_done_again(
    settings: Settings, graph: Graph
) -> None:
    ledger = Ledger(graph)
    proposal = ledger.submit("one")
    decision = ledger.decision(proposal, Outcome.COMMITTED, memory("one"))
    with relayed(settings, cut_at=COMMIT, times=2, deliver=True) as connection:
        committer = Committer(Graph(connection), MACHINE_KEY, CountingIds("cut off"))
        with pytest.raises(LedgerUnavailable):
            committer.commit(ledger.lease, decision, at(9))
    assert ledger.commit(decision).repeated
    assert ledger.reader.head().seq == 2


def test_g6_calls_logged_over_a_broken_connection_are_logged_once(settings: Settings, graph: Graph) -> None:
    call = ServiceLogEntry(
        "log:1", at(1), GrantId("grant:a"), "mem_recall", "{}", "digest", (MemoryId("mem:x"),), "certain", 5
    )
    with relayed(settings, cut_at=COMMIT, times=1, deliver=True) as connection:
        ServiceLog(Graph(connection)).append([call])
    assert ServiceLog(graph).read(limit=10) == [call]
