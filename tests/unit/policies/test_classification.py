from __future__ import annotations

from dataclasses import replace

import pytest

from policies.classification import Classification, combine
from policies.language.analysis import Analysis, analyse
from policies.language.findings import Health, Importance, Instruction
from policies.language.names import MentionStatus
from policies.terms import Discretion, EntityType, Instant, Kind, Level, Moment, Precision
from tests.support.labelled import SAID_AT, ZONE, registry

KNOWN = registry()
DAY = Moment(Instant(1), Precision.DAY)


def _analysed(statement: str) -> Analysis:
    return analyse(statement, said_at=SAID_AT, zone=ZONE, registry=KNOWN)


def test_what_is_not_understood_is_not_refined() -> None:
    analysis = _analysed("The user prefers tea.")
    assert combine(analysis, Classification()) == analysis
    assert combine(analysis, Classification(kind=Kind.FACT)).kind is analysis.kind


def test_what_is_not_understood_may_still_be_raised() -> None:
    analysis = _analysed("The user prefers tea.")
    raised = combine(analysis, Classification(level=Level.S3, health=Health.STATED))
    assert (raised.level, raised.health) == (Level.S3, Health.STATED)
    assert combine(analysis, Classification(level=Level.S0)).level == analysis.floor


def test_levels_discretion_and_findings_are_only_raised() -> None:
    plain = _analysed("The user prefers tea.")
    raised = combine(
        plain,
        Classification(
            level=Level.S2,
            discretion=Discretion.ON_DEMAND,
            health=Health.STATED,
            importance=Importance.DERIVED,
            instruction=Instruction.RULE,
            understood=True,
        ),
    )
    assert (raised.level, raised.discretion) == (Level.S2, Discretion.ON_DEMAND)
    assert (raised.health, raised.importance, raised.instruction) == (
        Health.STATED,
        Importance.DERIVED,
        Instruction.RULE,
    )
    assert raised.domains == ("food", "health")
    grave = _analysed("Claire must be diabetic and earns 3,000 euros.")
    kept = combine(grave, Classification(level=Level.S0, discretion=Discretion.OPEN, understood=True))
    assert (kept.level, kept.discretion, kept.health) == (grave.level, grave.discretion, Health.INFERRED)


def test_what_the_rules_cannot_place_is_never_below_the_level_of_what_is_not_placed() -> None:
    unplaced = _analysed("Zut alors.")
    assert unplaced.level is None
    for level, expected in ((None, Level.S1), (Level.S0, Level.S1), (Level.S2, Level.S2)):
        judged = combine(unplaced, Classification(level=level, domains=("technology",), understood=True))
        assert (judged.level, judged.domains) == (expected, ("technology",))


@pytest.mark.parametrize(
    ("statement", "given", "kind"),
    [
        ("The user prefers tea.", Kind.FACT, Kind.FACT),
        ("The user prefers tea.", None, Kind.PREFERENCE),
        ("The user prefers tea.", Kind.CLOSURE, Kind.PREFERENCE),
        ("The user prefers tea.", Kind.RULE, Kind.PREFERENCE),
        ("Always answer in French.", Kind.FACT, Kind.RULE),
        ("The backup failed because the disk was full.", Kind.FACT, Kind.FAILURE),
        ("The user prefers tea.", Kind.FAILURE, Kind.FAILURE),
    ],
)
def test_a_models_kind_replaces_the_rules_except_for_rules(
    statement: str, given: Kind | None, kind: Kind
) -> None:
    judged = combine(_analysed(statement), Classification(kind=given, understood=True))
    assert judged.kind is kind
    if Kind.RULE in (given, kind):
        assert judged.instruction is Instruction.RULE


def test_a_model_cannot_declare_importance() -> None:
    model = Classification(importance=Importance.DECLARED, understood=True)
    assert combine(_analysed("The user prefers tea."), model).importance is Importance.NONE


def test_dates_are_added_where_the_rules_found_none() -> None:
    model = Classification(valid_from=DAY, valid_to=DAY, event_at=DAY, understood=True)
    judged = combine(_analysed("The user prefers tea."), model)
    assert (judged.valid_from, judged.valid_to, judged.event_at) == (DAY, DAY, DAY)
    dated = _analysed("Claire met Paul Durand on 3 May 2026.")
    assert combine(dated, model).valid_from == dated.valid_from
    assert model.undated() == Classification(understood=True)


def test_a_model_reads_what_the_rules_could_not_and_judges_nobody() -> None:
    foreign = replace(
        _analysed("The user prefers tea."),
        unsure=("sensitive.inferred", "text.not_understood", "text.question", "time.unsure"),
    )
    assert combine(foreign, Classification(understood=True)).unsure == (
        "sensitive.inferred",
        "text.question",
        "time.unsure",
    )
    dated = Classification(valid_from=DAY, understood=True)
    assert combine(foreign, dated).unsure == ("sensitive.inferred", "text.question")


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ((("Marie Lefèvre", EntityType.PLACE),), MentionStatus.MERE),
        ((("Marie Lefèvre", EntityType.PERSON),), MentionStatus.UNREGISTERED),
        ((("Somebody", EntityType.PLACE),), MentionStatus.UNCLEAR),
        ((), MentionStatus.UNCLEAR),
    ],
)
def test_a_model_places_only_names_that_the_rules_could_not(
    names: tuple[tuple[str, EntityType], ...], status: MentionStatus
) -> None:
    analysis = _analysed("Marie Lefèvre works at Acme.")
    marie, acme = analysis.mentions
    unclear = replace(analysis, mentions=(replace(marie, status=MentionStatus.UNCLEAR, type=None), acme))
    judged = combine(unclear, Classification(names=(*names, ("Acme", EntityType.PERSON)), understood=True))
    assert [mention.status for mention in judged.mentions] == [status, MentionStatus.RESOLVED]
