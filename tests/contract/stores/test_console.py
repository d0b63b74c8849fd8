"""The owner's sign-in and sessions, on SQLite and on a real Redis."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from policies.terms import Instant
from service.stores.protocol import Credential, Store
from tests.contract.stores.conftest import Opener
from tests.contract.stores.made import DAY, HOUR, MINUTE, NOW, after, at_once, session


def test_there_is_no_credential_before_the_set_up(store: Store) -> None:
    assert store.console.credential() is None


def test_a_credential_replaces_the_former_one_wholly(opener: Opener) -> None:
    one, other = opener(), opener()
    first = Credential("$argon2id$v=19$m=1,t=1,p=1$a$b", "encrypted", NOW)
    assert one.console.set_credential(None, first)
    assert other.console.credential() == first
    second = Credential("$argon2id$v=19$m=1,t=1,p=1$c$d", None, after(1))
    assert other.console.set_credential(first, second)
    assert one.console.credential() == second


@pytest.mark.parametrize("totp", [None, "encrypted"])
def test_a_credential_that_is_not_what_was_changed_stays(opener: Opener, totp: str | None) -> None:
    one, other = opener(), opener()
    first, second = Credential("first", totp, NOW), Credential("second", None, after(1))
    assert not one.console.set_credential(first, second), "there is none"
    assert one.console.set_credential(None, first)
    for former in (None, second, replace(first, totp="another"), replace(first, changed_at=after(1))):
        assert not other.console.set_credential(former, second)
    assert one.console.credential() == first
    one.console.reset("link", after(HOUR))
    assert not other.console.set_credential(first, second), "a change under way does not undo a reset"
    assert other.console.credential() is None


def test_a_session_is_found_until_it_expires(store: Store) -> None:
    kept = session(1, agent="Firefox on Linux, “élève”")
    store.console.put_session(kept)
    assert store.console.session("session 1", after(DAY - 1)) == kept
    assert store.console.session("session 1", after(DAY)) is None
    assert store.console.sessions(after(DAY)) == []
    assert store.console.session("session 9", NOW) is None


def test_a_changed_session_is_found_changed(opener: Opener) -> None:
    one, other = opener(), opener()
    one.console.put_session(session(1))
    seen = session(1, seen_at=after(MINUTE), fresh_at=after(MINUTE), method="passkey")
    one.console.put_session(seen)
    assert other.console.session("session 1", NOW) == seen
    assert other.console.sessions(NOW) == [seen]


def test_sessions_are_listed_newest_first(store: Store) -> None:
    for number in (2, 3, 1):
        store.console.put_session(session(number))
    assert [kept.digest for kept in store.console.sessions(NOW)] == ["session 3", "session 2", "session 1"]


def test_an_ended_session_is_not_found_and_the_others_are(opener: Opener) -> None:
    one, other = opener(), opener()
    for number in (1, 2):
        one.console.put_session(session(number))
    one.console.end_session("session 1")
    one.console.end_session("session 9")
    assert other.console.session("session 1", NOW) is None
    assert other.console.sessions(NOW) == [session(2)]


@pytest.mark.parametrize("how", ["one", "all", "reset"])
def test_a_request_under_way_does_not_bring_an_ended_session_back(store: Store, how: str) -> None:
    store.console.put_session(session(1))
    match how:
        case "one":
            store.console.end_session("session 1")
        case "all":
            store.console.end_sessions()
        case _:
            store.console.reset("link", after(HOUR))
    store.console.put_session(session(1, seen_at=after(MINUTE)))
    assert store.console.session("session 1", NOW) is None
    assert store.console.sessions(NOW) == []


def test_all_sessions_end_but_for_one_and_the_number_is_told(store: Store) -> None:
    for number in (1, 2, 3):
        store.console.put_session(session(number))
    store.console.end_session("session 3")
    assert store.console.end_sessions(but="session 2") == 1
    assert store.console.sessions(NOW) == [session(2)]
    assert store.console.end_sessions() == 1
    assert store.console.end_sessions() == 0


def test_a_link_is_good_until_it_expires(store: Store) -> None:
    store.console.put_link("link", "setup", after(HOUR))
    assert store.console.link("link", after(HOUR - 1)) == "setup"
    assert store.console.link("link", after(HOUR)) is None
    assert store.console.take_link("link", after(HOUR)) is None
    assert store.console.link("other", NOW) is None


def test_a_new_link_makes_the_earlier_ones_of_its_purpose_good_no_more(store: Store) -> None:
    store.console.put_link("first", "setup", after(HOUR))
    store.console.put_link("of passkey", "passkey", after(HOUR))
    store.console.put_link("second", "setup", after(HOUR))
    assert store.console.link("first", NOW) is None
    assert store.console.take_link("first", NOW) is None
    assert store.console.link("second", NOW) == "setup"
    assert store.console.link("of passkey", NOW) == "passkey"


def test_a_link_is_taken_by_one_of_many_and_by_nobody_again(opener: Opener) -> None:
    stores = [opener(), opener()]
    stores[0].console.put_link("link", "passkey", after(HOUR))
    taken = at_once(stores, 20, lambda store, _: store.console.take_link("link", NOW))
    assert [one for one in taken if one is not None] == ["passkey"]
    assert stores[0].console.link("link", NOW) is None
    stores[0].console.put_link("next", "passkey", after(HOUR))
    assert stores[1].console.take_link("next", NOW) == "passkey"


def test_what_is_remembered_is_recalled_once(store: Store) -> None:
    value = json.dumps({"challenge": "é ” \\ \u0000", "n": 2**60})
    store.console.remember("handle", value, after(MINUTE))
    assert store.console.recall("handle", NOW) == value
    assert store.console.recall("handle", NOW) is None
    assert store.console.recall("other", NOW) is None


def test_what_is_remembered_twice_is_what_was_last(store: Store) -> None:
    store.console.remember("handle", "first", after(MINUTE))
    store.console.remember("handle", "second", after(HOUR))
    assert store.console.recall("handle", after(MINUTE)) == "second"


def test_what_was_remembered_too_long_ago_is_not_recalled(store: Store) -> None:
    store.console.remember("handle", "value", after(MINUTE))
    assert store.console.recall("handle", after(MINUTE)) is None


def test_many_that_recall_at_once_leave_it_to_one(opener: Opener) -> None:
    stores = [opener(), opener()]
    stores[0].console.remember("handle", "value", after(MINUTE))
    recalled = at_once(stores, 20, lambda store, _: store.console.recall("handle", NOW))
    assert [one for one in recalled if one is not None] == ["value"]


def test_a_reset_forgets_the_credential_ends_all_sessions_and_leaves_a_new_link(store: Store) -> None:
    store.console.set_credential(None, Credential("hash", "totp", NOW))
    store.console.put_link("earlier", "setup", after(HOUR))
    for number in (1, 2):
        store.console.put_session(session(number))
    assert store.console.reset("link", after(HOUR)) == 2
    assert store.console.credential() is None
    assert store.console.sessions(NOW) == []
    assert store.console.link("earlier", NOW) is None
    assert store.console.take_link("link", NOW) == "setup"
    assert store.console.reset("again", Instant(NOW + HOUR)) == 0
