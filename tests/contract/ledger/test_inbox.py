"""The inbox: nothing acknowledged is lost, a key names one proposal, each tool sees its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from cypher.graph import Graph
from cypher.inbox import Inbox
from policies.decision import ClosedReview, NamedUnregistered
from policies.errors import InboxFull, KeyConflict
from policies.lifecycle import InboxState
from policies.parameters import parameters
from policies.terms import EntityId, EntityType, GrantId, Level, Outcome, Proposal, ProposalId, RunId
from tests.support.committing import FOREVER_US, Ledger
from tests.support.memories import at, memory

A, B = GrantId("grant:a"), GrantId("grant:b")


def ids(proposals: list[Proposal]) -> list[str]:
    return [one.id.removeprefix("prop:") for one in proposals]


def test_a_proposal_is_read_back_as_it_was_submitted(ledger: Ledger) -> None:
    whole = ledger.proposal(
        "whole",
        payload={"statement": "é 日本語", "n": 1, "half": 0.5, "deep": {"list": [None, True]}},
        grant_name="Claude",
        grant_level=Level.S2,
        grant_domains=("work",),
        language="fr",
        root=ProposalId("prop:root"),
        parent=ProposalId("prop:root"),
    )
    bare = ledger.proposal("bare", grant=None, proof="mac")
    for one in (whole, bare):
        ledger.inbox.submit(one, key=None, digest="")
    views = ledger.inbox.view(limit=10)
    assert [(view.proposal, view.state, view.outcome) for view in views] == [
        (bare, InboxState.PENDING, None),
        (whole, InboxState.PENDING, None),
    ]
    assert ledger.committer.pending(ledger.now(), 10) == [bare, whole]


def test_one_key_names_one_proposal_for_ever(ledger: Ledger) -> None:
    first = ledger.submit("first", key="k", digest="d")
    assert ledger.submit("again", key="k", digest="d") == first
    ledger.commit(ledger.decision(first, Outcome.REJECTED))
    assert ledger.submit("later", key="k", digest="d") == first
    with pytest.raises(KeyConflict):
        ledger.submit("other", key="k", digest="e")
    assert ids([view.proposal for view in ledger.inbox.view(limit=10)]) == ["first"]


def test_keys_of_other_grants_and_actions_and_no_keys_are_other_proposals(ledger: Ledger) -> None:
    ledger.submit("one", key="k", digest="d")
    ledger.submit("two", key="l", digest="d")
    ledger.submit("three", key="k", digest="e", grant="b")
    ledger.submit("four", key="k", digest="e", action="correct")
    ledger.submit("five", digest="d")
    ledger.submit("six", digest="d")
    assert len(ledger.inbox.view(limit=10)) == 6


def test_one_key_used_at_once_by_many_makes_one_proposal(ledger: Ledger) -> None:
    drafts = [ledger.proposal(f"p{i}") for i in range(12)]

    def submit(draft: Proposal) -> ProposalId:
        return ledger.inbox.submit(draft, key="k", digest="d")

    with ThreadPoolExecutor(6) as pool:
        answers = set(pool.map(submit, drafts))
    assert len(answers) == 1
    assert [view.proposal.id for view in ledger.inbox.view(limit=20)] == list(answers)


def test_submitting_the_same_proposal_again_changes_nothing(ledger: Ledger) -> None:
    draft = ledger.proposal("one")
    assert ledger.inbox.submit(draft, key=None, digest="") == draft.id
    ledger.commit(ledger.decision(draft.id, Outcome.REJECTED))
    assert ledger.inbox.submit(draft, key=None, digest="") == draft.id
    assert ledger.inbox.view(limit=10)[0].state is InboxState.SETTLED


def test_a_grant_has_a_bound_of_pending_proposals_and_the_owner_none(graph: Graph, ledger: Ledger) -> None:
    inbox = Inbox(graph, parameters({"limits": {"pending_per_grant": 3}}))
    for i in range(3):
        inbox.submit(ledger.proposal(f"p{i}"), key=f"k{i}", digest="")
    with pytest.raises(InboxFull):
        inbox.submit(ledger.proposal("p3"), key="k3", digest="")
    assert inbox.submit(ledger.proposal("again"), key="k0", digest="") == "prop:p0"
    inbox.submit(ledger.proposal("other", grant="b"), key=None, digest="")
    for i in range(5):
        inbox.submit(ledger.proposal(f"d{i}", grant=None), key=None, digest="")
    ledger.commit(ledger.decision(ProposalId("prop:p0"), Outcome.NEEDS_OWNER))
    inbox.submit(ledger.proposal("p3"), key="k3", digest="")
    assert len(inbox.view(grant=A, limit=10)) == 4


def test_directives_come_first_then_the_tools_in_turn(ledger: Ledger) -> None:
    for name, grant in (
        ("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("c1", "c"), ("b2", "b"), ("d1", None), ("d2", None),
    ):  # fmt: skip
        ledger.submit(name, grant=grant)
    pending = ledger.committer.pending
    assert ids(pending(ledger.now(), 20)) == ["d1", "d2", "a1", "b1", "c1", "a2", "b2", "a3"]
    assert ids(pending(ledger.now(), 4)) == ["d1", "d2", "a1", "b1"]
    for name in ("d1", "d2", "a1"):
        ledger.commit(ledger.decision(ProposalId(f"prop:{name}"), Outcome.REJECTED))
    # Batches of one are fair too: whoever was served last comes last.
    turns: list[str] = []
    while found := pending(ledger.now(), 1):
        turns += ids(found)
        ledger.commit(ledger.decision(found[0].id, Outcome.REJECTED))
    assert turns == ["b1", "c1", "a2", "b2", "a3"]


def test_a_postponed_proposal_waits_for_its_time_and_shows_its_error(ledger: Ledger) -> None:
    proposal = ledger.submit("one")
    ledger.committer.postpone(proposal, "classifier.unavailable", at(100), at(50))
    assert ledger.committer.pending(at(99), 10) == []
    again = ledger.committer.pending(at(100), 10)
    assert [(one.id, one.attempts) for one in again] == [(proposal, 1)]
    view = ledger.inbox.view(state=InboxState.RETRYING, limit=10)[0]
    assert view.outcome is not None
    assert (view.outcome.outcome, view.outcome.reason) == (Outcome.ERROR, "classifier.unavailable")
    assert view.outcome.decided_at == at(50)
    ledger.commit(ledger.decision(proposal, Outcome.COMMITTED, memory("one")))
    ledger.committer.postpone(proposal, "classifier.unavailable", at(200), at(150))
    settled = ledger.inbox.view(ids=[proposal], limit=1)[0]
    assert settled.state is InboxState.SETTLED
    assert settled.outcome == ledger.reader.outcome_of(proposal)
    assert ledger.committer.pending(at(10**6), 10) == []


def test_lists_are_paged_newest_first_without_gap_or_repetition(ledger: Ledger) -> None:
    at_once = ledger.now()
    for i in range(11):
        grant = ("a", "b", None)[i % 3]
        ledger.submit(f"p{i:02d}", grant=grant, submitted_at=at_once)
    for i in (0, 3, 4):
        ledger.commit(ledger.decision(ProposalId(f"prop:p{i:02d}"), Outcome.REJECTED))

    def pages(size: int, **which: object) -> list[str]:
        found: list[str] = []
        after: ProposalId | None = None
        while views := ledger.inbox.view(after=after, limit=size, **which):  # pyright: ignore[reportArgumentType]
            assert len(views) <= size
            found += ids([view.proposal for view in views])
            after = views[-1].proposal.id
        return found

    everything = [f"p{i:02d}" for i in range(10, -1, -1)]
    for size in (1, 3, 20):
        assert pages(size) == everything
        assert pages(size, grant=A) == ["p09", "p06", "p03", "p00"]
        assert pages(size, state=InboxState.SETTLED) == ["p04", "p03", "p00"]
        assert pages(size, grant=A, state=InboxState.SETTLED) == ["p03", "p00"]
        assert pages(size, grant=GrantId("grant:none")) == []


def test_a_grant_sees_its_own_proposals_only(ledger: Ledger) -> None:
    own, other = ledger.submit("own"), ledger.submit("other", grant="b")
    ledger.submit("directive", grant=None)
    assert ids([view.proposal for view in ledger.inbox.view(grant=A, limit=10)]) == ["own"]
    assert ids([view.proposal for view in ledger.inbox.view(grant=A, ids=[own, other], limit=10)]) == ["own"]
    assert ledger.inbox.view(grant=A, ids=[other], limit=10) == []


def test_a_review_shows_a_grant_what_it_named_as_if_it_were_alone(ledger: Ledger) -> None:
    def name(proposal: str, grant: str, spelled: str, kind: EntityType | None) -> None:
        ledger.settle(
            proposal,
            Outcome.REJECTED,
            grant=grant,
            unregistered=(NamedUnregistered(spelled, "marie", kind),),
        )

    name("hidden", "b", "MARIE", None)
    name("own", "a", "Marie", EntityType.PERSON)
    name("later", "b", "marie", None)
    (seen,) = ledger.inbox.anchor_reviews(grant=A, limit=5)
    assert (seen.key, seen.name, seen.type) == ("marie", "Marie", EntityType.PERSON)
    assert seen.proposals == ("prop:own",)
    (whole,) = ledger.inbox.anchor_reviews(limit=5)
    assert (whole.name, whole.proposals) == ("MARIE", ("prop:hidden", "prop:own", "prop:later"))
    assert seen.opened_at > whole.opened_at
    assert ledger.inbox.anchor_reviews(grant=GrantId("grant:c"), limit=5) == []


def test_reviews_are_paged_newest_first(ledger: Ledger) -> None:
    for i in range(5):
        named = NamedUnregistered(f"N{i}", f"n{i}", None)
        ledger.settle(f"p{i}", Outcome.REJECTED, unregistered=(named,))
    for grant in (None, A):
        found: list[str] = []
        after: str | None = None
        while page := ledger.inbox.anchor_reviews(grant=grant, after=after, limit=2):
            found += [review.key for review in page]
            after = page[-1].key
        assert found == ["n4", "n3", "n2", "n1", "n0"]


def test_a_run_that_is_asked_for_is_joined_begun_and_told_of(ledger: Ledger) -> None:
    asked = ledger.inbox.request_run(RunId("run:one"), at(1))
    assert (asked.state, asked.origin) == ("waiting", "asked")
    assert ledger.inbox.request_run(RunId("run:two"), at(2)).id == "run:one"
    begun = ledger.committer.next_run(at(3))
    assert begun is not None
    assert (begun.id, begun.state, begun.started_at) == ("run:one", "running", at(3))
    assert ledger.inbox.request_run(RunId("run:three"), at(4)).id == "run:three"
    # Taken up again: its curator must have died, for there is but one.
    resumed = ledger.committer.next_run(at(5))
    assert resumed is not None
    assert resumed.id == "run:one"
    ledger.committer.finish_run(resumed.id, {"counts": {"committed": 2}, "é": None}, at(6))
    done = ledger.inbox.run_state(resumed.id)
    assert done is not None
    assert (done.state, done.finished_at) == ("finished", at(6))
    assert done.summary == {"counts": {"committed": 2}, "é": None}
    following = ledger.committer.next_run(at(7))
    assert following is not None
    assert following.id == "run:three"
    ledger.committer.finish_run(following.id, {}, at(8))
    assert ledger.committer.next_run(at(9)) is None
    assert ledger.inbox.run_state(RunId("run:none")) is None


def test_the_last_nightly_run_is_remembered(ledger: Ledger) -> None:
    assert ledger.committer.last_nightly_run() is None
    for i in (1, 2):
        ledger.committer.begin_run(RunId(f"run:{i}"), at(i * 10))
        ledger.committer.finish_run(RunId(f"run:{i}"), {}, at(i * 10 + 5))
    ledger.committer.begin_run(RunId("run:3"), at(30))
    ledger.inbox.request_run(RunId("run:asked"), at(31))
    last = ledger.committer.last_nightly_run()
    assert last is not None
    assert (last.id, last.started_at, last.finished_at) == ("run:2", at(20), at(25))


def test_nobody_curates_before_the_first_lease(graph: Graph) -> None:
    inbox = Inbox(graph)
    assert inbox.curator().alive_until == 0
    Ledger(graph, holder="first")
    assert inbox.curator() == replace(inbox.curator(), holder="first")
    assert inbox.curator().alive_until == FOREVER_US + at(0)


def test_the_owners_directives_are_listed_apart(ledger: Ledger) -> None:
    ledger.submit("tool")
    for name in ("one", "two", "three"):
        ledger.submit(name, grant=None)
    ledger.commit(ledger.decision(ProposalId("prop:two"), Outcome.NEEDS_OWNER))
    first, *rest = ledger.inbox.view(directives=True, limit=2)
    assert ids([first.proposal, *(view.proposal for view in rest)]) == ["three", "two"]
    last = ledger.inbox.view(directives=True, after=rest[-1].proposal.id, limit=2)
    assert ids([view.proposal for view in last]) == ["one"]
    waiting = ledger.inbox.view(directives=True, state=InboxState.NEEDS_OWNER, limit=5)
    assert ids([view.proposal for view in waiting]) == ["two"]


def test_proposals_are_counted_by_their_state(ledger: Ledger) -> None:
    assert {ledger.inbox.count(state) for state in InboxState} == {0}
    for name in ("one", "two", "three"):
        ledger.submit(name)
    ledger.commit(ledger.decision(ProposalId("prop:one"), Outcome.NEEDS_OWNER))
    assert ledger.inbox.count(InboxState.PENDING) == 2
    assert ledger.inbox.count(InboxState.NEEDS_OWNER) == 1
    assert ledger.inbox.count(InboxState.SETTLED) == 0


def test_a_line_is_told_from_its_first_proposal_on(ledger: Ledger) -> None:
    named = NamedUnregistered("Marie", "marie", None)
    ledger.settle("first", Outcome.REJECTED, unregistered=(named,))
    ledger.submit("other")
    line: list[ProposalId] = [ProposalId("prop:first")]
    for number in range(3):
        answer = ClosedReview("marie", EntityId("ent:marie"), Level.S0)
        (child,) = ledger.direct(f"answer{number}", closes=(answer,)).children
        ledger.commit(
            ledger.decision(child, Outcome.REJECTED, root=line[0], unregistered=(named,)),
        )
        line.append(child)
    views = {view.proposal.id: view for view in ledger.inbox.view(ids=line, limit=5)}
    for one in views.values():
        assert [view.proposal.id for view in ledger.inbox.line_of(one.proposal, limit=5)] == line


def test_open_reviews_are_listed_apart_from_answered_ones_and_counted(ledger: Ledger) -> None:
    for name in ("ada", "bea", "cyr"):
        ledger.settle(name, Outcome.REJECTED, unregistered=(NamedUnregistered(name, name, None),))
    ledger.direct("answer", closes=(ClosedReview("bea", EntityId("ent:bea"), Level.S0),))

    def keys(*, is_open: bool | None, limit: int = 5, after: str | None = None) -> list[str]:
        found = ledger.inbox.anchor_reviews(is_open=is_open, after=after, limit=limit)
        return [review.key for review in found]

    assert keys(is_open=True) == ["cyr", "ada"]
    assert keys(is_open=True, limit=1, after="cyr") == ["ada"]
    assert keys(is_open=False) == ["bea"]
    assert keys(is_open=None) == ["cyr", "bea", "ada"]
    assert ledger.inbox.anchor_review("bea") == ledger.inbox.anchor_reviews(is_open=False, limit=1)[0]
    assert ledger.inbox.anchor_review("dan") is None
    assert ledger.inbox.open_reviews() == 2


def test_runs_are_paged_newest_first(ledger: Ledger) -> None:
    for i in range(3):
        ledger.committer.begin_run(RunId(f"run:{i}"), at(i * 10))
        ledger.committer.finish_run(RunId(f"run:{i}"), {"counts": {"committed": i}}, at(i * 10 + 5))
    ledger.inbox.request_run(RunId("run:asked"), at(100))
    page = ledger.inbox.runs(limit=2)
    assert [(run.id, run.state) for run in page] == [("run:asked", "waiting"), ("run:2", "finished")]
    rest = ledger.inbox.runs(after=page[-1].id, limit=5)
    assert [(run.id, run.summary) for run in rest] == [
        ("run:1", {"counts": {"committed": 1}}),
        ("run:0", {"counts": {"committed": 0}}),
    ]
