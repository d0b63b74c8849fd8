"""Reading: bounded, in a total order, the same on every engine."""

from __future__ import annotations

from typing import Any

from cypher.graph import Graph
from cypher.reader import LedgerHead, Reader, Tally
from policies.chain import GENESIS
from policies.decision import Reclassification, RegistryChange, RegistryOp
from policies.terms import (
    ContraRole,
    Discretion,
    EntityId,
    EntityType,
    Kind,
    Level,
    MemoryId,
    Moment,
    Outcome,
    Precision,
    ProposalId,
    Relation,
    Version,
)
from policies.text import dedup_key
from tests.support.committing import Ledger
from tests.support.memories import at, registered

PAUL, ACME, LYON = EntityId("ent:paul"), EntityId("ent:acme"), EntityId("ent:lyon")


def names(versions: list[Version]) -> list[str]:
    return [one.memory.id.removeprefix("mem:") for one in versions]


def entities(ledger: Ledger) -> None:
    ledger.register(
        registered("paul"), registered("acme", EntityType.ORGANISATION), registered("lyon", EntityType.PLACE)
    )


def test_an_empty_graph_is_an_empty_ledger(graph: Graph) -> None:
    reader = Reader(graph)
    assert reader.head() == LedgerHead(0, 0)
    assert reader.chain_end() == GENESIS
    assert reader.changed_since(0, 10) == []
    assert reader.versions([MemoryId("mem:none")]) == {}
    assert reader.chain_of(MemoryId("mem:none")) == []
    assert reader.entries(0, 10) == []
    assert reader.outcome_of(ProposalId("prop:none")) is None
    assert reader.registry().entities == {}


def test_changes_come_in_order_and_in_whole_sequences(ledger: Ledger) -> None:
    entities(ledger)
    for i in range(7):
        ledger.remember(f"m{i}", anchors=(PAUL,) if i % 2 else (ACME,))
    assert names(ledger.reader.changed_since(0, 3)) == ["m0", "m1", "m2"]
    seen = ledger.reader.head().seq
    ledger.direct("level", registry=(RegistryChange(RegistryOp.LEVEL, ACME, level=Level.S2),))
    ledger.remember("last")
    changed = ledger.reader.changed_since(seen, 2)
    assert names(changed) == ["m0", "m2", "m4", "m6"]
    assert {one.state.level for one in changed} == {Level.S2}
    assert names(ledger.reader.changed_since(changed[-1].state.changed_seq, 2)) == ["last"]
    assert names(ledger.reader.changed_since(0, 100)) == ["m1", "m3", "m5", "m0", "m2", "m4", "m6", "last"]
    assert ledger.reader.changed_since(ledger.reader.head().seq, 10) == []


def test_followers_see_nothing_beyond_the_head_they_are_told(ledger: Ledger) -> None:
    ledger.remember("one")
    head = ledger.reader.head()
    assert head.seq == ledger.reader.chain_end().seq
    assert {one.state.changed_seq for one in ledger.reader.changed_since(0, 10)} <= set(range(head.seq + 1))


def test_a_chain_is_read_oldest_first_from_any_of_its_versions(ledger: Ledger) -> None:
    ledger.remember("a")
    ledger.remember("b", supersedes=MemoryId("mem:a"), contra=ContraRole.CLOSURE, kind=Kind.CLOSURE)
    ledger.remember("c", supersedes=MemoryId("mem:b"), contra=ContraRole.SUCCESSION)
    ledger.remember("other")
    for one in ("a", "b", "c"):
        chain = ledger.reader.chain_of(MemoryId(f"mem:{one}"))
        assert names(chain) == ["a", "b", "c"]
    assert [one.state.superseded_at is None for one in chain] == [False, True, True]
    assert {one.state.head for one in chain} == {"mem:c"}


def test_what_is_about_an_entity_is_believed_within_the_level_and_newest_first(ledger: Ledger) -> None:
    entities(ledger)
    ledger.remember("old", anchors=(PAUL,), domains=("work",))
    ledger.remember("both", anchors=(ACME, PAUL), domains=("home", "work"))
    ledger.remember("secret", anchors=(PAUL,), level=Level.S3)
    ledger.remember("wrong", anchors=(PAUL,))
    retraction = {"contra": ContraRole.RETRACTION, "kind": Kind.RETRACTION}
    ledger.remember("gone", anchors=(PAUL,), supersedes=MemoryId("mem:wrong"), **retraction)
    about = ledger.reader.versions_about
    assert names(about([PAUL], limit=10)) == ["secret", "both", "old"]
    assert names(about([PAUL, ACME], level=Level.S1, limit=10)) == ["both", "old"]
    assert names(about([PAUL], limit=1)) == ["secret"]
    # Home has a floor of its own: S1.
    assert names(about([PAUL], level=Level.S2, domains=["work", "home"], limit=10)) == ["both", "old"]
    assert names(about([PAUL], domains=["work"], limit=10)) == ["old"]
    assert about([PAUL], domains=[], limit=10) == []
    assert about([], limit=10) == []


def test_a_saying_is_found_by_its_key_as_long_as_it_is_believed(ledger: Ledger) -> None:
    entities(ledger)
    ledger.remember("one", text="Paul aime le thé.", anchors=(PAUL,), domains=("food",))
    key = dedup_key("paul aime le the", [PAUL], ["food"])
    assert names(ledger.reader.versions_by_dedup_key([key, "other"])) == ["one"]
    ledger.remember("two", supersedes=MemoryId("mem:one"), contra=ContraRole.CORRECTION)
    assert ledger.reader.versions_by_dedup_key([key]) == []


def test_a_saying_about_a_merged_entity_is_found_by_the_key_of_the_other(ledger: Ledger) -> None:
    entities(ledger)
    ledger.register(registered("paulo"))
    ledger.remember("one", text="Likes tea", anchors=(EntityId("ent:paulo"),))
    ledger.direct("merge", registry=(RegistryChange(RegistryOp.MERGE, EntityId("ent:paulo"), other=PAUL),))
    assert names(ledger.reader.versions_by_dedup_key([dedup_key("Likes tea", [PAUL])])) == ["one"]
    assert names(ledger.reader.versions_about([PAUL], limit=5)) == ["one"]
    ledger.direct("unmerge", registry=(RegistryChange(RegistryOp.UNMERGE, EntityId("ent:paulo")),))
    assert ledger.reader.versions_about([PAUL], limit=5) == []


def test_relations_are_drawn_from_what_is_believed_and_carry_what_filters_need(ledger: Ledger) -> None:
    entities(ledger)
    works = Relation(PAUL, "works_for", ACME)
    ends = Moment(at(10**6), Precision.DAY)
    place: dict[str, Any] = {"anchors": (PAUL, ACME), "domains": ("work",)}
    ledger.remember("b", kind=Kind.RELATION, relation=works, valid_to=ends, **place)
    ledger.remember("a", relation=Relation(ACME, "located_in", LYON), discretion=Discretion.ON_DEMAND)
    ledger.remember("c", relation=Relation(PAUL, "knows", PAUL), level=Level.S2)
    ledger.remember("event", kind=Kind.EVENT, relation=works)
    ledger.remember("wrong", relation=Relation(PAUL, "hates", ACME))
    ledger.remember("right", supersedes=MemoryId("mem:wrong"), contra=ContraRole.CORRECTION)
    found = ledger.reader.edges_of([PAUL, ACME], level=Level.S3, limit=10)
    assert [(e.memory, e.source, e.type, e.target) for e in found] == [
        ("mem:a", ACME, "located_in", LYON),
        ("mem:b", PAUL, "works_for", ACME),
        ("mem:c", PAUL, "knows", PAUL),
    ]
    assert (found[0].discretion, found[2].level) == (Discretion.ON_DEMAND, Level.S2)
    assert (found[1].domains, found[1].valid_from, found[1].valid_to) == (("work",), None, at(10**6))

    def near(entity: EntityId, **filters: object) -> list[str]:
        edges = ledger.reader.edges_of([entity], **{"level": Level.S3, "limit": 10, **filters})  # pyright: ignore[reportArgumentType]
        return [edge.memory.removeprefix("mem:") for edge in edges]

    assert near(LYON) == ["a"]
    assert near(PAUL, level=Level.S1) == ["b"]
    assert near(PAUL, domains=["work"]) == ["b"]
    assert near(PAUL, limit=1) == ["b"]
    assert near(PAUL, after=MemoryId("mem:b")) == ["c"]
    ledger.direct("merge", registry=(RegistryChange(RegistryOp.MERGE, ACME, other=LYON),))
    assert near(ACME) == []
    assert near(LYON) == ["a", "b"]


def test_what_is_reached_on_request_only_is_listed_by_entity_or_domain(ledger: Ledger) -> None:
    entities(ledger)
    hidden = {"discretion": Discretion.ON_REQUEST_ONLY}
    ledger.remember("b", anchors=(PAUL,), domains=("work",), **hidden)
    ledger.remember("a", anchors=(ACME,), domains=("health",), **hidden)
    ledger.remember("open", anchors=(PAUL,))
    on_request = ledger.reader.on_request_about
    assert names(on_request([PAUL, ACME], [], level=Level.S3, limit=10)) == ["a", "b"]
    assert names(on_request([], ["health"], level=Level.S3, limit=10)) == ["a"]
    assert names(on_request([PAUL], ["health"], level=Level.S2, limit=10)) == ["b"]
    assert names(on_request([PAUL, ACME], [], level=Level.S3, limit=1)) == ["a"]
    ruled = Reclassification(MemoryId("mem:b"), discretion=Discretion.OPEN)
    ledger.direct("ruling", reclassifications=(ruled,))
    assert names(on_request([PAUL], [], level=Level.S3, limit=10)) == []


def test_the_registry_is_folded_from_its_entries_and_follows_them(ledger: Ledger) -> None:
    entities(ledger)
    assert ledger.reader.registry().named("PAUL")[0].id == PAUL
    ledger.direct("alias", registry=(RegistryChange(RegistryOp.ALIAS, PAUL, aliases=("Polo",)),))
    assert ledger.reader.registry().named("polo")[0].id == PAUL
    assert ledger.reader.registry() is ledger.reader.registry()
    assert Reader(ledger.graph).registry().entities == ledger.reader.registry().entities


def test_entries_are_paged_in_the_order_of_the_chain(ledger: Ledger) -> None:
    for i in range(5):
        ledger.remember(f"m{i}")
    assert [one.entry.seq for one in ledger.reader.entries(3, 4)] == [4, 5, 6, 7]
    assert [one.entry.seq for one in ledger.reader.all_entries()] == list(range(1, 11))


def test_the_last_outcome_of_a_proposal_is_the_one_that_counts(ledger: Ledger) -> None:
    proposal = ledger.submit("one")
    ledger.commit(
        ledger.decision(proposal, Outcome.NEEDS_OWNER, reason="conflict", details={"with": "mem:x"})
    )
    outcome = ledger.reader.outcome_of(proposal)
    assert outcome is not None
    assert (outcome.outcome, outcome.details) == (Outcome.NEEDS_OWNER, {"with": "mem:x"})


def test_believed_memories_are_counted_by_what_decides_who_sees_them(ledger: Ledger) -> None:
    ledger.remember("plain")
    ledger.remember("work", level=Level.S1, domains=("projects", "work"))
    ledger.remember("job", level=Level.S1, domains=("projects", "work"))
    ledger.remember("secret", level=Level.S3, domains=("health",), discretion=Discretion.ON_REQUEST_ONLY)
    ledger.remember("wrong", level=Level.S2)
    ledger.remember(
        "taken_back",
        level=Level.S2,
        kind=Kind.RETRACTION,
        supersedes=MemoryId("mem:wrong"),
        contra=ContraRole.RETRACTION,
    )
    assert ledger.reader.tally() == [
        Tally(Level.S0, (), Discretion.OPEN, 1),
        Tally(Level.S1, ("projects", "work"), Discretion.OPEN, 2),
        Tally(Level.S3, ("health",), Discretion.ON_REQUEST_ONLY, 1),
    ]
