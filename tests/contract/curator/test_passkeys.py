"""Weighty directives: once there is a passkey, each waits for its signature, and nothing else is taken for one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from curator.settle import RunReport
from cypher.committer import Committer
from cypher.keys import read_key
from cypher.machine import machine_key
from cypher.statement import parse_statement
from policies.decision import Decision, PasskeyChange, PasskeyOp, RestsOn, Settlement
from policies.directives import prove
from policies.kept import seal
from policies.lifecycle import InboxState
from policies.machine_links import bind
from policies.passkeys import RelyingParty, challenge_of, verify_assertion
from policies.terms import EntityId, Level, MemoryId, Outcome, OutcomeRecord, Proposal, ProposalId, RunId
from tests.support.authenticator import ORIGIN, RP_ID, Authenticator
from tests.support.clocks import CountingIds
from tests.support.curated import Curated

HEALTH: dict[str, Any] = {"text": "I was diagnosed with type 2 diabetes", "anchors": ["Louis Martin"]}
_REOPEN = parse_statement(
    "reopen_proposal",
    "// As whoever holds the graph's password may.\n// $id: the proposal's\n// $state: what it is to be\n"
    "MATCH (p:Proposal {id: $id}) SET p.state = $state",
)
COMMITTED, REFUSED, WAITS = Outcome.COMMITTED, Outcome.REJECTED, Outcome.NEEDS_OWNER


@pytest.fixture
def engine_name() -> str:
    """One engine: what depends on it, the entries and their order, is tested on each in the ledger's tests."""
    return "arcadedb"


@pytest.fixture
def laptop() -> Authenticator:
    return Authenticator("laptop")


@pytest.fixture
def guarded(store: Curated, laptop: Authenticator) -> Curated:
    """A store with a passkey."""
    store.first_passkey(laptop)
    return store


def told(outcome: OutcomeRecord) -> tuple[Outcome, str]:
    return outcome.outcome, outcome.reason


def living(store: Curated) -> list[str]:
    return [one.name for one in store.reader.passkeys().living]


def waiting(store: Curated, verb: str, **payload: Any) -> ProposalId:
    """Submit what is weighty: it waits, and nothing is done."""
    before = store.reader.chain_end().seq
    submitted = store.submit_directive(verb, **payload)
    store.lane()
    assert told(store.outcome(submitted)) == (WAITS, "directive.passkey")
    assert store.view(submitted).state is InboxState.NEEDS_OWNER
    assert store.reader.chain_end().seq == before + 1, "more than an outcome was recorded"
    return submitted


def everyday(store: Curated) -> MemoryId:
    """A memory of level S1 that needs no passkey."""
    outcome = store.direct(
        "declare", text="My favourite colour is blue", anchors=["Louis Martin"], level="S2"
    )
    return outcome.memories[-1]


def test_without_a_passkey_nothing_waits_for_one(store: Curated) -> None:
    declared = store.direct("declare", **HEALTH)
    assert told(declared) == (COMMITTED, "committed")
    assert store.direct("reclassify", memory=declared.memories[-1], level="S2").outcome is COMMITTED


def test_the_first_passkey_is_enrolled_with_a_link_of_this_machine_once(
    store: Curated, laptop: Authenticator
) -> None:
    link = store.link(laptop)
    assert told(store.direct("enrol_passkey", **laptop.enrolment)) == (REFUSED, "passkey.link")
    assert told(store.direct("enrol_passkey", **laptop.enrolment, link="setup.1.n.0")) == (
        REFUSED,
        "passkey.link",
    )
    late = store.direct("enrol_passkey", **laptop.enrolment, link=store.link(laptop, seconds=30))
    assert told(late) == (REFUSED, "passkey.link")
    assert store.direct("enrol_passkey", **laptop.enrolment, link=link).outcome is COMMITTED
    assert living(store) == ["laptop"]
    assert store.reader.passkeys().living[0].rp_id == "localhost"
    assert store.direct("owner_reset").outcome is COMMITTED
    again = store.direct("enrol_passkey", **laptop.enrolment, link=link)
    assert told(again) == (REFUSED, "passkey.link")
    assert store.curator.verify().ok


def test_a_link_that_was_refused_with_one_passkey_enrols_no_other(
    store: Curated, laptop: Authenticator
) -> None:
    """It lies in the graph, where whoever took over the web process reads it, while it has not expired."""
    link, thief = store.link(laptop), Authenticator("thief")
    malformed = laptop.enrolment | {"public_key": "AAAA"}
    assert told(store.direct("enrol_passkey", **malformed, link=link)) == (REFUSED, "passkey.malformed")
    for found in (link, bind(link, thief.id, thief.public_key)):
        stolen = store.direct("enrol_passkey", **thief.enrolment, link=found)
        assert told(stolen) == (REFUSED, "passkey.link")
    assert store.direct("enrol_passkey", **laptop.enrolment, link=link).outcome is COMMITTED


def test_what_is_no_passkey_is_not_enrolled(store: Curated, laptop: Authenticator) -> None:
    payload = laptop.enrolment | {"public_key": "AAAA"}
    assert told(store.direct("enrol_passkey", **payload, link=store.link(laptop))) == (
        REFUSED,
        "passkey.malformed",
    )
    assert living(store) == []


def test_health_is_declared_once_a_passkey_signed_the_declaration(
    guarded: Curated, laptop: Authenticator
) -> None:
    declared = waiting(guarded, "declare", **HEALTH)
    assert guarded.outcome(declared).details == {"why": "health"}
    confirmation = guarded.confirm(declared, laptop)
    assert told(confirmation) == (COMMITTED, "committed")
    assert guarded.view(declared).state is InboxState.SETTLED
    assert guarded.memory(declared).state.level is Level.S3
    assert guarded.outcome(declared).memories == confirmation.memories
    assert guarded.curator.verify().ok


def test_a_correction_that_tells_health_waits_too(guarded: Curated, laptop: Authenticator) -> None:
    memory = everyday(guarded)
    corrected = waiting(guarded, "correct", id=memory, statement="I have diabetes")
    assert guarded.confirm(corrected, laptop).outcome is COMMITTED
    assert guarded.version(memory).state.ended_by is not None


def test_a_ruling_that_lets_health_in_waits_too(guarded: Curated, laptop: Authenticator) -> None:
    """What was filed under health of one of two Pauls is the owner's to tell apart, and health all the same."""
    guarded.register("Paul Durand")
    paul = guarded.register("Paul Martin")
    declared = guarded.submit_directive("declare", text="Paul collects barometers", domains=["health"])
    guarded.lane()
    assert told(guarded.outcome(declared)) == (WAITS, "name.ambiguous")
    ruled = waiting(guarded, "rule", proposal=declared, ruling="keep-new", anchors=[paul.id])
    assert guarded.confirm(ruled, laptop).outcome is COMMITTED
    assert guarded.memory(declared).memory.anchors == (paul.id,)
    assert guarded.outcome(ruled).outcome is COMMITTED
    assert guarded.curator.verify().ok


def test_a_level_is_lowered_once_a_passkey_signed_it_and_raised_without(
    guarded: Curated, laptop: Authenticator
) -> None:
    memory = everyday(guarded)
    assert guarded.direct("reclassify", memory=memory, level="S3").outcome is COMMITTED
    lowered = waiting(guarded, "reclassify", memory=memory, level="S1")
    assert guarded.version(memory).state.level is Level.S3
    assert guarded.confirm(lowered, laptop).outcome is COMMITTED
    assert guarded.version(memory).state.level is Level.S1
    assert guarded.curator.verify().ok


def test_an_entitys_level_is_lowered_once_a_passkey_signed_it(
    guarded: Curated, laptop: Authenticator
) -> None:
    paul = guarded.register("Paul Durand", level="S3")
    lowered = waiting(guarded, "register", name="Paul Durand", type="person", level="S1")
    assert guarded.confirm(lowered, laptop).outcome is COMMITTED
    assert guarded.reader.registry().level(EntityId(paul.id)) is Level.S1
    assert guarded.curator.verify().ok


def test_later_passkeys_are_signed_by_an_earlier_one_and_so_is_a_withdrawal(
    guarded: Curated, laptop: Authenticator
) -> None:
    phone = Authenticator("phone")
    enrolled = waiting(guarded, "enrol_passkey", **phone.enrolment, link=guarded.link(phone))
    assert guarded.confirm(enrolled, phone).reason == "passkey.refused", "it would vouch for itself"
    assert guarded.confirm(enrolled, laptop).outcome is COMMITTED
    assert living(guarded) == ["laptop", "phone"]
    withdrawn = waiting(guarded, "withdraw_passkey", credential=laptop.id)
    assert guarded.confirm(withdrawn, phone).outcome is COMMITTED
    assert living(guarded) == ["phone"]
    other = waiting(guarded, "declare", **HEALTH)
    assert told(guarded.confirm(other, laptop)) == (REFUSED, "passkey.refused")
    assert guarded.curator.verify().ok


def test_what_names_no_passkey_or_one_that_is_enrolled_is_refused_at_once(
    guarded: Curated, laptop: Authenticator
) -> None:
    assert told(guarded.direct("withdraw_passkey", credential="nobody's")) == (REFUSED, "passkey.unknown")
    assert told(guarded.direct("enrol_passkey", **laptop.enrolment)) == (REFUSED, "passkey.enrolled")


def test_a_reset_at_the_machine_withdraws_them_all(guarded: Curated, laptop: Authenticator) -> None:
    declared = waiting(guarded, "declare", **HEALTH)
    assert guarded.direct("owner_reset").outcome is COMMITTED
    assert living(guarded) == []
    assert told(guarded.confirm(declared, laptop)) == (REFUSED, "passkey.refused")
    assert guarded.direct("declare", **HEALTH).outcome is COMMITTED
    assert guarded.curator.verify().ok


def test_an_answer_that_json_cannot_carry_is_refused_at_once(store: Curated) -> None:
    """Else the curator would meet a fault, and try it for ever."""
    refused = store.direct("confirm", proof="00", proposal="prop:a", assertion={"n": 2**60})
    assert told(refused) == (REFUSED, "argument.invalid")


def test_an_answer_confirms_one_directive_once(guarded: Curated, laptop: Authenticator) -> None:
    declared = waiting(guarded, "declare", **HEALTH)
    other = waiting(guarded, "declare", text="I was diagnosed with asthma", anchors=["Louis Martin"])
    answer = laptop.get(challenge_of(guarded.view(declared).proposal))
    assert told(guarded.direct("confirm", proposal=other, assertion=answer)) == (REFUSED, "passkey.refused")
    assert guarded.view(other).state is InboxState.NEEDS_OWNER
    assert guarded.direct("confirm", proposal=declared, assertion=answer).outcome is COMMITTED
    end = guarded.reader.chain_end().seq
    again = guarded.direct("confirm", proposal=declared, assertion=answer)
    assert told(again) == (REFUSED, "confirmation.closed")
    assert guarded.reader.chain_end().seq == end + 1
    assert guarded.confirm(other, laptop).outcome is COMMITTED


def test_two_confirmations_at_once_carry_it_out_once(guarded: Curated, laptop: Authenticator) -> None:
    declared = waiting(guarded, "declare", **HEALTH)
    answer = laptop.get(challenge_of(guarded.view(declared).proposal))
    both = [guarded.submit_directive("confirm", proposal=declared, assertion=answer) for _ in range(2)]
    guarded.lane()
    assert [guarded.outcome(one).outcome for one in both] == [COMMITTED, REFUSED]
    assert guarded.curator.verify().ok


def test_only_what_waits_for_a_passkey_is_confirmed(guarded: Curated, laptop: Authenticator) -> None:
    memory = everyday(guarded)
    done = guarded.submit_directive("reclassify", memory=memory, level="S3")
    proposed = guarded.remember("Louise collects barometers", anchors=["nobody"])
    guarded.run()
    assert told(guarded.confirm(done, laptop)) == (REFUSED, "confirmation.closed")
    assert told(guarded.confirm(proposed, laptop)) == (REFUSED, "confirmation.unknown")
    unknown = guarded.direct("confirm", proposal="prop:nothing", assertion={})
    assert told(unknown) == (REFUSED, "confirmation.unknown")


def test_a_directive_that_waits_is_dropped_by_a_ruling_and_kept_by_none(
    guarded: Curated, laptop: Authenticator
) -> None:
    declared = waiting(guarded, "declare", **HEALTH)
    for ruling in ("keep-new", "keep-both"):
        assert told(guarded.direct("rule", proposal=declared, ruling=ruling)) == (REFUSED, "ruling.passkey")
    assert guarded.direct("rule", proposal=declared, ruling="reject").outcome is COMMITTED
    assert told(guarded.outcome(declared)) == (REFUSED, "ruled.reject")
    assert told(guarded.confirm(declared, laptop)) == (REFUSED, "confirmation.closed")


def test_what_can_no_longer_be_done_is_told_and_stays(guarded: Curated, laptop: Authenticator) -> None:
    paul = guarded.register("Paul Durand")
    declared = waiting(guarded, "declare", text="Paul was diagnosed with type 2 diabetes")
    guarded.register("Paul Martin")
    assert told(guarded.confirm(declared, laptop)) == (REFUSED, "confirmation.changed")
    assert guarded.view(declared).state is InboxState.NEEDS_OWNER
    assert guarded.reader.versions_about([paul.id], limit=5) == []


def test_what_breaks_a_rule_by_now_is_settled_so(guarded: Curated, laptop: Authenticator) -> None:
    phone = Authenticator("phone")
    first, second = (waiting(guarded, "enrol_passkey", **phone.enrolment) for _ in range(2))
    assert guarded.confirm(first, laptop).outcome is COMMITTED
    assert guarded.confirm(second, laptop).outcome is COMMITTED
    assert told(guarded.outcome(second)) == (REFUSED, "passkey.enrolled")
    assert guarded.curator.verify().ok


def test_the_owners_key_alone_declares_no_health_lowers_no_level_enrols_and_resets_nothing(
    guarded: Curated, laptop: Authenticator
) -> None:
    """What a web process that was taken over holds: the key of the owner's proofs, and all that the inbox says."""
    memory = everyday(guarded)
    guarded.direct("reclassify", memory=memory, level="S3")
    thief = Authenticator("thief")
    attempts = [
        waiting(guarded, "declare", **HEALTH),
        waiting(guarded, "reclassify", memory=memory, level="S0"),
        waiting(guarded, "enrol_passkey", **thief.enrolment),
        waiting(guarded, "withdraw_passkey", credential=laptop.id),
    ]
    genuine = waiting(guarded, "declare", text="I was diagnosed with asthma", anchors=["Louis Martin"])
    answer = laptop.get(challenge_of(guarded.view(genuine).proposal))
    borrowed = Authenticator("thief")
    borrowed.id = laptop.id
    for attempt in attempts:
        assert guarded.confirm(attempt, thief).reason == "passkey.refused"
        assert guarded.confirm(attempt, borrowed).reason == "passkey.refused"
        replayed = guarded.direct("confirm", proposal=attempt, assertion=answer)
        assert replayed.reason == "passkey.refused"
        ruled = guarded.direct("rule", proposal=attempt, ruling="keep-new")
        assert ruled.reason == "ruling.passkey"
        assert guarded.view(attempt).state is InboxState.NEEDS_OWNER
    assert told(forged_reset(guarded)) == (REFUSED, "directive.proof")
    assert living(guarded) == ["laptop"]
    assert guarded.version(memory).state.level is Level.S3


def test_before_any_passkey_the_owners_key_alone_enrols_none_and_resets_nothing(store: Curated) -> None:
    thief = Authenticator("thief")
    assert told(store.direct("enrol_passkey", **thief.enrolment)) == (REFUSED, "passkey.link")
    assert told(forged_reset(store)) == (REFUSED, "directive.proof")
    assert living(store) == []


def forged_reset(store: Curated) -> OutcomeRecord:
    """What becomes of a reset that is proved by the owner's key instead of the machine's."""
    draft = Proposal(ProposalId("prop:forged"), "owner_reset", {}, store.clock.now(), grant=None)
    proof = prove(read_key(store.settings.keys_dir, "owner"), draft)
    store.curator.inbox.submit(replace(draft, proof=proof), key=None, digest="")
    store.lane()
    return store.outcome(draft.id)


def test_a_reset_or_a_declaration_put_into_the_inbox_again_is_not_done_again(
    store: Curated, laptop: Authenticator
) -> None:
    """A child bears its root's proof: whoever can write the inbox could make one of anything done before."""
    reset = store.submit_directive("owner_reset")
    refused = store.remember("Zoe Blanc collects barometers")
    store.run()
    assert store.outcome(refused).reason == "name.unregistered"
    store.first_passkey(laptop)
    first = store.view(reset).proposal
    for name, parent in (("one", reset), ("two", refused)):
        child = replace(first, id=ProposalId(f"prop:{name}"), root=reset, parent=parent)
        store.curator.inbox.submit(child, key=None, digest="")
        store.lane()
        assert told(store.outcome(child.id)) == (REFUSED, "directive.replayed")
    assert living(store) == ["laptop"]


def test_a_decision_made_before_there_was_a_passkey_is_made_again(
    store: Curated, laptop: Authenticator
) -> None:
    declared = store.submit_directive("declare", **HEALTH)
    proposal = store.view(declared).proposal
    decided = store.curator.settler.decide(proposal)
    keep(store, decided)
    kept = store.submit_directive("enrol_passkey", **laptop.enrolment, link=store.link(laptop))
    with store.curator.leadership as lead:
        assert lead.try_take()
        store.curator.settler.settle(lead, store.view(kept).proposal, RunReport(RunId(""), "louis"))
    store.lane()
    assert told(store.outcome(declared)) == (WAITS, "directive.passkey")


def keep(store: Curated, decision: Decision, *, key: bytes | None = None) -> None:
    """Put a decision where the curator keeps those it has made, sealed by its key, or another's."""
    said = TypeAdapter(Decision).dump_json(decision).decode()
    sealed = seal(key or machine_key(store.settings.keys_dir), decision.proposal, said)
    store.curator.committer.store_decision(decision.proposal, sealed)


def forged(store: Curated, proposal: ProposalId, *changes: PasskeyChange) -> Decision:
    """A decision that the curator never made: what commits this at once, were it taken."""
    reader = store.reader
    rests_on = RestsOn(reader.registry().seq, reader.head().seq, passkey_seq=reader.passkeys().seq)
    settled = Settlement(proposal, COMMITTED, "committed", level=Level.S3)
    return Decision(proposal, proposal, rests_on, (settled,), passkeys=changes)


def thiefs(store: Curated, proposal: ProposalId, thief: Authenticator, signer: str) -> Decision:
    """A forged decision that enrols a thief's passkey, as if an earlier one had signed it."""
    signed = PasskeyChange(PasskeyOp.CONFIRM, signer, count=0, proposal=proposal)
    enrolled = PasskeyChange(
        PasskeyOp.ENROL, thief.id, public_key=thief.public_key, name="phone", rp_id="localhost"
    )
    return forged(store, proposal, signed, enrolled)


def test_a_decision_that_the_curator_did_not_make_is_not_carried_out(
    guarded: Curated, laptop: Authenticator
) -> None:
    """A web process that was taken over writes one, whole, where the curator keeps its own."""
    thief = Authenticator("thief")
    one, other = (guarded.submit_directive("enrol_passkey", **thief.enrolment) for _ in range(2))
    decision = thiefs(guarded, one, thief, laptop.id)
    said = TypeAdapter(Decision).dump_json(decision).decode()
    guarded.curator.committer.store_decision(one, said)
    keep(guarded, thiefs(guarded, other, thief, laptop.id), key=read_key(guarded.settings.keys_dir, "owner"))
    guarded.lane()
    assert [told(guarded.outcome(each)) for each in (one, other)] == [(WAITS, "directive.passkey")] * 2
    assert living(guarded) == ["laptop"]
    assert guarded.curator.verify().ok


def test_a_decision_kept_for_one_proposal_is_none_for_another(guarded: Curated) -> None:
    raised = guarded.submit_directive("reclassify", memory=everyday(guarded), level="S3")
    decided = guarded.curator.settler.decide(guarded.view(raised).proposal)
    keep(guarded, decided)
    kept = guarded.curator.committer.stored_decision(raised) or ""
    other = guarded.submit_directive("withdraw_passkey", credential="nobody's")
    guarded.curator.committer.store_decision(other, kept)
    guarded.lane()
    assert told(guarded.outcome(other)) == (REFUSED, "passkey.unknown")
    assert guarded.outcome(raised).outcome is COMMITTED


def test_a_confirmation_that_no_passkey_signed_is_found_in_the_ledger(
    guarded: Curated, laptop: Authenticator
) -> None:
    """Were one to come into the ledger all the same, verify would tell."""
    thief = Authenticator("thief")
    submitted = guarded.submit_directive("enrol_passkey", **thief.enrolment)
    keep(guarded, thiefs(guarded, submitted, thief, laptop.id))
    guarded.lane()
    assert living(guarded) == ["laptop", "phone"], "sealed by the machine's key, it is taken"
    found = guarded.curator.verify()
    assert (found.ok, (found.reason or "").partition(":")[0]) == (False, "confirmations_are_signed")


def test_a_signature_of_another_directive_is_found_in_the_ledger(
    guarded: Curated, laptop: Authenticator
) -> None:
    """The web process holds back what the owner signed, and would have it serve for something else."""
    genuine = waiting(guarded, "declare", **HEALTH)
    challenge = challenge_of(guarded.view(genuine).proposal)
    asserted = verify_assertion(
        guarded.reader.passkeys(),
        laptop.get(challenge),
        challenge=challenge,
        party=RelyingParty(RP_ID, (ORIGIN,)),
    )
    submitted = guarded.submit_directive("withdraw_passkey", credential=laptop.id)
    signed = PasskeyChange(PasskeyOp.CONFIRM, laptop.id, count=0, proposal=submitted, signed=asserted.signed)
    keep(guarded, forged(guarded, submitted, signed, PasskeyChange(PasskeyOp.WITHDRAW, laptop.id)))
    guarded.lane()
    assert living(guarded) == []
    found = guarded.curator.verify()
    assert (found.ok, (found.reason or "").partition(":")[0]) == (False, "confirms_what_was_signed")


def test_a_state_that_was_forged_in_the_inbox_opens_nothing_again(
    guarded: Curated, laptop: Authenticator
) -> None:
    """Whoever holds the graph's password can say that what is settled waits, and lift the ledger's keys."""
    declared = waiting(guarded, "declare", **HEALTH)
    answer = laptop.get(challenge_of(guarded.view(declared).proposal))
    assert guarded.direct("confirm", proposal=declared, assertion=answer).outcome is COMMITTED
    guarded.engine.graph.write(_REOPEN, id=declared, state="needs_owner")
    again = guarded.direct("confirm", proposal=declared, assertion=answer)
    assert told(again) == (REFUSED, "confirmation.closed")
    ruled = guarded.direct("rule", proposal=declared, ruling="reject")
    assert told(ruled) == (REFUSED, "arbitration.closed")


def test_a_reset_that_was_carried_out_is_not_carried_out_again_whatever_its_state(
    guarded: Curated, laptop: Authenticator
) -> None:
    reset = guarded.submit_directive("owner_reset")
    guarded.lane()
    guarded.first_passkey(laptop)
    guarded.engine.graph.write(_REOPEN, id=reset, state="pending")
    decided = guarded.curator.settler.decide(guarded.view(reset).proposal)
    assert told_of(decided) == (REFUSED, "directive.replayed")
    assert decided.passkeys == ()


def told_of(decision: Decision) -> tuple[Outcome, str]:
    return decision.settlements[0].outcome, decision.settlements[0].reason


@pytest.mark.parametrize("link", [None, "n2"])
def test_a_reset_and_a_first_passkey_that_the_curator_did_not_record_are_found_in_the_ledger(
    guarded: Curated, link: str | None
) -> None:
    """Whoever holds the graph's password can append entries that are whole, and that no passkey has to sign."""
    thief = Authenticator("thief")
    submitted = guarded.submit_directive("register", name="Léa Martin", type="person")
    changes = [PasskeyChange(PasskeyOp.RESET, proposal=submitted)]
    if link is not None:
        key = thief.public_key
        enrolled = PasskeyChange(
            PasskeyOp.ENROL, thief.id, public_key=key, name="phone", rp_id="localhost", link=link
        )
        changes = [*changes, enrolled]
    end = guarded.reader.chain_end().seq
    past_the_curator = Committer(guarded.engine.graph, b"o" * 32, CountingIds("thief"))
    lease = past_the_curator.acquire("thief", 1_000_000, guarded.clock.now())
    assert lease is not None
    past_the_curator.commit(lease, forged(guarded, submitted, *changes), guarded.clock.now())
    assert living(guarded) == ([] if link is None else ["phone"])
    found = guarded.curator.verify()
    assert (found.ok, found.first_bad) == (False, end + 1)
