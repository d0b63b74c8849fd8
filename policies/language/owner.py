"""Where a text speaks of the owner: in the first person, as assistants do, or by understanding it."""

from __future__ import annotations

from policies.language import lexicon
from policies.language.context import Context
from policies.language.mention import Mention, MentionStatus, resolved
from policies.terms import Entity

_WORDS = lexicon.words("names", "owner.words")
_ELSEWHERE = lexicon.words("names", "owner.others")
_UNSPACED = lexicon.entries("names", "owner.unspaced")
_PHRASES = frozenset(tuple(phrase.split()) for phrase in lexicon.words("names", "owner.phrases"))
_IMPLIED = lexicon.words("names", "owner.implied")
_OF = lexicon.words("grammar", "of")
_ELIDED = frozenset({"j", "m"})


def owner_told(context: Context, named: list[Mention], owner: Entity | None, language: str) -> Mention | None:
    """The first word outside ``named`` that speaks of the owner; without place or surface where that is understood.

    It is understood where nobody is named at all, and where a sentence begins without its subject, as notes do.
    """
    if owner is None:
        return None
    taken = [(mention.start, mention.end) for mention in named]
    for index, word in enumerate(context.words):
        if any(start <= word.start < end for start, end in taken):
            continue
        length = _phrase_at(context, index) or int(is_first_person(context, index, language))
        if length:
            return resolved(
                context.text, word.start, context.words[index + length - 1].end, owner.id, owner.type
            )
    for written in _UNSPACED:
        start = context.text.find(written)
        if start >= 0:
            return resolved(context.text, start, start + len(written), owner.id, owner.type)
    return resolved(context.text, 0, 0, owner.id, owner.type) if _is_understood(context, named) else None


def is_first_person(context: Context, index: int, language: str = "fr") -> bool:
    """Whether a word is "I", "my", "je", "m'"…; "M." and initials are none."""
    word = context.words[index]
    if word.folded in _ELIDED:
        return context.glue(index + 1)[:1] in ("'", "’")
    elsewhere = language not in ("fr", "en") and word.folded in _ELSEWHERE
    return word.surface == "I" or word.folded in _WORDS or elsewhere


def _phrase_at(context: Context, index: int) -> int:
    """How many words speak of the owner at ``index`` as of another: "the user", "l'utilisateur"."""
    for count in (4, 3, 2, 1):
        phrase = tuple(word.folded for word in context.words[index : index + count])
        if len(phrase) < count or phrase not in _PHRASES or context.folded(index + count) in _OF:
            continue
        if count > 1 or context.begins_sentence(index):
            return count
    return 0


def _is_understood(context: Context, named: list[Mention]) -> bool:
    if all(mention.status is MentionStatus.MERE for mention in named):
        return True
    first = context.words[0]
    return first.folded in _IMPLIED and first.start not in {mention.start for mention in named}
