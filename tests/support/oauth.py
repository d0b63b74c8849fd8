"""A client of the authorization server as real ones are, and an owner who answers it.

Requests go over HTTP to a running service; the owner's answer is given in this process, to the same store. Every
step can be taken by itself, with anything in it changed, so that tests can do what no honest client does.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx2

from policies.parameters import parameters
from policies.terms import GrantId
from service.addresses import Addresses
from service.grants import Mode
from service.oauth.consent import Consent, PendingConsent
from tests.support.house import House

REDIRECT = "http://localhost:3118/callback"
LIST: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def metadata(**changed: Any) -> dict[str, Any]:
    """What a plain public client registers; None takes a field out."""
    plain = {
        "client_name": "A client",
        "redirect_uris": [REDIRECT],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    return {name: value for name, value in {**plain, **changed}.items() if value is not None}


def verifier_and_challenge() -> tuple[str, str]:
    """A PKCE pair (RFC 7636 section 4)."""
    verifier = secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    return verifier, base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def answer_of(location: str) -> dict[str, str]:
    """The parameters of a redirect; each at most once."""
    pairs = parse_qsl(urlsplit(location).query, keep_blank_values=True)
    assert len({name for name, _ in pairs}) == len(pairs), location
    return dict(pairs)


@dataclass
class Owner:
    """Answers in the owner's name, as the console does."""

    house: House
    address: str

    def __post_init__(self) -> None:
        addresses = Addresses(self.address, frozenset(), frozenset(), True)
        self.consent = Consent(
            self.house.store, self.house.grants(), addresses, parameters(), self.house.clock
        )

    def sees(self, location: str) -> PendingConsent:
        """What the consent page that a redirect leads to would show."""
        pending = self.consent.pending(_handle(location))
        assert pending is not None
        return pending

    def approves(
        self,
        location: str,
        name: str | None = None,
        scope: str = "assistant-standard",
        *,
        domains: list[str] | None = None,
        mode: Mode = "both",
        days: int | None = None,
        replaces: GrantId | None = None,
    ) -> str:
        """Say yes; where the browser goes."""
        return self.consent.approve(
            _handle(location),
            name=name or self.sees(location).suggested_name,
            scope=scope,
            domains=domains,
            mode=mode,
            days=days,
            replaces=replaces,
        )

    def denies(self, location: str) -> str:
        """Say no; where the browser goes."""
        return self.consent.deny(_handle(location))


@dataclass
class OAuthClient:
    """One client of a service."""

    http: httpx2.Client
    owner: Owner
    registration: Mapping[str, Any] = field(default_factory=metadata)
    redirect_uri: str = REDIRECT
    id: str = ""
    secret: str | None = None
    verifier: str = ""

    def registered(self) -> OAuthClient:
        """Register, which must succeed."""
        answer = self.http.post("/register", json=dict(self.registration))
        assert answer.status_code == 201, answer.text
        self.told = answer.json()
        self.id, self.secret = self.told["client_id"], self.told.get("client_secret")
        return self

    def asking(self, **changed: Any) -> dict[str, Any]:
        """The parameters of a good authorization request; None takes one out."""
        self.verifier, challenge = verifier_and_challenge()
        good = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": self.redirect_uri,
            "scope": "assistant-standard",
            "state": "a state/+=&é",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "resource": f"{self.owner.address}/mcp",
        }
        return {name: value for name, value in {**good, **changed}.items() if value is not None}

    def authorizing(self, **changed: Any) -> httpx2.Response:
        """Send the browser to the authorization endpoint."""
        return self.http.get("/authorize", params=self.asking(**changed))

    def waiting(self, **changed: Any) -> str:
        """The same, and it must lead to the consent page: its address."""
        answer = self.authorizing(**changed)
        assert answer.status_code == 303, answer.text
        location = answer.headers["Location"]
        assert location.startswith("/consent/"), location
        return location

    def code(self, scope: str = "assistant-standard", name: str | None = None, **changed: Any) -> str:
        """A code that the owner allowed."""
        return answer_of(self.owner.approves(self.waiting(**changed), name, scope))["code"]

    def redeeming(self, code: str, **changed: Any) -> httpx2.Response:
        """Present a code."""
        good = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "client_id": self.id,
            "code_verifier": self.verifier,
            "client_secret": self.secret,
            "resource": f"{self.owner.address}/mcp",
        }
        return self._posted("/token", {**good, **changed})

    def refreshing(self, refresh_token: str, **changed: Any) -> httpx2.Response:
        """Present a refresh token."""
        good = {
            "grant_type": "refresh_token",
            "refresh_token": refresh_token,
            "client_id": self.id,
            "client_secret": self.secret,
        }
        return self._posted("/token", {**good, **changed})

    def refreshed(self, refresh_token: str) -> dict[str, Any]:
        """The same, and it must succeed: the token response."""
        answer = self.refreshing(refresh_token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def connected(
        self, scope: str = "assistant-standard", name: str | None = None, **changed: Any
    ) -> dict[str, Any]:
        """The token response of the whole way."""
        if not self.id:
            self.registered()
        answer = self.redeeming(self.code(scope, name, **changed))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def revoking(self, token: str, **changed: Any) -> httpx2.Response:
        """Give a token back."""
        good = {"token": token, "client_id": self.id, "client_secret": self.secret}
        return self._posted("/revoke", {**good, **changed})

    def calling(self, token: str, path: str = "/mcp", **headers: str) -> httpx2.Response:
        """Ask the MCP endpoint for its tools with a token."""
        accepts = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token}"}
        return self.http.post(path, json=LIST, headers={**accepts, **headers})

    def _posted(self, path: str, fields: Mapping[str, Any]) -> httpx2.Response:
        given = {name: value for name, value in fields.items() if value is not None}
        return self.http.post(path, data=given)


def posted(http: httpx2.Client, path: str, pairs: list[tuple[str, str]]) -> httpx2.Response:
    """A form as it is written, with what is repeated in it."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return http.post(path, content=urlencode(pairs), headers=headers)


def state_of(location: str) -> list[str]:
    """The ``state`` of a redirect."""
    return parse_qs(urlsplit(location).query).get("state", [])


def _handle(location: str) -> str:
    path = urlsplit(location).path
    assert path.startswith("/consent/"), location
    return path.removeprefix("/consent/")
