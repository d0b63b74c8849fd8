"""What kind of assertion a sentence is: preference, decision, change, failure, insight, event, else fact.

Rules, relations and contra-entries are told elsewhere: by ``policies.language.instructions``, by the proposer
and by the verb used.
"""

from __future__ import annotations

from functools import cache

from policies.language.phrases import PhraseSet, phrase_set
from policies.language.tokens import Token, tokenise
from policies.terms import Kind

_LEXICON = "kinds"


def read_kind(text: str, *, dated: bool, changed: bool, lasting: bool = False) -> Kind:
    """The kind of a statement in French or English; elsewhere the best guess.

    Args:
        text: the statement.
        dated: it tells the day (month, year, instant) at which something happens.
        lasting: it tells two days between which something happens or holds.
        changed: it tells an old and a new value.
    """
    tokens = tokenise(text)
    for kind in (Kind.FAILURE, Kind.DECISION):
        if _set(kind.value).found_in(tokens, accents=True):
            return kind
    if changed or (
        _set("change").found_in(tokens, accents=True)
        and not _set("preference").found_in(tokens, accents=True)
    ):
        return Kind.CHANGE
    if _set("preference").found_in(tokens, accents=True):
        return Kind.PREFERENCE
    if _set("insight").found_in(tokens, accents=True):
        return Kind.INSIGHT
    return Kind.EVENT if _happens(tokens, dated=dated, planned=dated or lasting) else Kind.FACT


def tells_a_date(text: str) -> bool:
    """Whether the date of a fact is the very value that it tells ("the deadline is…"): nothing begins at it."""
    return _set("dated_value").found_in(tokenise(text), accents=True)


def known_elsewhere(text: str) -> bool:
    """Whether a text of another language has a predicate that the rules know all the same."""
    tokens = tokenise(text)
    return any(
        _set(key).found_in(tokens, accents=True)
        for key in ("known_elsewhere", "preference", "decision", "change")
    )


def _happens(tokens: tuple[Token, ...], *, dated: bool, planned: bool) -> bool:
    if _set("dated_fact").found_in(tokens, accents=True):
        return False
    if _set("event").found_in(tokens, accents=True) or (
        planned and _set("planned").found_in(tokens, accents=True)
    ):
        return True
    return dated and not _set("state").found_in(tokens, accents=True)


@cache
def _set(key: str) -> PhraseSet:
    return phrase_set(_LEXICON, key)
