"""The owner's passkeys: which are good today, and what one of them signed (WebAuthn level 3).

Passkeys are entries of the ledger, so that whoever takes over the web process can add none, and every use of one
leaves a trace. A passkey confirms a weighty directive by signing the digest of all that the directive says
(``challenge_of``); the curator asks ``verify_assertion`` itself, the console asks it for a sign-in.
"""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import urlsplit

from policies.decision import PasskeyChange, PasskeyOp, Signed
from policies.directives import covered
from policies.errors import DirectiveRefused, PasskeyRefused
from policies.terms import Instant, Proposal

# The library that checks signatures takes a quarter of a second to import, and most commands never check one:
# it is imported where it is needed.

ALGORITHMS = (-7, -8, -257)
"""Of public keys, as COSE numbers them, the preferred first: ES256, EdDSA, RS256."""
_SIGNED_PARTS = ("clientDataJSON", "authenticatorData", "signature")
ANSWER_MS_MAX = 300_000
"""How long a browser gives the owner to answer."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """Whom passkeys answer to: this store's console."""

    id: str
    """A host name, without port."""
    origins: tuple[str, ...]
    """Of the pages that may ask: ``https://host``, with the port where it is not the scheme's own."""


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey that is good today."""

    credential: str
    """Its id, base64url without padding."""
    public_key: str
    """COSE, base64url without padding."""
    name: str
    rp_id: str
    """The relying party it was enrolled for: at another address, no browser offers it."""
    enrolled_at: Instant
    count: int = 0
    """Its signature counter when it last confirmed something; 0 for those that do not count."""
    confirmed_at: Instant | None = None
    """When it last confirmed a directive."""


@dataclass(frozen=True, slots=True)
class Passkeys:
    """The owner's passkeys as of the last passkey entry. Immutable; ``apply`` gives the next ones."""

    living: tuple[Passkey, ...] = ()
    """In the order of enrolment."""
    links: frozenset[str] = frozenset()
    """The nonces of machine links that were used."""
    seq: int = 0
    """Sequence of the last passkey entry; 0 without any."""

    def find(self, credential: object) -> Passkey | None:
        """The living passkey of an id, in whatever shape the id came."""
        return next((one for one in self.living if one.credential == credential), None)

    def apply(self, change: PasskeyChange, seq: int, at: Instant) -> Passkeys:
        """The passkeys after one more entry.

        Raises:
            DirectiveRefused: the change breaks a rule; ``details['problem']`` says which.
        """
        known = self.find(change.credential)
        living, links = self.living, self.links
        if change.op is PasskeyOp.RESET:
            living = ()
        elif change.op is PasskeyOp.ENROL:
            if known is not None:
                raise DirectiveRefused(problem="passkey.enrolled")
            if not living and (change.link is None or change.link in links):
                raise DirectiveRefused(problem="passkey.link")
            living = (*living, _enrolled(change, at))
            links |= {change.link} if change.link else frozenset()
        elif known is None:
            raise DirectiveRefused(problem="passkey.unknown")
        elif change.op is PasskeyOp.WITHDRAW:
            living = tuple(one for one in living if one is not known)
        else:
            count = change.count or 0
            if (count or known.count) and count <= known.count:
                raise DirectiveRefused(problem="passkey.refused")
            used = replace(known, count=count, confirmed_at=at)
            living = tuple(used if one is known else one for one in living)
        return Passkeys(living, links, seq)


def passkeys_of(
    changes: Iterable[tuple[int, Instant, PasskeyChange]], *, after: Passkeys | None = None
) -> Passkeys:
    """The passkeys that these entries (sequence, recorded at, change), in order, make of those before.

    Raises:
        DirectiveRefused: a change breaks a rule; ``details['problem']`` says which.
    """
    known = after or Passkeys()
    for seq, at, change in changes:
        known = known.apply(change, seq, at)
    return known


def challenge_of(directive: Proposal) -> bytes:
    """What a passkey signs to confirm a directive: SHA-256 over all that its proof covers, and the proof.

    The ledger keeps it: without the proof, which nobody guesses, it would tell whether a guess at the text is right.
    """
    return hashlib.sha256(b"\n".join((covered(directive), str(directive.proof).encode()))).digest()


@dataclass(frozen=True, slots=True)
class Asserted:
    """That the owner was there: which passkey answered, its counter, and what it signed."""

    passkey: Passkey
    count: int
    signed: Signed


@dataclass(frozen=True, slots=True)
class Registered:
    """A new passkey, as its authenticator presents it: the payload of ``enrol_passkey`` but for its name."""

    credential: str
    public_key: str


def verify_assertion(
    passkeys: Passkeys, assertion: Mapping[str, object], *, challenge: bytes, party: RelyingParty
) -> Asserted:
    """Check what ``navigator.credentials.get()`` gave: a living passkey signed this challenge, here, for us.

    The owner must have been verified, and a counter must have gone up since the ledger last saw it.

    Args:
        passkeys: the owner's.
        assertion: the credential as JSON (``PublicKeyCredential.toJSON()``).
        challenge: what must have been signed.
        party: to whom, and on which pages.

    Raises:
        PasskeyRefused: any of it is not so.
    """
    from webauthn import verify_authentication_response

    passkey = passkeys.find(assertion.get("id"))
    if passkey is None:
        raise PasskeyRefused("no living passkey has this id")
    try:
        verified = verify_authentication_response(
            credential=dict(assertion),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=_decoded(passkey.public_key),
            credential_current_sign_count=passkey.count,
            require_user_verification=True,
        )
        response = cast("dict[str, str]", assertion["response"])
        parts = [encoded(_decoded(response[part])) for part in _SIGNED_PARTS]
    except Exception as fault:
        # Bytes from outside may make the library raise anything; whatever it is, nothing was proved.
        raise PasskeyRefused(f"{type(fault).__name__}") from fault
    return Asserted(passkey, verified.new_sign_count, Signed(encoded(challenge), *parts))


def recheck(passkeys: Passkeys, change: PasskeyChange) -> None:
    """Check again what a confirmation of the ledger says was signed, with the passkeys as they were before it.

    Raises:
        PasskeyRefused: nothing was signed, not by this passkey, or something else.
    """
    passkey, signed = passkeys.find(change.credential), change.signed
    if passkey is None or signed is None:
        raise PasskeyRefused("nothing was signed")
    parts = (signed.client_data, signed.authenticator_data, signed.signature)
    assertion = {
        "id": change.credential,
        "rawId": change.credential,
        "type": "public-key",
        "response": dict(zip(_SIGNED_PARTS, parts, strict=True)),
    }
    # Which port the console had then is not known any more: the page's host must be the passkey's.
    challenge, page = _told(signed, passkey.rp_id)
    party = RelyingParty(passkey.rp_id, (page,))
    asserted = verify_assertion(passkeys, assertion, challenge=challenge, party=party)
    if asserted.count != change.count:
        raise PasskeyRefused("the counter is another")


def verify_registration(
    response: Mapping[str, object], *, challenge: bytes, party: RelyingParty
) -> Registered:
    """Check what ``navigator.credentials.create()`` gave, and read the new passkey from it.

    Raises:
        PasskeyRefused: it answers another challenge, page or party; the owner was not verified; it is malformed.
    """
    from webauthn import verify_registration_response
    from webauthn.helpers.cose import COSEAlgorithmIdentifier

    try:
        verified = verify_registration_response(
            credential=dict(response),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            require_user_verification=True,
            supported_pub_key_algs=[COSEAlgorithmIdentifier(one) for one in ALGORITHMS],
        )
    except Exception as fault:
        raise PasskeyRefused(f"{type(fault).__name__}") from fault
    return Registered(encoded(verified.credential_id), encoded(verified.credential_public_key))


def check_shape(credential: str, public_key: str) -> None:
    """See that a credential's id and its public key are what signatures can be checked with.

    Raises:
        DirectiveRefused: they are not (``passkey.malformed``).
    """
    from webauthn.helpers import decode_credential_public_key, decoded_public_key_to_cryptography

    try:
        decoded = decode_credential_public_key(_decoded(public_key))
        decoded_public_key_to_cryptography(decoded)
        sound = encoded(_decoded(credential)) == credential and decoded.alg in ALGORITHMS
    except Exception as fault:
        raise DirectiveRefused(problem="passkey.malformed") from fault
    if not sound:
        raise DirectiveRefused(problem="passkey.malformed")


def assertion_options(passkeys: Passkeys, *, challenge: bytes, party: RelyingParty) -> dict[str, Any]:
    """What to give ``navigator.credentials.get()``, as JSON (``parseRequestOptionsFromJSON``)."""
    return {
        "challenge": encoded(challenge),
        "rpId": party.id,
        "timeout": ANSWER_MS_MAX,
        "userVerification": "required",
        "allowCredentials": _descriptors(passkeys),
    }


def registration_options(
    passkeys: Passkeys, *, challenge: bytes, party: RelyingParty, owner: str, user: bytes
) -> dict[str, Any]:
    """What to give ``navigator.credentials.create()``, as JSON (``parseCreationOptionsFromJSON``).

    Args:
        passkeys: those enrolled already: their authenticators are asked for no other.
        challenge: random bytes, to be checked by ``verify_registration``.
        party: this store's console.
        owner: the owner's name, shown by the authenticator.
        user: at most 64 bytes that stand for the owner of this store, always the same, and say nothing.
    """
    return {
        "challenge": encoded(challenge),
        "rp": {"id": party.id, "name": "Mnemo"},
        "user": {"id": encoded(user), "name": owner, "displayName": owner},
        "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in ALGORITHMS],
        "timeout": ANSWER_MS_MAX,
        "attestation": "none",
        "authenticatorSelection": {"residentKey": "preferred", "userVerification": "required"},
        "excludeCredentials": _descriptors(passkeys),
    }


def _descriptors(passkeys: Passkeys) -> list[dict[str, str]]:
    return [{"type": "public-key", "id": one.credential} for one in passkeys.living]


def _enrolled(change: PasskeyChange, at: Instant) -> Passkey:
    if not change.public_key or not change.name or not change.rp_id:
        raise DirectiveRefused(problem="passkey.malformed")
    return Passkey(change.credential, change.public_key, change.name, change.rp_id, at)


def _told(signed: Signed, host: str) -> tuple[bytes, str]:
    """The challenge that was signed, and the origin of the page, which is of this host.

    Raises:
        PasskeyRefused: it is of another, or cannot be read.
    """
    try:
        challenge = _decoded(signed.challenge)
        origin = str(json.loads(_decoded(signed.client_data))["origin"])
        named = urlsplit(origin).hostname
    except Exception as fault:
        raise PasskeyRefused(f"{type(fault).__name__}") from fault
    if named != host:
        raise PasskeyRefused("on a page of another host")
    return challenge, origin


def encoded(value: bytes) -> str:
    """Base64url without padding, as WebAuthn writes bytes in JSON."""
    return urlsafe_b64encode(value).decode("ascii").rstrip("=")


def _decoded(value: str) -> bytes:
    return urlsafe_b64decode(value + "=" * (-len(value) % 4))
