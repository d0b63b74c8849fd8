"""Whom and what a proposal is about: names turned into registered entities, in the proposer's scope (G11)."""

from __future__ import annotations

from dataclasses import replace

from curator.draft import Context, Draft
from policies.directives import Verb
from policies.gates import Verdict
from policies.language.analysis import told_apart
from policies.language.names import Mention, MentionStatus
from policies.registry import Registry
from policies.terms import EntityId, Kind, Relation


def resolve_anchors(draft: Draft, context: Context) -> Verdict | None:
    """Turn names into registered entities, in the proposer's scope (G11)."""
    if draft.proposal.action == Verb.RETRACT:
        return None
    arguments = draft.arguments
    chosen = set(draft.terms.anchors) if draft.terms else set[EntityId]()
    passed = [_passed(draft.scope, name, chosen) for name in arguments.anchors]
    named = arguments.relation
    ends = [_passed(draft.scope, name, chosen) for name in (named.subject, named.object)] if named else []
    told = chosen | {mention.candidates[0] for mention in (*passed, *ends) if _resolved(mention)}
    in_text = tuple(_told_apart(mention, told) for mention in draft.analysis.mentions)
    if in_text != draft.analysis.mentions:
        draft.analysis = told_apart(draft.analysis, arguments.statement, in_text, draft.scope)
    # What was passed and cannot be resolved meets the same gates, in their order, as what the text names.
    draft.analysis = replace(draft.analysis, mentions=(*in_text, *passed, *ends))
    if named and all(map(_resolved, ends)):
        draft.relation = Relation(ends[0].candidates[0], named.predicate, ends[1].candidates[0])
        draft.analysis = replace(draft.analysis, kind=Kind.RELATION)
    else:
        draft.relation = draft.analysis.relation
    _gather_anchors(draft, told)
    return None


def _passed(scope: Registry, name: str, chosen: set[EntityId]) -> Mention:
    """A name or id that was passed as an argument, as if the text had mentioned it."""
    candidates = scope.named(name)
    if len(candidates) > 1:
        candidates = tuple(entity for entity in candidates if entity.id in chosen) or candidates
    if not candidates:
        return Mention(name, 0, 0, MentionStatus.UNREGISTERED)
    status = MentionStatus.RESOLVED if len(candidates) == 1 else MentionStatus.AMBIGUOUS
    return Mention(name, 0, 0, status, candidates[0].type, tuple(entity.id for entity in candidates))


def _resolved(mention: Mention) -> bool:
    return mention.status is MentionStatus.RESOLVED


def _told_apart(mention: Mention, told: set[EntityId]) -> Mention:
    """A name of the text, once something else tells which of several it means."""
    if mention.status is not MentionStatus.AMBIGUOUS:
        return mention
    meant = tuple(entity for entity in mention.candidates if entity in told)
    if len(meant) != 1:
        return mention
    return replace(mention, status=MentionStatus.RESOLVED, candidates=meant)


def _gather_anchors(draft: Draft, told: set[EntityId]) -> None:
    """What the memory is about: entities and domains, or else the owner."""
    relation = draft.relation
    ends = {relation.subject, relation.object} if relation else set[EntityId]()
    found = {*draft.analysis.anchors, *told, *ends}
    domains = draft.analysis.domains
    if draft.target is not None:
        # "He lives in Lyon" corrects what was said of whom it was said.
        found = found or {*draft.target.memory.anchors}
        domains = domains or draft.target.memory.domains
    if not found and not domains and draft.scope.owner is not None:
        found = {draft.scope.owner.id}
    draft.anchors = tuple(sorted({draft.scope.canonical(entity) for entity in found}))
    draft.domains = domains
