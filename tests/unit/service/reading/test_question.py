"""What a question asks, as one view understands it."""

from __future__ import annotations

import pytest

from policies.registry import Registry
from policies.terms import EntityId, EntityType, Level
from service.reading.question import Asked, known_to, understand
from tests.support.memories import at, registered, registry
from tests.support.reading import NOW, PARIS, PRIVATE, STANDARD

WHOLE = registry(
    registered("owner", owner=True),
    registered("Marie Leroy", aliases=("Mimi",)),
    registered("Paul Durand"),
    registered("Paul Martin"),
    registered("王小明"),
    registered("Zoltan Kovacs", level=Level.S3),
    registered("Initech", EntityType.ORGANISATION),
)


def asked(text: str, known: Registry | None = None, about: frozenset[EntityId] = frozenset()) -> Asked:
    known = known or known_to(WHOLE, STANDARD)
    return understand(text, about, registry=known, now=NOW, zone=PARIS, terms_max=32)


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("Where does Marie work?", "Marie Leroy"),
        ("où travaille mimi", "Marie Leroy"),
        ("What about Paul Durand?", "Paul Durand"),
        ("Qu'aime 王小明 ?", "王小明"),
        ("who left INITECH", "Initech"),
    ],
)
def test_a_name_is_recognised_and_left_out_of_the_words(text: str, entity: str) -> None:
    question = asked(text).question
    assert question.anchors == {EntityId(f"ent:{entity}")}
    assert not {"marie", "leroy", "mimi", "paul", "durand", "initech", "王"} & question.terms.keys()


def test_several_that_a_name_may_mean_are_all_asked_about_and_told() -> None:
    found = asked("What does Paul like?")
    assert found.question.anchors == {"ent:Paul Durand", "ent:Paul Martin"}
    assert [(one.name, one.candidates) for one in found.ambiguities] == [
        ("Paul", ("ent:Paul Durand", "ent:Paul Martin"))
    ]


def test_a_name_above_the_view_is_words_like_any_other() -> None:
    assert asked("What does Zoltan Kovacs do?").question.anchors == frozenset()
    found = asked("What does Zoltan Kovacs do?", known_to(WHOLE, PRIVATE)).question
    assert found.anchors == {"ent:Zoltan Kovacs"}


def test_the_owner_is_nobody_in_particular() -> None:
    assert asked("What do I like?").question.anchors == frozenset()


def test_only_so_many_words_are_used() -> None:
    text = " ".join(f"word{n}" for n in range(100))
    assert len(asked(text).question.terms) == 32


def test_a_date_becomes_a_time_and_its_words_count_half() -> None:
    question = asked("what happened in Lyon in March 2025").question
    (period,) = question.periods
    assert period.start < at(0)
    assert question.terms["2025"] == 0.5
    assert question.terms["lyon"] == 1.0


def test_the_registry_a_view_knows_has_nothing_above_it() -> None:
    known = known_to(WHOLE, STANDARD)
    assert "ent:Zoltan Kovacs" not in known.entities
    assert known.owner is not None
