"""The owner's lane: what each directive decides. Proof and payload are checked before anything else.

A directive that breaks a rule is settled as rejected, with the reason and what to do; it is never retried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from curator.decide import decide
from curator.draft import Context
from curator.passkeys import confirm, enrol_passkey, owner_reset, settle, unless_weighty, withdraw_passkey
from curator.rulings import rule
from policies import directives
from policies.decision import ClosedReview, Decision, Reclassification, RegistryChange, RegistryOp
from policies.directives import Verb
from policies.errors import DirectiveRefused, MnemoError
from policies.folding import fold
from policies.lifecycle import FINAL
from policies.terms import (
    Discretion,
    Entity,
    EntityId,
    EntityType,
    Level,
    MemoryId,
    Outcome,
    Proposal,
)

Handler = Callable[[Proposal, Context], Decision]


def direct(proposal: Proposal, context: Context) -> Decision:
    """Decide one directive: what is weighty waits for a passkey, if there is one.

    Args:
        proposal: the directive, as it stands in the inbox.
        context: what is known now.

    Raises:
        ClassifierUnavailable: a declaration could not be classified: to be tried again.
        LedgerUnavailable: the graph does not answer.
    """

    def work() -> Decision:
        verb = directives.check(_key_of(proposal, context), proposal)
        _check_new(proposal, context)
        if verb is Verb.CONFIRM:
            return confirm(proposal, context, _carry_out)
        return unless_weighty(proposal, context, HANDLERS[verb](proposal, context))

    return _or_refuse(proposal, context, work)


def _carry_out(proposal: Proposal, context: Context) -> Decision:
    """Decide a directive that a passkey has signed. Its proof is looked at again: it waited where others write."""

    def work() -> Decision:
        verb = directives.check(_key_of(proposal, context), proposal)
        return HANDLERS[verb](proposal, context)

    return _or_refuse(proposal, context, work)


def _key_of(proposal: Proposal, context: Context) -> bytes:
    """The key that a directive's proof must be by."""
    authority = context.authority
    return authority.machine_key if proposal.action == Verb.OWNER_RESET else authority.owner_key


def _or_refuse(proposal: Proposal, context: Context, work: Callable[[], Decision]) -> Decision:
    """What ``work`` decides; where that breaks a rule, the directive's rejection."""
    try:
        return work()
    except MnemoError as fault:
        if fault.category in ("unavailable", "fault"):
            raise
        problem = fault.details.get("problem")
        details = {**fault.details, **({"field": fault.field} if fault.field else {})}
        reason = str(problem) if isinstance(fault, DirectiveRefused) else fault.code
        return settle(proposal, context, Outcome.REJECTED, reason, details=details)


def register(proposal: Proposal, context: Context) -> Decision:
    """A new entity; or, of a name already registered with this type, nothing but its new aliases."""
    payload, registry = proposal.payload, context.registry
    name, kind = str(payload["name"]), EntityType(str(payload["type"]))
    aliases = tuple(cast("list[str]", payload.get("aliases") or []))
    owner = bool(payload.get("owner"))
    level = Level[str(payload["level"])] if payload.get("level") else None
    known = _same_entity(context, name, kind, owner=owner)
    if known is None:
        entity = EntityId(context.ids.new("ent"))
        change = RegistryChange(
            RegistryOp.REGISTER, entity, name=name, type=kind, level=level, aliases=aliases, owner=owner
        )
        return _registered(proposal, context, (change,), names=(name, *aliases))
    fresh = _fresh_names(context, known, (name, *aliases))
    changes: list[RegistryChange] = []
    if fresh:
        changes.append(RegistryChange(RegistryOp.ALIAS, known.id, aliases=fresh))
    if level is not None and level is not registry.entities[known.id].level:
        changes.append(RegistryChange(RegistryOp.LEVEL, known.id, level=level))
    if not changes:
        return settle(proposal, context, Outcome.DUPLICATE, "entity.registered", details={"entity": known.id})
    return _registered(proposal, context, tuple(changes), names=(name, *aliases))


def alias(proposal: Proposal, context: Context) -> Decision:
    """Another name of an entity."""
    entity = _entity(context, proposal, "entity")
    name = str(proposal.payload["alias"])
    fresh = _fresh_names(context, entity, (name,))
    if not fresh:
        return settle(
            proposal, context, Outcome.DUPLICATE, "entity.registered", details={"entity": entity.id}
        )
    change = RegistryChange(RegistryOp.ALIAS, entity.id, aliases=fresh)
    return _registered(proposal, context, (change,), names=fresh)


def merge(proposal: Proposal, context: Context) -> Decision:
    """Two entities are one: the first now answers as the second."""
    entity, into = _entity(context, proposal, "entity"), _entity(context, proposal, "into")
    return _registered(
        proposal, context, (RegistryChange(RegistryOp.MERGE, entity.id, other=into.id),), names=()
    )


def unmerge(proposal: Proposal, context: Context) -> Decision:
    """A merge undone. The entity is meant by its id, or by the name that it bore before the merge."""
    given = str(proposal.payload["entity"])
    merged = [
        entity
        for entity in context.registry.entities.values()
        if entity.merged_into is not None
        and (entity.id == given or fold(given) in map(fold, (entity.name, *entity.aliases)))
    ]
    if len(merged) != 1:
        raise DirectiveRefused(problem="merge.none" if not merged else "entity.ambiguous")
    return _registered(proposal, context, (RegistryChange(RegistryOp.UNMERGE, merged[0].id),), names=())


def never_merge(proposal: Proposal, context: Context) -> Decision:
    """Two entities that must stay apart."""
    entity, other = _entity(context, proposal, "entity"), _entity(context, proposal, "other")
    change = RegistryChange(RegistryOp.NEVER_MERGE, entity.id, other=other.id)
    return _registered(proposal, context, (change,), names=())


def dismiss(proposal: Proposal, context: Context) -> Decision:
    """A name that nobody is to be registered under: the owner is not asked about it any more, until they register it.

    Raises:
        DirectiveRefused: nothing that waits names it.
    """
    key = fold(str(proposal.payload["name"]))
    review = context.inbox.anchor_review(key)
    if review is None or review.closed_at is not None:
        raise DirectiveRefused(problem="review.unknown")
    decision = settle(proposal, context, Outcome.COMMITTED, "committed")
    return replace(decision, closes=(ClosedReview(key, None, Level.S3),))


def reclassify(proposal: Proposal, context: Context) -> Decision:
    """A new level or discretion for a memory: for its whole chain, whose highest level holds."""
    payload = proposal.payload
    chain = context.reader.chain_of(MemoryId(str(payload["memory"])))
    if not chain:
        return settle(proposal, context, Outcome.REJECTED, "target.unknown")
    level = Level[str(payload["level"])] if payload.get("level") else None
    discretion = Discretion(str(payload["discretion"])) if payload.get("discretion") else None
    changes = tuple(Reclassification(version.memory.id, level, discretion) for version in chain)
    memories = tuple(version.memory.id for version in chain)
    decision = settle(proposal, context, Outcome.COMMITTED, "committed", memories=memories)
    heads = tuple((version.memory.id, version.state.head) for version in chain)
    return replace(decision, reclassifications=changes, rests_on=replace(decision.rests_on, heads=heads))


HANDLERS: Mapping[Verb, Handler] = {
    Verb.REGISTER: register,
    Verb.ALIAS: alias,
    Verb.MERGE: merge,
    Verb.UNMERGE: unmerge,
    Verb.NEVER_MERGE: never_merge,
    Verb.DISMISS: dismiss,
    Verb.DECLARE: decide,
    Verb.RULE: rule,
    Verb.RECLASSIFY: reclassify,
    Verb.CORRECT: decide,
    Verb.RETRACT: decide,
    Verb.ENROL_PASSKEY: enrol_passkey,
    Verb.WITHDRAW_PASSKEY: withdraw_passkey,
    Verb.OWNER_RESET: owner_reset,
}
"""Every verb's but that of ``confirm``, which carries out another directive."""


def _check_new(proposal: Proposal, context: Context) -> None:
    """A directive is carried out once, whatever the inbox says of its state.

    A child bears its root's proof: it is one only if what it comes from was refused for want of a name.

    Raises:
        DirectiveRefused: it is a directive carried out before, put into the inbox again.
    """
    former = context.reader.outcome_of(proposal.id)
    if former is not None and former.outcome in FINAL:
        raise DirectiveRefused(problem="directive.replayed")
    if proposal.id == proposal.root_id:
        return
    for ancestor in {proposal.root_id, proposal.parent or proposal.root_id}:
        before = context.reader.outcome_of(ancestor)
        if before is None or before.reason != "name.unregistered":
            raise DirectiveRefused(problem="directive.replayed")


def _same_entity(context: Context, name: str, kind: EntityType, *, owner: bool) -> Entity | None:
    """The registered entity that a line means: the owner is one person, whatever the line calls them."""
    registry = context.registry
    if owner and registry.owner is not None:
        if fold(name) not in map(fold, registry.names(registry.owner.id)):
            raise DirectiveRefused(problem="entity.second_owner")
        return registry.owner
    bearers = (
        entity
        for entity in registry.entities.values()
        if entity.type is kind and fold(name) == fold(entity.name)
    )
    return next(bearers, None)


def _fresh_names(context: Context, entity: Entity, names: tuple[str, ...]) -> tuple[str, ...]:
    known = {fold(name) for name in (entity.name, *entity.aliases)}
    return tuple({fold(name): name for name in names if fold(name) not in known}.values())


def _entity(context: Context, proposal: Proposal, argument: str) -> Entity:
    """The one entity that an argument of a directive means."""
    candidates = context.registry.named(str(proposal.payload[argument]))
    if len(candidates) != 1:
        raise DirectiveRefused(problem="entity.ambiguous" if candidates else "entity.unknown", field=argument)
    return candidates[0]


def _registered(
    proposal: Proposal, context: Context, changes: tuple[RegistryChange, ...], *, names: tuple[str, ...]
) -> Decision:
    """Registry entries; the proposals that were refused for want of one of the names are admitted again.

    Raises:
        DirectiveRefused: a change breaks a rule of the registry.
    """
    registry = context.registry
    for change in changes:
        registry = registry.apply(change, registry.seq + 1)
    entity = changes[0].entity
    level = registry.level(entity)
    closes = tuple(ClosedReview(key, entity, level) for key in dict.fromkeys(map(fold, names)))
    decision = settle(proposal, context, Outcome.COMMITTED, "committed", details={"entity": entity})
    return replace(decision, registry=changes, closes=closes)
