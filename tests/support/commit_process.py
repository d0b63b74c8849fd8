"""A process that decides and commits whatever waits in a store's inbox, for tests that kill it.

It accepts each proposal as a memory of the proposal's name, and says its id once it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from cypher.engine import connect
from cypher.runtime import RandomIds, SystemClock
from policies.terms import Outcome
from tests.support.committing import Ledger
from tests.support.graphs import make_settings
from tests.support.memories import memory

if __name__ == "__main__":
    home, url, password_file = sys.argv[1:4]
    where: dict[str, Any] = {"graph_url": url, "graph_password_file": Path(password_file)} if url else {}
    with connect(make_settings(Path(home), **where)) as engine:
        ledger = Ledger(engine.graph, RandomIds(), holder="killed")
        clock = SystemClock()
        print("ready", flush=True)
        while waiting := ledger.committer.pending(clock.now(), 10):
            for proposal in waiting:
                draft = memory(proposal.id.removeprefix("prop:"))
                decision = ledger.decision(proposal.id, Outcome.COMMITTED, draft)
                ledger.commit(decision, now=clock.now())
                print(proposal.id, flush=True)
