"""The analysis of a sentence holds whatever the sentence: it ends, repeats itself, and is not fooled by form."""

from __future__ import annotations

import time
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from policies.classification import Classification, combine
from policies.gates import GateContext, decide_gates
from policies.language.analysis import analyse, level_of
from policies.language.findings import Health, Importance, Instruction
from policies.language.health import find_health
from policies.language.importance import find_importance
from policies.language.instructions import find_instruction
from policies.language.tokens import tokenise
from policies.terms import Discretion, Kind, Level, Outcome, Provenance
from tests.support.labelled import SAID_AT, ZONE, labelled, registry

KNOWN = registry()
NEVER = [one.statement for one in labelled("never") if one.never]
PLAIN = [one.statement for one in labelled("english", "french")]
texts = st.text(max_size=300)
fillers = st.sampled_from(
    ["The sky is blue.", "Il pleut sur la ville.", "Mnemo is a project.", "Lyon est grand."]
)
classifications = st.builds(
    Classification,
    kind=st.none() | st.sampled_from(Kind),
    level=st.none() | st.sampled_from(Level),
    discretion=st.none() | st.sampled_from(Discretion),
    health=st.sampled_from(Health),
    importance=st.sampled_from(Importance),
    instruction=st.sampled_from(Instruction),
    understood=st.booleans(),
)


@given(texts, st.none() | texts)
@settings(max_examples=150)
def test_any_text_is_analysed_and_twice_alike(statement: str, words: str | None) -> None:
    once = analyse(statement, words=words, said_at=SAID_AT, zone=ZONE, registry=KNOWN)
    assert analyse(statement, words=words, said_at=SAID_AT, zone=ZONE, registry=KNOWN) == once
    assert Level.S0 <= level_of(once, KNOWN) <= Level.S3


@given(texts)
def test_tokens_come_in_the_order_of_the_text(text: str) -> None:
    tokens = tokenise(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert list(tokens) == sorted(tokens, key=lambda token: token.start)


@given(st.sampled_from(NEVER), classifications)
@settings(max_examples=150)
def test_no_classifier_commits_a_never_case(statement: str, classification: Classification) -> None:
    analysis = analyse(statement, said_at=SAID_AT, zone=ZONE, registry=KNOWN)
    judged = combine(analysis, classification)
    verdict = decide_gates(judged, GateContext(statement, Provenance.REPORTED))
    assert verdict.outcome is not Outcome.COMMITTED


@given(st.sampled_from(PLAIN), classifications)
@settings(max_examples=150)
def test_no_classifier_lowers_a_level_or_a_discretion(statement: str, classification: Classification) -> None:
    analysis = analyse(statement, said_at=SAID_AT, zone=ZONE, registry=KNOWN)
    judged = combine(analysis, classification)
    assert level_of(judged, KNOWN) >= level_of(analysis, KNOWN)
    assert judged.discretion.rank >= analysis.discretion.rank
    assert set(analysis.domains) <= set(judged.domains)


@given(st.sampled_from(NEVER), fillers, fillers)
@settings(max_examples=150)
def test_a_never_case_is_seen_between_other_sentences(statement: str, before: str, after: str) -> None:
    analysis = analyse(f"{before} {statement} {after}", said_at=SAID_AT, zone=ZONE, registry=KNOWN)
    verdict = decide_gates(analysis, GateContext(statement, Provenance.REPORTED))
    assert verdict.outcome is not Outcome.COMMITTED


@given(st.sampled_from(NEVER), st.sampled_from(["NFC", "NFD", "NFKC"]))
def test_unicode_forms_hide_nothing(statement: str, form: str) -> None:
    shown = unicodedata.normalize(form, statement)  # type: ignore[arg-type]
    assert find_health(shown) is find_health(statement)
    assert find_importance(shown) is find_importance(statement)
    assert (find_instruction(shown) is Instruction.NONE) is (find_instruction(statement) is Instruction.NONE)


@given(st.sampled_from(PLAIN), st.integers(min_value=0))
def test_an_invisible_character_is_quarantined_wherever_it_stands(statement: str, place: int) -> None:
    index = place % (len(statement) + 1)
    assert find_instruction(statement[:index] + "\u200b" + statement[index:]) is Instruction.DISGUISED


def test_time_is_linear_in_the_length() -> None:
    hard = "if she must be so very tired and always never the a of, user says that he is. "

    def seconds(text: str) -> float:
        begun = time.perf_counter()
        for find in (find_health, find_importance, find_instruction):
            find(text)
        return time.perf_counter() - begun

    seconds(hard)
    short, long = seconds(hard * 25), seconds(hard * 100 + "x")
    assert long < 40 * max(short, 0.01)
