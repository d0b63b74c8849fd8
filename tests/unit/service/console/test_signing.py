"""The owner's passphrase against those who guess at it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from policies.errors import RateLimited, SignInRefused
from service.console.signing import Guesser, Signing
from service.stores.sqlite import SqliteStore
from tests.support.clocks import SetClock
from tests.support.memories import at
from tests.support.waiting import eventually

GUESSES = 16


def test_however_many_guess_at_once_only_a_few_passphrases_are_hashed_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hash takes 64 MiB, and a thread of those that serve everybody: strangers must not use up either."""
    verify, lock, at_once = PasswordHasher.verify, threading.Lock(), [0, 0]
    go_on = threading.Event()

    def counted(hasher: PasswordHasher, *given: Any) -> bool:
        with lock:
            at_once[0] += 1
            at_once[1] = max(at_once)
        try:
            assert go_on.wait(30)
            return verify(hasher, *given)
        finally:
            with lock:
                at_once[0] -= 1

    monkeypatch.setattr(PasswordHasher, "verify", counted)

    def guess(number: int, *, is_known: bool = False) -> type[Exception]:
        with pytest.raises((SignInRefused, RateLimited)) as refused:
            signing.check("not the passphrase", Guesser(f"192.0.2.{number}", is_known=is_known))
        return refused.type

    with closing(SqliteStore(tmp_path / "kv.sqlite3")) as store, ThreadPoolExecutor(GUESSES * 2) as threads:
        signing = Signing(store, SetClock(at(0)))
        signing.choose("correct horse battery staple")
        strangers = [threads.submit(guess, number) for number in range(GUESSES)]
        eventually(lambda: sum(one.done() for one in strangers) == GUESSES - 8)
        assert {one.result() for one in strangers if one.done()} == {RateLimited}, (
            "the others hold their places"
        )
        owners = [threads.submit(guess, number, is_known=True) for number in range(GUESSES)]
        go_on.set()
        assert {one.result(30) for one in owners} == {SignInRefused}, (
            "a browser of the owner's waits its turn"
        )
        assert [one.result(30) for one in strangers].count(SignInRefused) == 8
    assert at_once[1] == 4


def test_a_change_of_the_passphrase_that_is_under_way_does_not_undo_a_reset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner resets because somebody else is signed in: what that one is changing must not hold."""
    hashed = PasswordHasher.hash
    with closing(SqliteStore(tmp_path / "kv.sqlite3")) as store:
        signing = Signing(store, SetClock(at(0)))
        signing.choose("correct horse battery staple")
        present = signing.check("correct horse battery staple", Guesser("192.0.2.1", is_known=False))

        def while_it_is_hashed(hasher: PasswordHasher, passphrase: str) -> str:
            store.console.reset("link", at(3_600))
            return hashed(hasher, passphrase)

        monkeypatch.setattr(PasswordHasher, "hash", while_it_is_hashed)
        with pytest.raises(SignInRefused):
            signing.choose("the passphrase of somebody else", present)
        with pytest.raises(SignInRefused):
            signing.ask_for_codes(present, "a secret of somebody else's")
        assert store.console.credential() is None
