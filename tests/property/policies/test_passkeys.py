"""Whatever a browser sends, a passkey's answer is either whole or refused; nothing else ever comes of it."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.decision import PasskeyChange, PasskeyOp
from policies.errors import PasskeyRefused
from policies.passkeys import Passkeys, RelyingParty, verify_assertion, verify_registration
from tests.support.authenticator import ORIGIN, RP_ID, Authenticator, b64, plain
from tests.support.memories import at

PARTY = RelyingParty(RP_ID, (ORIGIN,))
CHALLENGE = hashlib.sha256(b"what is confirmed").digest()
PHONE = Authenticator("phone")
ENROLLED = Passkeys().apply(
    PasskeyChange(
        PasskeyOp.ENROL, PHONE.id, public_key=PHONE.public_key, name="phone", rp_id=RP_ID, link="n"
    ),
    1,
    at(1),
)
SIGNED = ("authenticatorData", "clientDataJSON", "signature")

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


def refused(answer: dict[str, Any]) -> None:
    with pytest.raises(PasskeyRefused):
        verify_assertion(ENROLLED, answer, challenge=CHALLENGE, party=PARTY)


@given(st.sampled_from(SIGNED), st.integers(0, 10**6), st.integers(0, 7))
def test_an_answer_with_one_bit_turned_is_refused(name: str, place: int, bit: int) -> None:
    answer = PHONE.get(CHALLENGE)
    turned = bytearray(plain(answer["response"][name]))
    turned[place % len(turned)] ^= 1 << bit
    answer["response"][name] = b64(bytes(turned))
    refused(answer)


@given(st.sampled_from((*SIGNED, "userHandle")), values)
def test_an_answer_with_anything_else_in_a_signed_place_is_refused(name: str, value: object) -> None:
    answer = PHONE.get(CHALLENGE)
    answer["response"][name] = value
    if name == "userHandle":  # says who signs in, where there is more than one owner
        try:
            verify_assertion(ENROLLED, answer, challenge=CHALLENGE, party=PARTY)
        except PasskeyRefused:
            return
    else:
        refused(answer)


@given(st.sampled_from(("id", "rawId", "type", "response")), values)
def test_an_answer_with_anything_else_around_it_is_refused(name: str, value: object) -> None:
    refused(PHONE.get(CHALLENGE) | {name: value})


@given(st.sampled_from(("attestationObject", "clientDataJSON")), st.binary(max_size=200))
def test_a_registration_with_anything_else_in_it_is_refused(name: str, value: bytes) -> None:
    made = PHONE.create(CHALLENGE)
    made["response"][name] = b64(value)
    with pytest.raises(PasskeyRefused):
        verify_registration(made, challenge=CHALLENGE, party=PARTY)
