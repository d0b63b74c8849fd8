"""Attributes that have one value at a time, told in a sentence: an employer, a residence, a price."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from policies.language import gazetteer, lexicon
from policies.language.clauses import Clauses, PhraseTable, Value, Whose
from policies.language.names import Mention
from policies.language.negation import negated
from policies.language.roster import trait
from policies.language.tense import is_imperfect
from policies.terms import EntityId
from policies.text import stem

_VERBS = PhraseTable(
    {key: lexicon.entries("attributes", f"verbs.{key}") for key in lexicon.load("attributes")["verbs"]}
)
_NOUNS = {
    noun: key
    for key in lexicon.load("attributes")["nouns"]
    for noun in lexicon.words("attributes", f"nouns.{key}")
}
_BE = lexicon.words("attributes", "words.be")
_FAVOURITE_BEFORE = lexicon.words("attributes", "favourite.before")
_FAVOURITE_AFTER = lexicon.words("attributes", "favourite.after")
_PAST = lexicon.words("attributes", "words.past")
_OF = lexicon.words("grammar", "of")
_DETERMINERS = lexicon.words("grammar", "determiners")
_POSSESSIVES = lexicon.words("grammar", "possessives")
_ENDED_VERBS = lexicon.words("grammar", "past_of_states")
_REACHED = frozenset({"phone", "email"})
_NUMBER_WORDS = frozenset({"number", "address"})
_DATED = frozenset({"birth", "birth_date", "deadline", "date"})
_NAMED = frozenset({"employer", "residence", "partner", "manager", "owner", "studies", "landlord", "name"})
_PROFESSIONS = lexicon.words("grammar", "professions")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A single-valued attribute that a statement gives (or denies) a value."""

    key: str
    """An id of ``parameters/attributes.toml``: ``employer``, ``residence``, ``birth_date``…; where it is of one
    among many, or of somebody told by a role, with that: ``favourite:colour``, ``residence:sister``."""
    value: str
    """An entity's id where the value is a registered entity, else its folded words without articles."""
    subject: EntityId | None
    """Whose attribute it is, where that is a registered entity."""
    negated: bool = False
    """The statement denies the value, or says that it ended ("no longer works at")."""
    surface: str = ""
    """The value as the statement writes it."""
    ended: bool = False
    """Told as past: "used to", "no longer", "n'habite plus"."""


def read_attribute(
    text: str, mentions: tuple[Mention, ...], owner: EntityId | None = None
) -> Attribute | None:
    """The single-valued attribute that a statement is about: the first that it tells, if any."""
    clauses = Clauses(text, mentions, owner)
    denied = negated(text)
    for index in range(len(clauses.context.words)):
        found = (
            _favourite(clauses, index)
            or _verb(clauses, index)
            or _noun(clauses, index)
            or _job(clauses, index)
        )
        if found is not None:
            key, value, whose, ended = found
            return Attribute(
                key=f"{key}:{whose.role}" if whose.role else key,
                value=value.folded,
                subject=whose.entity,
                negated=denied,
                surface=value.surface,
                ended=ended or _is_past(clauses, index) or (denied and _no_longer(clauses)),
            )
    return None


def attribute_noun(folded: str) -> str | None:
    """The attribute that a folded noun names: ``rent`` for "loyer"."""
    return _NOUNS.get(folded)


_Found = tuple[str, Value, Whose, bool]


def _verb(clauses: Clauses, index: int) -> _Found | None:
    """As in "works for X", "habite à X", "coûte 900 euros"."""
    found = _VERBS.at(clauses.context, index)
    if found is None:
        return None
    key, after, phrase = found
    value = clauses.value_from(after, dates=key in _DATED)
    whose = clauses.whose(index) or _thing_before(clauses, index)
    if value is None or whose is None or not _plausible(key, value):
        return None
    if key == "birth":
        key = "birth_date" if any(c.isdigit() for c in value.folded) else "birth_place"
    first = phrase[0]
    ended = key in ("employer", "residence", "partner", "studies", "job") and (
        (first in _ENDED_VERBS and not _goes_on(clauses, index, after)) or is_imperfect(first)
    )
    return key, value, whose, ended


def _plausible(key: str, value: Value) -> bool:
    if key == "residence" and not value.capital:
        return gazetteer.is_place(value.folded) or value.folded[:1].isdigit()
    return key not in _NAMED or value.capital


def _noun(clauses: Clauses, index: int) -> _Found | None:
    """As in "my employer is X", "le loyer de l'atelier est de 900 euros", "X is Paul's employer"."""
    context = clauses.context
    key = _NOUNS.get(context.folded(index))
    if key is None:
        return None
    noun = trait(context.folded(index))
    name = f"date:{noun}" if key == "date" else key
    end = index + 1
    possessor = None
    if key in _REACHED and context.folded(end) in _NUMBER_WORDS:
        end += 1
    if context.folded(end) in _OF:
        end, possessor = _possessor_after(clauses, end)
    whose = possessor or _possessor_before(clauses, index)
    if context.folded(end) in _BE or ":" in context.glue(end):
        start = end + (1 if context.folded(end) in _BE else 0)
        while context.folded(start) in (
            "not",
            "pas",
            "plus",
            "now",
            "maintenant",
            "toujours",
            "still",
            "de",
            "d",
            "no",
            "longer",
        ):
            start += 1
        value = clauses.value_from(start, dates=key in _DATED)
        if value is None or not (key not in _NAMED or value.capital):
            return None
        return name, value, whose or Whose(None), False
    if whose is None:
        return None
    return _told_backwards(clauses, index, name, whose)


def _told_backwards(clauses: Clauses, index: int, key: str, whose: Whose) -> _Found | None:
    """As in "Acme is my employer", "Acme est l'employeur de Paul"."""
    context = clauses.context
    be = index - 1
    while be > 0 and be > index - 5 and context.folded(be) not in _BE:
        be -= 1
    if be <= 0 or context.folded(be) not in _BE:
        return None
    value = clauses.resolved.get(be - 1) or (
        clauses.resolved.get(be - 2) if context.folded(be - 1) == "c" else None
    )
    if value is None or value.candidates[0] == whose.entity:
        return None
    return key, Value(value.candidates[0], value.surface, capital=True), whose, False


def _possessor_after(clauses: Clauses, index: int) -> tuple[int, Whose | None]:
    """As in "de Paul", "of the flat": the index after it, and whose it is."""
    context = clauses.context
    end = index + 1
    while (
        end < index + 6
        and context.folded(end)
        and context.folded(end) not in _BE
        and not any(mark in context.glue(end) for mark in ",.;:!?")
    ):
        end += 1
    for place in range(index + 1, end):
        mention = clauses.resolved.get(place)
        if mention is not None and context.folded(place) not in _POSSESSIVES:
            return end, Whose(mention.candidates[0])
    told = [context.folded(place) for place in range(index + 1, end)]
    holder = clauses.owner if _POSSESSIVES & set(told) else None
    role = " ".join(trait(word) for word in told if word not in _DETERMINERS)
    return end, Whose(holder, role) if role else None


def _possessor_before(clauses: Clauses, index: int) -> Whose | None:
    """As in "my", "Paul's": whose the noun is."""
    context = clauses.context
    for before in range(index - 1, max(-1, index - 4), -1):
        if any(mark in context.glue(before + 1) for mark in ",.;:!?"):
            return None
        if context.folded(before) in _POSSESSIVES:
            return Whose(clauses.owner)
        if context.folded(before) == "s" and before - 1 in clauses.resolved:
            return Whose(clauses.resolved[before - 1].candidates[0])
    return None


def _thing_before(clauses: Clauses, index: int) -> Whose | None:
    """As in "le loyer coûte", "the ticket costs": a thing without a name, by its noun."""
    context = clauses.context
    before = index - 1
    if before < 0 or any(mark in context.glue(index) for mark in ",.;:!?") or context.folded(before) in _BE:
        return None
    token = context.folded(before)
    return Whose(None, trait(token)) if len(token) > 2 and gazetteer.is_common(token) else None


def _favourite(clauses: Clauses, index: int) -> _Found | None:
    """As in "my favourite colour is blue", "sa couleur préférée est le bleu", "blue is my favourite colour"."""
    context = clauses.context
    word = context.folded(index)
    if word in _FAVOURITE_BEFORE and context.folded(index + 1) and context.folded(index - 1) != "":
        noun, end = index + 1, index + 2
    elif word in _FAVOURITE_AFTER and index:
        noun, end = index - 1, index + 1
    else:
        return None
    possessor = None
    if context.folded(end) in _OF:
        end, possessor = _possessor_after(clauses, end)
    whose = possessor or _possessor_before(clauses, min(noun, index)) or Whose(clauses.owner)
    key = f"favourite:{stem(context.folded(noun))}"
    if context.folded(end) in _BE:
        value = clauses.value_from(end + 1)
        return None if value is None else (key, value, whose, False)
    be = next((b for b in range(index - 1, max(-1, index - 5), -1) if context.folded(b) in _BE), None)
    value = clauses.value_between(max(0, be - 4), be) if be else None
    return None if value is None else (key, value, whose, False)


def _job(clauses: Clauses, index: int) -> _Found | None:
    """As in "Paul is a plumber", "je suis ingénieur"."""
    context = clauses.context
    if context.folded(index) not in _BE | {"suis", "am"}:
        return None
    place = index + 1
    while place < index + 4 and context.folded(place) in (
        "a",
        "an",
        "un",
        "une",
        "not",
        "pas",
        "plus",
        "no",
        "longer",
    ):
        place += 1
    profession = trait(context.folded(place))
    whose = clauses.whose(index)
    if profession not in _PROFESSIONS or whose is None or place in clauses.named:
        return None
    return "job", Value(profession, context.words[place].surface, capital=False), whose, False


def _is_past(clauses: Clauses, index: int) -> bool:
    """As in "used to", "formerly" anywhere before the phrase."""
    context = clauses.context
    before = [context.folded(place) for place in range(index)]
    used_to = any(one == "used" and two == "to" for one, two in itertools.pairwise(before))
    return used_to or any(word in _PAST for word in before)


def _goes_on(clauses: Clauses, index: int, after: int) -> bool:
    """Whether a past form tells of the present: "has lived there since 2014", "I've worked there for years"."""
    perfect = clauses.context.folded(index - 1) in ("has", "have", "ve")
    return perfect and any(word.folded in ("since", "for") for word in clauses.context.words[after:])


def _no_longer(clauses: Clauses) -> bool:
    folded = [word.folded for word in clauses.context.words]
    return (
        "plus" in folded
        or "longer" in folded
        or "anymore" in folded
        or ("any" in folded and "more" in folded)
    )
