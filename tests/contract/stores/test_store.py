"""What every store promises, on SQLite and on a real Redis."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from policies.errors import GrantNameTaken
from policies.terms import Grant, GrantId, Instant, Level
from service.stores.protocol import Rate, Store, Token
from tests.contract.stores.conftest import Opener

NOW = Instant(1_790_000_000_000_000)
MINUTE = 60_000_000


def grant(number: int, **changes: object) -> Grant:
    made = Grant(
        id=GrantId(f"grant:{number}"),
        name=f"tool {number}",
        scope="assistant-standard",
        level=Level.S1,
        created_at=Instant(NOW + number),
    )
    return replace(made, **changes)  # pyright: ignore[reportArgumentType]


def token(number: int) -> Token:
    return Token(f"{number:064x}", GrantId(f"grant:{number}"), "urn:mnemo:store:default", None)


def test_a_bearer_is_found_by_digest_with_everything_the_grant_says(store: Store) -> None:
    kept = grant(
        1,
        domains=("work", "travel"),
        may_read=False,
        language="fr",
        expires_at=Instant(NOW + MINUTE),
        client="claude",
    )
    bearer = Token("a" * 64, kept.id, "https://mnemo.example/mcp", Instant(NOW + 5))
    store.grants.add(kept, bearer)
    assert store.grants.bearer("a" * 64) == (bearer, kept)
    assert store.grants.grant(kept.id) == kept
    assert store.grants.named("tool 1") == kept


def test_an_unknown_digest_id_or_name_finds_nothing(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    assert store.grants.bearer("f" * 64) is None
    assert store.grants.grant(GrantId("grant:9")) is None
    assert store.grants.named("tool 9") is None


def test_a_limit_to_no_domain_is_not_no_limit(store: Store) -> None:
    store.grants.add(grant(1, domains=()), token(1))
    kept = store.grants.grant(GrantId("grant:1"))
    assert kept is not None
    assert kept.domains == ()


def test_a_name_in_use_is_refused_and_nothing_is_kept(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    with pytest.raises(GrantNameTaken):
        store.grants.add(grant(2, name="tool 1"), token(2))
    assert store.grants.bearer(token(2).digest) is None
    assert [kept.id for kept in store.grants.grants()] == ["grant:1"]


def test_revoking_ends_the_token_frees_the_name_and_leaves_others_alone(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    store.grants.add(grant(2), token(2))
    assert store.grants.revoke(GrantId("grant:1"), Instant(NOW + 7))
    assert store.grants.bearer(token(1).digest) is None
    assert store.grants.bearer(token(2).digest) is not None
    ended = store.grants.grant(GrantId("grant:1"))
    assert ended is not None
    assert ended.revoked_at == NOW + 7
    assert store.grants.named("tool 1") is None
    store.grants.add(grant(3, name="tool 1"), token(3))
    assert store.grants.named("tool 1") == grant(3, name="tool 1")


def test_revoking_twice_or_nobody_changes_nothing(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    assert store.grants.revoke(GrantId("grant:1"), NOW)
    assert not store.grants.revoke(GrantId("grant:1"), Instant(NOW + 1))
    assert not store.grants.revoke(GrantId("grant:9"), NOW)
    ended = store.grants.grant(GrantId("grant:1"))
    assert ended is not None
    assert ended.revoked_at == NOW


def test_an_old_grant_of_a_reused_name_cannot_free_the_name(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    store.grants.revoke(GrantId("grant:1"), NOW)
    store.grants.add(grant(2, name="tool 1"), token(2))
    store.grants.revoke(GrantId("grant:1"), Instant(NOW + 1))
    assert store.grants.named("tool 1") is not None


def test_grants_are_listed_oldest_first_revoked_ones_too(store: Store) -> None:
    for number in (3, 1, 2):
        store.grants.add(grant(number), token(number))
    store.grants.revoke(GrantId("grant:2"), NOW)
    assert [kept.id for kept in store.grants.grants()] == ["grant:1", "grant:2", "grant:3"]


def test_what_one_process_revokes_the_next_call_of_another_does_not_find(opener: Opener) -> None:
    one, other = opener(), opener()
    one.grants.add(grant(1), token(1))
    assert other.grants.bearer(token(1).digest) is not None
    one.grants.revoke(GrantId("grant:1"), NOW)
    assert other.grants.bearer(token(1).digest) is None


def test_a_burst_passes_and_the_next_call_is_told_how_long_to_wait(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    rate = Rate(per_minute=60, burst=3)
    assert [store.rates.charge(GrantId("grant:1"), "reads", rate, NOW) for _ in range(3)] == [0, 0, 0]
    wait = store.rates.charge(GrantId("grant:1"), "reads", rate, NOW)
    assert 0 < wait <= 1_000_000
    assert store.rates.charge(GrantId("grant:1"), "reads", rate, Instant(NOW + wait)) == 0


def test_kinds_and_grants_are_counted_apart(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    store.grants.add(grant(2), token(2))
    rate = Rate(per_minute=1, burst=1)
    assert store.rates.charge(GrantId("grant:1"), "reads", rate, NOW) == 0
    assert store.rates.charge(GrantId("grant:1"), "proposals", rate, NOW) == 0
    assert store.rates.charge(GrantId("grant:2"), "reads", rate, NOW) == 0
    assert store.rates.charge(GrantId("grant:1"), "reads", rate, NOW) > 0


def test_an_idle_grant_saves_up_no_more_than_its_burst(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    rate = Rate(per_minute=60, burst=2)
    store.rates.charge(GrantId("grant:1"), "reads", rate, NOW)
    later = Instant(NOW + 60 * MINUTE)
    passed = [store.rates.charge(GrantId("grant:1"), "reads", rate, later) for _ in range(4)]
    assert [wait == 0 for wait in passed] == [True, True, False, False]


def test_use_is_noted_and_a_refused_call_is_not_use(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    rate = Rate(per_minute=1, burst=2)
    for _ in range(3):
        store.rates.charge(GrantId("grant:1"), "reads", rate, Instant(NOW + 9))
    used = store.grants.grant(GrantId("grant:1"))
    assert used is not None
    assert (used.calls, used.last_used_at) == (2, NOW + 9)


def test_charging_who_is_no_grant_of_the_store_counts_and_keeps_nothing_of_it(store: Store) -> None:
    assert store.rates.charge(GrantId("grant:cli"), "reads", Rate(1, 1), NOW) == 0
    assert store.rates.charge(GrantId("grant:cli"), "reads", Rate(1, 1), NOW) > 0
    assert store.grants.grants() == []


def test_processes_charging_at_once_let_exactly_the_burst_through(opener: Opener) -> None:
    stores = [opener() for _ in range(4)]
    stores[0].grants.add(grant(1), token(1))
    rate = Rate(per_minute=1, burst=20)

    def hammer(store: Store) -> int:
        waits = [store.rates.charge(GrantId("grant:1"), "reads", rate, NOW) for _ in range(15)]
        return waits.count(0)

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(hammer, stores)) == 20
    used = stores[0].grants.grant(GrantId("grant:1"))
    assert used is not None
    assert used.calls == 20


def test_processes_adding_one_name_at_once_leave_one_grant(opener: Opener) -> None:
    stores = [opener() for _ in range(4)]

    def add(numbered: tuple[int, Store]) -> bool:
        number, store = numbered
        try:
            store.grants.add(grant(number, name="the name"), token(number))
        except GrantNameTaken:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(add, enumerate(stores))) == 1
    assert len(stores[0].grants.grants()) == 1


def test_it_answers(store: Store) -> None:
    store.ping()
