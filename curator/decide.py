"""From a proposal to a decision: the stages, in the order the design gives them.

Each stage adds to the draft or ends with a verdict. A rejection ends at once; what would go to the owner is
first looked up, so that what is known already is a duplicate and asks the owner nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from curator.anchors import resolve_anchors
from curator.arguments import Arguments, read_arguments
from curator.classify import Answered, Question
from curator.compose import compose
from curator.draft import Context, Draft, Terms, valid_times
from policies import moments
from policies.bitemporal import HAPPENED, is_closed
from policies.classification import PROPOSABLE_KINDS, combine
from policies.decision import Decision, RestsOn, Settlement
from policies.directives import Verb
from policies.errors import InvariantBroken, MnemoError
from policies.gates import (
    GATES,
    OWNER_GATES,
    OWNER_RULED_GATES,
    RETRACTION_GATES,
    RULED_GATES,
    GateContext,
    Verdict,
    decide_gates,
)
from policies.language.analysis import analyse
from policies.supersession import standing
from policies.terms import (
    Kind,
    Level,
    MemoryId,
    Outcome,
    Proposal,
    Provenance,
    Version,
    View,
)
from policies.text import dedup_key, same_saying

Stage = Callable[[Draft, Context], Verdict | None]


def classify(draft: Draft, context: Context) -> Verdict | None:
    """Ask the classifier, and combine its answer with the rules' own analysis."""
    if draft.proposal.action == Verb.RETRACT:
        return None
    arguments = draft.arguments
    question = Question(
        statement=arguments.statement,
        said_on=moments.day_of(arguments.said_at, context.zone).isoformat(),
        provisional=draft.analysis.level,
    )
    draft.answer = context.classifier.classify(question)
    analysis = combine(draft.analysis, draft.answer)
    given = arguments.kind
    if given in PROPOSABLE_KINDS and Kind.RULE not in (analysis.kind, given):
        analysis = replace(analysis, kind=given)
    elif given is Kind.RULE:
        analysis = replace(analysis, kind=Kind.RULE)
    draft.analysis = analysis
    return None


def resolve_target(draft: Draft, context: Context) -> Verdict | None:
    """Find what stands today in place of what a correction or a retraction names (it may have moved since)."""
    named = draft.arguments.target
    if named is None:
        return None
    chain = context.reader.chain_of(named)
    meant = next((version for version in chain if version.memory.id == named), None)
    found = standing(chain, named, draft.role)
    if meant is None or found is None:
        return Verdict(Outcome.REJECTED, "target.unknown")
    draft.target = found
    draft.target_moved = found is not meant and same_saying(found.memory.text) != same_saying(
        meant.memory.text
    )
    if found.memory.kind is Kind.RETRACTION:
        retracts = draft.proposal.action == Verb.RETRACT
        if retracts and draft.sees(meant):
            draft.twin = found
            return Verdict(Outcome.DUPLICATE, "duplicate")
        draft.target_moved = True
    elif not draft.sees(found):
        # Raised above the tool since: it must not be told what its correction met.
        draft.target_moved = True
    return None


def find_conflicts(draft: Draft, context: Context) -> Verdict | None:
    """Look for what the statement repeats, what it contradicts, and what it says has ended."""
    if draft.proposal.action == Verb.RETRACT or not draft.anchors:
        return None
    begins, ends = valid_times(draft)
    timed = replace(draft.analysis, valid_from=begins, valid_to=ends)
    arguments = draft.arguments
    near = context.known.near(
        arguments.statement, timed, draft.anchors, context.registry, said_at=arguments.said_at
    )
    meant = draft.target.memory.id if draft.target else None
    ended = [version for version in near.ended if draft.target is None and draft.sees(version)]
    draft.succeeds = ended[-1] if ended else None
    draft.same = tuple(version for version in near.same if version.memory.id != meant)
    # What the tool may not see, it cannot end: that is for the owner, as any collision with something hidden.
    others = [version for version in near.ended if version is not draft.succeeds]
    draft.conflicts = tuple(version for version in (*near.conflicts, *others) if version.memory.id != meant)
    return None


def pass_gates(draft: Draft, context: Context) -> Verdict | None:
    """Ask the gates. A rejection stands; a question to the owner waits for the look-up of duplicates."""
    target = draft.target or draft.succeeds
    verdict = decide_gates(
        draft.analysis,
        GateContext(
            statement=draft.arguments.statement,
            provenance=draft.provenance,
            target=target,
            target_moved=draft.target_moved,
            conflicts=_unseen(draft),
        ),
        _gates(draft),
    )
    draft.verdict = verdict
    return verdict if verdict.outcome is Outcome.REJECTED else None


def deduplicate(draft: Draft, context: Context) -> Verdict | None:
    """What is believed already, in the same words about the same things at the same time, adds nothing."""
    if draft.proposal.action == Verb.RETRACT:
        return None
    key = dedup_key(draft.arguments.statement, draft.anchors, draft.domains)
    draft.dedup_keys = (key,)
    found = {one.memory.id: one for one in (*context.reader.versions_by_dedup_key([key]), *draft.same)}
    twins = [
        version
        for version in found.values()
        if version.memory.kind is not Kind.RETRACTION and _same_time(draft, version)
    ]
    if not twins:
        return None
    draft.twin = next((version for version in twins if draft.sees(version)), None)
    if draft.twin is not None:
        return Verdict(Outcome.DUPLICATE, "duplicate")
    # It says the same as something that the tool may not see.
    details: dict[str, object] = {"conflicts": [twin.memory.id for twin in twins], "same": True}
    return Verdict(Outcome.NEEDS_OWNER, "conflict", details)


def route(draft: Draft, context: Context) -> Verdict | None:
    """What a gate held back goes to the owner."""
    if draft.verdict is None:
        raise InvariantBroken("the gates were not asked")
    return None if draft.verdict.passed else draft.verdict


STAGES: tuple[Stage, ...] = (
    classify,
    resolve_target,
    resolve_anchors,
    find_conflicts,
    pass_gates,
    deduplicate,
    route,
)


def decide(proposal: Proposal, context: Context, terms: Terms | None = None) -> Decision:
    """Decide one proposal to remember, correct or retract, or one such directive of the owner.

    Args:
        proposal: a tool's or the owner's.
        context: what is known now.
        terms: the owner's ruling, where this carries one out.

    Raises:
        ClassifierUnavailable: to be tried again later.
        LedgerUnavailable: the graph does not answer.
    """
    draft: Draft | None = None
    try:
        draft = begin(proposal, context, terms)
        for stage in STAGES:
            verdict = stage(draft, context)
            if verdict is not None:
                return _settled(draft, context, verdict)
        memories = compose(draft, context)
    except MnemoError as fault:
        if fault.category != "incorrect":
            raise
        answer = draft.answer if draft else None
        if answer is not None and answer != (undated := answer.undated()):
            # The dates that a model gave may be all that is wrong: its nonsense costs no proposal (G13).
            return decide(proposal, replace(context, classifier=Answered(undated)), terms)
        # A date that does not exist, an interval reversed by what the text itself says.
        verdict = Verdict(Outcome.REJECTED, fault.code)
        return _decision(proposal, context, Settlement(proposal.id, verdict.outcome, verdict.reason))
    settlement = Settlement(
        proposal=proposal.id,
        outcome=Outcome.COMMITTED,
        reason="committed",
        level=max(memory.level for memory in memories),
        # In the order recorded: the one that says what was proposed is the last.
        memories=tuple(memory.id for memory in memories),
    )
    heads = tuple(
        (version.memory.id, version.state.head) for version in (draft.target, draft.succeeds) if version
    )
    return replace(
        _decision(proposal, context, settlement),
        memories=memories,
        rests_on=replace(rests_on(context), heads=heads, anchors=draft.anchors, dedup_keys=draft.dedup_keys),
    )


def begin(proposal: Proposal, context: Context, terms: Terms | None) -> Draft:
    """The draft of a proposal: its arguments read, its text analysed by the rules.

    Raises:
        MnemoError: of category ``incorrect``: an argument cannot be read, or names no domain of the owner's.
    """
    arguments = read_arguments(proposal, context.zone)
    for domain in arguments.domains:
        context.parameters.domain(domain, field="domains")
    level = Level.S3 if proposal.is_directive else proposal.grant_level
    scope = context.registry.within(level)
    domains = None if proposal.grant_domains is None else frozenset(proposal.grant_domains)
    statement = arguments.statement
    if proposal.action == Verb.RETRACT and arguments.target is not None:
        # What a retraction speaks of is the memory itself: the words must name it to count as the owner's.
        spoken_of = context.reader.versions([arguments.target]).get(arguments.target)
        # One that does not exist is refused by the stage that looks for the target.
        statement = spoken_of.memory.text if spoken_of else statement
    analysis = analyse(
        statement,
        words=arguments.words,
        said_at=arguments.said_at,
        zone=context.zone,
        registry=scope,
        domains=arguments.domains,
        also=arguments.beside,
    )
    return Draft(
        proposal=proposal,
        arguments=arguments,
        view=View(level=level, domains=domains),
        scope=scope,
        terms=terms,
        analysis=analysis,
        provenance=_provenance(proposal, arguments, quoted=analysis.quoted),
    )


def _provenance(proposal: Proposal, arguments: Arguments, *, quoted: bool) -> Provenance:
    if proposal.is_directive:
        return Provenance.ATTESTED
    return Provenance.QUOTED if arguments.words and quoted else Provenance.REPORTED


def _gates(draft: Draft) -> tuple[Callable[..., Verdict | None], ...]:
    if draft.terms is not None:
        return OWNER_RULED_GATES if draft.by_owner else RULED_GATES
    if draft.proposal.action == Verb.RETRACT:
        return RETRACTION_GATES
    return OWNER_GATES if draft.by_owner else GATES


def _unseen(draft: Draft) -> tuple[MemoryId, ...]:
    """What the statement contradicts, but for what the owner was shown when they ruled."""
    seen = draft.terms.seen if draft.terms else frozenset[MemoryId]()
    return tuple(version.memory.id for version in draft.conflicts if version.memory.id not in seen)


def _same_time(draft: Draft, version: Version) -> bool:
    """Whether a believed memory in the same words speaks of the same time."""
    old = version.memory
    begins, ends = valid_times(draft)
    if draft.analysis.kind in HAPPENED:
        return begins is None or old.valid_from is None or begins.at == old.valid_from.at
    if begins is None and ends is None:
        return not is_closed(old, draft.arguments.said_at)
    apart = (begins is not None and old.valid_to is not None and begins.at >= old.valid_to.at) or (
        ends is not None and old.valid_from is not None and ends.at <= old.valid_from.at
    )
    return not apart


def _settled(draft: Draft, context: Context, verdict: Verdict) -> Decision:
    """The decision that a verdict makes: nothing is recorded but the outcome."""
    analysis, twin = draft.analysis, draft.twin
    anchors = (context.registry.level(anchor) for anchor in (*draft.anchors, *analysis.anchors))
    placed = context.parameters.placed_level(analysis.level, draft.domains or analysis.domains)
    settlement = Settlement(
        proposal=draft.proposal.id,
        outcome=verdict.outcome,
        reason=verdict.reason,
        level=max(placed, draft.beside.level, *anchors, twin.state.level if twin else Level.S0),
        memories=(twin.memory.id,) if twin else (),
        details=verdict.details,
    )
    return replace(
        _decision(draft.proposal, context, settlement),
        unregistered=verdict.unregistered,
    )


def _decision(proposal: Proposal, context: Context, settlement: Settlement) -> Decision:
    return Decision(
        proposal=proposal.id,
        root=proposal.root_id,
        rests_on=rests_on(context),
        settlements=(settlement,),
    )


def rests_on(context: Context) -> RestsOn:
    """What every decision made in this context rests on, before it adds its own."""
    return RestsOn(
        registry_seq=context.registry.seq,
        watermark=context.head.seq,
        passkey_seq=context.head.passkey_seq,
    )
