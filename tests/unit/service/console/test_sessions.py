"""How long a session of the console lasts, whatever its cookie says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.addresses import addresses_of
from service.console.sessions import IDLE_US, LIFETIME_US, Sessions
from service.stores.protocol import Store
from tests.support.clocks import SetClock
from tests.support.memories import at
from tests.unit.service.test_addresses import SETTINGS

HOUR_S = 3_600
ADDRESSES = addresses_of(replace(SETTINGS, public_url="https://memory.example"))


@pytest.fixture
def clock() -> SetClock:
    return SetClock(at(1_000_000))


@pytest.fixture
def sessions(store: Store, clock: SetClock) -> Sessions:
    return Sessions(store.console, clock, ADDRESSES, bytes(32))


def test_a_session_ends_after_a_week_however_much_it_is_used(sessions: Sessions, clock: SetClock) -> None:
    """OWASP ASVS 3.3.2: a stolen cookie is not kept alive for ever by being used."""
    secret = sessions.open("passphrase", "", None)
    for _ in range(LIFETIME_US // (8 * HOUR_S * 1_000_000) - 1):
        clock.advance(8 * HOUR_S)
        assert sessions.find(secret) is not None
    clock.advance(8 * HOUR_S)
    assert sessions.find(secret) is None


def test_a_session_that_lay_idle_does_not_come_back(sessions: Sessions, clock: SetClock) -> None:
    secret = sessions.open("passphrase", "", None)
    clock.advance(IDLE_US / 1_000_000 + 1)
    assert sessions.find(secret) is None
    clock.advance(-HOUR_S)
    assert sessions.find(secret) is None


def test_signing_in_again_ends_the_session_before(sessions: Sessions) -> None:
    """OWASP ASVS 3.2.1: of a browser, one session is good."""
    first = sessions.open("passphrase", "", None)
    second = sessions.open("passphrase", "", sessions.find(first))
    assert first != second
    assert sessions.find(first) is None
    assert sessions.find(second) is not None


@pytest.mark.parametrize("secret", ["", "x", "\x00", "é", "\ud800", "a" * 100_000])
def test_no_other_cookie_is_a_session(sessions: Sessions, secret: str) -> None:
    sessions.open("passphrase", "", None)
    assert sessions.find(secret) is None


def test_a_form_is_one_visitors_and_one_paths(sessions: Sessions, store: Store, clock: SetClock) -> None:
    """RFC 9700 section 4.7: a token that anybody else can get is none."""
    token = sessions.form_token("a visitor", "/tools")
    assert sessions.is_form_token("a visitor", "/tools", token)
    assert not sessions.is_form_token("another", "/tools", token)
    for path in ("/tools/", "/Tools", "/tools/x", "", "/settings"):
        assert not sessions.is_form_token("a visitor", path, token)
    for forged in ("", token[:-1], f"{token}x", "\x00", "é", "\ud800"):
        assert not sessions.is_form_token("a visitor", "/tools", forged)
    other = Sessions(store.console, clock, ADDRESSES, bytes(31) + b"x")
    assert not other.is_form_token("a visitor", "/tools", token)
