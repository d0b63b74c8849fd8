"""The owner's lane: what each directive does, and what is refused."""

from __future__ import annotations

from policies.terms import Discretion, Level, Outcome, ProposalId, Provenance
from tests.support.curated import Curated

REFUSED = Outcome.REJECTED


def test_the_owners_own_line_is_idempotent(store: Curated) -> None:
    again = store.direct("register", name="Louis Martin", type="person", owner=True)
    assert again.outcome is Outcome.DUPLICATE
    assert len(store.reader.registry().entities) == 1


def test_a_second_owner_is_refused(store: Curated) -> None:
    outcome = store.direct("register", name="Marie Curie", type="person", owner=True)
    assert (outcome.outcome, outcome.reason) == (REFUSED, "entity.second_owner")


def test_a_line_imported_twice_changes_nothing_and_its_new_aliases_are_kept(store: Curated) -> None:
    acme = store.register("Acme", "organisation", aliases=["Acme Corp"])
    assert store.direct("register", name="acme", type="organisation").outcome is Outcome.DUPLICATE
    store.direct("register", name="Acme", type="organisation", aliases=["ACME corp", "The Acme"])
    assert store.reader.registry().entities[acme.id].aliases == ("Acme Corp", "The Acme")


def test_the_same_name_of_another_type_is_another_entity(store: Curated) -> None:
    assert store.register("Orange", "place").id != store.register("Orange", "organisation").id


def test_an_unknown_entity_is_refused_by_name(store: Curated) -> None:
    outcome = store.direct("alias", entity="Nobody", alias="Anybody")
    assert (outcome.outcome, outcome.reason) == (REFUSED, "entity.unknown")


def test_a_dismissed_name_waits_for_no_answer_and_takes_nothing_up(store: Curated) -> None:
    store.remember("Zoltan Kovacs lives in Lyon")
    store.run()
    assert store.direct("dismiss", name="Zoltán Kovács").outcome is Outcome.COMMITTED
    (review,) = store.curator.inbox.anchor_reviews(limit=5)
    assert (review.entity, review.closed_at is None) == (None, False)
    proposed = [one.proposal.action for one in store.curator.inbox.view(limit=10)]
    assert proposed.count("remember") == 1, "nothing was admitted again"
    for name in ("Zoltan Kovacs", "Nobody Atall"):
        again = store.direct("dismiss", name=name)
        assert (again.outcome, again.reason) == (REFUSED, "review.unknown")
    store.register("Zoltan Kovacs")
    assert [one.proposal.action for one in store.curator.inbox.view(limit=10)].count("remember") == 2
    assert store.curator.verify().ok


def test_a_payload_that_is_not_whole_is_refused_with_its_field(store: Curated) -> None:
    outcome = store.direct("register", name="Mallory", type="wizard")
    assert (outcome.outcome, outcome.reason) == (REFUSED, "argument.invalid")
    assert outcome.details["field"] == "type"


def test_what_the_owner_declares_is_attested_with_their_words(store: Curated) -> None:
    outcome = store.direct("declare", text="I prefer tea to coffee", anchors=["Louis Martin"])
    declared = store.version(outcome.memories[-1]).memory
    assert (declared.provenance, declared.confidence) == (Provenance.ATTESTED, 1.0)
    assert declared.evidence is not None
    assert declared.evidence.words == "I prefer tea to coffee"
    assert declared.proposed_by is None


def test_health_enters_by_the_owners_declaration(store: Curated) -> None:
    outcome = store.direct("declare", text="I was diagnosed with type 2 diabetes", anchors=["Louis Martin"])
    assert outcome.outcome is Outcome.COMMITTED
    state = store.version(outcome.memories[-1]).state
    assert (state.level, state.discretion) == (Level.S3, Discretion.ON_REQUEST_ONLY)


def test_health_that_even_the_owner_only_infers_is_refused(store: Curated) -> None:
    store.register("Paul Durand")
    outcome = store.direct("declare", text="Paul Durand must be diabetic, he drinks so much water")
    assert (outcome.outcome, outcome.reason) == (REFUSED, "health.inferred")


def test_a_level_is_raised_and_lowered_for_the_whole_chain(store: Curated) -> None:
    first = store.direct("declare", text="My favourite colour is blue", anchors=["Louis Martin"]).memories[-1]
    second = store.direct("correct", id=first, statement="My favourite colour is green").memories[-1]
    store.direct("reclassify", memory=first, level="S3")
    assert {store.version(memory).state.level for memory in (first, second)} == {Level.S3}
    store.direct("reclassify", memory=second, level="S1", discretion="on_demand")
    states = [store.version(memory).state for memory in (first, second)]
    assert {(state.level, state.discretion) for state in states} == {(Level.S1, Discretion.ON_DEMAND)}


def test_a_memory_that_does_not_exist_is_not_reclassified(store: Curated) -> None:
    outcome = store.direct("reclassify", memory="mem:aaaaaaaaaaaaaaaaaaaaaaaaaa", level="S1")
    assert (outcome.outcome, outcome.reason) == (REFUSED, "target.unknown")


def test_what_the_owner_retracts_is_retracted_once(store: Curated) -> None:
    first = store.direct("declare", text="I own a red bicycle", anchors=["Louis Martin"]).memories[-1]
    assert store.direct("retract", id=first, reason="Sold it").outcome is Outcome.COMMITTED
    assert store.version(first).state.superseded_at is not None
    assert store.direct("retract", id=first).outcome is Outcome.DUPLICATE


def test_directives_are_taken_up_in_order(store: Curated) -> None:
    submitted: list[ProposalId] = [
        store.submit_directive("register", name="Acme", type="organisation"),
        store.submit_directive("alias", entity="Acme", alias="The firm"),
        store.submit_directive("alias", entity="The firm", alias="Work"),
    ]
    store.lane()
    assert {store.outcome(one).outcome for one in submitted} == {Outcome.COMMITTED}
    assert len(store.reader.registry().named("work")) == 1
