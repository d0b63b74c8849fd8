"""G13: what was acknowledged is decided in the end, whatever dies, fails or answers nonsense meanwhile."""

from __future__ import annotations

import itertools
import os
import random
import resource
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
import psutil
import pytest
from mcp import MCPError

from curator.classify import openai
from curator.curating import Curator
from cypher.cli import ExitCode
from cypher.engine import Engine
from cypher.graph import Graph
from cypher.inbox import Inbox
from cypher.keeper.home import EngineHome
from cypher.settings import Settings
from policies.entries import EntryType, outcome_of
from policies.lifecycle import FINAL, InboxState
from policies.terms import Kind, Outcome, ProposalId
from tests.support.asking import called, connected
from tests.support.attacked import OpenEngine, own_store
from tests.support.bolt_proxy import COMMIT
from tests.support.commands import SERVE_S_MAX, Mnemo, Serving
from tests.support.committing import Ledger
from tests.support.crashing import CrashingGraph, Killed
from tests.support.curated import Curated
from tests.support.curator_process import beside_processes, curator_process, until
from tests.support.house import open_house, web_server
from tests.support.model_server import ALWAYS_ACCEPT, ModelServer, model_server
from tests.support.relayed import relayed
from tests.support.waiting import eventually

PROPOSALS = 200
BETWEEN_PROPOSALS_S = 0.5
"""As often as a tool may propose."""
WRITES_OF_A_LIFE = 80
"""After how many writes at most a curator of the loop dies."""


def finals(store: Curated) -> Counter[ProposalId]:
    """How many final outcomes the ledger has of each proposal."""
    return Counter(
        record.proposal
        for stored in store.reader.all_entries()
        if stored.entry.type is EntryType.OUTCOME and (record := outcome_of(stored)).outcome in FINAL
    )


# Killed


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    mnemo = Mnemo(tmp_path_factory.mktemp("nothing lost"))
    mnemo.ends(ExitCode.DONE, "init", "--owner", "Zoé Martin")
    with mnemo.serving() as serving:
        yield serving


class Proposer:
    """A tool that proposes one thing after another, each until it is acknowledged, over whatever breaks."""

    def __init__(self, serving: Serving, token: str) -> None:
        self._serving = serving
        self._token = token
        self.acknowledged: dict[str, str] = {}
        self.faults = 0
        self.over = threading.Event()

    def run(self) -> None:
        for number in itertools.count():
            if self.over.is_set():
                return
            self._until_acknowledged(f"The guide number {number} lies in the third drawer.", f"key-{number}")
            self.over.wait(BETWEEN_PROPOSALS_S)

    def _until_acknowledged(self, statement: str, key: str) -> None:
        while key not in self.acknowledged and not self.over.is_set():
            try:
                answer = anyio.run(self._propose, statement, key)
            except (OSError, RuntimeError, MCPError, httpx2.HTTPError, ExceptionGroup):
                answer = None
            if answer is None:
                self.faults += 1
                self.over.wait(0.1)
            else:
                self.acknowledged[key] = answer

    async def _propose(self, statement: str, key: str) -> str | None:
        async with connected(self._serving.url, self._token) as client:
            result = await called(client, "mem_remember", statement=statement, idempotency_key=key)
            content: dict[str, Any] = result.structured_content or {}
            return None if result.is_error else content["proposal"]


def engine_of(serving: Serving) -> psutil.Process:
    address = EngineHome(serving.mnemo.home).address()
    assert address is not None
    return psutil.Process(address.pid)


VICTIMS: tuple[Callable[[Serving], psutil.Process], ...] = (
    lambda serving: serving.children()["service"],
    engine_of,
    lambda serving: serving.children()["curator"],
)


@pytest.mark.slow
def test_whatever_is_killed_while_a_tool_proposes_what_was_acknowledged_is_committed_once(
    serving: Serving,
) -> None:
    token = str(serving.mnemo.answers("grant", "desk", "--scope", "private-full")["token"])
    proposer = Proposer(serving, token)
    thread = threading.Thread(target=proposer.run)
    thread.start()
    try:
        for victim in VICTIMS:
            before = len(proposer.acknowledged)
            eventually(lambda before=before: len(proposer.acknowledged) >= before + 3, within_s=SERVE_S_MAX)
            process = victim(serving)
            process.kill()
            process.wait(30)
        before = len(proposer.acknowledged)
        eventually(lambda: len(proposer.acknowledged) >= before + 3, within_s=SERVE_S_MAX)
    finally:
        proposer.over.set()
        thread.join()
    serving.wait_ready()
    serving.mnemo.answers("curate")
    receipts = list(proposer.acknowledged.values())
    assert len(set(receipts)) == len(receipts)
    told = anyio.run(outcomes_of, serving.url, token, receipts)
    assert Counter(row["outcome"] for row in told.values()) == {"committed": len(receipts)}
    assert len({row["memory"] for row in told.values()}) == len(receipts)
    assert serving.mnemo.answers("verify")["ok"]


async def outcomes_of(url: str, token: str, proposals: list[str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    async with connected(url, token) as client:
        for proposal in proposals:
            result = await called(client, "mem_gates", proposal=proposal)
            assert not result.is_error, result.structured_content
            found[proposal] = result.structured_content["items"][0]
    return found


def test_while_the_curator_dies_again_and_again_each_of_two_hundred_is_settled_once(
    open_engine: OpenEngine,
) -> None:
    chance = random.Random(13)
    with own_store(open_engine, "dying") as store:
        dying = CrashingGraph(store.engine.graph)
        sent = [
            store.remember(f"Invoice {number - number % 5 % 2} was paid", tool="ab"[number % 2])
            for number in range(PROPOSALS)
        ]
        lives = 0
        while store.curator.inbox.count(InboxState.PENDING):
            lives += 1
            assert lives < PROPOSALS, "it does not get on"
            store.curator = Curator(store.settings, dying, store.clock, store.ids)
            dying.die(writes_left=chance.randrange(WRITES_OF_A_LIFE), after=chance.random() < 0.5)
            with suppress(Killed):
                store.run()
        dying.live()
        assert lives > 8
        store.run()
        assert finals(store) == Counter(dict.fromkeys(sent, 1))
        memories = [version.memory.text for version in store.reader.changed_since(0, 10 * PROPOSALS)]
        assert len(memories) == len(set(memories))
        assert {store.outcome(one).outcome for one in sent} == {Outcome.COMMITTED, Outcome.DUPLICATE}
        assert store.curator.verify().ok


# A night missed


@pytest.fixture
def store(settings: Settings, engine: Engine) -> Curated:
    return beside_processes(settings, engine)


def test_a_missed_night_is_caught_up_at_start(store: Curated, settings: Settings) -> None:
    proposal = store.remember("The office opens at nine")
    facts = settings.store_dir / "store.toml"
    two_days_ago = facts.stat().st_mtime - 2 * 86_400
    restore = facts.stat()
    set_mtime(facts, two_days_ago)
    try:
        with curator_process(settings):
            until(lambda: store.view(proposal).outcome is not None)
            until(lambda: store.curator.last_nightly_at() is not None)
    finally:
        set_mtime(facts, restore.st_mtime)


def set_mtime(path: Path, seconds: float) -> None:
    os.utime(path, (seconds, seconds))


def a_night(store: Curated) -> None:
    """The curator runs by itself."""
    with store.curator.leadership as lead:
        assert lead.try_take()
        store.curator.run(None, store.stop)


def test_a_night_in_which_the_curator_died_is_gone_on_with(open_engine: OpenEngine) -> None:
    with own_store(open_engine, "night") as store:
        sent = [store.remember(f"Invoice {number} was paid") for number in range(6)]
        dying = CrashingGraph(store.engine.graph)
        store.curator = Curator(store.settings, dying, store.clock, store.ids)
        dying.die(writes_left=8, after=True)
        store.clock.advance(60)
        with pytest.raises(Killed):
            a_night(store)
        dying.live()
        assert store.curator.last_nightly_at() is None, "that night is not done"
        assert store.curator.inbox.count(InboxState.PENDING) > 0
        store.curator = Curator(store.settings, dying, store.clock, store.ids)
        store.run()  # as the worker does: what was begun and not finished comes first
        assert [store.outcome(one).outcome for one in sent] == [Outcome.COMMITTED] * len(sent)
        assert store.curator.last_nightly_at() is not None


# A model that fails


@pytest.fixture(scope="module")
def judged(open_engine: OpenEngine) -> Iterator[tuple[Curated, ModelServer]]:
    """A store whose classifier is a local model, and the server that stands for it."""
    with (
        model_server() as server,
        own_store(
            open_engine, "judged", classifier="openai", model="m", model_url=f"{server.url}/v1"
        ) as store,
    ):
        store.register("Louis Martin", owner=True)
        store.register("Léa Roux")
        store.register("Acme", "organisation")
        yield store, server


@contextmanager
def repaired(store: Curated, server: ModelServer) -> Generator[None]:
    """Whatever the test breaks of the model works again afterwards, and every delay is over."""
    try:
        yield
    finally:
        server.status, server.stop_reason, server.stall = 200, "end_turn", None
        server.answer = lambda question: ALWAYS_ACCEPT
        store.clock.advance(86_400)


def down(server: ModelServer) -> None:
    server.status = 503


def overloaded(server: ModelServer) -> None:
    server.status = 429


def slow(server: ModelServer) -> None:
    server.stall = threading.Event()


def silent(server: ModelServer) -> None:
    server.answer = lambda question: ""


def garbled(server: ModelServer) -> None:
    server.answer = lambda question: "I think this is a fact."


def cut(server: ModelServer) -> None:
    server.stop_reason = "max_tokens"


def refusing(server: ModelServer) -> None:
    server.stop_reason = "refusal"


def overreaching(server: ModelServer) -> None:
    server.answer = lambda question: ALWAYS_ACCEPT | {"outcome": "rejected", "provenance": "attested"}


@pytest.mark.parametrize("fault", [down, overloaded, slow, silent, garbled, cut, refusing, overreaching])
def test_a_model_that_fails_costs_a_retry_and_never_a_proposal(
    judged: tuple[Curated, ModelServer], monkeypatch: pytest.MonkeyPatch, fault: Callable[[ModelServer], None]
) -> None:
    store, server = judged
    with repaired(store, server):
        fault(server)
        if server.stall is not None:
            monkeypatch.setattr(openai, "ANSWER_SECONDS_MAX", 0.2)
            store.curator = Curator(store.settings, store.engine.graph, store.clock, store.ids)
        proposal = store.remember(f"Léa Roux keeps a {fault.__name__} clock")
        assert store.run().to_json()["counts"] == {"error": 1}
        view = store.view(proposal)
        assert view.state is InboxState.RETRYING
        assert view.outcome is not None
        assert view.outcome.outcome is Outcome.ERROR
        assert store.reader.outcome_of(proposal) is None, "an error is open: nothing of it is recorded"
        asked = len(server.requests)
        store.clock.advance(-60)
        store.run()
        store.retry()
        assert len(server.requests) == asked, "it waits for its delay"
        if server.stall is not None:
            server.stall.set()
    store.retry()
    assert store.outcome(proposal).outcome is Outcome.COMMITTED
    assert finals(store)[proposal] == 1


def test_nobody_waits_for_a_model_that_is_down_and_everything_is_decided_when_it_is_back(
    judged: tuple[Curated, ModelServer],
) -> None:
    store, server = judged
    sent = [store.remember(f"Invoice {number} of Acme was paid") for number in range(52)]
    with repaired(store, server):
        down(server)
        asked = len(server.requests)
        store.run()
        assert len(server.requests) == asked + 3
        assert store.direct("register", name="Globex", type="organisation").outcome is Outcome.COMMITTED
        assert store.curator.inbox.count(InboxState.RETRYING) == len(sent)
    while store.curator.inbox.count(InboxState.RETRYING):
        left = store.curator.inbox.count(InboxState.RETRYING)
        store.retry()
        assert store.curator.inbox.count(InboxState.RETRYING) < left
    assert {store.outcome(one).outcome for one in sent} == {Outcome.COMMITTED}


NONSENSE = {
    "ends before it begins": {"valid_from": "2026-12", "valid_to": "2020-01"},
    "ended long before it was said to begin": {"valid_to": "1066"},
    "a day that does not exist": {"valid_from": "2026-02-30", "valid_to": "tomorrow"},
    "the end of time": {"valid_from": "9999-12-31"},
    "names that nobody wrote": {"names": [{"surface": "Zoé Lambert", "type": "person"}]},
    "domains that do not exist": {"domains": ["astrology", "", "ent:aaaaaaaaaaaaaaaaaaaaaaaaaa"]},
    "a contra-entry's kind or none": {"kind": "insight"},
}


@pytest.mark.parametrize("label", NONSENSE)
def test_a_model_that_answers_nonsense_loses_no_proposal(
    judged: tuple[Curated, ModelServer], label: str
) -> None:
    store, server = judged
    thing = f"clock number {list(NONSENSE).index(label)}"
    with repaired(store, server):
        server.answer = lambda question: ALWAYS_ACCEPT | NONSENSE[label]
        plain = store.remember(f"Acme repaired the {thing}")
        dated = store.remember(f"Léa Roux keeps the {thing} since March 2021")
        passed = store.remember(f"Léa Roux winds up the {thing}", valid_from="2024-05")
        store.run()
    for proposal in (plain, dated, passed):
        outcome = store.outcome(proposal)
        assert outcome.outcome in (Outcome.COMMITTED, Outcome.NEEDS_OWNER), (label, outcome.reason)


def test_nor_does_its_nonsense_undo_a_succession(judged: tuple[Curated, ModelServer]) -> None:
    store, server = judged
    old = store.memory_of(store.remember("Léa Roux works at Acme since 2021"))
    with repaired(store, server):
        server.answer = lambda question: ALWAYS_ACCEPT | {"valid_from": "1066", "valid_to": "1067"}
        since = store.propose(
            "correct",
            id=old.id,
            statement="Léa Roux works for herself",
            change="succession",
            effective="2026-03",
        )
        ended = store.remember("Léa Roux has a desk at Acme")
        store.run()
    for proposal in (since, ended):
        assert store.outcome(proposal).outcome in (Outcome.COMMITTED, Outcome.NEEDS_OWNER)


def test_a_model_that_sees_a_rule_in_everything_asks_the_owner(judged: tuple[Curated, ModelServer]) -> None:
    store, server = judged
    with repaired(store, server):
        server.answer = lambda question: ALWAYS_ACCEPT | {"kind": Kind.RULE.value, "sure": False}
        sure = store.remember("Léa Roux polished the clock")
        server.answer = lambda question: ALWAYS_ACCEPT | {"kind": Kind.RULE.value}
        outcome = store.decided(sure)
    assert (outcome.outcome, outcome.reason) == (Outcome.NEEDS_OWNER, "rule.unconfirmed")


# What was not kept is not acknowledged


@pytest.mark.parametrize("deliver", [True, False], ids=["kept", "lost"])
def test_a_proposal_acknowledged_over_a_broken_connection_is_there_once(
    settings: Settings, graph: Graph, deliver: bool
) -> None:
    ledger = Ledger(graph)
    with relayed(settings, cut_at=COMMIT, times=1, deliver=deliver) as connection:
        given = Inbox(Graph(connection)).submit(ledger.proposal("one"), key="k", digest="d")
    assert [view.proposal.id for view in ledger.inbox.view(limit=10)] == [given]


@contextmanager
def full_disk(process: int = 0) -> Generator[None]:
    """No file of a process (this one where 0) may grow: what a full disk does to it."""
    soft, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (soft, hard))


def remember(address: str, token: str, **said: str) -> httpx2.Response:
    """The answer to a proposal over plain HTTP, whatever it is."""
    params = {"name": "mem_remember", "arguments": said}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    accepts = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token}"}
    with httpx2.Client(trust_env=False, timeout=60) as http:
        return http.post(f"{address}/mcp", json=call, headers=accepts)


def test_while_the_store_of_grants_cannot_write_nothing_is_acknowledged(open_engine: OpenEngine) -> None:
    settings, engine = open_engine("arcadedb")
    said = {"statement": "The harp lies in the third drawer.", "idempotency_key": "k"}
    with open_house(settings, engine) as house:
        token = house.grant().token
        with web_server(house) as address:
            with full_disk():
                refused = remember(address, token, **said)
            assert refused.status_code == 503
            assert refused.json()["error"]["code"] == "store.unavailable"
            assert house.inbox.view(limit=10) == []
            again = [remember(address, token, **said) for _ in range(2)]
        (view,) = house.inbox.view(limit=10)
        assert all(view.proposal.id in answer.text for answer in again)


@pytest.mark.slow
def test_while_the_engines_disk_is_full_nothing_is_acknowledged_and_what_was_is_not_lost(
    serving: Serving,
) -> None:
    token = str(serving.mnemo.answers("grant", "shelf", "--scope", "private-full")["token"])
    said = {"statement": "The harp lies in the third drawer.", "idempotency_key": "k"}
    kept = remember(serving.url, token, statement="The lyre lies in the third drawer.")
    assert '"proposed"' in kept.text
    engine = engine_of(serving)
    with full_disk(engine.pid):
        refused = remember(serving.url, token, **said)
    assert '"proposed"' not in refused.text
    assert "ledger.unavailable" in refused.text
    engine.kill()
    engine.wait(30)
    eventually(lambda: '"proposed"' in remember(serving.url, token, **said).text, within_s=SERVE_S_MAX)
    serving.mnemo.answers("curate")
    for text in ("lyre", "harp"):
        found = serving.mnemo.answers("recall", f"The {text} lies in the third drawer.")
        assert [item["text"] for item in found["items"]][:1] == [f"The {text} lies in the third drawer."]
    assert serving.mnemo.answers("verify")["ok"]
