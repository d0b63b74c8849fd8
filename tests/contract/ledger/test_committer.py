"""The commit protocol: one transaction, everything or nothing, once, under the lease."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from cypher.committer import Committer
from cypher.graph import Graph
from cypher.reader import Reader
from cypher.rebuild import compare
from cypher.statement import parse_statement
from policies.decision import (
    ClosedReview,
    Decision,
    NamedUnregistered,
    PasskeyChange,
    PasskeyOp,
    Reclassification,
    RegistryChange,
    RegistryOp,
    RestsOn,
    Settlement,
)
from policies.errors import (
    DecisionStale,
    DirectiveRefused,
    InvariantBroken,
    LedgerConflict,
    MnemoError,
    StaleLease,
)
from policies.lifecycle import InboxState
from policies.passkeys import Passkeys
from policies.terms import (
    ContraRole,
    EntityId,
    EntityType,
    Evidence,
    GrantId,
    Level,
    MemoryId,
    Moment,
    Outcome,
    Precision,
    ProposalId,
    Provenance,
    Relation,
)
from tests.support.clocks import CountingIds
from tests.support.committing import FOREVER_US, Ledger
from tests.support.memories import MACHINE_KEY, PARAMETERS, at, memory, registered

_READ_KEY = parse_statement(
    "read_key", "// A key.\n// $memory: an id\nMATCH (s:State {memory: $memory}) RETURN s.dedup_key AS key"
)
_FORGET_PASSKEYS = parse_statement(
    "forget_passkeys",
    """
    // As a Mnemo without passkeys left it.
    MATCH (h:ChainHead), (p:Published)
    REMOVE h.passkey_seq, p.passkey_seq
    """,
)
_FORGET_HEAD = parse_statement("forget_head", "// As if killed.\nMATCH (p:Published) SET p.seq = 0")
PAUL, ACME = EntityId("ent:paul"), EntityId("ent:acme")
LAPTOP = PasskeyChange(
    PasskeyOp.ENROL, "laptop", public_key="AAAA", name="laptop", rp_id="localhost", link="nonce"
)


def test_a_memory_is_read_back_as_it_was_committed(ledger: Ledger) -> None:
    ledger.register(registered("paul"), registered("acme", EntityType.ORGANISATION))
    whole = memory(
        "whole",
        text="Paul travaille chez Acmé — 日本語 \U0001f680",
        provenance=Provenance.QUOTED,
        confidence=0.75,
        level=Level.S2,
        salience_declared=True,
        valid_from=Moment(at(-10), Precision.MONTH),
        valid_to=Moment(at(10**9), Precision.INSTANT),
        event="acme",
        anchors=(ACME, PAUL),
        domains=("finance", "work"),
        tags=("one", "two"),
        relation=Relation(PAUL, "works_for", ACME),
        proposed_by=GrantId("grant:a"),
        evidence=Evidence("Paul est chez Acmé", "owner", "claude", at(-5)),
    )
    proposal = ledger.submit("whole")
    result = ledger.commit(ledger.decision(proposal, Outcome.COMMITTED, whole), now=at(50))
    version = ledger.reader.versions([whole.id])[whole.id]
    assert version.memory == replace(whole, root=proposal, recorded_at=at(50))
    assert version.state.anchors == (ACME, PAUL)
    assert result.outcome.memories == (whole.id,)
    assert ledger.verify().ok


def test_recorded_time_advances_though_the_clock_goes_back(ledger: Ledger) -> None:
    first = ledger.submit("first")
    ledger.commit(ledger.decision(first, Outcome.COMMITTED, memory("first")), now=at(100))
    second = ledger.submit("second")
    ledger.commit(ledger.decision(second, Outcome.COMMITTED, memory("second")), now=at(5))
    times = [stored.entry.recorded_at for stored in ledger.reader.entries(0, 100)]
    assert times == [at(100), at(100) + 1, at(100) + 2, at(100) + 3]


def test_committing_the_same_decision_again_gives_the_former_result(ledger: Ledger) -> None:
    proposal = ledger.submit("one")
    decision = ledger.decision(proposal, Outcome.COMMITTED, memory("one"), details={"why": "é"})
    first = ledger.commit(decision)
    again = ledger.commit(decision)
    assert (first.repeated, again.repeated) == (False, True)
    assert again.outcome == first.outcome
    assert again.end == first.end
    assert len(ledger.reader.entries(0, 10)) == 2


def test_another_decision_for_a_decided_proposal_changes_nothing(ledger: Ledger) -> None:
    proposal = ledger.submit("one")
    first = ledger.commit(ledger.decision(proposal, Outcome.REJECTED, reason="salience.derived"))
    other = ledger.commit(ledger.decision(proposal, Outcome.COMMITTED, memory("one")))
    assert other.repeated
    assert other.outcome == first.outcome
    assert ledger.reader.versions([MemoryId("mem:one")]) == {}


def test_a_root_commits_one_memory_whoever_proposes_it_again(ledger: Ledger) -> None:
    root = ledger.submit("root")
    ledger.commit(ledger.decision(root, Outcome.COMMITTED, memory("root")))
    child = ledger.inbox.submit(
        replace(ledger.proposal("child"), root=root, parent=root), key=None, digest=""
    )
    with pytest.raises(LedgerConflict):
        ledger.commit(ledger.decision(child, Outcome.COMMITTED, memory("child"), root=root))
    assert ledger.reader.outcome_of(child) is None
    assert ledger.verify().ok


def test_a_failed_commit_leaves_nothing(ledger: Ledger) -> None:
    ledger.remember("one")
    before = ledger.reader.chain_end()
    proposal = ledger.submit("twice")
    with pytest.raises(LedgerConflict):
        ledger.commit(ledger.decision(proposal, Outcome.COMMITTED, memory("new"), memory("one")))
    assert ledger.reader.chain_end() == before
    assert ledger.reader.versions([MemoryId("mem:new")]) == {}
    assert ledger.inbox.view(ids=[proposal], limit=1)[0].state is InboxState.PENDING
    assert compare(ledger.graph, PARAMETERS) == []


def test_a_stale_lease_commits_nothing(ledger: Ledger) -> None:
    proposal = ledger.submit("one")
    decision = ledger.decision(proposal, Outcome.COMMITTED, memory("one"))
    taken = ledger.committer.acquire("other", FOREVER_US, at(10**10))
    assert taken is not None
    with pytest.raises(StaleLease):
        ledger.commit(decision)
    assert ledger.reader.chain_end().seq == 0
    assert ledger.commit(decision, lease=taken).end.seq == 2


def test_the_lease_is_held_renewed_released_and_taken_over(ledger: Ledger) -> None:
    other = Committer(ledger.graph, MACHINE_KEY, CountingIds("other"))
    short = ledger.committer.acquire("tests", 1_000_000, at(1))
    assert short is not None
    assert other.acquire("other", 1_000_000, at(1)) is None
    assert ledger.inbox.curator().holder == "tests"
    assert ledger.inbox.curator().alive_until == at(2)
    longer = ledger.committer.renew(short, at(5))
    assert longer.expires_at == at(6)
    assert other.acquire("other", 1_000_000, at(5)) is None
    ledger.committer.release(longer)
    taken = other.acquire("other", 1_000_000, at(5))
    assert taken is not None
    assert taken.epoch > longer.epoch
    with pytest.raises(StaleLease):
        ledger.committer.renew(longer, at(5))
    with pytest.raises(StaleLease):
        ledger.committer.release(longer)


def test_of_two_curators_that_race_for_a_proposal_one_commits(ledger: Ledger) -> None:
    decisions = [
        ledger.decision(ledger.submit(f"race{i}"), Outcome.COMMITTED, memory(f"race{i}")) for i in range(12)
    ]
    barrier = threading.Barrier(2)

    def commit_all(seed: str) -> list[MnemoError | None]:
        committer = Committer(ledger.graph, MACHINE_KEY, CountingIds(seed))
        failures: list[MnemoError | None] = []
        for decision in decisions:
            barrier.wait()
            try:
                committer.commit(ledger.lease, decision, ledger.now())
                failures.append(None)
            except MnemoError as error:
                failures.append(error)
        return failures

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(commit_all, ("left", "right")))
    assert results == [[None] * 12] * 2
    assert len(ledger.reader.entries(0, 100)) == 24
    assert ledger.verify().ok
    assert compare(ledger.graph, PARAMETERS) == []


def test_a_curator_whose_lease_is_taken_meanwhile_commits_nothing_more(ledger: Ledger) -> None:
    names = [ledger.submit(f"p{i}") for i in range(30)]
    decisions = [ledger.decision(name, Outcome.COMMITTED, memory(name[5:])) for name in names]
    taken = threading.Event()
    after: list[str] = []

    def commit_all() -> None:
        for decision in decisions:
            stolen = taken.is_set()
            try:
                ledger.commit(decision)
            except StaleLease:
                return
            if stolen:
                after.append(decision.proposal)

    worker = threading.Thread(target=commit_all)
    worker.start()
    thief = Committer(ledger.graph, MACHINE_KEY, CountingIds("thief"))
    lease = thief.acquire("thief", FOREVER_US, at(10**10))
    taken.set()
    worker.join()
    assert lease is not None
    assert after == []
    for decision in decisions:
        thief.commit(lease, decision, ledger.now())
    assert len(ledger.reader.entries(0, 100)) == 60
    assert ledger.verify().ok


def test_a_decision_made_before_the_registry_changed_is_stale(ledger: Ledger) -> None:
    proposal = ledger.submit("one")
    decision = ledger.decision(proposal, Outcome.COMMITTED, memory("one"))
    ledger.register(registered("paul"))
    with pytest.raises(DecisionStale):
        ledger.commit(decision)


def test_a_decision_made_before_the_passkeys_changed_is_stale(ledger: Ledger) -> None:
    decision = ledger.decision(ledger.submit("a"), Outcome.COMMITTED, memory("a"))
    ledger.direct("first", passkeys=(LAPTOP,))
    with pytest.raises(DecisionStale):
        ledger.commit(decision)
    ledger.commit(ledger.decision(decision.proposal, Outcome.COMMITTED, memory("a")))


def test_passkeys_are_folded_from_their_entries_as_each_is_published(ledger: Ledger) -> None:
    assert ledger.reader.passkeys() == Passkeys()
    ledger.direct("first", passkeys=(LAPTOP,))
    first = ledger.reader.passkeys()
    assert ledger.reader.passkeys() is first
    signed = PasskeyChange(PasskeyOp.CONFIRM, "laptop", count=3, proposal=ProposalId("prop:second"))
    ledger.direct("second", passkeys=(signed, replace(LAPTOP, credential="phone", name="phone", link=None)))
    second = ledger.reader.passkeys()
    assert [(one.name, one.count) for one in second.living] == [("laptop", 3), ("phone", 0)]
    assert second.seq == ledger.reader.head().passkey_seq == 4
    ledger.direct("reset", passkeys=(PasskeyChange(PasskeyOp.RESET),))
    assert ledger.reader.passkeys().living == ()
    assert Reader(ledger.graph).passkeys() == ledger.reader.passkeys()
    assert compare(ledger.graph, PARAMETERS) == []
    assert ledger.verify().ok


def test_a_ledger_that_never_heard_of_passkeys_has_none(ledger: Ledger, graph: Graph) -> None:
    ledger.remember("one")
    graph.write(_FORGET_PASSKEYS)
    assert (ledger.reader.head().passkey_seq, ledger.reader.passkeys()) == (0, Passkeys())
    ledger.remember("two")
    ledger.direct("first", passkeys=(LAPTOP,))
    assert [one.name for one in ledger.reader.passkeys().living] == ["laptop"]


def test_a_decision_whose_target_was_superseded_is_stale(ledger: Ledger) -> None:
    ledger.remember("old")
    old = MemoryId("mem:old")
    proposal = ledger.submit("late")
    correction = memory("late", supersedes=old, contra=ContraRole.CORRECTION)
    decision = ledger.decision(proposal, Outcome.COMMITTED, correction)
    decision = replace(decision, rests_on=replace(decision.rests_on, heads=((old, old),)))
    ledger.remember("quick", supersedes=old, contra=ContraRole.CORRECTION)
    with pytest.raises(DecisionStale):
        ledger.commit(decision)


def test_a_decision_is_stale_once_something_near_it_was_recorded(ledger: Ledger) -> None:
    ledger.register(registered("paul"), registered("acme", EntityType.ORGANISATION))
    head = ledger.reader.head()
    near = RestsOn(head.registry_seq, head.seq, anchors=(PAUL,))
    ledger.remember("elsewhere", anchors=(ACME,))
    first = ledger.decision(ledger.submit("first"), Outcome.COMMITTED, memory("first", anchors=(PAUL,)))
    ledger.commit(replace(first, rests_on=near))
    second = ledger.decision(ledger.submit("second"), Outcome.COMMITTED, memory("second", anchors=(PAUL,)))
    with pytest.raises(DecisionStale):
        ledger.commit(replace(second, rests_on=near))
    key = ledger.graph.read(_READ_KEY, memory="mem:first")[0]["key"]
    same = RestsOn(head.registry_seq, head.seq, dedup_keys=(key,))
    with pytest.raises(DecisionStale):
        ledger.commit(replace(second, rests_on=same))


def test_a_version_is_superseded_once_whatever_the_decision_rested_on(ledger: Ledger) -> None:
    ledger.remember("old")
    ledger.remember("quick", supersedes=MemoryId("mem:old"), contra=ContraRole.CORRECTION)
    late = memory("late", supersedes=MemoryId("mem:old"), contra=ContraRole.CORRECTION)
    decision = ledger.decision(ledger.submit("late"), Outcome.COMMITTED, late)
    with pytest.raises(MnemoError):
        ledger.commit(decision)
    assert ledger.reader.versions([MemoryId("mem:late")]) == {}


def test_a_change_that_the_registry_refuses_is_not_committed(ledger: Ledger) -> None:
    ledger.register(registered("paul"))
    with pytest.raises(DirectiveRefused):
        ledger.register(registered("paul"))
    assert ledger.reader.registry().seq == 1


def test_a_decision_must_settle_its_own_proposal_with_an_outcome_of_the_ledger(ledger: Ledger) -> None:
    one, two = ledger.submit("one"), ledger.submit("two")
    decision = ledger.decision(one, Outcome.COMMITTED, memory("one"))
    others = (Settlement(two, Outcome.REJECTED, "x"),)
    for wrong in (
        replace(decision, settlements=others),
        replace(decision, settlements=(*decision.settlements, *decision.settlements)),
        replace(decision, settlements=(Settlement(ProposalId("prop:none"), Outcome.REJECTED, "x"),)),
        ledger.decision(one, Outcome.ERROR),
    ):
        with pytest.raises(InvariantBroken):
            ledger.commit(wrong)
    assert ledger.reader.chain_end().seq == 0


def test_a_ruling_settles_its_arbitration_too(ledger: Ledger) -> None:
    arbitration = ledger.submit("arbitration")
    ledger.commit(ledger.decision(arbitration, Outcome.NEEDS_OWNER, reason="conflict"))
    assert ledger.inbox.view(state=InboxState.NEEDS_OWNER, limit=5)[0].proposal.id == arbitration
    ruling = ledger.submit("ruling", grant=None)
    kept = replace(memory("kept"), root=arbitration)
    decision = Decision(
        ruling,
        ruling,
        RestsOn(0, 0),
        (
            Settlement(ruling, Outcome.COMMITTED, "committed"),
            Settlement(arbitration, Outcome.COMMITTED, "committed", memories=(kept.id,)),
        ),
        memories=(kept,),
    )
    ledger.commit(decision)
    settled = ledger.inbox.view(ids=[arbitration], limit=1)[0]
    assert settled.state is InboxState.SETTLED
    assert settled.outcome is not None
    assert settled.outcome.memories == (kept.id,)
    second = ledger.submit("second", grant=None)
    with pytest.raises(DecisionStale):
        ledger.commit(
            replace(
                decision,
                proposal=second,
                root=second,
                settlements=(Settlement(second, Outcome.COMMITTED, "committed"), decision.settlements[1]),
                memories=(),
            )
        )


def test_a_registration_takes_up_again_what_waited_for_it(ledger: Ledger) -> None:
    marie = NamedUnregistered("Marie", "marie", EntityType.PERSON)
    jean = NamedUnregistered("Jean", "jean", None)
    for name, named in (("one", (marie,)), ("two", (marie, jean)), ("three", (jean,))):
        ledger.settle(name, Outcome.REJECTED, reason="anchor.unregistered", unregistered=named)
    closes = (ClosedReview("marie", EntityId("ent:marie"), Level.S0),)
    result = ledger.direct("register marie", registry=(registered("marie"),), closes=closes)
    children = ledger.committer.pending(ledger.now(), 10)
    assert sorted(result.children) == sorted(child.id for child in children)
    assert [child.root for child in children] == ["prop:one", "prop:two"]
    assert [child.parent for child in children] == ["prop:one", "prop:two"]
    assert children[0].payload == {"statement": "Statement of one"}
    assert (
        children[0].submitted_at
        == ledger.inbox.view(ids=[children[0].root_id], limit=1)[0].proposal.submitted_at
    )
    reviews = {review.key: review for review in ledger.inbox.anchor_reviews(limit=10)}
    assert reviews["marie"].entity == "ent:marie"
    assert reviews["marie"].closed_at is not None
    assert reviews["jean"].closed_at is None
    # The line of "two" is open again: the registration of its other name does not open it twice.
    closes = (ClosedReview("jean", EntityId("ent:jean"), Level.S0),)
    result = ledger.direct("register jean", registry=(registered("jean"),), closes=closes)
    assert [
        child.root for child in ledger.inbox.view(ids=result.children, limit=5) for child in [child.proposal]
    ] == ["prop:three"]
    child = children[0]
    ledger.commit(ledger.decision(child.id, Outcome.COMMITTED, memory("child"), root=child.root_id))
    again = ledger.direct(
        "register marie again", closes=(ClosedReview("marie", EntityId("ent:marie"), Level.S0),)
    )
    assert again.children == ()


def test_what_a_tool_may_not_know_the_name_of_stays_refused(ledger: Ledger) -> None:
    marie = NamedUnregistered("Marie", "marie", EntityType.PERSON)
    ledger.settle("one", Outcome.REJECTED, reason="anchor.unregistered", unregistered=(marie,))
    above = Level(ledger.inbox.view(limit=1)[0].proposal.grant_level + 1)
    closes = (ClosedReview("marie", EntityId("ent:marie"), above),)
    assert ledger.direct("register marie", registry=(registered("marie"),), closes=closes).children == ()


def test_every_kind_of_entry_stands_in_one_chain(ledger: Ledger) -> None:
    ledger.register(registered("paul"))
    ledger.remember("one", anchors=(PAUL,))
    ledger.direct("raise", reclassifications=(Reclassification(MemoryId("mem:one"), Level.S3),))
    ledger.direct("level", registry=(RegistryChange(RegistryOp.LEVEL, PAUL, level=Level.S2),))
    ledger.direct("passkey", passkeys=(LAPTOP,))
    types = [stored.entry.type for stored in ledger.reader.all_entries()]
    assert types == [
        "registry", "outcome", "memory", "outcome", "reclassification", "outcome", "registry", "outcome",
        "passkey", "outcome",
    ]  # fmt: skip
    assert ledger.verify().ok


def test_a_decision_is_kept_until_it_is_asked_for(ledger: Ledger) -> None:
    proposal = ledger.submit("one")
    assert ledger.committer.stored_decision(proposal) is None
    ledger.committer.store_decision(proposal, '{"a":"é"}')
    assert ledger.committer.stored_decision(proposal) == '{"a":"é"}'
    assert ledger.committer.stored_decision(ProposalId("prop:none")) is None


def test_followers_hear_of_a_commit_that_was_not_told_when_the_next_curator_begins(
    ledger: Ledger, graph: Graph
) -> None:
    ledger.remember("one")
    published = ledger.reader.head()
    graph.write(_FORGET_HEAD)
    assert ledger.reader.head() != published
    ledger.committer.acquire("tests", FOREVER_US, at(5))
    assert ledger.reader.head() == published
