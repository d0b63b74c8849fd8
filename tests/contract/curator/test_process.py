"""The curator's process: its lane, its runs, its end, and what a kill at any moment leaves behind."""

from __future__ import annotations

import random
import signal
import threading
from collections import Counter
from subprocess import TimeoutExpired

import pytest

from cypher.engine import Engine
from cypher.settings import Settings
from policies.entries import EntryType, outcome_of
from policies.lifecycle import FINAL
from policies.terms import Outcome, ProposalId, RunId
from tests.support.curated import Curated
from tests.support.curator_process import beside_processes, curator_process, end, kill, start_curator, until

PROPOSALS, KILLS = 60, 8
PROPOSALS_SLOW, KILLS_SLOW = 1_000, 20


@pytest.fixture
def store(settings: Settings, engine: Engine) -> Curated:
    """The store of the engine's own home, so that other processes find it; with the system's clock."""
    return beside_processes(settings, engine)


def is_decided(store: Curated, proposal: ProposalId) -> bool:
    return store.view(proposal).outcome is not None


def test_directives_are_taken_up_within_seconds(store: Curated, settings: Settings) -> None:
    with curator_process(settings):
        until(store.curator.is_alive)
        directive = store.submit_directive("register", name="Louis Martin", type="person", owner=True)
        until(lambda: is_decided(store, directive), seconds=5)
    assert store.outcome(directive).outcome is Outcome.COMMITTED


def test_a_run_that_is_asked_for_is_done_by_the_living_curator(store: Curated, settings: Settings) -> None:
    with curator_process(settings):
        until(store.curator.is_alive)
        proposal = store.remember("The office opens at nine")
        run = store.curator.request_run()
        until(lambda: is_finished(store, run))
        assert is_decided(store, proposal)
        assert not store.curator.leadership.try_take()


def is_finished(store: Curated, run: RunId) -> bool:
    state = store.curator.inbox.run_state(run)
    return state is not None and state.state == "finished"


def test_what_tools_propose_waits_for_the_night(store: Curated, settings: Settings) -> None:
    with curator_process(settings):
        until(store.curator.is_alive)
        proposal = store.remember("The office opens at nine")
        directive = store.submit_directive("register", name="Acme", type="organisation")
        until(lambda: is_decided(store, directive))
        assert not is_decided(store, proposal)


@pytest.mark.parametrize("how", ["pipe", "signal"])
def test_it_ends_when_its_pipe_closes_and_on_sigterm(store: Curated, settings: Settings, how: str) -> None:
    process = start_curator(settings)
    until(store.curator.is_alive)
    if how == "signal":
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    assert end(process) == 0
    assert not store.curator.is_alive()


def test_a_successor_takes_over_at_once_from_one_that_was_killed(store: Curated, settings: Settings) -> None:
    process = start_curator(settings)
    until(store.curator.is_alive)
    kill(process)
    with store.curator.leadership as lead:
        assert lead.try_take()


def test_kills_at_any_moment_lose_nothing_and_commit_nothing_twice(
    store: Curated, settings: Settings
) -> None:
    kill_in_a_loop(store, settings, proposals=PROPOSALS, kills=KILLS, seed=7)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_thousand_proposals_and_twenty_kills(store: Curated, settings: Settings) -> None:
    kill_in_a_loop(store, settings, proposals=PROPOSALS_SLOW, kills=KILLS_SLOW, seed=11)


def kill_in_a_loop(store: Curated, settings: Settings, *, proposals: int, kills: int, seed: int) -> None:
    """Submit while the curator is killed again and again; then each proposal has exactly one outcome."""
    chance = random.Random(seed)
    print(f"seed {seed}")
    store.submit_directive("register", name="Louis Martin", type="person", owner=True)
    store.submit_directive("register", name="Acme", type="organisation")
    submitted: list[ProposalId] = []
    over = threading.Event()

    def submit() -> None:
        for number in range(proposals):
            said = number if number % 5 else max(0, number - 1)  # every fifth repeats the one before
            tool = "claude" if chance.random() < 0.7 else "gemini"
            submitted.append(store.remember(f"Invoice {said} of Acme was paid", tool=tool))
        over.set()

    thread = threading.Thread(target=submit)
    thread.start()
    for _ in range(kills):
        process = start_curator(settings)
        store.curator.request_run()
        try:
            process.wait(chance.uniform(0.8, 3.0))
            raise AssertionError("the curator ended by itself")
        except TimeoutExpired:
            kill(process)
    thread.join()
    with curator_process(settings):
        until(over.is_set)
        run = store.curator.request_run()
        until(lambda: is_finished(store, run), seconds=900)
    outcomes = Counter(
        record.proposal
        for stored in store.reader.all_entries()
        if stored.entry.type is EntryType.OUTCOME and (record := outcome_of(stored)).outcome in FINAL
    )
    assert [outcomes[proposal] for proposal in submitted] == [1] * proposals
    memories = [v.memory.text for v in store.reader.changed_since(0, 10 * proposals)]
    assert len(memories) == len(set(memories)) == proposals - (proposals // 5 - 1)
    verified = store.curator.verify()
    assert verified.ok, verified.reason
