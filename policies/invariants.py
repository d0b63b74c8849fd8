"""What must always hold of the ledger's content: asked by verify, by reconciliation, by tests and simulation.

A check takes the ledger and returns findings. ``CHECKS`` is all of them; the chain itself is
``policies.chain``'s, the projection's agreement with the ledger ``policies.projection``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from policies import entries
from policies.decision import PasskeyChange, PasskeyOp, Reclassification, RegistryChange, RegistryOp
from policies.entries import EntryType, StoredEntry
from policies.errors import DirectiveRefused, PasskeyRefused
from policies.lifecycle import FINAL
from policies.passkeys import Passkeys, recheck
from policies.projection import Recorded, may_follow
from policies.terms import (
    ContraRole,
    EntityId,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    OutcomeRecord,
    ProposalId,
    Provenance,
)
from policies.weighty import HELD, declares_health


@dataclass(frozen=True, slots=True)
class Breach:
    """An invariant that does not hold."""

    seq: int
    """The entry that breaks it."""
    invariant: str
    """The name of the check."""
    detail: str
    """A sentence for the owner, without private content."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries, read back, each kind in the order of the chain."""

    memories: tuple[Recorded, ...] = ()
    registry: tuple[tuple[int, RegistryChange], ...] = ()
    reclassifications: tuple[tuple[int, Reclassification], ...] = ()
    outcomes: tuple[tuple[int, OutcomeRecord], ...] = ()
    passkeys: tuple[tuple[int, Instant, PasskeyChange], ...] = ()
    times: tuple[tuple[int, int], ...] = ()
    """Sequence and ``recorded_at`` of every entry."""


def ledger_of(stored: Iterable[StoredEntry]) -> Ledger:
    """The ledger that these entries, in their order, make.

    Raises:
        InvariantBroken: the body of an entry cannot be read (``policies.chain.check_chain`` names it).
    """
    memories: list[Recorded] = []
    registry: list[tuple[int, RegistryChange]] = []
    reclassifications: list[tuple[int, Reclassification]] = []
    outcomes: list[tuple[int, OutcomeRecord]] = []
    passkeys: list[tuple[int, Instant, PasskeyChange]] = []
    times: list[tuple[int, int]] = []
    for one in stored:
        entry = one.entry
        times.append((entry.seq, entry.recorded_at))
        if entry.type is EntryType.MEMORY:
            memories.append(Recorded(entries.memory_of(one), entry.seq))
        elif entry.type is EntryType.REGISTRY:
            registry.append((entry.seq, entries.registry_of(entry)))
        elif entry.type is EntryType.RECLASSIFICATION:
            reclassifications.append((entry.seq, entries.reclassification_of(entry)))
        elif entry.type is EntryType.PASSKEY:
            passkeys.append((entry.seq, entry.recorded_at, entries.passkey_of(entry)))
        else:
            outcomes.append((entry.seq, entries.outcome_of(one)))
    return Ledger(
        tuple(memories),
        tuple(registry),
        tuple(reclassifications),
        tuple(outcomes),
        tuple(passkeys),
        tuple(times),
    )


Check = Callable[[Ledger], Iterator[Breach]]


def time_advances(ledger: Ledger) -> Iterator[Breach]:
    """Record time strictly increases along the chain."""
    before = None
    for seq, at in ledger.times:
        if before is not None and at <= before:
            yield Breach(seq, "time_advances", f"entry {seq} is not later than the one before")
        before = at


def memories_are_unique(ledger: Ledger) -> Iterator[Breach]:
    """A memory is recorded once."""
    seen: set[MemoryId] = set()
    for recorded in ledger.memories:
        if recorded.memory.id in seen:
            yield Breach(recorded.seq, "memories_are_unique", f"{recorded.memory.id} is recorded twice")
        seen.add(recorded.memory.id)


def one_commit_per_root(ledger: Ledger) -> Iterator[Breach]:
    """All memories of one root proposal were recorded side by side, in one commit (G12)."""
    last: dict[ProposalId, int] = {}
    for recorded in ledger.memories:
        root = recorded.memory.root
        if root in last and recorded.seq != last[root] + 1:
            yield Breach(recorded.seq, "one_commit_per_root", f"{root} was committed more than once")
        last[root] = recorded.seq


def final_outcomes_are_final(ledger: Ledger) -> Iterator[Breach]:
    """Nothing follows a final outcome of a proposal (G12)."""
    final: set[ProposalId] = set()
    for seq, record in ledger.outcomes:
        if record.proposal in final:
            yield Breach(seq, "final_outcomes_are_final", f"{record.proposal} was settled before")
        if record.outcome in FINAL:
            final.add(record.proposal)


def outcomes_name_memories(ledger: Ledger) -> Iterator[Breach]:
    """The memories that an outcome names are recorded before it."""
    recorded = {one.memory.id: one.seq for one in ledger.memories}
    for seq, record in ledger.outcomes:
        if any(recorded.get(memory, seq) >= seq for memory in record.memories):
            yield Breach(seq, "outcomes_name_memories", "the outcome names a memory not recorded before")


def chains_are_whole(ledger: Ledger) -> Iterator[Breach]:
    """What a memory supersedes was recorded before it, and might be superseded still."""
    followers: dict[MemoryId, list[ContraRole | None]] = {}
    for recorded in ledger.memories:
        memory = recorded.memory
        if memory.supersedes is not None:
            followed_by = followers.get(memory.supersedes)
            if followed_by is None or not may_follow(followed_by, memory.contra):
                detail = f"{memory.id} supersedes what may not be superseded"
                yield Breach(recorded.seq, "chains_are_whole", detail)
            followers.setdefault(memory.supersedes, []).append(memory.contra)
        followers.setdefault(memory.id, [])


def contra_entries_are_whole(ledger: Ledger) -> Iterator[Breach]:
    """A contra-entry says what it supersedes and how; kind and role agree; nothing follows a retraction."""
    known: dict[MemoryId, Memory] = {}
    for recorded in ledger.memories:
        memory = recorded.memory
        target = known.get(memory.supersedes) if memory.supersedes else None
        if problem := _contra_problem(memory, target):
            yield Breach(recorded.seq, "contra_entries_are_whole", f"{memory.id} {problem}")
        known[memory.id] = memory


def _contra_problem(memory: Memory, target: Memory | None) -> str | None:
    if (memory.supersedes is None) != (memory.contra is None):
        return "supersedes without saying how, or nothing"
    if (memory.kind is Kind.CLOSURE) != (memory.contra is ContraRole.CLOSURE):
        return "is a closure in kind or in role alone"
    if (memory.kind is Kind.RETRACTION) != (memory.contra is ContraRole.RETRACTION):
        return "is a retraction in kind or in role alone"
    if memory.kind is Kind.CLOSURE and (memory.restates is None or memory.valid_to is None):
        return "closes without saying what, or when"
    if memory.contra is ContraRole.SUCCESSION and memory.valid_from is None:
        return "succeeds without saying when"
    if target is None:
        return None
    if target.kind is Kind.RETRACTION:
        return "supersedes a retraction"
    if memory.contra is ContraRole.SUCCESSION and target.kind is not Kind.CLOSURE:
        return "succeeds what is not closed"
    return None


def levels_never_fall(ledger: Ledger) -> Iterator[Breach]:
    """Along a chain neither level nor discretion falls, but by the owner's reclassification before it."""
    now: dict[MemoryId, tuple[int, int]] = {}
    events: list[tuple[int, Recorded | Reclassification]] = [
        *((recorded.seq, recorded) for recorded in ledger.memories),
        *ledger.reclassifications,
    ]
    for seq, event in sorted(events, key=lambda pair: pair[0]):
        if isinstance(event, Reclassification):
            level, discretion = now.get(event.memory, (0, 0))
            now[event.memory] = (
                level if event.level is None else int(event.level),
                discretion if event.discretion is None else event.discretion.rank,
            )
            continue
        memory = event.memory
        own = int(memory.level), memory.discretion.rank
        least = now.get(memory.supersedes, own) if memory.supersedes else own
        if own[0] < least[0] or own[1] < least[1]:
            yield Breach(seq, "levels_never_fall", f"{memory.id} is below what it supersedes")
        now[memory.id] = own


def confidence_within_cap(ledger: Ledger) -> Iterator[Breach]:
    """Confidence is above 0 and within its provenance's cap."""
    for recorded in ledger.memories:
        memory = recorded.memory
        if not 0 < memory.confidence <= memory.provenance.cap:
            yield Breach(recorded.seq, "confidence_within_cap", f"{memory.id} is surer than it may be")


def rules_are_confirmed(ledger: Ledger) -> Iterator[Breach]:
    """A rule is attested by the owner, or was ruled by them (G16)."""
    for recorded in ledger.memories:
        memory = recorded.memory
        if memory.kind is Kind.RULE and memory.provenance is not Provenance.ATTESTED and not memory.ruled:
            yield Breach(
                recorded.seq, "rules_are_confirmed", f"{memory.id} is a rule the owner never confirmed"
            )


def intervals_are_ordered(ledger: Ledger) -> Iterator[Breach]:
    """A valid time ends after it begins."""
    for recorded in ledger.memories:
        begins, ends = recorded.memory.valid_from, recorded.memory.valid_to
        if begins is not None and ends is not None and ends.at <= begins.at:
            yield Breach(recorded.seq, "intervals_are_ordered", f"{recorded.memory.id} ends before it begins")


def anchors_are_registered(ledger: Ledger) -> Iterator[Breach]:
    """Every anchor, and both ends of a relation, were registered before the memory was recorded (G11)."""
    registered = {
        change.entity: seq for seq, change in reversed(ledger.registry) if change.op is RegistryOp.REGISTER
    }
    for recorded in ledger.memories:
        relation = recorded.memory.relation
        ends = (relation.subject, relation.object) if relation else ()
        if any(
            registered.get(anchor, recorded.seq) >= recorded.seq
            for anchor in (*recorded.memory.anchors, *ends)
        ):
            detail = f"{recorded.memory.id} is anchored on what was not registered"
            yield Breach(recorded.seq, "anchors_are_registered", detail)


def passkeys_are_whole(ledger: Ledger) -> Iterator[Breach]:
    """A passkey is enrolled, used and withdrawn in that order; the first by a link that was used once."""
    known = Passkeys()
    for seq, at, change in ledger.passkeys:
        try:
            known = known.apply(change, seq, at)
        except DirectiveRefused as fault:
            yield Breach(seq, "passkeys_are_whole", f"a passkey entry breaks {fault.details['problem']}")


def confirmations_are_signed(ledger: Ledger) -> Iterator[Breach]:
    """What a passkey confirmed bears its signature, and each signature confirms once."""
    known, seen = Passkeys(), set[str]()
    for seq, _, change in ledger.passkeys:
        if change.op is PasskeyOp.CONFIRM:
            try:
                recheck(known, change)
            except PasskeyRefused:
                yield Breach(
                    seq, "confirmations_are_signed", "no passkey signed what is said to be confirmed"
                )
            challenge = change.signed.challenge if change.signed else ""
            if challenge in seen:
                yield Breach(seq, "confirmations_are_signed", "a signature serves a second time")
            seen.add(challenge)
        known = _after(known, change, seq)


def weighty_is_confirmed(ledger: Ledger) -> Iterator[Breach]:
    """While there is a passkey, one of them signed for what is weighty, in the same commit."""
    passkeys = Passkeys()
    levels: dict[MemoryId | EntityId, Level] = {}
    confirmed = False
    events: list[tuple[int, _Event]] = [
        *((recorded.seq, recorded.memory) for recorded in ledger.memories),
        *ledger.registry,
        *ledger.reclassifications,
        *((seq, change) for seq, _, change in ledger.passkeys),
        *ledger.outcomes,
    ]
    for seq, event in sorted(events, key=lambda pair: pair[0]):
        if passkeys.living and not confirmed and _is_weighty(event, levels):
            yield Breach(seq, "weighty_is_confirmed", "no passkey signed for what is weighty")
        # Every commit ends with its outcomes: what was signed for is recorded before them.
        if isinstance(event, OutcomeRecord):
            confirmed = False
        elif isinstance(event, PasskeyChange):
            confirmed = confirmed or event.op is PasskeyOp.CONFIRM
            passkeys = _after(passkeys, event, seq)
        else:
            _note_level(event, levels)


_Event = Memory | RegistryChange | Reclassification | PasskeyChange | OutcomeRecord


def _after(passkeys: Passkeys, change: PasskeyChange, seq: int) -> Passkeys:
    try:
        return passkeys.apply(change, seq, Instant(0))
    except DirectiveRefused:
        return passkeys  # told by ``passkeys_are_whole``


def _is_weighty(event: _Event, levels: dict[MemoryId | EntityId, Level]) -> bool:
    """As ``policies.weighty``, of one entry, by the own level of what it changes."""
    match event:
        case Memory():
            return declares_health([event])
        case PasskeyChange():
            return event.op in HELD
        case (
            Reclassification(memory=changed, level=level)
            | RegistryChange(op=RegistryOp.LEVEL, entity=changed, level=level)
        ):
            return level is not None and level < levels.get(changed, Level.S0)
        case _:
            return False


def _note_level(
    event: Memory | RegistryChange | Reclassification, levels: dict[MemoryId | EntityId, Level]
) -> None:
    changed = (
        event.id
        if isinstance(event, Memory)
        else event.memory
        if isinstance(event, Reclassification)
        else event.entity
    )
    if event.level is not None:
        levels[changed] = event.level


CHECKS: Sequence[Check] = (
    time_advances,
    memories_are_unique,
    one_commit_per_root,
    final_outcomes_are_final,
    outcomes_name_memories,
    chains_are_whole,
    contra_entries_are_whole,
    levels_never_fall,
    confidence_within_cap,
    rules_are_confirmed,
    intervals_are_ordered,
    anchors_are_registered,
    passkeys_are_whole,
    confirmations_are_signed,
    weighty_is_confirmed,
)


def check(ledger: Ledger) -> tuple[Breach, ...]:
    """Everything that does not hold, in the order of ``CHECKS``; empty for a sound ledger."""
    return tuple(breach for one in CHECKS for breach in one(ledger))
