"""G11: a memory is about registered entities and domains, whatever a tool passes and however it writes a name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from curator.curating import Curator
from cypher.engine import Engine
from policies.lifecycle import InboxState
from policies.parameters import parameters
from policies.terms import EntityId, Level, Memory, Outcome, OutcomeRecord, ProposalId
from tests.support.attacked import OpenEngine, Tool, own_store, tools_of
from tests.support.crashing import CrashingGraph, Killed
from tests.support.curated import Curated, acquainted, curated, said

NEEDS, REJECTED, COMMITTED = Outcome.NEEDS_OWNER, Outcome.REJECTED, Outcome.COMMITTED
UNREGISTERED = (REJECTED, "name.unregistered")

NOBODY = {
    "an invented id": "ent:aaaaaaaaaaaaaaaaaaaaaaaaaa",
    "a memory's id": "mem:aaaaaaaaaaaaaaaaaaaaaaaaaa",
    "a stranger": "Zoé Lambert",
    "a name above the scope": "Inès Benali",
    "part of a name above the scope": "Inès",
    "a domain": "work",
    "an article": "le",
    "nothing that shows": "\u200b\u00ad",
    "everything": "*",
    "a pattern": "L.*",
    "two names at once": "Léa Roux, Paul Durand",
    "a name and more": "Léa Roux Delmas",
    "half a name and half another": "Léa Durand",
    "a query": "Léa Roux'}) DETACH DELETE n //",
}
"""What names nobody to a tool of S2."""

WRITTEN = {
    "capitals": "LÉA ROUX",
    "small letters": "léa roux",
    "no accent": "Lea Roux",
    "combining accent": "Le\u0301a Roux",
    "no-break space": "Léa\u00a0Roux",
    "Cyrillic letters": "Lé\u0430 R\u043eux",
    "full width": "Ｌéa Ｒoux",
    "soft hyphen": "Lé\u00ada Roux",
}
"""Léa Roux, all the same."""

NOT_PAUL_DURAND = (
    "Paul Martin works at Acme",
    "Paul Martin travaille chez Acme",
    "Paul Martin's bike is red",
    "Le vélo de Paul Martin est rouge",
    "paul martin travaille chez acme",
    "PAUL MARTIN HABITE À LYON",
    "P\u0430ul M\u0430rtin works at Acme",
    "Paul M. works at Acme",
    "P. Martin works at Acme",
    "Paul Durand-Martin works at Acme",
    "Dr Paul Lenoir habite à Lyon",
    "Paul de la Tour joue aux échecs",
    "Paul van der Berg plays chess",
    "Jean-Paul joue aux échecs",
    "Jean-Paul Durand joue aux échecs",
    "Paul-Henri plays chess",
    "Marie Durand plays chess",
    "Mme Durand joue aux échecs",
    "Mrs Durand plays chess",
    "Madame Durand aime le thé",
    "Pauline Durand aime le thé",
    "Paulette likes tea",
    "Un autre Paul travaille chez Acme",
    "Another Paul works at Acme",
    "A different Paul plays chess",
    "Un certain Paul joue aux échecs",
    "un autre paul durand habite à lyon",
    "D. Durand joue aux échecs",
    "Paul Durand Ltd hired Léa Roux",
    "Durand SARL a embauché Léa Roux",
    "Le lycée Paul Durand ouvre",
)
NAMED_AFTER_HIM = (
    "La rue Paul Durand est fermée",
    "Le voilier Paul Durand coule",
    "Louis habite dans la rue Paul Durand",
)
EITHER_HUGO = (
    "Hugo works at Acme",
    "Hugo travaille chez Acme",
    "Hugo's bike is red",
    "Hugo’s bike is blue",
    "Le vélo d'Hugo est vert",
    "hugo habite à lyon",
    "Hug\u043e plays chess",
    "My friend Hugo plays chess",
    "Mon ami Hugo joue aux échecs",
    "Louis a déjeuné avec Hugo",
    "Léa Roux and Hugo play chess",
    "M. Hugo joue aux échecs",
)
MENTIONED = (
    "Léa Roux visited Kyoto in 2019",
    "Léa Roux a visité Bordeaux en 2018",
    "Léa Roux uses Obsidian for her notes",
    "Léa Roux lit Les Misérables",
    "Léa Roux speaks Swahili",
    "Léa Roux conduit une Renault Clio",
)
"""Places, products, works, languages that nobody registered."""
OBJECTS = ("manual", "lamp", "vase", "ladder", "kettle", "stamp", "compass", "ruler")


@dataclass
class Attacked:
    """A store after every attack of this file that shares it."""

    store: Curated
    ids: dict[str, EntityId] = field(default_factory=dict[str, EntityId])
    sent: dict[str, ProposalId] = field(default_factory=dict[str, ProposalId])

    def send(self, label: str, statement: str, **more: Any) -> None:
        self.sent[label] = self.store.remember(statement, **more)

    def outcome(self, label: str) -> OutcomeRecord:
        return self.store.outcome(self.sent[label])

    def memory(self, label: str) -> Memory:
        return self.store.memory(self.sent[label]).memory


def _relation(subject: str, object_: str) -> dict[str, str]:
    return {"subject": subject, "predicate": "sister_of", "object": object_}


@pytest.fixture(scope="module")
def attacked(open_engine: OpenEngine) -> Iterator[Attacked]:
    with own_store(open_engine, "registry") as store:
        made = Attacked(store)
        made.ids["Louis Martin"] = store.register("Louis Martin", owner=True).id
        for name in ("Paul Durand", "Léa Roux", "Hugo Petit", "Hugo Blanc", "Lili Roux"):
            made.ids[name] = store.register(name).id
        made.ids["Inès Benali"] = store.register("Inès Benali", level="S3").id
        made.ids["Acme"] = store.register("Acme", "organisation").id
        made.ids["Lyon"] = store.register("Lyon", "place").id
        store.direct("merge", entity="Lili Roux", into="Léa Roux")
        nobody = NOBODY | {"an id above the scope": made.ids["Inès Benali"]}
        for label, name in nobody.items():
            made.send(f"anchor: {label}", "Léa Roux plays chess", anchors=[name])
            made.send(f"among anchors: {label}", "Léa Roux plays chess", anchors=["Paul Durand", name])
            made.send(f"subject: {label}", "They are sisters", relation=_relation(name, "Léa Roux"))
            made.send(f"object: {label}", "They are sisters", relation=_relation("Léa Roux", name))
        for thing, (label, name) in zip(OBJECTS, WRITTEN.items(), strict=True):
            made.send(f"anchor: {label}", f"The {thing} lies in the third drawer", anchors=[name])
            made.send(f"text: {label}", f"{name} owns a {thing}")
        made.send("hidden letter", "L\u200béa Roux owns a bicycle")
        made.send("merged", "The atlas lies in the third drawer", anchors=[made.ids["Lili Roux"]])
        for statement in (*NOT_PAUL_DURAND, *NAMED_AFTER_HIM, *EITHER_HUGO, *MENTIONED):
            made.send(statement, statement)
        store.run()
        yield made


@pytest.mark.parametrize("how", ["anchor", "among anchors", "subject", "object"])
@pytest.mark.parametrize("label", [*NOBODY, "an id above the scope"])
def test_what_a_tool_passes_and_names_nobody_is_no_anchor(attacked: Attacked, how: str, label: str) -> None:
    outcome = attacked.outcome(f"{how}: {label}")
    assert said(outcome) == UNREGISTERED
    assert not outcome.memories


@pytest.mark.parametrize("label", WRITTEN)
@pytest.mark.parametrize("how", ["anchor", "text"])
def test_a_name_is_the_same_however_it_is_written(attacked: Attacked, how: str, label: str) -> None:
    anchors = {*attacked.memory(f"{how}: {label}").anchors} - {attacked.ids["Louis Martin"]}
    assert anchors == {attacked.ids["Léa Roux"]}


def test_a_name_with_a_hidden_letter_is_for_the_owner_to_look_at(attacked: Attacked) -> None:
    assert said(attacked.outcome("hidden letter")) == (NEEDS, "instruction.quarantined")


def test_the_id_of_an_entity_that_was_merged_means_what_it_was_merged_into(attacked: Attacked) -> None:
    anchors = {*attacked.memory("merged").anchors} - {attacked.ids["Louis Martin"]}
    assert anchors == {attacked.ids["Léa Roux"]}


@pytest.mark.parametrize("statement", NOT_PAUL_DURAND)
def test_part_of_a_name_that_something_beside_it_contradicts_attaches_to_nobody(
    attacked: Attacked, statement: str
) -> None:
    outcome = attacked.outcome(statement)
    assert outcome.outcome is not COMMITTED
    assert outcome.reason.startswith("name.")


@pytest.mark.parametrize("statement", NAMED_AFTER_HIM)
def test_what_bears_a_name_is_not_whom_it_was_named_after(attacked: Attacked, statement: str) -> None:
    assert attacked.ids["Paul Durand"] not in attacked.memory(statement).anchors


@pytest.mark.parametrize("statement", EITHER_HUGO)
def test_a_name_of_two_attaches_to_neither_and_goes_to_the_owner(attacked: Attacked, statement: str) -> None:
    outcome = attacked.outcome(statement)
    assert said(outcome) == (NEEDS, "name.ambiguous")
    (choices,) = cast("dict[str, list[str]]", outcome.details["choices"]).values()
    assert choices == sorted([attacked.ids["Hugo Petit"], attacked.ids["Hugo Blanc"]])


@pytest.mark.parametrize("statement", MENTIONED)
def test_places_products_and_works_that_are_not_registered_stay_in_the_text(
    attacked: Attacked, statement: str
) -> None:
    assert attacked.memory(statement).anchors == (attacked.ids["Léa Roux"],)


def test_after_all_that_every_anchor_is_registered_and_within_the_scope_of_who_proposed_it(
    attacked: Attacked,
) -> None:
    store = attacked.store
    registry = store.reader.registry()
    versions = store.reader.changed_since(0, 10_000)
    assert len(versions) > len(WRITTEN) * 2
    for version in versions:
        memory, relation = version.memory, version.memory.relation
        ends = {relation.subject, relation.object} if relation else set[EntityId]()
        assert {*memory.anchors, *version.state.anchors, *ends} <= registry.entities.keys()
        assert set(memory.domains) <= parameters().domains.keys()
        assert memory.anchors or memory.domains
        proposer = store.view(memory.root).proposal
        level = Level.S3 if proposer.is_directive else proposer.grant_level
        assert all(registry.level(anchor) <= level for anchor in memory.anchors)


def test_a_domain_that_does_not_exist_is_no_anchor_either(attacked: Attacked) -> None:
    store = attacked.store
    proposal = store.remember("The harp lies in the third drawer", domains_=["work", "astrology"])
    assert said(store.decided(proposal)) == (REJECTED, "domain.unknown")
    declared = store.direct("declare", text="The harp lies in the third drawer.", domains=["astrology"])
    assert said(declared) == (REJECTED, "domain.unknown")


# The anchor review


def test_one_review_gathers_a_name_however_and_by_whomever_it_is_written_and_takes_up_each_once(
    attacked: Attacked,
) -> None:
    store = attacked.store
    said_of_her: tuple[tuple[str, dict[str, Any]], ...] = (
        ("claude", {"statement": "Nadia Haddad works at Acme"}),
        ("gemini", {"statement": "NADIA HADDAD habite à Lyon"}),
        ("mistral", {"statement": "Le vélo de nadia haddad est rouge"}),
        ("claude", {"statement": "N\u0430dia H\u0430ddad plays chess"}),
        ("gemini", {"statement": "The oboe lies in the third drawer", "anchors": ["Nadia  Haddad"]}),
    )
    sent = [store.propose("remember", tool=tool, **said_by) for tool, said_by in said_of_her]
    store.run()
    assert {said(store.outcome(one)) for one in sent} == {UNREGISTERED}
    review = store.curator.inbox.anchor_review("nadia haddad")
    assert review is not None
    assert set(review.proposals) == set(sent)
    nadia = store.register("nadia  HADDAD")
    assert (
        store.direct("register", name="Nadia Haddad", type="person", aliases=["Nadia"]).outcome is COMMITTED
    )
    store.register("Nadia Haddad", "organisation")
    store.run()
    for one in sent:
        line = store.curator.inbox.line_of(store.view(one).proposal, limit=10)
        assert [said(view.outcome) for view in line if view.outcome] == [
            UNREGISTERED,
            (COMMITTED, "committed"),
        ]
        assert nadia.id in store.memory(line[-1].proposal.id).memory.anchors


def test_whenever_the_curator_dies_while_it_registers_each_is_taken_up_once(attacked: Attacked) -> None:
    store = attacked.store
    dying = CrashingGraph(store.engine.graph)
    alive, deaths = store.curator, 0
    for write, family in enumerate(("Andrieu", "Besson", "Colin", "Dumont", "Evrard", "Fabre")):
        name = f"Karim {family}"
        sent = [store.remember(f"{name} works at Acme"), store.remember(f"{name} plays chess", tool="gemini")]
        store.run()
        store.submit_directive("register", name=name, type="person")
        store.curator = Curator(store.settings, dying, store.clock, store.ids)
        dying.die(writes_left=write // 2 + 1, after=write % 2 == 1)
        try:
            store.lane()
        except Killed:
            deaths += 1
        dying.live()
        store.curator = alive
        store.lane()
        store.run()
        for one in sent:
            line = store.curator.inbox.line_of(store.view(one).proposal, limit=10)
            outcomes = [view.outcome.outcome for view in line if view.outcome]
            assert outcomes == [REJECTED, COMMITTED], (name, outcomes)
    assert deaths > 3


def told_of(tool: Tool, name: str, proposal: ProposalId) -> str:
    """All that a tool is told of a proposal and of the person it names, without what it knows already."""
    (row,) = [row for row in tool.asks("mem_gates")["items"] if row["proposal"] == proposal]
    (review,) = [
        row for row in tool.asks("mem_gates", view="anchor_reviews")["items"] if proposal in row["proposals"]
    ]
    told = json.dumps([row, review], ensure_ascii=False)
    return told.replace(proposal, "prop:").replace(name, "NAME")


def test_a_name_above_the_scope_is_told_as_one_that_nobody_registered(attacked: Attacked) -> None:
    store = attacked.store
    hidden, unknown = "Inès Benali", "Inès Garnier"
    with tools_of(store, {"bounded": "assistant-standard"}) as tools:
        tool = tools["bounded"]
        answers = [
            tool.asks("mem_remember", statement=f"{name} plays the harp") for name in (hidden, unknown)
        ]
        sent = [ProposalId(answer.pop("proposal")) for answer in answers]
        assert answers[0] == answers[1]
        store.run()
        told = told_of(tool, hidden, sent[0])
        assert "name.unregistered" in told
        assert told == told_of(tool, unknown, sent[1])
        store.register(unknown, level="S3")
        store.run()
        assert told == told_of(tool, hidden, sent[0]) == told_of(tool, unknown, sent[1])
        assert len(tool.asks("mem_gates")["items"]) == 2
        ids = (attacked.ids["Inès Benali"], NOBODY["an invented id"])
        assert tool.is_refused("mem_remember", statement="Tea.", anchors=["\u200b"]) == "argument.invalid"
        for refused in (
            [tool.is_refused("mem_remember", statement="Tea.", anchors=[one]) for one in ids],
            [
                tool.is_refused("mem_remember", statement="Tea.", relation=_relation(one, "Louis Martin"))
                for one in ids
            ],
        ):
            assert refused == ["entity.unknown"] * 2


def test_lowered_to_the_tools_level_the_name_takes_up_what_waited(attacked: Attacked) -> None:
    store = attacked.store
    victor = store.register("Victor Morel", level="S3")
    proposal = store.remember("Victor Morel plays the harp", level=Level.S1)
    assert said(store.decided(proposal)) == UNREGISTERED
    store.direct("register", name="Victor Morel", type="person", level="S1")
    line = store.curator.inbox.line_of(store.view(proposal).proposal, limit=10)
    assert store.memory(line[-1].proposal.id).memory.anchors == (victor.id,)


# Merges


def test_anchors_and_levels_follow_a_merge_and_come_back(attacked: Attacked) -> None:
    store = attacked.store
    simon, leroy = store.register("Margot Simon"), store.register("Margot Leroy", level="S2")
    before = store.memory_of(store.remember("Margot Simon works at Acme"))
    tied = store.memory_of(
        store.remember(
            "Margot Simon is the sister of Paul Durand", relation=_relation("Margot Simon", "Paul Durand")
        )
    )
    assert said(store.decided(store.remember("Margot plays the harp"))) == (NEEDS, "name.ambiguous")
    store.direct("merge", entity=simon.id, into=leroy.id)
    for memory in (before, tied):
        state = store.version(memory.id).state
        assert leroy.id in state.anchors
        assert simon.id not in state.anchors
        assert state.level is Level.S2
    during = store.memory_of(store.remember("Margot likes tea"))
    assert during.anchors == (leroy.id,)
    store.direct("unmerge", entity=simon.id)
    for memory in (before, tied):
        state = store.version(memory.id).state
        assert simon.id in state.anchors
        assert leroy.id not in state.anchors
        assert state.level is memory.level
    assert store.version(during.id).state.anchors == (leroy.id,)
    assert said(store.decided(store.remember("Margot owns a boat"))) == (NEEDS, "name.ambiguous")


def test_what_must_stay_apart_is_not_merged_through_a_third(attacked: Attacked) -> None:
    store = attacked.store
    one, other, third = (store.register(f"Basile {family}").id for family in ("Aubry", "Brun", "Caron"))
    store.direct("never_merge", entity=one, other=other)
    store.direct("merge", entity=one, into=third)
    for entity, into in ((other, one), (one, other), (other, third), (third, other)):
        refused = store.direct("merge", entity=entity, into=into)
        assert said(refused) in {(REJECTED, "merge.forbidden"), (REJECTED, "merge.already")}
    assert store.reader.registry().canonical(other) == other


# On every engine


@pytest.fixture
def home(tmp_path: Path, engine: Engine) -> Curated:
    store = curated(tmp_path, engine)
    store.register("Louis Martin", owner=True)
    return acquainted(store)


def test_an_unregistered_person_is_rejected_and_taken_up_once_registered(home: Curated) -> None:
    proposal = home.remember("Zoé Lambert works at Acme")
    other = home.remember("Zoé Lambert lives in Lyon", tool="gemini")
    home.run()
    assert said(home.outcome(proposal)) == (REJECTED, "name.unregistered")
    (review,) = home.curator.inbox.anchor_reviews(limit=10)
    assert set(review.proposals) == {proposal, other}
    zoe = home.register("Zoé Lambert")
    children = [
        view for view in home.curator.inbox.view(limit=20) if view.proposal.parent in (proposal, other)
    ]
    assert {view.outcome.outcome for view in children if view.outcome} == {COMMITTED}
    assert len(children) == 2
    for view in children:
        assert zoe.id in home.memory(view.proposal.id).memory.anchors
    assert home.outcome(proposal).outcome is REJECTED


def test_registering_one_of_two_names_leaves_the_other_to_its_review(home: Curated) -> None:
    proposal = home.remember("Zoé Lambert met Karim Haddad in Lyon")
    home.run()
    home.register("Zoé Lambert")
    assert {review.name for review in home.curator.inbox.anchor_reviews(limit=9) if not review.closed_at} == {
        "Karim Haddad"
    }
    home.register("Karim Haddad")
    lines = [v for v in home.curator.inbox.view(limit=30) if v.proposal.root_id == proposal]
    assert sorted(view.outcome.outcome for view in lines if view.outcome) == [COMMITTED, REJECTED, REJECTED]


def test_a_name_above_the_tools_scope_looks_unregistered(home: Curated) -> None:
    hidden = home.remember("Léa Roux works at Acme", level=Level.S0)
    unknown = home.remember("Zoé Lambert works at Acme", level=Level.S0)
    home.run()
    assert said(home.outcome(hidden)) == said(home.outcome(unknown)) == (REJECTED, "name.unregistered")
    assert home.outcome(hidden).level == home.outcome(unknown).level


def test_two_pauls_attach_to_nobody_and_a_ruling_says_which(home: Curated) -> None:
    proposal = home.remember("Paul works at Acme")
    assert said(home.decided(proposal)) == (NEEDS, "name.ambiguous")
    unsettled = home.direct("rule", proposal=proposal, ruling="keep-new")
    assert said(unsettled) == (REJECTED, "unsettled.name.ambiguous")
    assert home.view(proposal).state is InboxState.NEEDS_OWNER
    ruled = home.direct("rule", proposal=proposal, ruling="keep-new", anchors=["Paul Durand"])
    assert ruled.outcome is COMMITTED
    memory = home.memory(proposal).memory
    assert home.reader.registry().named("Paul Durand")[0].id in memory.anchors
    assert memory.ruled


def test_one_ruling_says_whom_several_ambiguous_names_mean(home: Curated) -> None:
    home.register("Léa Martin")
    proposal = home.remember("Paul works with Léa")
    outcome = home.decided(proposal)
    assert said(outcome) == (NEEDS, "name.ambiguous")
    named = home.reader.registry().named
    durand, paul, roux, lea = (
        named(name)[0].id for name in ("Paul Durand", "Paul Martin", "Léa Roux", "Léa Martin")
    )
    assert outcome.details["choices"] == {"Paul": sorted([durand, paul]), "Léa": sorted([roux, lea])}
    half = home.direct("rule", proposal=proposal, ruling="keep-new", anchors=[durand])
    assert said(half) == (REJECTED, "unsettled.name.ambiguous")
    home.direct("rule", proposal=proposal, ruling="keep-new", anchors=[durand, "Léa Martin"])
    assert set(home.memory(proposal).memory.anchors) == {durand, lea}


def test_an_anchor_passed_along_tells_which_paul_is_meant(home: Curated) -> None:
    memory = home.memory_of(home.remember("Paul works at Acme", anchors=["Paul Martin"]))
    assert home.reader.registry().named("Paul Martin")[0].id in memory.anchors


def test_a_relation_with_nobody_we_know_is_rejected(home: Curated) -> None:
    relation = {"subject": "Léa Roux", "predicate": "sister_of", "object": "Zoé"}
    outcome = home.decided(home.remember("Léa Roux has a sister", relation=relation))
    assert said(outcome) == (REJECTED, "name.unregistered")


def test_entities_are_merged_and_the_merge_undone(home: Curated) -> None:
    one, two = home.register("Léa"), home.register("Léa Roux")
    home.direct("merge", entity=one.id, into=two.id)
    assert home.reader.registry().canonical(one.id) == two.id
    home.direct("unmerge", entity="Léa")
    assert home.reader.registry().canonical(one.id) == one.id


def test_a_forbidden_merge_is_refused(home: Curated) -> None:
    home.register("Paul Durand")
    home.register("Paul Martin")
    home.direct("never_merge", entity="Paul Durand", other="Paul Martin")
    outcome = home.direct("merge", entity="Paul Durand", into="Paul Martin")
    assert (outcome.outcome, outcome.reason) == (REJECTED, "merge.forbidden")


def test_a_declaration_that_names_a_stranger_is_taken_up_once_they_are_registered(home: Curated) -> None:
    refused = home.direct("declare", text="Zoltan Kovacs is my neighbour.")
    assert (refused.outcome, refused.reason) == (REJECTED, "name.unregistered")
    home.register("Zoltan Kovacs")
    line = home.curator.inbox.line_of(home.view(refused.proposal).proposal, limit=5)
    assert [view.outcome.outcome for view in line if view.outcome] == [REJECTED, COMMITTED]
