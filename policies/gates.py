"""The curator's gates: deterministic rules that every proposal must pass, in the order they apply.

``GATES`` is "which outcome: the first that applies" of the design, sentence by sentence. What is refused at
once, before a proposal reaches the inbox (nothing said, unsafe characters), is ``policies.text``'s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from policies.decision import NamedUnregistered
from policies.language.analysis import Analysis
from policies.language.findings import Health, Importance, Instruction
from policies.language.names import MentionStatus
from policies.supersession import Objection, objection
from policies.terms import Kind, MemoryId, Outcome, Provenance, Version
from policies.text import fold


@dataclass(frozen=True, slots=True)
class GateContext:
    """What the ledger says about a proposal, beside the text itself."""

    statement: str
    provenance: Provenance
    """What the proposal would be committed as."""
    target: Version | None = None
    """The head of the chain that the proposal corrects, closes or retracts."""
    target_moved: bool = False
    """The target was superseded since the tool was served it."""
    conflicts: tuple[MemoryId, ...] = ()
    """Believed memories that the statement contradicts (see ``policies.language.conflicts``); of what the owner
    ruled, those that they were not shown."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gates say of one proposal. ``COMMITTED`` means that it may be."""

    outcome: Outcome
    reason: str
    """A code of ``policies.reasons``."""
    details: dict[str, object] = field(default_factory=dict[str, object])
    unregistered: tuple[NamedUnregistered, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no gate held the proposal back."""
        return self.outcome is Outcome.COMMITTED


Gate = Callable[[Analysis, GateContext], Verdict | None]


def inferred_health(analysis: Analysis, context: GateContext) -> Verdict | None:
    """Health or psychology inferred, hedged or read from behaviour: rejected (G10)."""
    if analysis.health is Health.INFERRED:
        return Verdict(Outcome.REJECTED, "health.inferred")
    return None


def stated_health(analysis: Analysis, context: GateContext) -> Verdict | None:
    """Health stated plainly: to the owner, the declaration prefilled (G10)."""
    if analysis.health in (Health.NONE, Health.UNSURE):
        return None
    return Verdict(Outcome.NEEDS_OWNER, "health.stated", {"declaration": _declaration(analysis, context)})


def derived_importance(analysis: Analysis, context: GateContext) -> Verdict | None:
    """Importance derived: rejected, and not stored without it (G10)."""
    if analysis.importance is Importance.DERIVED:
        return Verdict(Outcome.REJECTED, "importance.derived")
    return None


def disguised_instruction(analysis: Analysis, context: GateContext) -> Verdict | None:
    """Instructions to assistants in disguise, role tags: to the owner, marked quarantined."""
    if analysis.instruction is Instruction.DISGUISED:
        return Verdict(Outcome.NEEDS_OWNER, "instruction.quarantined", {"quarantined": True})
    return None


def unconfirmed_rule(analysis: Analysis, context: GateContext) -> Verdict | None:
    """A rule: to the owner, never committed before the ruling (G16)."""
    if analysis.instruction is Instruction.RULE or analysis.kind is Kind.RULE:
        return Verdict(Outcome.NEEDS_OWNER, "rule.unconfirmed")
    return None


def unregistered_name(analysis: Analysis, context: GateContext) -> Verdict | None:
    """A person or organisation that is not registered: rejected, an anchor review opened (G11)."""
    named = {fold(m.surface): m for m in analysis.named(MentionStatus.UNREGISTERED)}
    if not named:
        return None
    return Verdict(
        Outcome.REJECTED,
        "name.unregistered",
        {"names": [mention.surface for mention in named.values()]},
        tuple(NamedUnregistered(m.surface, key, m.type) for key, m in named.items()),
    )


def ambiguous_name(analysis: Analysis, context: GateContext) -> Verdict | None:
    """A name that several entities answer to: to the owner (G11)."""
    ambiguous = analysis.named(MentionStatus.AMBIGUOUS)
    if not ambiguous:
        return None
    choices = {mention.surface: sorted(mention.candidates) for mention in ambiguous}
    details: dict[str, object] = {"names": [mention.surface for mention in ambiguous], "choices": choices}
    return Verdict(Outcome.NEEDS_OWNER, "name.ambiguous", details)


def unclear_name(analysis: Analysis, context: GateContext) -> Verdict | None:
    """A name that may be a person's or a thing's: to the owner (G11)."""
    unclear = analysis.named(MentionStatus.UNCLEAR)
    if not unclear:
        return None
    return Verdict(Outcome.NEEDS_OWNER, "name.unclear", {"names": [mention.surface for mention in unclear]})


def doubtful_health(analysis: Analysis, context: GateContext) -> Verdict | None:
    """What may be somebody's health: to the owner, as if it were stated (G10)."""
    if analysis.health is not Health.UNSURE:
        return None
    return Verdict(Outcome.NEEDS_OWNER, "health.unsure", {"declaration": _declaration(analysis, context)})


def _declaration(analysis: Analysis, context: GateContext) -> dict[str, object]:
    return {
        "text": context.statement,
        "kind": analysis.kind.value,
        "anchors": list(analysis.anchors),
        "domains": list(analysis.domains),
    }


def weaker_provenance(analysis: Analysis, context: GateContext) -> Verdict | None:
    """A contra-entry that may not supersede its target without the owner: to the owner (G16)."""
    if context.target is None:
        return None
    by_owner = context.provenance is Provenance.ATTESTED
    found = objection(context.target, context.provenance, by_owner=by_owner)
    if found is None and context.target_moved:
        found = Objection.SUPERSEDED
    if found is None:
        return None
    return Verdict(Outcome.NEEDS_OWNER, found.value, {"target": context.target.memory.id})


def conflicting(analysis: Analysis, context: GateContext) -> Verdict | None:
    """A conflict with a current memory: to the owner."""
    if context.conflicts:
        return Verdict(Outcome.NEEDS_OWNER, "conflict", {"conflicts": list(context.conflicts)})
    return None


def not_understood(analysis: Analysis, context: GateContext) -> Verdict | None:
    """What the rules alone cannot tell: to the owner."""
    if analysis.unsure:
        return Verdict(Outcome.NEEDS_OWNER, analysis.unsure[0])
    return None


GATES: tuple[Gate, ...] = (
    inferred_health,
    stated_health,
    derived_importance,
    disguised_instruction,
    unconfirmed_rule,
    unregistered_name,
    ambiguous_name,
    unclear_name,
    doubtful_health,
    weaker_provenance,
    conflicting,
    not_understood,
)


OWNER_GATES: tuple[Gate, ...] = (
    inferred_health,
    unregistered_name,
    ambiguous_name,
    weaker_provenance,
    conflicting,
)
"""For what the owner declares or corrects: they may state health and give rules, and know what they mean."""

RETRACTION_GATES: tuple[Gate, ...] = (weaker_provenance,)
"""For what takes a memory back: it says nothing of its own."""

RULED_GATES: tuple[Gate, ...] = (
    inferred_health,
    stated_health,
    unregistered_name,
    ambiguous_name,
    doubtful_health,
    conflicting,
)
"""For what the owner ruled shall be kept: a ruling replaces no declaration of health and no registration, and
contradicts nothing that the owner was not shown."""

OWNER_RULED_GATES: tuple[Gate, ...] = (inferred_health, unregistered_name, ambiguous_name, conflicting)
"""The same for what the owner declared themselves: it is their own declaration, of health too."""


def decide_gates(analysis: Analysis, context: GateContext, gates: tuple[Gate, ...] = GATES) -> Verdict:
    """The verdict of the first gate that applies, or that the proposal may be committed."""
    for gate in gates:
        verdict = gate(analysis, context)
        if verdict is not None:
            return verdict
    return Verdict(Outcome.COMMITTED, "committed")
