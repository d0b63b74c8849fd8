"""What is served with a memory is covered by its level: words, tags, the key of an event, a predicate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from policies.language.analysis import Beside
from policies.terms import ContraRole, Discretion, Level, Outcome, Provenance
from tests.support.attacked import OpenEngine, own_store, tools_of
from tests.support.curated import Curated, acquainted, said

OPEN, ON_DEMAND = Discretion.OPEN, Discretion.ON_DEMAND
FORMER = {"subject": "Léa Roux", "predicate": "divorced_from", "object": "Paul Durand"}
BESIDE: tuple[tuple[dict[str, Any], Beside], ...] = (
    ({"words": "Léa Roux likes tea."}, Beside(Level.S1, OPEN)),
    ({"words": "Léa Roux likes tea, and I owe the bank 30000 euros."}, Beside(Level.S2, ON_DEMAND)),
    ({"words": "Léa Roux likes tea, like my brother who is getting divorced."}, Beside(Level.S3, ON_DEMAND)),
    (
        {"words": "Léa Roux likes tea. I voted for the socialists and I am an atheist."},
        Beside(Level.S3, ON_DEMAND),
    ),
    ({"words": "Léa Roux likes tea; I was arrested and my trial is in May."}, Beside(Level.S3, ON_DEMAND)),
    ({"words": "Léa Roux aime le thé, comme Bruno Keller."}, Beside(Level.S2, OPEN)),
    ({"event": "Bruno Keller"}, Beside(Level.S2, OPEN)),
    ({"event": "my salary is 4200 euros"}, Beside(Level.S2, ON_DEMAND)),
    ({"tags": ["tea", "divorce"]}, Beside(Level.S3, ON_DEMAND)),
    ({"relation": FORMER}, Beside(Level.S3, ON_DEMAND)),
)
DRINKS = ("tea", "mint", "cocoa", "coffee", "milk", "juice", "cider", "lemonade", "syrup", "water")


@pytest.fixture(scope="module")
def home(open_engine: OpenEngine) -> Iterator[Curated]:
    """Those whom the owner knows, and somebody whom they registered at S2. Each test speaks of other drinks."""
    with own_store(open_engine, "beside") as store:
        store.register("Louis Martin", owner=True)
        acquainted(store)
        store.register("Bruno Keller", level="S2")
        yield store


def test_the_level_of_a_memory_covers_all_that_is_served_with_it(home: Curated) -> None:
    alone = [home.remember(f"Léa Roux likes {drink}.", key=drink) for drink in DRINKS]
    home.run()
    memories = [home.memory(one).memory for one in alone]
    assert {(memory.level, memory.discretion) for memory in memories} == {(Level.S1, OPEN)}
    for memory in memories:
        home.direct("retract", id=memory.id)
    told = [
        home.remember(f"Léa Roux likes {drink}.", **_with(drink, beside))
        for drink, (beside, _) in zip(DRINKS, BESIDE, strict=True)
    ]
    home.run()
    for one, before, (beside, expected) in zip(told, memories, BESIDE, strict=True):
        memory = home.memory(one).memory
        assert Beside(memory.level, memory.discretion) == expected, beside
        assert home.outcome(one).level is expected.level, (
            "a tool below it is told no more than that it is settled"
        )
        assert (memory.domains, memory.valid_from, memory.valid_to) == (before.domains, None, None)
        if "relation" not in beside:
            assert (memory.kind, memory.anchors) == (before.kind, before.anchors)
        if "words" not in beside:
            assert memory.provenance is Provenance.REPORTED


def _with(drink: str, beside: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.replace("tea", drink).replace("le thé", drink) if name == "words" else value
        for name, value in beside.items()
    }


def test_what_comes_beside_makes_nothing_another_memory(home: Curated) -> None:
    first = home.memory_of(home.remember("Léa Roux likes ale."))
    again = home.decided(
        home.remember("Léa Roux likes ale.", words="Léa Roux likes ale; my trial is in May.")
    )
    assert (again.outcome, again.memories, again.level) == (Outcome.DUPLICATE, (first.id,), Level.S3)
    assert home.version(first.id).state.level is Level.S1


@pytest.mark.parametrize("name", ["words", "event"])
def test_health_beside_a_statement_is_held_for_the_owner(home: Curated, name: str) -> None:
    held = home.decided(
        home.remember("Léa Roux likes beer.", **{name: "Léa Roux likes beer, I have cancer."})
    )
    assert said(held) == (Outcome.NEEDS_OWNER, "health.unsure")
    assert held.level is Level.S3


def test_a_tool_does_not_learn_by_its_own_words_who_is_registered_above_its_scope(home: Curated) -> None:
    told = [
        home.remember(
            f"Léa Roux likes {drink}.", level=Level.S1, words=f"Léa Roux likes {drink}, like {name}."
        )
        for drink, name in (("rum", "Bruno Keller"), ("cola", "Zoltan Kiraly"))
    ]
    home.run()
    assert {said(home.outcome(one)) for one in told} == {(Outcome.COMMITTED, "committed")}
    assert {home.outcome(one).level for one in told} == {Level.S1}


def test_a_correction_is_at_the_level_of_its_words_and_so_is_an_end(home: Curated) -> None:
    tea, acme = home.remember("Léa Roux likes gin."), home.remember("Léa Roux works at Acme.")
    home.run()
    corrected = home.propose(
        "correct",
        id=home.memory(tea).memory.id,
        statement="Léa Roux likes hot gin.",
        words="Léa Roux likes hot gin, and my salary is 4200 euros.",
    )
    ended = home.propose(
        "correct",
        id=home.memory(acme).memory.id,
        statement="Léa Roux no longer works at Acme.",
        change="succession",
        effective="2026-03",
        words="Léa Roux no longer works at Acme since my brother is getting divorced.",
    )
    home.run()
    assert home.memory(corrected).memory.level is Level.S2
    closure = home.memory(ended)
    assert closure.memory.contra is ContraRole.CLOSURE
    assert closure.memory.evidence is not None
    assert (closure.memory.level, home.version(home.memory(acme).memory.id).state.level) == (
        Level.S3,
        Level.S3,
    )


def test_the_words_of_a_retraction_are_served_to_nobody_and_raise_nothing(home: Curated) -> None:
    memory = home.memory_of(home.remember("Léa Roux likes port."))
    retracted = home.decided(home.propose("retract", id=memory.id, reason="It was said at my trial."))
    assert (retracted.outcome, retracted.level) == (Outcome.COMMITTED, Level.S1)
    assert home.version(memory.id).state.ended_by is ContraRole.RETRACTION


def test_what_the_owner_declares_is_covered_too_and_theirs_to_raise(home: Curated) -> None:
    declared = home.direct("declare", text="Léa Roux likes grog.", event="the divorce of Léa")
    assert home.version(declared.memories[-1]).state.level is Level.S3
    raised = home.direct("declare", text="Léa Roux likes hot grog.", event="a party", level="S2")
    assert home.version(raised.memories[-1]).state.level is Level.S2


def test_what_is_above_a_tool_is_settled_to_it_and_served_to_it_nowhere(home: Curated) -> None:
    with tools_of(home, {"honest": "work-context", "low": "third-party"}) as tools:
        above = {"statement": "Acme sells bikes.", "words": "Acme sells bikes, and my salary is 4200 euros."}
        within = {"statement": "Acme sells kayaks.", "words": "Acme sells kayaks, I saw."}
        mine = [tools["honest"].proposes(**one) for one in (above, within)]
        theirs = [tools["low"].proposes(**{**above, "statement": "Acme sells boats."})]
        home.run()
        [settled] = tools["low"].asks("mem_gates", proposal=theirs[0])["items"]
        assert (settled["outcome"], settled["memory"]) == ("settled", None)
        for tool, found in (
            ("honest", {"Acme sells bikes.", "Acme sells kayaks."}),
            ("low", {"Acme sells kayaks."}),
        ):
            items = tools[tool].asks("mem_recall", query="Acme sells")["items"]
            assert {item["text"] for item in items} - {"Acme sells boats."} == found
        assert {home.memory(one).memory.level for one in mine} == {Level.S2, Level.S0}
