"""States of somebody that a text concludes: from looks, by omission, or out of what the person does (G10)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

from policies.language import lexicon
from policies.language.bearers import Cues
from policies.language.findings import Health
from policies.language.phrases import PhraseSet, phrase_set
from policies.language.tokens import Token

_BEING = frozenset({"be", "been", "feel", "have", "suffer"})
_ADVERBS = lexicon.words("health", "small.adverbs")
_NEW_CLAUSE = frozenset({"because", "since", "so", "as", "for", "donc", "car", "puisque", "puisqu", "parce"})

_REACH = 25
_COMMAS = frozenset(",:，：")
_TAKING_UP = frozenset({"he", "she", "they", "il", "elle", "ils", "elles", "c", "qu", "textbook", "classic"})
"""How the second clause takes up whom the first one told of."""


@dataclass(frozen=True, slots=True)
class _Lexicon:
    appearances: PhraseSet
    states: PhraseSet
    no_state: PhraseSet
    trailing: PhraseSet
    habits: PhraseSet
    premises: PhraseSet
    deductions: PhraseSet
    guesses: PhraseSet
    repeated: PhraseSet
    being: PhraseSet
    ordinary: PhraseSet


@cache
def _lexicon() -> _Lexicon:
    return _Lexicon(
        *(phrase_set("health", key) for key in ("appearances", "states", "no_state", "trailing", "habits")),
        *(
            phrase_set("conclusions", key)
            for key in ("premises", "deductions", "guesses", "repeated", "being", "ordinary")
        ),
    )


def concluded(tokens: tuple[Token, ...], cues: Cues, *, somebody: bool, last: str) -> Health:
    """What one sentence concludes about somebody, whatever it calls it.

    Args:
        tokens: of the sentence.
        cues: who and what is in it.
        somebody: a person is in the text, perhaps in another sentence.
        last: the mark or word that ends the sentence.
    """
    findings = (_appearance(tokens, cues, somebody), _trailing(tokens, cues, last), _deduced(tokens, cues))
    return max(findings, key=lambda health: health.gravity)


def deduces(tokens: tuple[Token, ...], cues: Cues) -> bool:
    """Whether a sentence draws what somebody is, has or feels from what they do."""
    return _deduced(tokens, cues) is not Health.NONE


def explaining(tokens: tuple[Token, ...], cues: Cues) -> frozenset[int]:
    """The tokens of clauses that account for what an earlier one tells of somebody's habits."""
    repeated = {hit.start for hit in _lexicon().repeated.find(tokens)}
    found: set[int] = set()
    habitual = False
    for clause in _clauses(tokens):
        told = set(clause)
        if habitual and told and tokens[clause.start].folded in _TAKING_UP:
            found |= told
        habitual = habitual or bool(repeated & told and cues.people & told)
    return frozenset(found)


def _appearance(tokens: tuple[Token, ...], cues: Cues, somebody: bool) -> Health:
    """A state read off somebody's looks or manner."""
    known = _lexicon()
    worst = Health.NONE
    ordered = sorted(cues.all)
    for hit in known.appearances.find(tokens):
        place = bisect_left(ordered, hit.start)
        bearer = ordered[place - 1] if place else None
        if bearer not in cues.people and not (bearer is None and somebody and hit.start == 0):
            continue
        spoken = {token.folded for token in tokens[hit.start : hit.end]}
        if "to" in spoken and not spoken & _BEING:
            continue
        place = hit.end
        while place < len(tokens) and tokens[place].folded in _ADVERBS:
            place += 1
        rest = tokens[place : place + 1]
        if known.states.found_in(rest):
            return Health.INFERRED
        if rest and not rest[0].is_mark and not known.no_state.found_in(tokens[hit.end : place + 1]):
            worst = Health.UNSURE
    return worst


def _trailing(tokens: tuple[Token, ...], cues: Cues, last: str) -> Health:
    """An unfinished "so…": the conclusion is left to the reader."""
    if not cues.people:
        return Health.NONE
    spoken = [index for index, token in enumerate(tokens) if not token.is_mark]
    ends = {hit.end - 1 for hit in _lexicon().trailing.find(tokens)}
    unfinished = last == "…" or [token.folded for token in tokens[-2:]] == [".", "."]
    concluding = bool(spoken) and spoken[-1] in ends
    habitual = _lexicon().habits.found_in(tokens)
    if concluding and habitual:
        return Health.INFERRED
    return Health.UNSURE if unfinished and (concluding or habitual) else Health.NONE


def _deduced(tokens: tuple[Token, ...], cues: Cues) -> Health:
    """What somebody is, has or feels, drawn from what they do: for the owner, unless it is an ordinary matter."""
    if not cues.people:
        return Health.NONE
    known = _lexicon()
    conclusions = [_reach(tokens, hit.end) for hit in known.deductions.find(tokens)]
    conclusions += [_beside(tokens, hit.start, hit.end) for hit in known.premises.find(tokens)]
    conclusions += _guesses(tokens)
    being = {hit.start for hit in known.being.find(tokens)}
    harmless = {hit.start for hit in known.ordinary.find(tokens, accents=True)} | cues.things
    for conclusion in conclusions:
        told = set(conclusion)
        by_noun = bool(conclusion) and conclusion[0] in cues.people
        if (told & being or by_noun) and not told & harmless and not _figures(tokens, conclusion):
            return Health.UNSURE
    return Health.NONE


def _guesses(tokens: tuple[Token, ...]) -> list[range]:
    """The clauses that guess, where another tells what is done again and again."""
    known = _lexicon()
    clauses = _clauses(tokens)
    guessing = {hit.start for hit in known.guesses.find(tokens)}
    repeated = {hit.start for hit in known.repeated.find(tokens)}
    grounds = [bool(repeated & set(clause)) for clause in clauses]
    return [
        clause
        for clause, ground in zip(clauses, grounds, strict=True)
        if guessing & set(clause) and sum(grounds) > ground
    ]


def _clauses(tokens: tuple[Token, ...]) -> list[range]:
    """The clauses of a sentence, without the marks and conjunctions between them."""
    ends = [index for index, token in enumerate(tokens) if token.is_mark or token.folded in _NEW_CLAUSE]
    return [range(a, b) for a, b in zip([0, *(end + 1 for end in ends)], [*ends, len(tokens)], strict=True)]


def _beside(tokens: tuple[Token, ...], start: int, end: int) -> range:
    """What a premise is the ground of: what follows its clause, else what stands before it."""
    for index in _reach(tokens, end):
        if tokens[index].folded in _COMMAS:
            return _reach(tokens, index + 1)
    return range(max(0, start - _REACH), start)


def _reach(tokens: tuple[Token, ...], start: int) -> range:
    return range(start, min(start + _REACH, len(tokens)))


def _figures(tokens: tuple[Token, ...], places: range) -> bool:
    return any(character.isdigit() for place in places for character in tokens[place].folded)
