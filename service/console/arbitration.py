"""What the owner may answer to an arbitration, and what each answer does.

An answer is offered only where it can be carried out: health is never ruled on, a retraction is kept or refused, a
date asks for something that it could be the end of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cypher.inbox import ProposalView
from policies.directives import Ruling, Verb
from policies.reasons import NEEDS_PASSKEY
from policies.terms import OutcomeRecord


class Subject(StrEnum):
    """What an arbitration is about: keys of the strings ``arbitrations.about``."""

    CONFLICT = "conflict"
    """It contradicts what is believed."""
    SAME = "same"
    """It repeats what its proposer may not see."""
    TARGET = "target"
    """It would change a memory, and may not by itself."""
    RULE = "rule"
    QUARANTINE = "quarantine"
    WHO = "who"
    """A name that several bear."""
    WHAT = "what"
    """A name that may be a person's or a thing's."""
    HEALTH = "health"
    UNCLEAR = "unclear"
    """What the rules cannot read, or will not decide."""
    PASSKEY = "passkey"


_SUBJECTS: Mapping[str, Subject] = {
    "conflict": Subject.CONFLICT,
    "authority.weaker": Subject.TARGET,
    "failure.owner_only": Subject.TARGET,
    "target.superseded": Subject.TARGET,
    "rule.unconfirmed": Subject.RULE,
    "instruction.quarantined": Subject.QUARANTINE,
    "name.ambiguous": Subject.WHO,
    "name.unclear": Subject.WHAT,
    "health.stated": Subject.HEALTH,
    "health.unsure": Subject.HEALTH,
    NEEDS_PASSKEY: Subject.PASSKEY,
}


@dataclass(frozen=True, slots=True)
class Offer:
    """One answer."""

    ruling: Ruling
    key: str
    """Of the strings ``arbitrations.offer`` and ``arbitrations.does``."""
    asks_date: bool = False
    """It takes the date from which the new is true."""
    asks_names: bool = False
    """It takes whom the ambiguous names mean, or what an unclear one does."""
    is_risky: bool = False


STANDS = Offer(Ruling.KEEP_OLD, "stands")
REPLACE = Offer(Ruling.KEEP_NEW, "replace")
THEN = Offer(Ruling.KEEP_NEW, "then", asks_date=True)
AS_PROPOSED = Offer(Ruling.KEEP_NEW, "as_proposed")
BOTH = Offer(Ruling.KEEP_BOTH, "both")
DROP = Offer(Ruling.REJECT, "drop")
REFUSE = Offer(Ruling.REJECT, "refuse")
KEEP = Offer(Ruling.KEEP_NEW, "keep")
KNOWN = Offer(Ruling.KEEP_NEW, "known")
CONFIRM = Offer(Ruling.KEEP_NEW, "confirm")
OBEY = Offer(Ruling.KEEP_NEW, "obey", is_risky=True)
WHO = Offer(Ruling.KEEP_NEW, "who", asks_names=True)
WHAT = Offer(Ruling.KEEP_NEW, "what", asks_names=True)
TAKE_BACK = Offer(Ruling.KEEP_NEW, "take_back")
SPARE = Offer(Ruling.KEEP_OLD, "spare")

_OF_SUBJECT: Mapping[Subject, tuple[Offer, ...]] = {
    Subject.CONFLICT: (STANDS, REPLACE, THEN, BOTH, DROP),
    Subject.SAME: (KNOWN, DROP),
    Subject.RULE: (CONFIRM, REFUSE),
    Subject.QUARANTINE: (REFUSE, OBEY),
    Subject.WHO: (WHO, REFUSE),
    Subject.WHAT: (WHAT, REFUSE),
    Subject.HEALTH: (REFUSE,),
    Subject.UNCLEAR: (KEEP, REFUSE),
    Subject.PASSKEY: (),
}


def subject_of(outcome: OutcomeRecord) -> Subject:
    """What an arbitration is about, by the outcome that put it off to the owner."""
    if outcome.details.get("same"):
        return Subject.SAME
    return _SUBJECTS.get(outcome.reason, Subject.UNCLEAR)


def offers(view: ProposalView, subject: Subject) -> Sequence[Offer]:
    """The answers to an arbitration, in the order they are shown.

    Args:
        view: the proposal that waits.
        subject: what it is about by now: once it is known whom a name means, it may contradict something.
    """
    if subject is not Subject.TARGET:
        return _OF_SUBJECT[subject]
    if view.proposal.action == Verb.RETRACT:
        return SPARE, TAKE_BACK
    if view.proposal.action != Verb.CORRECT:
        # The text itself says what ended, and when.
        return STANDS, AS_PROPOSED, BOTH, DROP
    succeeds = view.proposal.payload.get("change") == "succession"
    return STANDS, AS_PROPOSED if succeeds else REPLACE, THEN, BOTH, DROP
