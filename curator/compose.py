"""What a decision to commit writes: one memory, or a contra-entry and what makes room for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from curator.arguments import day_moment
from curator.draft import Context, Draft, valid_times
from policies.directives import Verb
from policies.language.findings import Importance
from policies.moments import check_interval
from policies.supersession import closure, correction, retraction, succession
from policies.terms import (
    Discretion,
    Evidence,
    Level,
    Memory,
    MemoryId,
    Moment,
    Provenance,
    Version,
)

OWNER = "owner"


def compose(draft: Draft, context: Context) -> tuple[Memory, ...]:
    """The memories to record, in order.

    Raises:
        IntervalReversed: an interval would end before or when it begins.
    """
    new = _memory(draft, context)
    target, arguments, terms = draft.target, draft.arguments, draft.terms
    if terms is not None and terms.keep == "both":
        check_interval(new.valid_from, new.valid_to)
        return (new,)
    if target is not None:
        if draft.proposal.action == Verb.RETRACT:
            return (retraction(target, new),)
        ruled_begin = terms.begins if terms else None
        taken_back = _taken_back(context, new, draft.conflicts) if terms else ()
        if arguments.change == "succession" or ruled_begin is not None:
            said_on = day_moment(arguments.said_at, context.zone)
            begins = ruled_begin or arguments.effective or new.valid_from or said_on
            return *taken_back, *_succeed(draft, context, target, new, begins)
        return *taken_back, correction(target, new)
    if draft.succeeds is not None and (begins := _change_date(draft, new)) is not None:
        return _succeed(draft, context, draft.succeeds, new, begins)
    if terms is not None and terms.keep == "new" and draft.conflicts:
        return _overrule(draft, context, new)
    check_interval(new.valid_from, new.valid_to)
    return (new,)


def _succeed(
    draft: Draft, context: Context, target: Version, new: Memory, begins: Moment
) -> tuple[Memory, ...]:
    """Close what was true until a moment; the new follows, unless the text tells only of the end."""
    change, attribute = draft.analysis.change, draft.analysis.attribute
    only_ends = (change is not None and not change.new_value) or (
        change is None and attribute is not None and attribute.ended
    )
    if only_ends:
        # The statement is nobody's text any more: it stays as the evidence of the end.
        evidence = new.evidence or Evidence(new.text, draft.proposal.grant_name or OWNER, OWNER, None)
        return (closure(target, replace(new, evidence=evidence), begins),)
    return succession(target, new, _new_id(context), begins)


def _overrule(draft: Draft, context: Context, new: Memory) -> tuple[Memory, ...]:
    """The owner keeps the new: it corrects (or from a date succeeds) the first, the others are taken back."""
    first, *others = draft.conflicts
    terms = draft.terms
    if terms is not None and terms.begins is not None:
        written = _succeed(draft, context, first, new, terms.begins)
    else:
        written = (correction(first, new),)
    return *_taken_back(context, new, others), *written


def _taken_back(context: Context, new: Memory, others: Iterable[Version]) -> tuple[Memory, ...]:
    """What the owner ruled to be wrong beside what the new takes the place of."""
    return tuple(
        retraction(other, replace(new, id=_new_id(context), relation=None, event=None)) for other in others
    )


def _memory(draft: Draft, context: Context) -> Memory:
    """The memory that says what was proposed, not yet in any chain."""
    arguments, analysis, proposal = draft.arguments, draft.analysis, draft.proposal
    valid_from, valid_to = valid_times(draft)
    retracts = proposal.action == Verb.RETRACT
    return Memory(
        id=_new_id(context),
        text=_reason(draft) if retracts else arguments.statement,
        language=analysis.language,
        kind=analysis.kind,
        provenance=draft.provenance,
        confidence=draft.provenance.cap,
        level=_level(draft, context),
        discretion=max(
            analysis.discretion,
            draft.beside.discretion,
            context.parameters.default_discretion(draft.domains),
            arguments.discretion or Discretion.OPEN,
            key=lambda discretion: discretion.rank,
        ),
        recorded_at=context.now,
        root=proposal.root_id,
        parameters=context.parameters.digest,
        salience_declared=(
            analysis.importance is Importance.DECLARED and draft.provenance is not Provenance.REPORTED
        ),
        valid_from=valid_from,
        valid_to=valid_to,
        event=arguments.event,
        anchors=draft.anchors,
        domains=draft.domains,
        tags=arguments.tags,
        relation=None if retracts else draft.relation,
        ruled=draft.terms is not None,
        proposed_by=proposal.grant,
        evidence=_evidence(draft),
    )


def _level(draft: Draft, context: Context) -> Level:
    """The highest of what was found or asked for, beside it too, the domains' floors and the anchors' levels."""
    placed = context.parameters.placed_level(draft.analysis.level, draft.domains)
    asked = draft.arguments.level
    if asked is not None and draft.analysis.level is None:
        placed = context.parameters.placed_level(asked, draft.domains)
    anchors = (context.registry.level(anchor) for anchor in draft.anchors)
    ruled = draft.terms.level if draft.terms else Level.S0
    return max(placed, draft.beside.level, asked or Level.S0, ruled, *anchors)


def _reason(draft: Draft) -> str:
    """Why something was taken back: the reason, else the words; never served."""
    return draft.arguments.reason or draft.arguments.words or ""


def _evidence(draft: Draft) -> Evidence | None:
    """The words behind the memory: those that came with it, or the owner's declaration itself."""
    arguments, proposal = draft.arguments, draft.proposal
    words = arguments.words or (arguments.statement if draft.by_owner else None)
    if not words:
        return None
    said_at = arguments.said_at if arguments.said_at_given or draft.by_owner else None
    return Evidence(words, OWNER, proposal.grant_name or OWNER, said_at)


def _change_date(draft: Draft, new: Memory) -> Moment | None:
    """When what the text says has changed, did change."""
    return draft.analysis.event_at or new.valid_from or draft.analysis.valid_to


def _new_id(context: Context) -> MemoryId:
    return MemoryId(context.ids.new("mem"))
