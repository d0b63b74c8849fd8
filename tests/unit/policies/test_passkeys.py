"""Passkeys: which are good, what they must have signed, and that nothing else is taken for it (WebAuthn level 3)."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import cbor2
import pytest

from policies.decision import PasskeyChange, PasskeyOp, Signed
from policies.directives import covered
from policies.errors import DirectiveRefused, PasskeyRefused
from policies.passkeys import (
    ALGORITHMS,
    Passkeys,
    RelyingParty,
    assertion_options,
    challenge_of,
    check_shape,
    passkeys_of,
    recheck,
    registration_options,
    verify_assertion,
    verify_registration,
)
from policies.terms import Instant, Proposal, ProposalId
from tests.support.authenticator import ATTESTED, ORIGIN, PRESENT, RP_ID, VERIFIED, Authenticator, b64, plain
from tests.support.memories import at

PARTY = RelyingParty(RP_ID, (ORIGIN,))
CHALLENGE = hashlib.sha256(b"what is confirmed").digest()
LAPTOP, PHONE = Authenticator("laptop"), Authenticator("phone")


def enrol(one: Authenticator, link: str | None = None) -> PasskeyChange:
    return PasskeyChange(
        PasskeyOp.ENROL, one.id, public_key=one.public_key, name=one.name, rp_id=RP_ID, link=link
    )


def used(one: Authenticator, count: int) -> PasskeyChange:
    return PasskeyChange(PasskeyOp.CONFIRM, one.id, count=count, proposal=ProposalId("prop:a"))


def folded(*changes: PasskeyChange) -> Passkeys:
    return passkeys_of((seq, at(seq), change) for seq, change in enumerate(changes, start=1))


def names(*changes: PasskeyChange) -> list[str]:
    return [one.name for one in folded(*changes).living]


BOTH = folded(enrol(LAPTOP, "n1"), enrol(PHONE))
WITHDRAWN = PasskeyChange(PasskeyOp.WITHDRAW, LAPTOP.id)
RESET = PasskeyChange(PasskeyOp.RESET)


def problem(*changes: PasskeyChange) -> object:
    with pytest.raises(DirectiveRefused) as refused:
        folded(*changes)
    return refused.value.details["problem"]


def test_passkeys_live_from_their_enrolment_until_they_are_withdrawn() -> None:
    assert names() == []
    assert names(enrol(LAPTOP, "n1")) == ["laptop"]
    assert names(enrol(LAPTOP, "n1"), enrol(PHONE)) == ["laptop", "phone"]
    assert names(enrol(LAPTOP, "n1"), enrol(PHONE), WITHDRAWN) == ["phone"]
    assert BOTH.living[0].enrolled_at == at(1)
    assert BOTH.seq == 2


def test_a_reset_withdraws_them_all() -> None:
    assert names(enrol(LAPTOP, "n1"), enrol(PHONE), RESET) == []
    assert names(enrol(LAPTOP, "n1"), RESET, enrol(LAPTOP, "n2")) == ["laptop"]


def test_the_first_passkey_needs_a_link_and_none_serves_twice() -> None:
    assert problem(enrol(LAPTOP)) == "passkey.link"
    assert problem(enrol(LAPTOP, "n1"), RESET, enrol(LAPTOP, "n1")) == "passkey.link"
    assert problem(enrol(LAPTOP, "n1"), WITHDRAWN, enrol(PHONE)) == "passkey.link"


def test_what_breaks_a_rule_is_refused_by_name() -> None:
    assert problem(enrol(LAPTOP, "n1"), enrol(LAPTOP)) == "passkey.enrolled"
    assert problem(WITHDRAWN) == "passkey.unknown"
    assert problem(enrol(LAPTOP, "n1"), used(PHONE, 1)) == "passkey.unknown"
    for absent in ("public_key", "name", "rp_id"):
        assert problem(replace(enrol(LAPTOP, "n1"), **{absent: None})) == "passkey.malformed"  # pyright: ignore[reportArgumentType]


def test_a_counter_that_counts_goes_up_with_each_confirmation() -> None:
    known = folded(enrol(LAPTOP, "n1"), enrol(PHONE), used(LAPTOP, 5))
    assert [(one.count, one.confirmed_at) for one in known.living] == [(5, at(3)), (0, None)]
    assert problem(enrol(LAPTOP, "n1"), used(LAPTOP, 5), used(LAPTOP, 5)) == "passkey.refused"
    assert problem(enrol(LAPTOP, "n1"), used(LAPTOP, 5), used(LAPTOP, 0)) == "passkey.refused"
    assert folded(enrol(LAPTOP, "n1"), used(LAPTOP, 0), used(LAPTOP, 0)).living[0].count == 0


def test_folding_goes_on_from_what_was_folded_before() -> None:
    assert passkeys_of([(2, at(2), enrol(PHONE))], after=folded(enrol(LAPTOP, "n1"))) == BOTH


def test_a_directive_is_confirmed_by_signing_the_digest_of_all_that_its_proof_covers_and_the_proof() -> None:
    directive = Proposal(ProposalId("prop:a"), "declare", {"text": "x"}, Instant(5), grant=None)
    proven = replace(directive, proof="5a")
    assert challenge_of(proven) == hashlib.sha256(covered(directive) + b"\n5a").digest()
    assert challenge_of(replace(proven, payload={"text": "y"})) != challenge_of(proven)
    assert challenge_of(replace(proven, proof="5b")) != challenge_of(proven), (
        "a guess of the text tells nothing"
    )


def test_a_living_passkeys_signature_is_accepted() -> None:
    asserted = verify_assertion(BOTH, PHONE.get(CHALLENGE), challenge=CHALLENGE, party=PARTY)
    assert (asserted.passkey.name, asserted.count) == ("phone", 0)


def refused(assertion: dict[str, Any], passkeys: Passkeys = BOTH, party: RelyingParty = PARTY) -> None:
    with pytest.raises(PasskeyRefused):
        verify_assertion(passkeys, assertion, challenge=CHALLENGE, party=party)


def altered(name: str, value: object, *, inside: bool = True) -> dict[str, Any]:
    whole = PHONE.get(CHALLENGE)
    (whole["response"] if inside else whole)[name] = value
    return whole


@pytest.mark.parametrize(
    "assertion",
    [
        pytest.param(PHONE.get(hashlib.sha256(b"another").digest()), id="of another directive"),
        pytest.param(Authenticator("stranger").get(CHALLENGE), id="by a key that was never enrolled"),
        pytest.param(PHONE.get(CHALLENGE, signed=b"something else"), id="over other bytes"),
        pytest.param(PHONE.get(CHALLENGE, flags=PRESENT), id="the owner not verified"),
        pytest.param(PHONE.get(CHALLENGE, flags=VERIFIED), id="nobody present"),
        pytest.param(PHONE.get(CHALLENGE, type="webauthn.create"), id="of a registration"),
        pytest.param(PHONE.get(CHALLENGE, origin="http://localhost:3000"), id="on a page of another port"),
        pytest.param(PHONE.get(CHALLENGE, origin="https://evil.example"), id="on a page of another site"),
        pytest.param(Authenticator("phone", rp_id="evil.example").get(CHALLENGE), id="for another party"),
        pytest.param(LAPTOP.get(CHALLENGE) | {"id": PHONE.id, "rawId": PHONE.id}, id="under another's id"),
        pytest.param(altered("rawId", LAPTOP.id, inside=False), id="with two ids"),
        pytest.param(altered("id", ["list"], inside=False), id="with no text for an id"),
        pytest.param(altered("response", None, inside=False), id="without an answer"),
        pytest.param(altered("signature", ""), id="without a signature"),
        pytest.param(altered("signature", "é"), id="with a signature that is no base64"),
        pytest.param(altered("clientDataJSON", b64(b"[]")), id="with client data that is no object"),
        pytest.param(altered("authenticatorData", b64(b"short")), id="with authenticator data cut short"),
        pytest.param({}, id="of nothing"),
    ],
)
def test_an_answer_that_proves_nothing_is_refused(assertion: dict[str, Any]) -> None:
    refused(assertion)


def test_a_withdrawn_passkey_confirms_nothing() -> None:
    refused(LAPTOP.get(CHALLENGE), folded(enrol(LAPTOP, "n1"), enrol(PHONE), WITHDRAWN))
    refused(LAPTOP.get(CHALLENGE), Passkeys())


def test_a_counter_that_went_back_shows_a_copy() -> None:
    counting = Authenticator("laptop")
    known = folded(enrol(LAPTOP, "n1"), used(LAPTOP, 7))
    for count in (0, 6, 7):
        counting.count = count
        refused(counting.get(CHALLENGE), known)
    counting.count = 8
    assert verify_assertion(known, counting.get(CHALLENGE), challenge=CHALLENGE, party=PARTY).count == 8


def test_a_passkey_of_another_address_is_no_use_at_this_one() -> None:
    refused(PHONE.get(CHALLENGE), party=RelyingParty("memory.example", ("https://memory.example",)))


def test_what_checks_signatures_is_loaded_when_one_is_to_be_checked() -> None:
    """It takes a quarter of a second, and every command imports this module."""
    script = "import sys, policies.passkeys; sys.exit('webauthn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0


def test_a_registration_gives_what_the_ledger_keeps() -> None:
    found = verify_registration(PHONE.create(CHALLENGE), challenge=CHALLENGE, party=PARTY)
    assert (found.credential, found.public_key) == (PHONE.id, PHONE.public_key)
    check_shape(found.credential, found.public_key)


@pytest.mark.parametrize(
    "response",
    [
        PHONE.create(b"another challenge"),
        PHONE.create(CHALLENGE, flags=PRESENT),
        PHONE.create(CHALLENGE, origin="https://evil.example"),
        Authenticator("phone", rp_id="evil.example").create(CHALLENGE),
        PHONE.get(CHALLENGE, flags=PRESENT | VERIFIED | ATTESTED),
        {"id": 3},
    ],
)
def test_a_registration_that_proves_nothing_is_refused(response: dict[str, Any]) -> None:
    with pytest.raises(PasskeyRefused):
        verify_registration(response, challenge=CHALLENGE, party=PARTY)


def _with(label: int, value: object) -> str:
    return b64(cbor2.dumps(cbor2.loads(plain(PHONE.public_key)) | {label: value}))


@pytest.mark.parametrize(
    ("credential", "public_key"),
    [
        (PHONE.id, ""),
        (PHONE.id, "é"),
        (PHONE.id, b64(b"not cbor")),
        (PHONE.id, _with(3, -65535)),
        (PHONE.id, _with(-2, b"\x01" * 32)),
        (PHONE.id + "=", PHONE.public_key),
        ("not base64!", PHONE.public_key),
    ],
)
def test_what_no_signature_could_be_checked_with_is_no_passkey(credential: str, public_key: str) -> None:
    with pytest.raises(DirectiveRefused) as caught:
        check_shape(credential, public_key)
    assert caught.value.details["problem"] == "passkey.malformed"


def test_a_browser_is_asked_for_a_verified_owner_and_one_of_the_living_passkeys() -> None:
    asked = assertion_options(BOTH, challenge=CHALLENGE, party=PARTY)
    assert plain(asked["challenge"]) == CHALLENGE
    assert (asked["rpId"], asked["userVerification"]) == (RP_ID, "required")
    assert [one["id"] for one in asked["allowCredentials"]] == [LAPTOP.id, PHONE.id]


def test_a_browser_is_asked_for_a_new_passkey_that_is_not_enrolled_yet() -> None:
    asked = registration_options(BOTH, challenge=CHALLENGE, party=PARTY, owner="Louis Martin", user=b"u" * 32)
    assert [one["alg"] for one in asked["pubKeyCredParams"]] == list(ALGORITHMS)
    assert asked["rp"]["id"] == RP_ID
    assert plain(asked["user"]["id"]) == b"u" * 32
    assert asked["authenticatorSelection"]["userVerification"] == "required"
    assert [one["id"] for one in asked["excludeCredentials"]] == [LAPTOP.id, PHONE.id]
    assert json.loads(json.dumps(asked)) == asked


def confirmed(assertion: dict[str, Any], *, challenge: bytes = CHALLENGE, count: int = 0) -> PasskeyChange:
    """The entry of a confirmation that this answer gave."""
    said = assertion["response"]
    signed = Signed(b64(challenge), said["clientDataJSON"], said["authenticatorData"], said["signature"])
    return replace(used(PHONE, count), signed=signed)


CONFIRMED = confirmed(PHONE.get(CHALLENGE))
SIGNED = CONFIRMED.signed or Signed("", "", "", "")


def test_what_was_accepted_is_kept_so_that_it_can_be_checked_again() -> None:
    asserted = verify_assertion(BOTH, PHONE.get(CHALLENGE), challenge=CHALLENGE, party=PARTY)
    recheck(BOTH, replace(used(PHONE, asserted.count), signed=asserted.signed))


def test_it_is_checked_again_wherever_the_port_was() -> None:
    recheck(BOTH, confirmed(PHONE.get(CHALLENGE, origin="http://localhost:9999")))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(used(PHONE, 0), id="nothing signed"),
        pytest.param(replace(CONFIRMED, credential=LAPTOP.id), id="by another passkey"),
        pytest.param(replace(CONFIRMED, credential="nobody"), id="by none"),
        pytest.param(replace(CONFIRMED, count=1), id="another counter"),
        pytest.param(confirmed(PHONE.get(CHALLENGE), challenge=b"another"), id="another directive"),
        pytest.param(confirmed(PHONE.get(CHALLENGE, signed=b"something else")), id="other bytes"),
        pytest.param(confirmed(PHONE.get(CHALLENGE, flags=PRESENT)), id="the owner not verified"),
        pytest.param(confirmed(PHONE.get(CHALLENGE, origin="https://evil.example")), id="another host"),
        pytest.param(replace(CONFIRMED, signed=replace(SIGNED, challenge="é")), id="challenge not base64"),
        pytest.param(
            replace(CONFIRMED, signed=replace(SIGNED, client_data="AAAA")), id="client data not JSON"
        ),
        pytest.param(replace(CONFIRMED, signed=replace(SIGNED, signature="AAAA")), id="no signature"),
    ],
)
def test_a_confirmation_that_was_not_signed_so_is_refused_when_checked_again(change: PasskeyChange) -> None:
    with pytest.raises(PasskeyRefused):
        recheck(BOTH, change)
