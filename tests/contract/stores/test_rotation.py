"""Refresh tokens: how they rotate, on SQLite and on a real Redis.

A token stays good until a successor of it is used, so that a client whose answer was lost may ask again; and
whoever presents one that was superseded is taken for a thief, or for the victim of one (RFC 9700 section 4.14.2).
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policies.terms import Instant
from service.stores.protocol import Redeemed, Store
from tests.contract.stores.conftest import Opener
from tests.contract.stores.made import DAY, HOUR, MINUTE, NOW, SECOND, Connection, after, at_once

UNKNOWN, DONE, REPLAYED = Redeemed.UNKNOWN, Redeemed.DONE, Redeemed.REPLAYED


@pytest.fixture
def connection(store: Store) -> Connection:
    return Connection(store)


def test_a_refresh_token_gives_successors_that_are_good(store: Store, connection: Connection) -> None:
    first = connection.connect()
    access, refresh = connection.tokens(after(HOUR))
    assert store.oauth.rotate(first, access, refresh, after(HOUR)) is DONE
    assert store.oauth.refresh_token(refresh.digest) == refresh
    found = store.grants.bearer(access.digest)
    assert found is not None
    assert found[0] == access
    assert connection.rotate(refresh.digest, after(2 * HOUR))[0] is DONE


def test_a_chain_of_refreshes_goes_on_for_ever(store: Store, connection: Connection) -> None:
    refresh, now = connection.connect(), NOW
    for _ in range(30):
        now = Instant(now + 60 * DAY)
        refresh = connection.successor(refresh, now)
        store.oauth.sweep(now)
    assert not connection.is_revoked()


def test_a_lost_answer_is_survived_by_asking_again(connection: Connection) -> None:
    first = connection.connect()
    lost = connection.successor(first)
    twin = connection.successor(first, after(HOUR))
    assert twin != lost
    assert connection.rotate(twin, after(2 * HOUR))[0] is DONE
    assert not connection.is_revoked()


def test_a_parent_mints_twins_until_one_of_them_is_used_and_each_is_good(connection: Connection) -> None:
    first = connection.connect()
    twins = [connection.successor(first, after(second * SECOND)) for second in range(10)]
    assert connection.rotate(twins[4], after(10 * SECOND))[0] is DONE
    assert not connection.is_revoked()


@pytest.mark.parametrize("presented", ["parent", "elder twin", "younger twin"])
def test_the_first_twin_used_supersedes_its_twins_and_the_parent(
    connection: Connection, presented: str
) -> None:
    parent = connection.connect()
    elder, used, younger = (connection.successor(parent, after(second * SECOND)) for second in range(3))
    heir = connection.successor(used, after(4 * SECOND))
    superseded = {"parent": parent, "elder twin": elder, "younger twin": younger}[presented]
    assert connection.rotate(superseded, after(5 * SECOND))[0] is REPLAYED
    assert connection.is_revoked()
    assert connection.rotate(heir, after(6 * SECOND))[0] is UNKNOWN


def test_a_replay_forgets_every_access_token_of_the_grant_and_no_other(store: Store) -> None:
    connection, other = Connection(store, 1), Connection(store, 2)
    first = connection.connect()
    other.connect()
    connection.successor(connection.successor(first))
    assert all(store.grants.bearer(f"access 1.{number}") is not None for number in range(3))
    assert connection.rotate(first, after(7))[0] is REPLAYED
    assert all(store.grants.bearer(f"access 1.{number}") is None for number in range(4))
    assert store.grants.bearer("access 2.0") is not None
    kept = store.grants.grant(connection.grant)
    assert kept is not None
    assert kept.revoked_at == after(7)
    assert not other.is_revoked()


def test_an_ancestor_further_up_revokes_too(connection: Connection) -> None:
    chain = [connection.connect()]
    for _ in range(4):
        chain.append(connection.successor(chain[-1]))
    assert connection.rotate(chain[0])[0] is REPLAYED
    assert [connection.rotate(link)[0] for link in chain] == [REPLAYED] * 3 + [UNKNOWN] * 2


def test_age_alone_withdraws_nothing(connection: Connection) -> None:
    first = connection.connect()
    child = connection.successor(first)
    assert connection.rotate(child, after(80 * DAY))[0] is DONE


@pytest.mark.parametrize(
    ("age", "redeemed"), [(30 * SECOND, Redeemed.DONE), (30 * SECOND + 1, Redeemed.UNKNOWN)]
)
def test_an_unused_twin_older_than_thirty_seconds_is_withdrawn_when_another_is_minted(
    connection: Connection, age: int, redeemed: Redeemed
) -> None:
    first = connection.connect()
    old = connection.successor(first)
    connection.successor(first, after(age))
    assert connection.rotate(old, after(age))[0] is redeemed
    assert not connection.is_revoked()


def test_a_withdrawn_twin_is_merely_unknown_even_once_another_was_used(connection: Connection) -> None:
    first = connection.connect()
    withdrawn = connection.successor(first)
    young = connection.successor(first, after(MINUTE))
    assert connection.rotate(withdrawn, after(MINUTE))[0] is UNKNOWN
    heir = connection.successor(young, after(MINUTE))
    assert connection.rotate(withdrawn, after(MINUTE))[0] is UNKNOWN
    assert connection.rotate(heir, after(MINUTE))[0] is DONE
    assert not connection.is_revoked()


def test_using_a_withdrawn_twin_supersedes_nobody(connection: Connection) -> None:
    first = connection.connect()
    withdrawn = connection.successor(first)
    young = connection.successor(first, after(MINUTE))
    connection.rotate(withdrawn, after(MINUTE))
    younger = connection.successor(first, after(MINUTE))
    assert connection.rotate(young, after(MINUTE))[0] is DONE
    assert connection.rotate(younger, after(MINUTE))[0] is REPLAYED


def test_an_old_twin_is_withdrawn_and_a_young_one_stays(connection: Connection) -> None:
    first = connection.connect()
    old, young = connection.successor(first), connection.successor(first, after(20 * SECOND))
    connection.successor(first, after(40 * SECOND))
    assert connection.rotate(old, after(40 * SECOND))[0] is UNKNOWN
    assert connection.rotate(young, after(40 * SECOND))[0] is DONE


def test_minting_withdraws_only_the_twins_of_its_own_parent(store: Store) -> None:
    one, other = Connection(store, 1), Connection(store, 2)
    first, of_other = one.connect(), other.connect()
    theirs = other.successor(of_other)
    one.successor(first)
    one.successor(first, after(MINUTE))
    assert other.rotate(theirs, after(MINUTE))[0] is DONE


def test_a_used_child_that_is_used_again_mints_its_own_twins(connection: Connection) -> None:
    """Its answer was lost too: its parent is superseded, but not the child, none of whose successors was used."""
    parent = connection.connect()
    child = connection.successor(parent)
    lost = connection.successor(child, after(SECOND))
    found = connection.successor(child, after(MINUTE))
    assert connection.rotate(lost, after(MINUTE))[0] is UNKNOWN
    assert connection.rotate(found, after(MINUTE))[0] is DONE
    assert connection.rotate(child, after(MINUTE))[0] is REPLAYED


def test_a_clock_that_is_behind_withdraws_nothing(connection: Connection) -> None:
    first = connection.connect()
    ahead = connection.successor(first, after(HOUR))
    connection.successor(first, after(MINUTE))
    assert connection.rotate(ahead, after(HOUR))[0] is DONE


def test_an_unknown_refresh_token_keeps_nothing(store: Store, connection: Connection) -> None:
    connection.connect()
    access, refresh = connection.tokens(NOW)
    assert store.oauth.rotate("never", access, refresh, NOW) is UNKNOWN
    assert store.grants.bearer(access.digest) is None
    assert store.oauth.refresh_token(refresh.digest) is None
    assert store.oauth.refresh_token("never") is None


def test_an_expired_one_is_unknown_whatever_its_state(store: Store) -> None:
    connection = Connection(store, refresh_lasts_us=HOUR)
    first = connection.connect()
    used = connection.successor(first, after(1))
    unused = connection.successor(used, after(2))
    assert connection.rotate(first, after(HOUR))[0] is UNKNOWN
    assert connection.rotate(used, after(HOUR + 1))[0] is UNKNOWN
    assert connection.rotate(unused, after(HOUR + 2))[0] is UNKNOWN
    assert connection.rotate(unused, after(HOUR + 1))[0] is DONE
    assert not connection.is_revoked()


def test_a_parent_that_expired_does_not_hold_up_its_child(store: Store) -> None:
    connection = Connection(store, refresh_lasts_us=HOUR)
    first = connection.connect()
    child = connection.successor(first, after(MINUTE))
    store.oauth.sweep(after(HOUR))
    assert connection.rotate(child, after(HOUR))[0] is DONE


@pytest.mark.parametrize("ended", ["revoked", "expired"])
def test_one_of_a_grant_that_ended_is_unknown_and_keeps_nothing(store: Store, ended: str) -> None:
    connection = Connection(store)
    fresh = connection.connect(expires_at=after(HOUR) if ended == "expired" else None)
    if ended == "revoked":
        store.grants.revoke(connection.grant, NOW)
    access, refresh = connection.tokens(after(HOUR))
    assert store.oauth.rotate(fresh, access, refresh, after(HOUR)) is UNKNOWN
    assert store.grants.bearer(access.digest) is None
    assert store.oauth.refresh_token(refresh.digest) is None
    assert connection.is_revoked() is (ended == "revoked")


def test_one_that_was_superseded_is_told_as_replayed_after_its_grant_was_revoked(
    store: Store, connection: Connection
) -> None:
    first = connection.connect()
    connection.successor(connection.successor(first))
    store.grants.revoke(connection.grant, NOW)
    assert connection.rotate(first, after(5))[0] is REPLAYED
    kept = store.grants.grant(connection.grant)
    assert kept is not None
    assert kept.revoked_at == NOW


def test_one_gives_no_tokens_for_another_grant(store: Store) -> None:
    one, other = Connection(store, 1), Connection(store, 2)
    of_one, of_other = one.connect(), other.connect()
    assert other.rotate(of_one)[0] is UNKNOWN
    assert one.rotate(of_one)[0] is DONE
    assert other.rotate(of_other)[0] is DONE


def test_what_a_store_keeps_of_one_is_told_whatever_its_state(store: Store, connection: Connection) -> None:
    first = connection.connect()
    withdrawn = connection.successor(first)
    connection.successor(connection.successor(first, after(MINUTE)), after(MINUTE))
    for digest in (first, withdrawn):
        kept = store.oauth.refresh_token(digest)
        assert kept is not None
        assert (kept.digest, kept.grant, kept.client) == (digest, connection.grant, "client-1")


def test_many_refreshes_at_once_all_succeed_and_the_first_successor_used_wins(opener: Opener) -> None:
    """A client that opens several windows refreshes the one token that all of them hold."""
    stores = [opener(), opener()]
    connection = Connection(stores[0])
    first = connection.connect()
    twins = at_once(stores, 20, lambda store, _: connection.rotate(first, NOW, store))
    assert [redeemed for redeemed, _ in twins] == [DONE] * 20
    assert not connection.is_revoked()
    used = at_once(stores, 20, lambda store, n: connection.rotate(twins[n][1], after(SECOND), store)[0])
    assert Counter(used) == {DONE: 1, REPLAYED: 19}
    assert connection.is_revoked()


def test_two_refreshes_in_parallel_harm_a_client_no_more_than_one(opener: Opener) -> None:
    stores = [opener(), opener()]
    connection = Connection(stores[0])
    refresh = connection.connect()
    for hour in range(1, 11):
        now = after(hour * HOUR)
        twins = at_once(stores, 2, lambda store, _, held=refresh, at=now: connection.rotate(held, at, store))
        assert [redeemed for redeemed, _ in twins] == [DONE, DONE]
        refresh = twins[hour % 2][1]  # the other window wrote its own last, and both read that one
    assert not connection.is_revoked()


def test_a_parent_and_its_child_used_at_once_end_in_one_of_two_ways(opener: Opener) -> None:
    """Whoever came first: the parent minted a twin that is superseded, or it was replayed."""
    stores = [opener(), opener()]
    for number in range(1, 11):
        connection = Connection(stores[0], number)
        parent = connection.connect()
        presented = (parent, connection.successor(parent))
        told = at_once(stores, 2, lambda store, n, c=connection, p=presented: c.rotate(p[n], NOW, store)[0])
        assert tuple(told) in {(DONE, DONE), (REPLAYED, DONE)}
        assert connection.is_revoked() is (told[0] is REPLAYED)


@dataclass
class Model:
    """The rule, told by what happened to each token instead of by states."""

    lasts_us: int
    issued: list[Instant] = field(default_factory=list[Instant])
    parents: list[int | None] = field(default_factory=list[int | None])
    used: set[int] = field(default_factory=set[int])
    withdrawn: set[int] = field(default_factory=set[int])
    revoked: bool = False

    def mint(self, parent: int | None, now: Instant) -> None:
        """A token more."""
        self.issued.append(now)
        self.parents.append(parent)

    def children(self, parent: int | None) -> list[int]:
        """Those that a token minted."""
        return [token for token, of in enumerate(self.parents) if of == parent]

    def present(self, token: int, now: Instant) -> Redeemed:
        """What presenting a token is told."""
        if now >= self.issued[token] + self.lasts_us or token in self.withdrawn:
            return UNKNOWN
        twins = [] if self.parents[token] is None else self.children(self.parents[token])
        beaten = token not in self.used and any(twin in self.used for twin in twins)
        if beaten or any(child in self.used for child in self.children(token)):
            self.revoked = True
            return REPLAYED
        if self.revoked:
            return UNKNOWN
        self.used.add(token)
        self.withdrawn.update(
            child for child in self.children(token) if now - self.issued[child] > 30 * SECOND
        )
        self.mint(token, now)
        return DONE


_GRANTS = itertools.count(1)
_PRESENTED = st.tuples(
    st.integers(0, 6),  # how far back from the youngest
    st.sampled_from([0, 1, 10 * SECOND, 30 * SECOND, 30 * SECOND + 1, 5 * MINUTE]),
)


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    database=None,
)
@given(steps=st.lists(_PRESENTED, max_size=15))
def test_any_use_of_refresh_tokens_is_told_as_the_rule_says(
    store: Store, steps: list[tuple[int, int]]
) -> None:
    connection = Connection(store, next(_GRANTS), refresh_lasts_us=10 * MINUTE)
    tokens, now = [connection.connect()], NOW
    model = Model(10 * MINUTE)
    model.mint(None, now)
    for back, elapsed in steps:
        now = Instant(now + elapsed)
        presented = max(len(tokens) - 1 - back, 0)
        redeemed, successor = connection.rotate(tokens[presented], now)
        assert redeemed is model.present(presented, now)
        assert connection.is_revoked() is model.revoked
        if redeemed is DONE:
            tokens.append(successor)
