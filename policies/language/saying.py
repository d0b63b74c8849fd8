"""What a sentence says, reduced to what can be compared with another: its matter, in order, and its polarity."""

from __future__ import annotations

from dataclasses import dataclass

from policies.language import lexicon
from policies.language.names import Mention, MentionStatus
from policies.language.negation import negated
from policies.terms import EntityId
from policies.text import is_idle, same_saying, stem, without_citations, words

_AGAINST = lexicon.words("attributes", "words.against")
_LIKING = lexicon.words("attributes", "words.liking")
_IDLE = lexicon.words("attributes", "words.idle")
_DENYING = lexicon.words("attributes", "words.denied") | lexicon.words("attributes", "words.french_denied")


@dataclass(frozen=True, slots=True)
class Saying:
    """A statement's matter: stems, entity ids for names, in order, without frames, fillers and negations."""

    matter: tuple[str, ...]
    entities: tuple[str, ...]
    """Those of ``matter`` that are entities, in order: "A owes B" is not "B owes A"."""
    denied: bool
    """It denies its matter ("does not like"), or says the contrary ("hates")."""
    words: str
    """The text itself as ``policies.text.same_saying`` reduces it."""

    @property
    def stems(self) -> frozenset[str]:
        """The matter without order."""
        return frozenset(self.matter)


def read_saying(text: str, mentions: tuple[Mention, ...], owner: EntityId | None = None) -> Saying:
    """Reduce a statement. The owner is understood: "je", "Louis" and "the user" are all left out."""
    found = words(without_citations(text))
    resolved = [m for m in mentions if m.status is MentionStatus.RESOLVED and m.candidates]
    matter: list[str] = []
    entities: list[str] = []
    denied = negated(text)
    done: set[int] = set()
    for word in found:
        mention = next((m for m in resolved if m.start <= word.start < m.end), None)
        if mention is not None:
            if mention.start not in done and mention.candidates[0] != owner:
                matter.append(mention.candidates[0])
                entities.append(mention.candidates[0])
            done.add(mention.start)
        elif word.folded in _AGAINST or word.folded in _LIKING:
            denied ^= word.folded in _AGAINST
            matter.append("+liking")
        elif not (is_idle(word) or word.folded in _IDLE or word.folded in _DENYING):
            matter.append(stem(word.folded))
    return Saying(tuple(matter), tuple(entities), denied, same_saying(text))
