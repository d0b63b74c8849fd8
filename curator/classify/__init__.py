"""The classifier: one protocol, three implementations, and who may be asked about which text.

A classifier refines what the rules found (``policies.classification``); it decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from policies.classification import Classification
from policies.terms import Level


@dataclass(frozen=True, slots=True)
class Question:
    """What a classifier is told of one proposal: its text and nothing of the ledger."""

    statement: str
    said_on: str
    """The day it was said, ISO, in the owner's zone."""
    provisional: Level | None
    """Where the rules place it; None where they cannot."""


class Classifier(Protocol):
    """Answers one question at a time."""

    @property
    def name(self) -> str:
        """What the curator's log and ``mnemo status`` call it."""
        ...

    def classify(self, question: Question) -> Classification:
        """The classifier's answer; an empty one changes nothing.

        Raises:
            ClassifierUnavailable: down, slow, garbled or refusing. The proposal is tried again later.
        """
        ...


@dataclass(frozen=True, slots=True)
class Answered:
    """A classifier that was asked already, and is not asked again."""

    answer: Classification
    name: str = "answered"

    def classify(self, question: Question) -> Classification:
        """The answer."""
        return self.answer
