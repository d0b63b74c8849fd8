"""Clients, authorization requests, codes and what is swept, on SQLite and on a real Redis."""

from __future__ import annotations

from collections import Counter

import pytest

from policies.terms import GrantId, Instant
from service.stores.protocol import Redeemed, Store
from tests.contract.stores.conftest import Opener
from tests.contract.stores.made import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    SECOND,
    Connection,
    after,
    at_once,
    client,
    code,
    grant,
    request,
    session,
    token,
)


def test_a_client_is_kept_with_everything_it_said(store: Store) -> None:
    public = client(2, auth_method="none", secret=None, registration_token=None, metadata={}, expires_at=None)
    for kept in (client(1), public, client(3, id="https://tool.example/{client}.json", redirect_uris=())):
        store.oauth.put_client(kept)
        assert store.oauth.client(kept.id) == kept


def test_an_unknown_client_is_none(store: Store) -> None:
    assert store.oauth.client("client-9") is None
    assert store.oauth.clients_of(["client-9"]) == {}
    assert not store.oauth.remove_client("client-9")


def test_those_clients_are_found_that_are_asked_for_and_no_others(store: Store) -> None:
    """Strangers register as many as they like: what the owner sees must not take longer for it."""
    document = "https://tool.example/{client}.json?\"'"
    kept = [client(1), client(2, id=document), client(3)]
    for one in kept:
        store.oauth.put_client(one)
    assert store.oauth.clients_of(iter([document, "client-1", "client-1", "client-9", ""])) == {
        "client-1": kept[0],
        document: kept[1],
    }
    assert store.oauth.clients_of([]) == {}


def test_a_changed_client_replaces_the_former_one_wholly(store: Store) -> None:
    store.oauth.put_client(client(1))
    bare = client(1, secret=None, metadata={}, name="Renamed")
    store.oauth.put_client(bare)
    assert store.oauth.client("client-1") == bare
    assert store.oauth.clients_of(["client-1"]) == {"client-1": bare}


def test_a_removed_client_is_gone_and_its_grants_live_on(store: Store) -> None:
    connection = Connection(store)
    store.oauth.put_client(client(1))
    refresh = connection.connect()
    assert store.oauth.remove_client("client-1")
    assert store.oauth.client("client-1") is None
    assert connection.rotate(refresh)[0] is Redeemed.DONE


def test_a_client_that_expired_is_given_until_it_is_swept(store: Store) -> None:
    store.oauth.put_client(client(1, expires_at=NOW))
    store.oauth.put_client(client(2, expires_at=after(1)))
    store.oauth.put_client(client(3, expires_at=None))
    assert store.oauth.client("client-1") is not None
    assert store.oauth.sweep(NOW) == 1
    assert store.oauth.clients_of(["client-1", "client-2", "client-3"]).keys() == {"client-2", "client-3"}


def test_a_client_that_was_used_has_no_end_and_is_never_swept(store: Store) -> None:
    store.oauth.put_client(client(1))
    Connection(store).connect()
    assert store.oauth.client("client-1") == client(1, expires_at=None)
    store.oauth.put_client(client(1, name="Renamed"))  # read before it was used, written after
    store.oauth.sweep(after(400 * DAY))
    assert store.oauth.client("client-1") == client(1, name="Renamed", expires_at=None)


def test_a_metadata_document_that_was_used_is_fetched_again_and_never_swept(store: Store) -> None:
    document = client(1, registration_token=None)
    store.oauth.put_client(document)
    Connection(store).connect()
    store.oauth.sweep(after(400 * DAY))
    assert store.oauth.client("client-1") == document


def test_a_client_that_was_removed_and_comes_back_was_not_used(store: Store) -> None:
    store.oauth.put_client(client(1))
    Connection(store).connect()
    store.oauth.remove_client("client-1")
    store.oauth.put_client(client(1))
    assert store.oauth.client("client-1") == client(1)


def test_a_request_waits_until_it_expires(store: Store) -> None:
    kept, bare = request(1), request(2, state=None, scopes=())
    for waiting in (kept, bare):
        store.oauth.put_request(waiting)
        assert store.oauth.request(waiting.digest, NOW) == waiting
    assert store.oauth.request(kept.digest, after(10 * MINUTE - 1)) == kept
    assert store.oauth.request(kept.digest, after(10 * MINUTE)) is None
    assert store.oauth.take_request(kept.digest, after(10 * MINUTE)) is None
    assert store.oauth.request("unknown", NOW) is None


def test_a_request_is_taken_by_one_of_many_and_by_nobody_again(opener: Opener) -> None:
    stores = [opener(), opener()]
    stores[0].oauth.put_request(request(1))
    taken = at_once(stores, 20, lambda store, _: store.oauth.take_request("request 1", NOW))
    assert [one for one in taken if one is not None] == [request(1)]
    assert stores[0].oauth.request("request 1", NOW) is None


def test_a_request_that_was_put_back_waits_again(store: Store) -> None:
    store.oauth.put_request(request(1))
    store.oauth.take_request("request 1", NOW)
    store.oauth.put_request(request(1))
    assert store.oauth.take_request("request 1", NOW) == request(1)


def test_a_code_is_found_whether_it_was_used_or_expired(store: Store) -> None:
    connection = Connection(store)
    digest = connection.consent()
    assert store.oauth.code(digest) == code(1)
    connection.redeem(digest)
    assert store.oauth.code(digest) == code(1)
    store.grants.add(grant(2), code(2, 2, expires_at=Instant(1)))
    assert store.oauth.code("code 2") == code(2, 2, expires_at=Instant(1))
    assert store.oauth.code("code 9") is None


def test_a_redeemed_code_gives_an_access_token_and_a_refresh_token(store: Store) -> None:
    connection = Connection(store)
    digest = connection.consent()
    access, refresh = connection.tokens(NOW)
    assert store.oauth.redeem(digest, access, refresh, NOW) is Redeemed.DONE
    assert store.grants.bearer(access.digest) == (access, grant(1))
    assert store.oauth.refresh_token(refresh.digest) == refresh
    assert store.oauth.rotate(refresh.digest, *connection.tokens(NOW), NOW) is Redeemed.DONE


def test_an_unknown_or_expired_code_keeps_nothing_and_harms_nobody(store: Store) -> None:
    connection = Connection(store)
    digest = connection.consent()
    access, refresh = connection.tokens(NOW)
    assert store.oauth.redeem("code 9", access, refresh, NOW) is Redeemed.UNKNOWN
    assert store.oauth.redeem(digest, access, refresh, after(MINUTE)) is Redeemed.UNKNOWN
    assert store.grants.bearer(access.digest) is None
    assert store.oauth.refresh_token(refresh.digest) is None
    assert not connection.is_revoked()
    assert store.oauth.redeem(digest, access, refresh, after(MINUTE - 1)) is Redeemed.DONE


def test_a_code_gives_no_tokens_for_another_grant(store: Store) -> None:
    one, other = Connection(store, 1), Connection(store, 2)
    digest = one.consent()
    other.consent()
    assert other.redeem(digest)[0] is Redeemed.UNKNOWN
    assert one.redeem(digest)[0] is Redeemed.DONE
    assert other.redeem(digest)[0] is Redeemed.UNKNOWN
    assert not one.is_revoked()
    assert not other.is_revoked()


def test_a_code_that_is_redeemed_twice_revokes_its_grant_and_what_it_gave(store: Store) -> None:
    connection = Connection(store)
    digest = connection.consent()
    _, refresh = connection.redeem(digest)
    assert connection.redeem(digest)[0] is Redeemed.REPLAYED
    assert connection.is_revoked()
    assert store.grants.bearer("access 1.0") is None
    assert store.grants.bearer("access 1.1") is None
    assert connection.rotate(refresh)[0] is Redeemed.UNKNOWN
    assert connection.redeem(digest)[0] is Redeemed.REPLAYED


@pytest.mark.parametrize(
    ("later", "redeemed", "revokes"),
    [(MINUTE + DAY - 1, Redeemed.REPLAYED, True), (MINUTE + DAY, Redeemed.UNKNOWN, False)],
)
def test_a_used_code_is_known_again_for_a_day_after_it_expired_swept_or_not(
    store: Store, later: int, redeemed: Redeemed, *, revokes: bool
) -> None:
    connection = Connection(store)
    digest = connection.consent()
    connection.redeem(digest)
    store.oauth.sweep(after(later))
    assert connection.redeem(digest, after(later))[0] is redeemed
    assert connection.is_revoked() is revokes


def test_a_code_of_a_grant_that_is_revoked_or_expired_or_gone_is_unknown(store: Store) -> None:
    revoked, expired = Connection(store, 1), Connection(store, 2)
    of_revoked, of_expired = revoked.consent(), expired.consent(expires_at=after(SECOND))
    store.grants.revoke(revoked.grant, NOW)
    assert revoked.redeem(of_revoked)[0] is Redeemed.UNKNOWN
    assert expired.redeem(of_expired, after(SECOND))[0] is Redeemed.UNKNOWN
    assert expired.redeem(of_expired, after(SECOND - 1))[0] is Redeemed.DONE
    gone = Connection(store, 3)
    of_gone = gone.consent()
    store.oauth.sweep(after(MINUTE))
    assert gone.redeem(of_gone)[0] is Redeemed.UNKNOWN


def test_a_code_redeemed_by_many_at_once_gives_tokens_to_one_and_revokes_the_grant(opener: Opener) -> None:
    """RFC 6749 section 4.1.2: nobody can tell which of them is the client."""
    stores = [opener(), opener()]
    connection = Connection(stores[0])
    digest = connection.consent()
    redeemed = at_once(stores, 20, lambda store, _: connection.redeem(digest, NOW, store)[0])
    assert Counter(redeemed) == {Redeemed.DONE: 1, Redeemed.REPLAYED: 19}
    assert connection.is_revoked()
    assert all(stores[1].grants.bearer(f"access 1.{number}") is None for number in range(20))


@pytest.mark.parametrize("kind", ["access", "refresh"])
def test_either_token_revokes_its_grant(store: Store, kind: str) -> None:
    """RFC 7009 section 2.1."""
    connection, other = Connection(store, 1), Connection(store, 2)
    refresh = connection.connect()
    other.connect()
    assert store.oauth.revoke_token(f"{kind} 1.0", after(3)) == connection.grant
    kept = store.grants.grant(connection.grant)
    assert kept is not None
    assert kept.revoked_at == after(3)
    assert store.grants.bearer("access 1.0") is None
    assert connection.rotate(refresh)[0] is Redeemed.UNKNOWN
    assert not other.is_revoked()
    assert store.oauth.revoke_token("refresh 1.0", after(4)) == connection.grant


def test_an_unknown_token_revokes_nothing(store: Store) -> None:
    connection = Connection(store)
    digest = connection.consent()
    assert store.oauth.revoke_token("unknown", NOW) is None
    assert store.oauth.revoke_token(digest, NOW) is None
    assert not connection.is_revoked()


def test_a_grant_whose_code_was_never_used_is_forgotten_once_the_code_expired(store: Store) -> None:
    connection = Connection(store)
    digest = connection.consent()
    assert store.oauth.sweep(after(MINUTE - 1)) == 0
    assert store.grants.grants() == [grant(1)]
    assert store.oauth.sweep(after(MINUTE)) > 0
    assert store.grants.grants() == []
    assert store.grants.named("tool 1") is None
    assert connection.redeem(digest, after(MINUTE))[0] is Redeemed.UNKNOWN
    store.grants.add(grant(2, name="tool 1"), token(2))


def test_a_revoked_grant_that_is_swept_leaves_the_name_to_its_new_bearer(store: Store) -> None:
    connection = Connection(store)
    connection.consent()
    store.grants.revoke(connection.grant, NOW)
    store.grants.add(grant(2, name="tool 1"), token(2))
    store.oauth.sweep(after(MINUTE))
    assert store.grants.grants() == [grant(2, name="tool 1")]
    assert store.grants.named("tool 1") is not None


def test_grants_that_were_given_or_redeemed_are_never_swept(store: Store) -> None:
    store.grants.add(grant(1), token(1))
    Connection(store, 2).connect()
    revoked, again = Connection(store, 3), Connection(store, 4)
    revoked.connect()
    store.grants.revoke(revoked.grant, NOW)
    again.connect()
    for _ in range(2):
        store.oauth.sweep(after(400 * DAY))
    assert [kept.id for kept in store.grants.grants()] == [f"grant:{number}" for number in (1, 2, 3, 4)]
    assert store.grants.bearer(token(1).digest) is not None


def test_a_sweep_forgets_what_expired_and_keeps_what_has_not(store: Store) -> None:
    connection = Connection(store)
    refresh = connection.connect()
    store.oauth.put_request(request(1))
    store.console.put_link("link", "setup", after(HOUR))
    store.console.remember("kept", "value", after(HOUR))
    store.console.put_session(session(1, expires_at=after(2 * HOUR)))
    store.oauth.sweep(after(10 * MINUTE - 1))
    assert store.oauth.request("request 1", NOW) == request(1)
    store.oauth.sweep(after(HOUR - 1))
    assert store.grants.bearer("access 1.0") is not None
    assert store.console.link("link", NOW) == "setup"
    assert store.console.recall("kept", NOW) == "value"
    store.oauth.sweep(after(2 * HOUR - 1))
    assert store.console.session("session 1", NOW) is not None
    store.oauth.sweep(after(2 * HOUR))
    assert store.console.session("session 1", NOW) is None
    successor = connection.successor(refresh, after(2 * HOUR))
    connection.successor(successor, after(2 * HOUR))
    store.oauth.sweep(after(90 * DAY - 1))
    assert connection.rotate(refresh, after(90 * DAY - 1))[0] is Redeemed.REPLAYED
    assert connection.is_revoked()


def test_a_sweep_forgets_at_most_a_thousand_of_a_kind(store: Store) -> None:
    for number in range(1_001):
        store.console.put_session(session(number, expires_at=NOW))
    assert [store.oauth.sweep(NOW) for _ in range(3)] == [1_000, 1, 0]


def test_processes_that_sweep_at_once_count_each_thing_once(opener: Opener) -> None:
    stores = [opener(), opener()]
    for number in range(50):
        stores[0].console.put_session(session(number, expires_at=NOW))
    stores[0].oauth.put_client(client(1, expires_at=NOW))
    assert sum(at_once(stores, 8, lambda store, _: store.oauth.sweep(after(2 * HOUR)))) == 51


def test_a_code_is_redeemed_or_swept_and_never_half_of_each(opener: Opener) -> None:
    stores = [opener(), opener()]
    connections = [Connection(stores[0], number) for number in range(1, 21)]
    codes = [connection.consent() for connection in connections]

    def act(store: Store, number: int) -> Redeemed | int:
        if number % 4 == 3:
            return store.oauth.sweep(after(MINUTE))
        return connections[number].redeem(codes[number], after(MINUTE - 1), store)[0]

    at_once(stores, 20, act)
    stores[0].oauth.sweep(after(MINUTE))
    redeemed = {
        connection.grant
        for connection in connections
        if stores[0].oauth.refresh_token(f"refresh {connection.number}.0") is not None
    }
    assert {kept.id for kept in stores[0].grants.grants()} == redeemed
    assert all(
        (stores[0].grants.bearer(f"access {connection.number}.0") is not None)
        == (connection.grant in redeemed)
        for connection in connections
    )
    assert GrantId("grant:4") not in redeemed
