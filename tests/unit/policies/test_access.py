"""Who may be served what: scope, domains, discretion, confirmed rules (G1, G2, G16)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.access import Aim, in_view, is_aimed, is_confirmed, is_topical, resolves, surfaces
from policies.terms import Discretion, EntityId, Kind, Level, MemoryId, Provenance, Version, View
from tests.support.memories import EMPTY, OWNER, memory, registered, registry, version, versions

PAUL = EntityId("ent:Paul")
KNOWN = registry(registered("owner", owner=True), registered("Paul"), registered("Zoé", level=Level.S3))
ALL = View(Level.S3)
REQUEST_ONLY = version(discretion=Discretion.ON_REQUEST_ONLY, domains=("health",))


def limited(*domains: str) -> View:
    return View(Level.S3, frozenset(domains))


@pytest.mark.parametrize("level", Level)
def test_a_view_holds_what_is_at_or_below_its_level(level: Level) -> None:
    for own in Level:
        assert in_view(version(level=own), View(level)) == (own <= level)


def test_the_effective_level_decides_not_the_versions_own() -> None:
    old, _ = versions(
        memory("a"),
        memory("b", level=Level.S3, supersedes=MemoryId("mem:a"), contra="correction"),
    )
    assert not in_view(old, View(Level.S0))


def test_a_domain_limit_asks_for_all_domains_of_a_memory() -> None:
    both = version(domains=("work", "food"))
    assert in_view(both, limited("work", "food", "home"))
    assert not in_view(both, limited("work"))


def test_a_memory_of_no_domain_is_outside_a_limited_view() -> None:
    assert not in_view(version(), limited("work"))
    assert in_view(version(), ALL)


def test_erased_memories_and_retractions_are_in_no_view() -> None:
    one = version()
    assert not in_view(replace(one, state=replace(one.state, erased=True)), ALL)
    assert not in_view(version(kind=Kind.RETRACTION), ALL)


@pytest.mark.parametrize(
    ("discretion", "by_itself", "by_topic"),
    [
        (Discretion.OPEN, True, True),
        (Discretion.ON_DEMAND, False, True),
        (Discretion.ON_REQUEST_ONLY, False, False),
    ],
)
def test_discretion_has_two_axes(discretion: Discretion, by_itself: bool, by_topic: bool) -> None:
    one = version(discretion=discretion)
    assert surfaces(one, ALL) == by_itself
    assert is_topical(one, ALL) == by_topic


def test_what_is_out_of_view_neither_surfaces_nor_is_found_nor_aimed_at() -> None:
    hidden, view = version(level=Level.S3), View(Level.S1)
    assert not surfaces(hidden, view)
    assert not is_topical(hidden, view)
    assert not is_aimed(hidden, view, Aim(ids=frozenset({hidden.memory.id})), EMPTY, matches=True)


@pytest.mark.parametrize(
    ("provenance", "ruled", "confirmed"),
    [
        (Provenance.ATTESTED, False, True),
        (Provenance.QUOTED, True, True),
        (Provenance.QUOTED, False, False),
        (Provenance.REPORTED, False, False),
    ],
)
def test_a_rule_surfaces_only_once_the_owner_attested_or_ruled_it(
    provenance: Provenance, ruled: bool, confirmed: bool
) -> None:
    rule = version(kind=Kind.RULE, provenance=provenance, ruled=ruled)
    assert is_confirmed(rule) == confirmed
    assert surfaces(rule, ALL) == confirmed
    assert surfaces(version(provenance=provenance, ruled=ruled), ALL), "other kinds need no ruling"


def aimed(one: Version, *, matches: bool = True, **aim: frozenset[str]) -> bool:
    return is_aimed(one, ALL, Aim(**aim), KNOWN, matches=matches)  # type: ignore[arg-type]


def test_what_is_on_request_only_is_reached_by_its_id() -> None:
    assert aimed(REQUEST_ONLY, matches=False, ids=frozenset({"mem:one"}))
    assert not aimed(REQUEST_ONLY, ids=frozenset({"mem:other"}))


def test_it_is_reached_by_one_of_its_anchors_and_a_query_that_matches() -> None:
    about_paul = version(anchors=(OWNER, PAUL), domains=("health",))
    assert aimed(about_paul, entities=frozenset({PAUL}))
    assert not aimed(about_paul, matches=False, entities=frozenset({PAUL}))
    assert not aimed(about_paul, entities=frozenset({OWNER})), "the owner is named by everything"
    assert not aimed(about_paul, domains=frozenset({"health"})), "it has an anchor to be named by"


@pytest.mark.parametrize("anchors", [(), (OWNER,)])
def test_with_no_anchor_but_the_owner_it_is_reached_by_its_domain(anchors: tuple[EntityId, ...]) -> None:
    own = version(anchors=anchors, domains=("health",))
    assert aimed(own, domains=frozenset({"health"}))
    assert not aimed(own, matches=False, domains=frozenset({"health"}))
    assert not aimed(own, domains=frozenset({"law"}))
    assert not aimed(own, entities=frozenset({OWNER}))


def test_a_registry_without_owner_changes_nothing() -> None:
    one = version(anchors=(PAUL,))
    assert is_aimed(one, ALL, Aim(entities=frozenset({PAUL})), registry(registered("Paul")), matches=True)


def test_an_aim_tells_whether_it_is_about_anything() -> None:
    assert not Aim(ids=frozenset({MemoryId("mem:a")})).is_about
    assert Aim(entities=frozenset({PAUL})).is_about
    assert Aim(domains=frozenset({"health"})).is_about


def test_an_entity_resolves_for_the_views_at_or_above_its_level() -> None:
    zoe = KNOWN.entities[EntityId("ent:Zoé")]
    assert resolves(zoe, ALL, KNOWN)
    assert not resolves(zoe, View(Level.S2), KNOWN)
