"""How often things may happen, on SQLite and on a real Redis."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from policies.terms import GrantId, Instant
from service.stores.protocol import Rate, Store
from tests.contract.stores.conftest import Opener
from tests.contract.stores.made import MINUTE, NOW, SECOND, after, at_once, grant, token


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


def test_a_rate_below_one_a_minute_is_a_rate(store: Store) -> None:
    rate = Rate(per_minute=0.5, burst=2)
    assert [store.rates.take("a", rate, NOW) for _ in range(2)] == [0, 0]
    assert store.rates.take("a", rate, NOW) == 2 * MINUTE
    assert store.rates.take("a", rate, after(2 * MINUTE - 1)) == 1
    assert store.rates.take("a", rate, after(2 * MINUTE)) == 0


def test_anything_is_counted_under_its_own_key_apart_from_grants(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    rate = Rate(per_minute=1, burst=1)
    assert store.rates.charge(GrantId("grant:1"), "reads", rate, NOW) == 0
    for key in ("grant:1 reads", "203.0.113.7", "203.0.113.8", "2001:db8::1", "everybody"):
        assert store.rates.take(key, rate, NOW) == 0
        assert store.rates.take(key, rate, NOW) == MINUTE
    used = store.grants.grant(GrantId("grant:1"))
    assert used is not None
    assert used.calls == 1


def test_what_is_forgiven_counts_no_more_and_nothing_else_is(store: Store) -> None:
    rate = Rate(per_minute=1, burst=1)
    for key in ("a", "b"):
        store.rates.take(key, rate, NOW)
    store.rates.charge(GrantId("grant:1"), "reads", rate, NOW)
    store.rates.forgive("a")
    store.rates.forgive("never counted")
    store.rates.forgive("grant:1 reads")
    assert store.rates.take("a", rate, NOW) == 0
    assert store.rates.take("b", rate, NOW) > 0
    assert store.rates.charge(GrantId("grant:1"), "reads", rate, NOW) > 0


def test_processes_taking_at_once_let_exactly_the_burst_through(opener: Opener) -> None:
    stores = [opener(), opener()]
    waits = at_once(stores, 20, lambda store, _: store.rates.take("a", Rate(1, 7), NOW))
    assert waits.count(0) == 7


def test_a_counter_outlives_a_sweep_only_while_it_says_something(store: Store) -> None:
    rate = Rate(per_minute=1, burst=1)
    store.rates.take("a", rate, NOW)
    store.oauth.sweep(after(MINUTE - SECOND))
    assert store.rates.take("a", rate, after(MINUTE - SECOND)) > 0
    store.oauth.sweep(after(MINUTE))
    assert store.rates.take("a", rate, after(MINUTE)) == 0
