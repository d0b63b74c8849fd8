"""The owner's numbers: those of the contract, what may override them, and the digest that names them."""

from __future__ import annotations

from typing import Any

import pytest

from policies.errors import DomainUnknown, SettingInvalid
from policies.parameters import parameters
from policies.terms import Discretion, EntityType, Level

SHIPPED = parameters()

# The owner can add domains and raise floors; these are the ones a store begins with.
DOMAINS = """identity S1 · home S1 · work S1 · projects S0 · learning S0 · leisure S0 · travel S1 · food S0 ·
technology S0 · social S1 · family S2 · couple S2 (on_demand) · finance S2 (on_demand) · administration S2 ·
law S3 (on_demand) · belief S3 (on_demand) · politics S3 (on_demand) · health S3 (on_request_only) ·
intimacy S3 (on_request_only)"""


def test_the_domains_are_those_of_the_interface_in_its_order() -> None:
    def told(domain: str) -> str:
        one = SHIPPED.domain(domain)
        aside = "" if one.discretion is Discretion.OPEN else f" ({one.discretion})"
        return f"{one.id} {one.floor.name}{aside}"

    assert [told(domain) for domain in SHIPPED.domains] == [part.strip() for part in DOMAINS.split("·")]


def test_every_domain_has_a_label_in_both_languages() -> None:
    for domain in SHIPPED.domains.values():
        assert all(domain.labels[language].strip() for language in ("fr", "en"))


def test_the_scopes_are_four_levels_and_only_the_last_knows_history() -> None:
    assert {name: (scope.level, scope.history) for name, scope in SHIPPED.scopes.items()} == {
        "third-party": (Level.S0, False),
        "assistant-standard": (Level.S1, False),
        "work-context": (Level.S2, False),
        "private-full": (Level.S3, True),
    }


def test_the_limits_are_those_of_the_interface() -> None:
    limits, budget = SHIPPED.limits, SHIPPED.budget
    assert (limits.body_bytes, limits.json_depth) == (64 * 1024, 8)
    assert (limits.statement_characters, limits.statement_bytes, limits.words_characters) == (
        2000,
        8000,
        8000,
    )
    assert (limits.query_characters, limits.query_tokens) == (1000, 32)
    assert (limits.reads_per_minute, limits.proposals_per_minute, limits.burst_calls) == (600, 120, 300)
    assert (limits.pending_per_grant, limits.cursor_seconds) == (2000, 3600)
    assert (budget.pack_items, budget.pack_items_per_entity, budget.pack_items_per_event) == (12, 2, 1)
    assert (budget.pack_tokens_default, budget.pack_tokens_min, budget.pack_tokens_max) == (1500, 200, 4000)
    assert budget.page_items == 12


def test_an_unknown_scope_or_domain_is_refused_by_name() -> None:
    assert SHIPPED.scope("work-context").level is Level.S2
    with pytest.raises(SettingInvalid):
        SHIPPED.scope("everything")
    with pytest.raises(DomainUnknown):
        SHIPPED.domain("gardening")


def test_the_floor_of_several_domains_is_the_highest() -> None:
    assert SHIPPED.floor(()) is Level.S0
    assert SHIPPED.floor(("food", "family")) is Level.S2
    assert SHIPPED.floor(("food", "gone")) is Level.S3


def test_what_the_rules_cannot_place_has_its_floor_or_is_everyday() -> None:
    assert SHIPPED.placed_level(None, ()) is Level.S1
    assert SHIPPED.placed_level(None, ("food",)) is Level.S0
    assert SHIPPED.placed_level(None, ("health",)) is Level.S3
    assert SHIPPED.placed_level(Level.S0, ()) is Level.S0
    assert SHIPPED.placed_level(Level.S3, ("food",)) is Level.S3
    assert SHIPPED.placed_level(Level.S0, ("family",)) is Level.S2


def test_the_default_discretion_of_several_domains_is_the_strictest() -> None:
    assert SHIPPED.default_discretion(()) is Discretion.OPEN
    assert SHIPPED.default_discretion(("food", "gone")) is Discretion.OPEN
    assert SHIPPED.default_discretion(("food", "couple", "health")) is Discretion.ON_REQUEST_ONLY


def test_entities_have_a_default_level_by_type() -> None:
    assert SHIPPED.entity_level(EntityType.PERSON) is Level.S1
    assert SHIPPED.entity_level(EntityType.ANIMAL) is Level.S1
    assert SHIPPED.entity_level(EntityType.PERSON, owner=True) is Level.S0
    others = set(EntityType) - {EntityType.PERSON, EntityType.ANIMAL}
    assert {SHIPPED.entity_level(kind) for kind in others} == {Level.S0}


def test_the_owner_adds_a_domain_raises_a_floor_and_changes_a_number() -> None:
    own = parameters(
        {
            "domains": {
                "food": {"floor": "S1"},
                "garden": {"floor": "S0", "discretion": "on_demand", "fr": "jardin", "en": "garden"},
            },
            "budget": {"page_items": 6},
            "ranking": {"k1": 0.5},
        }
    )
    assert own.domain("food").floor is Level.S1
    assert own.domain("food").labels == SHIPPED.domain("food").labels
    assert own.domain("garden").discretion is Discretion.ON_DEMAND
    assert own.budget.page_items == 6
    assert own.ranking.k1 == 0.5
    assert own.limits == SHIPPED.limits


@pytest.mark.parametrize(
    "overrides",
    [
        {"domains": {"health": {"floor": "S0"}}},
        {"domains": {"health": {"discretion": "open"}}},
        {"domains": {"garden": {"floor": "S0", "fr": "jardin"}}},
        {"domains": {"food": {"floor": "S9"}}},
        {"domains": {"food": "S1"}},
        {"domains": {"food": {"colour": "red"}}},
        {"domains": []},
        {"colours": {"sky": "blue"}},
        {"budget": {"page_items": "many"}},
        {"budget": {"page_items": -1}},
        {"budget": {"pages": 3}},
        {"retry": {"delays_seconds": 5}},
        {"retry": {"delays_seconds": []}},
        {"retry": {"delays_seconds": [-1]}},
    ],
)
def test_an_override_that_lowers_a_domain_or_makes_no_sense_is_refused(overrides: dict[str, Any]) -> None:
    with pytest.raises(SettingInvalid):
        parameters(overrides)


def test_the_digest_names_the_set() -> None:
    assert parameters({}).digest == parameters().digest
    assert parameters({"budget": {"page_items": 6}}).digest != SHIPPED.digest
    assert len(SHIPPED.digest) == 64
