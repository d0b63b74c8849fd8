"""A passkey in software: makes the attestation and the assertions that a real authenticator would (ES256)."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

ORIGIN, RP_ID = "http://localhost:8765", "localhost"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
AAGUID = bytes(16)


def b64(value: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(value).decode("ascii").rstrip("=")


def plain(value: str) -> bytes:
    """What ``b64`` encoded."""
    return urlsafe_b64decode(value + "=" * (-len(value) % 4))


class Authenticator:
    """One credential. Every answer can be made wrong by an argument."""

    def __init__(self, name: str = "laptop", *, rp_id: str = RP_ID, origin: str = ORIGIN) -> None:
        self._key = ec.derive_private_key(
            int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") >> 1, ec.SECP256R1()
        )
        self.id = b64(hashlib.sha256(b"credential " + name.encode()).digest())
        self.name = name
        self.rp_id = rp_id
        self.origin = origin
        self.count = 0
        """Raise it to have a counter: most passkeys have none and always say 0."""

    @property
    def public_key(self) -> str:
        """As the ledger keeps it: COSE, base64url."""
        point = self._key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        return b64(cbor2.dumps(cose))

    @property
    def enrolment(self) -> dict[str, Any]:
        """The payload of ``enrol_passkey`` for it, without a link."""
        return {"credential": self.id, "public_key": self.public_key, "name": self.name}

    def create(self, challenge: bytes, *, flags: int = PRESENT | VERIFIED, **client: Any) -> dict[str, Any]:
        """What ``navigator.credentials.create()`` gives, as JSON; attestation format ``none``."""
        data = self._authenticator_data(flags | ATTESTED) + self._attested_credential()
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", challenge, **client)
        return self._credential({"clientDataJSON": b64(client_data), "attestationObject": b64(attestation)})

    def get(
        self, challenge: bytes, *, flags: int = PRESENT | VERIFIED, signed: bytes | None = None, **client: Any
    ) -> dict[str, Any]:
        """What ``navigator.credentials.get()`` gives, as JSON.

        Args:
            challenge: to be signed.
            flags: of the authenticator data.
            signed: signs this instead of what it must.
            client: members of the client data that differ from what a browser would say.
        """
        client_data = self._client_data("webauthn.get", challenge, **client)
        data = self._authenticator_data(flags)
        whole = data + hashlib.sha256(client_data).digest() if signed is None else signed
        return self._credential(
            {
                "clientDataJSON": b64(client_data),
                "authenticatorData": b64(data),
                "signature": b64(self._key.sign(whole, ec.ECDSA(hashes.SHA256()))),
                "userHandle": None,
            }
        )

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": self.id,
            "rawId": self.id,
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": response,
        }

    def _client_data(self, kind: str, challenge: bytes, **other: Any) -> bytes:
        told = {"type": kind, "challenge": b64(challenge), "origin": self.origin, "crossOrigin": False}
        return json.dumps(told | other).encode()

    def _authenticator_data(self, flags: int) -> bytes:
        return hashlib.sha256(self.rp_id.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _attested_credential(self) -> bytes:
        identifier, key = plain(self.id), plain(self.public_key)
        return AAGUID + len(identifier).to_bytes(2, "big") + identifier + key
