"""Each invariant finds its own breach, and a sound ledger has none."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from policies.chain import GENESIS, Head, head_after, link
from policies.decision import PasskeyChange, PasskeyOp, Reclassification, RegistryChange, RegistryOp, Signed
from policies.entries import (
    EntryType,
    StoredEntry,
    memory_body,
    outcome_body,
    passkey_body,
    reclassification_body,
    registry_body,
    sealed_memory,
    sealed_outcome,
)
from policies.invariants import CHECKS, Ledger, check, ledger_of
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    Instant,
    Kind,
    Level,
    Memory,
    MemoryId,
    Outcome,
    OutcomeRecord,
    ProposalId,
    Provenance,
    Relation,
)
from tests.support.authenticator import Authenticator, b64
from tests.support.memories import at, memory, moment, registered

PAUL, ANNE = EntityId("ent:Paul"), EntityId("ent:Anne")
Event = Memory | RegistryChange | Reclassification | PasskeyChange | OutcomeRecord


def entries(*events: Event) -> list[StoredEntry]:
    """The chain that these events make, recorded a second apart."""
    head: Head = GENESIS
    written: list[StoredEntry] = []
    for second, event in enumerate(events):
        if isinstance(event, Memory):
            kind, subject, body, sealed = (
                EntryType.MEMORY,
                event.id,
                memory_body(event, "s"),
                sealed_memory(event),
            )
        elif isinstance(event, RegistryChange):
            kind, subject, body, sealed = (
                EntryType.REGISTRY,
                event.entity,
                registry_body(event),
                dict[str, str](),
            )
        elif isinstance(event, Reclassification):
            kind, subject = EntryType.RECLASSIFICATION, event.memory
            body, sealed = reclassification_body(event), dict[str, str]()
        elif isinstance(event, PasskeyChange):
            kind, subject = EntryType.PASSKEY, event.credential
            body, sealed = passkey_body(event), dict[str, str]()
        else:
            kind, subject = EntryType.OUTCOME, event.proposal
            body, sealed = outcome_body(event, "s"), sealed_outcome(event)
        entry = link(head, kind, subject, body, at(second))
        written.append(StoredEntry(entry, "s", sealed))
        head = head_after(entry)
    return written


def breaches(*events: Event) -> list[tuple[int, str]]:
    return [(breach.seq, breach.invariant) for breach in check(ledger_of(entries(*events)))]


def superseding(name: str, target: str, role: ContraRole, **fields: Any) -> Memory:
    return memory(name, supersedes=MemoryId(f"mem:{target}"), contra=role, **fields)


def outcome(name: str, result: Outcome = Outcome.COMMITTED, *memories: str) -> OutcomeRecord:
    return OutcomeRecord(
        ProposalId(f"prop:{name}"), result, "r", at(0), tuple(MemoryId(f"mem:{m}") for m in memories)
    )


CLOSED: dict[str, Any] = {"kind": Kind.CLOSURE, "restates": Kind.FACT, "valid_to": moment(9)}
ROOT = ProposalId("prop:root")


def test_a_sound_ledger_has_no_breach() -> None:
    assert breaches() == []
    assert (
        breaches(
            registered("Paul"),
            registered("Anne"),
            memory("a", anchors=(PAUL,), relation=Relation(PAUL, "knows", ANNE), level=Level.S1),
            outcome("a", Outcome.COMMITTED, "a"),
            outcome("dup", Outcome.NEEDS_OWNER),
            outcome("dup", Outcome.DUPLICATE, "a"),
            superseding("c", "a", ContraRole.CLOSURE, root=ROOT, level=Level.S1, **CLOSED),
            superseding("n", "c", ContraRole.SUCCESSION, root=ROOT, level=Level.S2, valid_from=moment(9)),
            Reclassification(MemoryId("mem:n"), level=Level.S0, discretion=Discretion.OPEN),
            superseding("k", "n", ContraRole.CORRECTION),
            superseding("r", "k", ContraRole.RETRACTION, kind=Kind.RETRACTION),
            memory("rule", kind=Kind.RULE, provenance=Provenance.ATTESTED),
            memory("ruled", kind=Kind.RULE, ruled=True),
        )
        == []
    )


def test_record_time_that_stands_still_is_found() -> None:
    first, second = entries(memory("a"), memory("b"))
    frozen = replace(second, entry=replace(second.entry, recorded_at=first.entry.recorded_at))
    assert [b.invariant for b in check(ledger_of([first, frozen]))] == ["time_advances"]
    assert Ledger(times=((1, Instant(5)), (2, Instant(6)))).memories == ()


def test_a_memory_recorded_twice_is_found() -> None:
    again = memory("a", root=ProposalId("prop:other"))
    assert breaches(memory("a"), again) == [(2, "memories_are_unique")]


def test_a_root_committed_twice_is_found() -> None:
    assert breaches(memory("a", root=ROOT), memory("b", root=ROOT)) == []
    assert breaches(memory("a", root=ROOT), outcome("x"), memory("b", root=ROOT)) == [
        (3, "one_commit_per_root")
    ]


def test_an_outcome_after_a_final_one_is_found() -> None:
    assert breaches(outcome("a"), outcome("a", Outcome.REJECTED)) == [(2, "final_outcomes_are_final")]
    assert breaches(outcome("a", Outcome.ERROR), outcome("a")) == []


def test_an_outcome_that_names_what_is_not_recorded_is_found() -> None:
    assert breaches(outcome("a", Outcome.COMMITTED, "nowhere")) == [(1, "outcomes_name_memories")]
    assert breaches(outcome("a", Outcome.COMMITTED, "a"), memory("a")) == [(1, "outcomes_name_memories")]


def test_a_second_successor_is_found() -> None:
    assert breaches(
        memory("a"),
        superseding("b", "a", ContraRole.CORRECTION),
        superseding("c", "a", ContraRole.CORRECTION),
    ) == [(3, "chains_are_whole")]
    assert breaches(superseding("b", "a", ContraRole.CORRECTION)) == [(1, "chains_are_whole")]


def test_what_was_closed_and_succeeded_may_be_corrected_once() -> None:
    corrected = (
        memory("a"),
        superseding("c", "a", ContraRole.CLOSURE, **CLOSED),
        superseding("n", "c", ContraRole.SUCCESSION, valid_from=moment(9)),
        superseding("k", "c", ContraRole.CORRECTION),
    )
    assert breaches(*corrected) == []
    again = superseding("l", "c", ContraRole.CORRECTION)
    assert breaches(*corrected, again) == [(5, "chains_are_whole")]


@pytest.mark.parametrize(
    "contra",
    [
        memory("b", supersedes=MemoryId("mem:a")),
        superseding("b", "a", ContraRole.CLOSURE, restates=Kind.FACT, valid_to=moment(9)),
        superseding("b", "a", ContraRole.CORRECTION, **CLOSED),
        superseding("b", "a", ContraRole.CLOSURE, kind=Kind.CLOSURE, valid_to=moment(9)),
        superseding("b", "a", ContraRole.CLOSURE, kind=Kind.CLOSURE, restates=Kind.FACT),
        superseding("b", "a", ContraRole.RETRACTION),
        superseding("b", "a", ContraRole.CORRECTION, kind=Kind.RETRACTION),
        superseding("b", "a", ContraRole.SUCCESSION),
        superseding("b", "a", ContraRole.SUCCESSION, valid_from=moment(9)),
    ],
)
def test_a_contra_entry_that_is_not_whole_is_found(contra: Memory) -> None:
    assert breaches(memory("a"), contra) == [(2, "contra_entries_are_whole")]


def test_a_role_without_target_and_what_follows_a_retraction_are_found() -> None:
    assert breaches(memory("a", contra=ContraRole.CORRECTION)) == [(1, "contra_entries_are_whole")]
    assert breaches(
        memory("a"),
        superseding("r", "a", ContraRole.RETRACTION, kind=Kind.RETRACTION),
        superseding("b", "r", ContraRole.CORRECTION),
    ) == [(3, "contra_entries_are_whole")]


@pytest.mark.parametrize("above", [{"level": Level.S2}, {"discretion": Discretion.ON_DEMAND}])
def test_a_level_or_discretion_that_falls_is_found(above: dict[str, Any]) -> None:
    fallen = superseding("b", "a", ContraRole.CORRECTION)
    assert breaches(memory("a", **above), fallen) == [(2, "levels_never_fall")]
    raised = Reclassification(MemoryId("mem:a"), **above)
    assert breaches(memory("a"), raised, fallen) == [(3, "levels_never_fall")]


@pytest.mark.parametrize("confidence", [0.0, 0.51])
def test_a_confidence_above_its_cap_or_without_any_is_found(confidence: float) -> None:
    assert breaches(memory("a", confidence=confidence)) == [(1, "confidence_within_cap")]


def test_a_rule_that_the_owner_never_confirmed_is_found() -> None:
    assert breaches(memory("a", kind=Kind.RULE)) == [(1, "rules_are_confirmed")]


def test_a_reversed_interval_is_found() -> None:
    reversed_ = memory("a", valid_from=moment(9), valid_to=moment(9))
    assert breaches(reversed_, memory("b", valid_from=moment(9))) == [(1, "intervals_are_ordered")]


def test_an_anchor_or_an_end_of_a_relation_that_was_not_registered_is_found() -> None:
    found = [(1, "anchors_are_registered")]
    assert breaches(memory("a", anchors=(PAUL,), level=Level.S1), registered("Paul")) == found
    assert breaches(memory("a", relation=Relation(PAUL, "knows", ANNE))) == found
    aliased = RegistryChange(RegistryOp.ALIAS, PAUL, aliases=("P",))
    assert breaches(registered("Paul"), memory("a", anchors=(PAUL,)), aliased) == []


def enrolled(name: str, link: str | None = None) -> PasskeyChange:
    one = Authenticator(name)
    return PasskeyChange(
        PasskeyOp.ENROL, one.id, public_key=one.public_key, name=name, rp_id="localhost", link=link
    )


def confirms(proposal: str, by: str = "laptop") -> PasskeyChange:
    one, challenge = Authenticator(by), hashlib.sha256(proposal.encode()).digest()
    said = one.get(challenge)["response"]
    signed = Signed(b64(challenge), said["clientDataJSON"], said["authenticatorData"], said["signature"])
    named = ProposalId(f"prop:{proposal}")
    return PasskeyChange(PasskeyOp.CONFIRM, one.id, count=0, proposal=named, signed=signed)


FIRST = (enrolled("laptop", "n1"), outcome("first"))
SIGNED = confirms("w")
HEALTH: dict[str, Any] = {"domains": ("health",), "provenance": Provenance.ATTESTED}
LOWERED = Reclassification(MemoryId("mem:a"), level=Level.S0)
WEIGHTY: list[Event] = [
    memory("h", **HEALTH),
    LOWERED,
    RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S0),
    enrolled("phone"),
    PasskeyChange(PasskeyOp.WITHDRAW, Authenticator("laptop").id),
]
BEFORE: tuple[Event, ...] = (registered("Paul", level=Level.S1), memory("a", level=Level.S1), outcome("a"))


@pytest.mark.parametrize("event", WEIGHTY)
def test_what_is_weighty_without_a_signature_in_its_commit_is_found(event: Event) -> None:
    assert breaches(*BEFORE, *FIRST, SIGNED, event, outcome("w")) == []
    assert breaches(*BEFORE, *FIRST, event, outcome("w")) == [(6, "weighty_is_confirmed")]
    earlier = (confirms("b"), memory("b"), outcome("b"))
    assert breaches(*BEFORE, *FIRST, *earlier, event, outcome("w")) == [(9, "weighty_is_confirmed")]


def test_while_there_is_no_passkey_nothing_needs_a_signature() -> None:
    assert breaches(*BEFORE, memory("h", **HEALTH), LOWERED, outcome("w")) == []
    reset = PasskeyChange(PasskeyOp.RESET)
    assert breaches(*BEFORE, *FIRST, reset, outcome("r"), LOWERED, outcome("w")) == []


def test_what_is_not_weighty_needs_no_signature() -> None:
    raised = Reclassification(MemoryId("mem:a"), level=Level.S3)
    told = Reclassification(MemoryId("mem:a"), discretion=Discretion.OPEN)
    alias = RegistryChange(RegistryOp.ALIAS, PAUL, aliases=("Polo",))
    assert breaches(*BEFORE, *FIRST, raised, told, alias, memory("b"), outcome("w")) == []


@pytest.mark.parametrize(
    "broken",
    [
        (enrolled("laptop"),),
        (*FIRST, SIGNED, enrolled("laptop")),
        (PasskeyChange(PasskeyOp.WITHDRAW, Authenticator("laptop").id),),
    ],
)
def test_a_passkey_entry_that_breaks_a_rule_is_found(broken: tuple[Event, ...]) -> None:
    assert breaches(*broken, outcome("w")) == [(len(broken), "passkeys_are_whole")]


@pytest.mark.parametrize(
    "forged",
    [
        replace(SIGNED, signed=None),
        replace(SIGNED, signed=confirms("w", by="stranger").signed),
        replace(SIGNED, signed=replace(SIGNED.signed or Signed("", "", "", ""), challenge=b64(b"another"))),
    ],
)
def test_a_confirmation_that_no_passkey_signed_is_found(forged: PasskeyChange) -> None:
    assert breaches(*BEFORE, *FIRST, forged, LOWERED, outcome("w")) == [(6, "confirmations_are_signed")]


def test_a_confirmation_by_a_passkey_that_is_not_living_is_found() -> None:
    found = [(3, "passkeys_are_whole"), (3, "confirmations_are_signed")]
    assert breaches(*FIRST, confirms("w", by="phone"), outcome("w")) == found


def test_a_signature_that_serves_again_is_found() -> None:
    again = replace(SIGNED, proposal=ProposalId("prop:x"))
    found = breaches(*BEFORE, *FIRST, SIGNED, outcome("w"), again, LOWERED, outcome("x"))
    assert found == [(8, "confirmations_are_signed")]


def test_every_check_is_listed_and_told_apart() -> None:
    assert len({one.__name__ for one in CHECKS}) == len(CHECKS) == 15
    assert check(Ledger()) == ()
