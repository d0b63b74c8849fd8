"""What a recall costs: ``python tests/bench/recall.py [memories]`` (10,000 without an argument).

On the embedded engine, in one run and side by side: a bare Bolt round trip; a recall in the process; an empty
tool call and a recall over HTTP (the empty one is refused for its arguments: it is authenticated, counted and
logged, and reads nothing); an append, and the recall that follows it, which has an index to bring up to date.
Trust the ratios: milliseconds are the machine's.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import httpx2

from cypher.engine import connect
from cypher.statement import statement
from policies.parameters import parameters
from policies.terms import Level, View
from service.reading import PackArguments, Reading, RecallArguments
from tests.support import bulk
from tests.support.clocks import SetClock
from tests.support.graphs import make_settings
from tests.support.house import LEASE_US, House, open_house, web_server
from tests.support.memories import memory

ROUNDS = 200
VIEW = View(level=Level.S1)


def main(arguments: list[str]) -> int:
    """Load, measure and print."""
    count = int(arguments[0]) if arguments else 10_000
    with tempfile.TemporaryDirectory() as folder:
        settings = make_settings(Path(folder) / "home")
        with connect(settings) as engine, open_house(settings, engine) as house:
            begun = time.perf_counter()
            fill(house, count)
            print(f"{count:,} memories loaded in {time.perf_counter() - begun:.0f} s, in batches")
            measure(house, count)
    return 0


def fill(house: House, count: int) -> None:
    """Load invented memories."""
    lease = house.committer.acquire("test", LEASE_US, house.clock.now())
    if lease is None:
        raise RuntimeError("another curator holds the lease")
    found = list(bulk.memories(count))
    bulk.load(house.reader, house.inbox, house.committer, lease, house.clock.now(), found, bulk.entities())


def measure(house: House, count: int) -> None:
    """Print every measurement beside those it is compared with."""
    graph = house.engine.graph
    ping = statement("ping_database")
    bolt = timed("a bare Bolt round trip", lambda: graph.read(ping))
    read = Reading(
        house.reader, SetClock(house.clock.now()), parameters=parameters(), zone=house.settings.zone,
        folder=house.settings.store_dir / "index",
    )  # fmt: skip
    begun = time.perf_counter()
    read.recall(VIEW, RecallArguments("anything"))
    print(f"{'the index of a view built from the ledger':46} {1_000 * (time.perf_counter() - begun):8.0f} ms")
    questions = asked()
    timed("recall, 5 words", lambda: read.recall(VIEW, RecallArguments(next(questions))), bolt)
    common = " ".join(bulk.word(n) for n in range(5))
    timed("recall, the 5 commonest words", lambda: read.recall(VIEW, RecallArguments(common)), bolt)
    someone = bulk.name(3)
    timed(
        "recall, about someone much spoken of",
        lambda: read.recall(VIEW, RecallArguments(f"{next(questions)} {someone}")),
        bolt,
    )
    timed("context pack", lambda: read.context_pack(VIEW, PackArguments(next(questions))), bolt)
    appended = append(house)
    timed("an append", lambda: next(appended), bolt, rounds=50)
    timed(
        "an append, and a recall that catches up",
        lambda: (next(appended), read.recall(VIEW, RecallArguments(common))),
        bolt,
        rounds=50,
    )
    read.close()
    over_http(house, questions, bolt)


def over_http(house: House, questions: Iterator[str], bolt: float) -> None:
    """The same through the whole service."""
    token = house.grant().token
    house.clock.advance(60)
    with web_server(house) as address, httpx2.Client(trust_env=False, timeout=30) as http:

        def call(arguments: dict[str, object]) -> None:
            # The clock is set, and a minute's calls are counted: each is a second later than the last.
            house.clock.advance(1)
            answer = http.post(
                f"{address}/mcp",
                headers={
                    "Authorization": f"Bearer {token}",
                    "Accept": "application/json, text/event-stream",
                    "MCP-Protocol-Version": "2025-06-18",
                },
                json={
                    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                    "params": {"name": "mem_recall", "arguments": arguments},
                },
            )  # fmt: skip
            answer.raise_for_status()

        call({"query": "anything"})
        empty = timed("an empty tool call over HTTP", lambda: call({"query": "x", "nonsense": 1}), bolt)
        whole = timed("recall over HTTP, 5 words", lambda: call({"query": next(questions)}), bolt)
        print(f"recall over HTTP = {(whole - bolt) / empty:.2f} empty calls + a Bolt round trip")


def asked() -> Iterator[str]:
    """Questions without end: five words each, two of them common."""
    rng = random.Random(1)
    while True:
        yield " ".join(bulk.word(n) for n in (*rng.sample(range(50), 2), *rng.sample(range(50, 3_000), 3)))


def append(house: House) -> Iterator[None]:
    """Commits one memory with three anchors each time it is asked to."""
    for number in itertools.count():
        anchors = tuple(sorted(bulk.entity(number + n) for n in range(3)))
        house.commit(
            memory(
                f"append{number}", text=f"a new thing {bulk.word(number)}", anchors=anchors, level=Level.S1
            )
        )
        yield


def timed(what: str, call: Callable[[], object], beside: float | None = None, rounds: int = ROUNDS) -> float:
    """Print the median and the 95th percentile of a call in milliseconds; give the median in seconds."""
    spent: list[float] = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        spent.append(time.perf_counter() - begun)
    spent.sort()
    median = statistics.median(spent)
    ratio = "" if beside is None else f"   {median / beside:6.1f} round trips"
    print(f"{what:46} {1_000 * median:8.2f} ms   p95 {1_000 * spent[int(rounds * 0.95)]:8.2f}{ratio}")
    return median


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
