"""What proves to be the owner's device: for one visitor, for one purpose, for a while, and once."""

from __future__ import annotations

import base64
import json

import pytest
from pyotp.totp import TOTP

from policies.errors import PasskeyRefused, SignInRefused
from policies.passkeys import ANSWER_MS_MAX
from service.console.proofs import Proofs, Purpose
from service.stores.protocol import Store
from tests.support.clocks import SetClock
from tests.support.memories import at

KEY = bytes(range(32))


@pytest.fixture
def clock() -> SetClock:
    return SetClock(at(1_000_000))


@pytest.fixture
def proofs(store: Store, clock: SetClock) -> Proofs:
    return Proofs(store.rates, clock, KEY, "Mnemo default")


def answer(challenge: bytes) -> dict[str, object]:
    """What a browser says that it answers."""
    told = base64.urlsafe_b64encode(challenge).rstrip(b"=").decode()
    said = json.dumps({"type": "webauthn.get", "challenge": told}).encode()
    return {"response": {"clientDataJSON": base64.urlsafe_b64encode(said).rstrip(b"=").decode()}}


def test_a_challenge_is_good_once_and_only_for_who_was_asked_and_for_what(proofs: Proofs) -> None:
    """WebAuthn level 3, section 13.4.3: a challenge that another visitor was given is one that was replayed."""
    challenge = proofs.challenge("sign-in", "a visitor")
    assert challenge != proofs.challenge("sign-in", "a visitor")
    others: list[tuple[Purpose, str]] = [("sign-in", "another"), ("enrol", "a visitor"), ("sign-in", "")]
    for purpose, visitor in others:
        with pytest.raises(PasskeyRefused):
            proofs.answered(purpose, visitor, answer(challenge))
    assert proofs.answered("sign-in", "a visitor", answer(challenge)) == challenge
    with pytest.raises(PasskeyRefused):
        proofs.answered("sign-in", "a visitor", answer(challenge))


def test_a_challenge_is_good_for_a_while(proofs: Proofs, clock: SetClock) -> None:
    in_time, late, early = (proofs.challenge("enrol", "a visitor") for _ in range(3))
    clock.advance(ANSWER_MS_MAX / 1_000)
    assert proofs.answered("enrol", "a visitor", answer(in_time)) == in_time
    clock.advance(0.001)
    with pytest.raises(PasskeyRefused):
        proofs.answered("enrol", "a visitor", answer(late))
    clock.at = at(999_999)
    with pytest.raises(PasskeyRefused):
        proofs.answered("enrol", "a visitor", answer(early))


def test_a_challenge_that_was_not_made_here_is_none(proofs: Proofs, store: Store, clock: SetClock) -> None:
    challenge = bytearray(proofs.challenge("sign-in", "a visitor"))
    for place in range(0, len(challenge), 7):
        forged = challenge.copy()
        forged[place] ^= 1
        with pytest.raises(PasskeyRefused):
            proofs.answered("sign-in", "a visitor", answer(bytes(forged)))
    foreign = Proofs(store.rates, clock, bytes(32), "Mnemo default").challenge("sign-in", "a visitor")
    for other in (foreign, b"", bytes(challenge[:-1]), bytes(56)):
        with pytest.raises(PasskeyRefused):
            proofs.answered("sign-in", "a visitor", answer(other))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"response": None},
        {"response": {}},
        {"response": {"clientDataJSON": 7}},
        {"response": {"clientDataJSON": "é"}},
        {"response": {"clientDataJSON": "bnVsbA"}},
        {"response": {"clientDataJSON": "W10"}},
        {"response": {"clientDataJSON": "eyJjaGFsbGVuZ2UiOjd9"}},
    ],
)
def test_what_answers_no_challenge_is_refused_as_the_rest(proofs: Proofs, given: dict[str, object]) -> None:
    with pytest.raises(PasskeyRefused):
        proofs.answered("sign-in", "a visitor", given)


def test_a_code_is_good_once_and_a_step_before_and_after(proofs: Proofs, clock: SetClock) -> None:
    """RFC 6238 section 5.2: a code is taken once; section 6: clocks differ by a step."""
    sealed = proofs.new_totp()
    app = TOTP(proofs.totp_secret(sealed))
    now_s = clock.now() // 1_000_000
    for early_s in (-60, 60):
        with pytest.raises(SignInRefused):
            proofs.check_totp(sealed, app.at(now_s + early_s))
    for step_s in (-30, 0, 30):
        code = app.at(now_s + step_s)
        proofs.check_totp(sealed, f" {code[:3]} {code[3:]} ")
        with pytest.raises(SignInRefused):
            proofs.check_totp(sealed, code)


@pytest.mark.parametrize("code", ["", "00000", "0000000", "١٢٣٤٥٦", "1" * 5_000, "\x00", "-00001"])
def test_no_other_code_is_taken(proofs: Proofs, code: str) -> None:
    with pytest.raises(SignInRefused):
        proofs.check_totp(proofs.new_totp(), code)


def test_a_codes_secret_is_sealed_by_the_key(proofs: Proofs, store: Store, clock: SetClock) -> None:
    """RFC 6238 section 5.1: it is encrypted wherever it is kept, and what is not ours opens nothing."""
    sealed = proofs.new_totp()
    assert proofs.totp_secret(sealed) not in sealed
    other = Proofs(store.rates, clock, bytes(32), "Mnemo default")
    for foreign in (other.new_totp(), sealed[:-2], "", "é", proofs.totp_secret(sealed)):
        with pytest.raises(SignInRefused):
            proofs.totp_secret(foreign)
