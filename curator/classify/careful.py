"""Who is asked about which text: what must not leave the machine stays with the rules."""

from __future__ import annotations

from urllib.parse import urlsplit

from curator.classify import Classifier, Question
from curator.classify.rules import RulesClassifier
from cypher.settings import Settings, is_loopback
from policies.classification import Classification
from policies.errors import ClassifierUnavailable, SettingInvalid
from policies.terms import Level

FAILURES_IN_A_ROW_MAX = 3


class CarefulClassifier:
    """A model behind two guards.

    Text that the rules place above ``level_max``, or cannot place, is never sent to a remote model. After
    three failures in a row nobody is asked again until ``refresh``: a model that hangs for its full timeout
    must not hold up a whole run.
    """

    def __init__(self, model: Classifier, *, level_max: Level | None) -> None:
        """Guard a model. ``level_max`` is None for one on this machine, which may read everything."""
        self.name = model.name
        self._model = model
        self._level_max = level_max
        self._failures = 0

    def refresh(self) -> None:
        """A new run begins: ask again."""
        self._failures = 0

    def classify(self, question: Question) -> Classification:
        """Ask the model, or leave the text to the rules. See ``Classifier.classify``."""
        if not self._may_see(question.provisional):
            return Classification()
        if self._failures >= FAILURES_IN_A_ROW_MAX:
            raise ClassifierUnavailable("not asked: it failed just before")
        try:
            answer = self._model.classify(question)
        except ClassifierUnavailable:
            self._failures += 1
            raise
        self._failures = 0
        return answer

    def _may_see(self, provisional: Level | None) -> bool:
        if self._level_max is None:
            return True
        return provisional is not None and provisional <= self._level_max


def choose_classifier(settings: Settings, domains: tuple[str, ...]) -> CarefulClassifier:
    """The classifier that the settings ask for.

    Raises:
        SettingInvalid: it lacks a key or the name of a model.
    """
    if settings.classifier == "rules":
        return CarefulClassifier(RulesClassifier(), level_max=None)
    level_max = None if is_local(settings) else settings.remote_max_level
    key = settings.model_key.get_secret_value() if settings.model_key else None
    if settings.classifier == "anthropic":
        if key is None:
            raise SettingInvalid(setting="ANTHROPIC_API_KEY", problem="setting.missing")
        # A provider's library takes a second to import, and most stores use none.
        from curator.classify.anthropic import AnthropicClassifier

        model = AnthropicClassifier(
            key=key, model=settings.model, url=settings.model_url, domains=domains, zone=settings.zone
        )
    else:
        if settings.model is None:
            raise SettingInvalid(setting="MNEMO_MODEL", problem="setting.missing")
        from curator.classify.openai import OpenAIClassifier

        model = OpenAIClassifier(
            key=key, model=settings.model, url=settings.model_url, domains=domains, zone=settings.zone
        )
    return CarefulClassifier(model, level_max=level_max)


def is_local(settings: Settings) -> bool:
    """Whether the model runs on the owner's machine: a loopback address, or one they declared theirs."""
    if settings.model_local:
        return True
    if settings.model_url is None:
        return False
    return is_loopback(urlsplit(settings.model_url).hostname or "")
