"""What must not leave the machine stays with the rules; a model that is down is not asked for ever."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from curator.classify import Question
from curator.classify.careful import FAILURES_IN_A_ROW_MAX, CarefulClassifier, choose_classifier, is_local
from cypher.settings import Settings, StoreFacts
from policies.classification import Classification
from policies.errors import ClassifierUnavailable, SettingInvalid
from policies.terms import Kind, Level

SEEN = Classification(kind=Kind.FACT, understood=True)


class Scripted:
    """A classifier that counts its questions and is down while told to be."""

    name = "scripted"

    def __init__(self) -> None:
        self.asked = 0
        self.down = False

    def classify(self, question: Question) -> Classification:
        self.asked += 1
        if self.down:
            raise ClassifierUnavailable("down")
        return SEEN


def ask(classifier: CarefulClassifier, provisional: Level | None) -> Classification:
    return classifier.classify(Question("Something.", "2026-11-27", provisional))


@pytest.mark.parametrize("provisional", [Level.S3, None])
def test_a_remote_model_never_sees_what_is_above_its_level_or_not_placed(provisional: Level | None) -> None:
    model = Scripted()
    assert ask(CarefulClassifier(model, level_max=Level.S2), provisional) == Classification()
    assert model.asked == 0


def test_a_remote_model_sees_what_the_rules_place_within_its_level() -> None:
    assert ask(CarefulClassifier(Scripted(), level_max=Level.S2), Level.S2) == SEEN


@pytest.mark.parametrize("provisional", [Level.S3, None])
def test_a_local_model_sees_everything(provisional: Level | None) -> None:
    assert ask(CarefulClassifier(Scripted(), level_max=None), provisional) == SEEN


def test_a_model_that_keeps_failing_is_not_asked_again_before_the_next_run() -> None:
    model = Scripted()
    model.down = True
    careful = CarefulClassifier(model, level_max=None)
    for _ in range(FAILURES_IN_A_ROW_MAX + 2):
        with pytest.raises(ClassifierUnavailable):
            ask(careful, Level.S0)
    assert model.asked == FAILURES_IN_A_ROW_MAX
    careful.refresh()
    model.down = False
    assert ask(careful, Level.S0) == SEEN


def test_one_success_forgives_the_failures_before_it() -> None:
    model = Scripted()
    careful = CarefulClassifier(model, level_max=None)
    for down in (True, True, False, True, True):
        model.down = down
        if down:
            with pytest.raises(ClassifierUnavailable):
                ask(careful, Level.S0)
        else:
            ask(careful, Level.S0)
    assert model.asked == 5


def settings(**changes: object) -> Settings:
    plain = Settings(
        home=Path("/nowhere"),
        store="default",
        facts=StoreFacts(owner="Alex", handle="alex", timezone="Europe/Paris", lang="fr"),
        host="127.0.0.1",
        port=8765,
        public_url=None,
        graph_url=None,
        graph_user="neo4j",
        graph_password_file=None,
        kv_url=None,
        kv_password_file=None,
        classifier="rules",
        model=None,
        model_url=None,
        model_key=None,
        model_local=False,
        remote_max_level=Level.S2,
        nightly="0 3 * * *",
    )
    return replace(plain, **changes)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        (None, False),
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:11434/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://localhost.example.com/v1", False),
        ("https://api.example.com/v1", False),
        ("http://192.168.1.5:11434/v1", False),
    ],
)
def test_only_loopback_is_local(url: str | None, local: bool) -> None:
    assert is_local(settings(model_url=url)) is local


def test_a_machine_that_the_owner_declares_theirs_is_local() -> None:
    assert is_local(settings(model_url="http://192.168.1.5:11434/v1", model_local=True))


def test_the_rules_are_the_default() -> None:
    assert choose_classifier(settings(), ()).name == "rules"


@pytest.mark.parametrize("classifier", ["anthropic", "openai"])
def test_a_model_without_what_it_needs_is_refused_by_name(classifier: str) -> None:
    with pytest.raises(SettingInvalid):
        choose_classifier(settings(classifier=classifier), ())


def test_both_models_can_be_chosen() -> None:
    key = SecretStr("k")
    assert choose_classifier(settings(classifier="anthropic", model_key=key, model="a"), ()).name == "a"
    assert choose_classifier(settings(classifier="openai", model="o"), ()).name == "o"
