"""What a classifier answers about one proposal, and how it combines with the rules' own analysis.

A classifier (deterministic rules, or a language model) may raise and refine; it never lowers. Whatever it
answers, the gates decide: with one that always says "accept, S0, attested" every guarantee still holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from policies.language.analysis import Analysis
from policies.language.findings import Health, Importance, Instruction
from policies.language.names import Mention, MentionStatus
from policies.terms import Discretion, EntityType, Kind, Level, Moment

PROPOSABLE_KINDS = frozenset(Kind) - {Kind.RELATION, Kind.RETRACTION, Kind.CLOSURE}
"""The kinds a classifier may give: a relation is passed by the proposer, contra-entries come of verbs."""

_READABLE = frozenset({"text.not_understood", "time.unsure"})
"""What the rules alone could not read, and a model that gives what is missing can."""
_NOT_MENTIONABLE = frozenset({EntityType.PERSON, EntityType.ORGANISATION})


@dataclass(frozen=True, slots=True)
class Classification:
    """A classifier's typed answer. Every field may be left out: what is absent changes nothing."""

    kind: Kind | None = None
    level: Level | None = None
    discretion: Discretion | None = None
    domains: tuple[str, ...] = ()
    health: Health = Health.NONE
    importance: Importance = Importance.NONE
    instruction: Instruction = Instruction.NONE
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    event_at: Moment | None = None
    names: tuple[tuple[str, EntityType], ...] = ()
    """Names as they stand in the text, with the type the classifier sees in each."""
    understood: bool = False
    """A model read the text: what the rules alone could not tell is told by the fields above."""

    def undated(self) -> Classification:
        """The same without its dates."""
        return replace(self, valid_from=None, valid_to=None, event_at=None)


def combine(analysis: Analysis, classification: Classification) -> Analysis:
    """The analysis refined by a classifier's answer.

    Levels, discretion and findings are only raised: what the rules cannot place is never below the level of what
    is not placed. Dates are added where the rules found none. A model's kind replaces the rules', except that a
    rule stays a rule, and a failure the lesson that only the owner supersedes. What the rules could not read is
    cleared by a classifier that understood the text, a conclusion about somebody and a question are not; a name
    they could not place becomes a mere mention only where it is seen as neither person nor organisation. One that
    is unsure of the text may still raise.
    """
    if not classification.understood:
        unsure = classification
        return replace(
            analysis,
            level=analysis.level if unsure.level is None else max(analysis.floor, unsure.level),
            health=max(analysis.health, unsure.health, key=_gravity),
            instruction=max(analysis.instruction, unsure.instruction, key=_gravity),
        )
    kind = classification.kind
    kept = Kind.RULE in (analysis.kind, kind) or analysis.kind is Kind.FAILURE
    if kept or kind not in PROPOSABLE_KINDS:
        kind = analysis.kind
    instruction = max(analysis.instruction, classification.instruction, key=_gravity)
    if classification.kind is Kind.RULE:
        instruction = max(instruction, Instruction.RULE, key=_gravity)
    dated = (classification.valid_from or classification.valid_to or classification.event_at) is not None
    health = max(analysis.health, classification.health, key=_gravity)
    domains = {*analysis.domains, *classification.domains} | (
        {"health"} if health is not Health.NONE else set[str]()
    )
    return replace(
        analysis,
        kind=kind,
        level=max(analysis.floor, classification.level or Level.S0),
        discretion=max(
            analysis.discretion, classification.discretion or Discretion.OPEN, key=lambda d: d.rank
        ),
        domains=tuple(sorted(domains)),
        health=health,
        importance=_importance(analysis.importance, classification.importance),
        instruction=instruction,
        valid_from=analysis.valid_from or classification.valid_from,
        valid_to=analysis.valid_to or classification.valid_to,
        event_at=analysis.event_at or classification.event_at,
        mentions=tuple(_placed(mention, dict(classification.names)) for mention in analysis.mentions),
        unsure=tuple(
            code for code in analysis.unsure if code not in _READABLE or (code == "time.unsure" and not dated)
        ),
    )


def _gravity(finding: Health | Importance | Instruction) -> int:
    return finding.gravity


def _importance(rules: Importance, model: Importance) -> Importance:
    """A model may see that importance is derived; that the owner declared it, only the words can tell."""
    return Importance.DERIVED if Importance.DERIVED in (rules, model) else rules


def _placed(mention: Mention, seen: dict[str, EntityType]) -> Mention:
    if mention.status is not MentionStatus.UNCLEAR or mention.surface not in seen:
        return mention
    kind = seen[mention.surface]
    status = MentionStatus.UNREGISTERED if kind in _NOT_MENTIONABLE else MentionStatus.MERE
    return replace(mention, type=kind, status=status)
