"""The default classifier: the rules alone. Their analysis is made for every proposal, so nothing is added."""

from __future__ import annotations

from curator.classify import Question
from policies.classification import Classification


class RulesClassifier:
    """Adds nothing to the rules' own analysis: what they cannot tell goes to the owner."""

    name = "rules"

    def classify(self, question: Question) -> Classification:
        """An empty answer."""
        return Classification()
