"""The embedded server killed under those who write: nothing acknowledged is lost, nobody has to start over."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from cypher.engine import Engine, connect
from cypher.keeper.home import EngineHome
from cypher.statement import parse_statement
from policies.errors import CommitUncertain
from tests.support.graphs import make_settings
from tests.support.waiting import WAIT_S_MAX, eventually

KILLS = 2
MERGE = parse_statement(
    "merge_proposal", "// For this test.\n// $id: its key\nMERGE (p:Proposal {id: $id}) SET p.lock = $id"
)
LIST = parse_statement("list_proposals", "// All.\nMATCH (p:Proposal) RETURN p.id AS id")


def test_writers_go_on_through_kills_of_the_server_and_lose_nothing(tmp_path: Path) -> None:
    place = EngineHome(tmp_path)
    acknowledged: list[str] = []
    uncertain: list[str] = []
    over = threading.Event()

    def write(engine: Engine, writer: int) -> None:
        number = 0
        while not over.is_set():
            key = f"{writer}-{number}"
            try:
                engine.graph.write(MERGE, id=key)
                acknowledged.append(key)
                number += 1
            except CommitUncertain:
                uncertain.append(key)  # the same key again

    with connect(make_settings(tmp_path)) as engine, ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(write, engine, writer) for writer in range(3)]
        try:
            for _ in range(KILLS):
                eventually(progress(acknowledged, writers))
                address = place.address()
                assert address is not None
                os.kill(address.pid, signal.SIGKILL)
            eventually(progress(acknowledged, writers))
        finally:
            over.set()
        for writer in writers:
            writer.result(WAIT_S_MAX)
        stored = [row["id"] for row in engine.graph.read(LIST)]
    assert len(stored) == len(set(stored))
    assert set(acknowledged) <= set(stored) <= {*acknowledged, *uncertain}


def progress(acknowledged: list[str], writers: list[Future[None]]) -> Callable[[], bool]:
    """Whether twenty more were acknowledged since now; fails when a writer gave up."""
    wanted = len(acknowledged) + 20

    def reached() -> bool:
        for writer in writers:
            if writer.done():
                writer.result()
        return len(acknowledged) >= wanted

    return reached
