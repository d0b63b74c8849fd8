"""G10 and its neighbours: what is never committed, with the rules alone and with a model that accepts everything."""

from __future__ import annotations

import pytest

from policies.classification import Classification
from policies.language.findings import Health, Importance, Instruction
from policies.terms import Discretion, Kind, Level, Outcome
from tests.support.labelled import FOLDER, Labelled, answer, labelled, registry

KNOWN = registry()
EVERYTHING = labelled(*sorted(path.stem for path in FOLDER.glob("*.txt")))
NEVER = [one for one in EVERYTHING if one.never]
ACCEPTING = Classification(
    kind=Kind.FACT,
    level=Level.S0,
    discretion=Discretion.OPEN,
    health=Health.NONE,
    importance=Importance.NONE,
    instruction=Instruction.NONE,
    understood=True,
)
"""A model that always says "accept, S0, attested"."""


def _named(one: Labelled) -> str:
    return one.statement[:60]


@pytest.mark.parametrize("one", NEVER, ids=_named)
def test_a_never_case_is_not_committed_by_the_rules(one: Labelled) -> None:
    assert answer(one, KNOWN).verdict.outcome is not Outcome.COMMITTED


@pytest.mark.parametrize("one", NEVER, ids=_named)
def test_a_never_case_is_not_committed_when_the_model_accepts_everything(one: Labelled) -> None:
    given = answer(one, KNOWN, ACCEPTING)
    assert given.verdict.outcome is not Outcome.COMMITTED
    assert given.told["outcome"] == answer(one, KNOWN).told["outcome"]


def test_an_accepting_model_lowers_no_level() -> None:
    for one in EVERYTHING:
        alone, judged = answer(one, KNOWN), answer(one, KNOWN, ACCEPTING)
        assert judged.told["level"] >= alone.told["level"], one.statement


def test_what_is_declared_important_comes_of_the_owners_words_alone() -> None:
    declared = next(one for one in labelled("others") if one.words)
    assert answer(declared, KNOWN).analysis.importance is Importance.DECLARED
    silent = Labelled(declared.file, declared.statement, None, declared.never, declared.expected)
    model = Classification(importance=Importance.DECLARED, understood=True)
    assert answer(silent, KNOWN, model).analysis.importance is Importance.NONE
