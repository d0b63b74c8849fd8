"""Grants and bearer tokens, on SQLite and on a real Redis."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from policies.errors import GrantChanged, GrantNameTaken
from policies.terms import Grant, GrantId, Instant, Level
from service.stores.protocol import Rate, Store, Token
from tests.contract.stores.conftest import Opener
from tests.contract.stores.made import HOUR, MINUTE, NOW, Connection, after, code, grant, token


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


def changed(store: Store, **changes: object) -> Grant:
    """The first grant, after a change that takes."""
    former = store.grants.grant(GrantId("grant:1"))
    assert former is not None
    assert store.grants.update(former, grant(1, **changes))
    kept = store.grants.grant(GrantId("grant:1"))
    assert kept is not None
    return kept


def test_what_the_owner_allows_can_be_changed_and_use_is_left_as_it_is(store: Store) -> None:
    store.grants.add(grant(1, client="claude"), token(1))
    store.rates.charge(GrantId("grant:1"), "reads", Rate(60, 3), after(9))
    wanted = {
        "name": "renamed",
        "scope": "private-full",
        "level": Level.S3,
        "domains": ("work",),
        "may_read": False,
        "may_propose": False,
        "expires_at": after(HOUR),
        "language": "fr",
    }
    used = {"client": "claude", "calls": 1, "last_used_at": after(9)}
    assert changed(store, **wanted, calls=77, client="other", created_at=NOW) == grant(1, **wanted, **used)
    assert changed(store) == grant(1, **used)


@pytest.mark.parametrize(
    "meanwhile",
    [
        {"name": "renamed"},
        {"scope": "private-full"},
        {"level": Level.S3},
        {"domains": ("work",)},
        {"may_read": False},
        {"may_propose": False},
        {"expires_at": after(HOUR)},
        {"language": "fr"},
    ],
    ids=lambda meanwhile: "".join(meanwhile),
)
def test_what_is_no_longer_as_it_was_is_not_changed(store: Store, meanwhile: dict[str, Any]) -> None:
    """Of two changes at once, the later would undo the earlier: a scope that was lowered, say."""
    store.grants.add(grant(1), token(1))
    store.rates.charge(GrantId("grant:1"), "reads", Rate(60, 3), after(9))
    assert store.grants.update(grant(1), grant(1, **meanwhile))
    with pytest.raises(GrantChanged):
        store.grants.update(grant(1), grant(1, name="another"))
    used = {"calls": 1, "last_used_at": after(9)}
    assert store.grants.grants() == [grant(1, **meanwhile, **used)]
    assert store.grants.update(grant(1, **meanwhile), grant(1))
    assert store.grants.grants() == [grant(1, **used)]


def test_of_processes_that_change_a_grant_at_once_one_does(opener: Opener) -> None:
    stores = [opener() for _ in range(4)]
    stores[0].grants.add(grant(1), token(1))

    def change(numbered: tuple[int, Store]) -> bool:
        number, store = numbered
        try:
            return store.grants.update(grant(1), grant(1, name=f"by {number}"))
        except GrantChanged:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(change, enumerate(stores))) == 1


def test_a_lowered_scope_is_found_by_the_next_call_of_another_process(opener: Opener) -> None:
    one, other = opener(), opener()
    one.grants.add(grant(1, level=Level.S3), token(1))
    one.grants.update(grant(1, level=Level.S3), grant(1, level=Level.S0))
    found = other.grants.bearer(token(1).digest)
    assert found is not None
    assert found[1].level is Level.S0


def test_a_renamed_grant_is_found_by_its_new_name_alone_and_the_old_one_is_free(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    changed(store, name="renamed")
    assert store.grants.named("renamed") == grant(1, name="renamed")
    assert store.grants.named("tool 1") is None
    store.grants.add(grant(2, name="tool 1"), token(2))
    store.grants.revoke(GrantId("grant:1"), NOW)
    assert store.grants.named("renamed") is None
    assert store.grants.named("tool 1") is not None


def test_a_name_of_another_living_grant_is_refused_and_nothing_changes(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    store.grants.add(grant(2), token(2))
    with pytest.raises(GrantNameTaken):
        store.grants.update(grant(1), grant(1, name="tool 2", scope="private-full"))
    assert store.grants.named("tool 1") == grant(1)
    assert store.grants.named("tool 2") == grant(2)
    store.grants.revoke(GrantId("grant:2"), NOW)
    assert store.grants.update(grant(1), grant(1, name="tool 2"))


def test_a_revoked_or_unknown_grant_cannot_be_changed(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    store.grants.revoke(GrantId("grant:1"), NOW)
    assert not store.grants.update(grant(1), grant(1, name="back", revoked_at=None))
    assert not store.grants.update(grant(9), grant(9))
    assert store.grants.grants() == [grant(1, revoked_at=NOW)]
    assert store.grants.named("back") is None
    assert store.grants.named("tool 9") is None


def test_all_living_grants_are_revoked_at_once_and_their_tokens_forgotten(store: Store) -> None:
    for number in (1, 2, 3):
        store.grants.add(grant(number), token(number))
    refresh = Connection(store, 4).connect()
    access = "access 4.0"
    assert store.grants.bearer(access) is not None
    store.grants.revoke(GrantId("grant:2"), NOW)
    assert store.grants.revoke_all(after(5)) == 3
    assert [kept.revoked_at for kept in store.grants.grants()] == [after(5), NOW, after(5), after(5)]
    assert [store.grants.bearer(digest) for digest in (token(1).digest, token(3).digest, access)] == [
        None
    ] * 3
    assert store.grants.named("tool 1") is None
    assert store.oauth.refresh_token(refresh) is not None
    assert store.grants.revoke_all(after(6)) == 0


def test_a_grant_without_a_token_is_a_grant(store: Store) -> None:
    store.grants.add(grant(1), code(1))
    assert store.grants.named("tool 1") == grant(1)
    with pytest.raises(GrantNameTaken):
        store.grants.add(grant(2, name="tool 1"), code(2, 2))
    assert store.oauth.code("code 2") is None


def test_a_grant_takes_the_place_and_the_name_of_another_or_nothing_changes(store: Store) -> None:
    for number in (1, 2):
        store.grants.add(grant(number), token(number))
    with pytest.raises(GrantNameTaken):
        store.grants.add(grant(3, name="tool 2"), code(3, 3), replaces=GrantId("grant:1"))
    assert store.grants.bearer(token(1).digest) == (token(1), grant(1))
    assert (store.grants.grant(GrantId("grant:3")), store.oauth.code("code 3")) == (None, None)
    made = grant(3, name="tool 1", created_at=after(5))
    store.grants.add(made, code(3, 3), replaces=GrantId("grant:1"))
    assert store.grants.bearer(token(1).digest) is None
    assert store.grants.grant(GrantId("grant:1")) == grant(1, revoked_at=after(5))
    assert (store.grants.named("tool 1"), store.oauth.code("code 3")) == (made, code(3, 3))
    assert store.grants.bearer(token(2).digest) == (token(2), grant(2))
    store.grants.add(grant(4), token(4), replaces=GrantId("grant:9"))
    assert store.grants.named("tool 4") == grant(4)


def test_a_token_and_a_grant_that_expired_are_found_so_that_the_caller_judges(store: Store) -> None:
    bearer = Token("a" * 64, GrantId("grant:1"), "urn:mnemo:store:default", Instant(1))
    store.grants.add(grant(1, expires_at=Instant(2)), bearer)
    assert store.grants.bearer("a" * 64) == (bearer, grant(1, expires_at=Instant(2)))
