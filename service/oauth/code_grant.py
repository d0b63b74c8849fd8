"""The authorization code grant (OAuth 2.1 section 4.1) with what Authlib leaves out or allows.

Only ``code``; S256 for every client; no parameter twice; a foreign ``resource`` refused (RFC 8707).
"""

# Authlib ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownParameterType=false
# pyright: reportUnknownArgumentType=false, reportMissingParameterType=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import re
from typing import Any

from authlib.oauth2.rfc6749 import (
    AuthorizationCodeMixin,
    InvalidRequestError,
    UnsupportedResponseTypeError,
)
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc7636 import CodeChallenge

from policies.errors import ConnectionInvalid, RedirectRefused
from service.oauth.asking import Asked
from service.oauth.errors import InvalidTarget
from service.oauth.issuing import Issuing
from service.oauth.server import METHODS, OAuthRequest, RegisteredClient
from service.secrets import digest
from service.stores.protocol import Code

_CHALLENGE = re.compile(r"[A-Za-z0-9._~-]{43,128}")


class KeptCode(AuthorizationCodeMixin):
    """A code of the store, as Authlib asks about it."""

    code_challenge_method = "S256"

    def __init__(self, kept: Code) -> None:
        self.kept = kept
        self.code_challenge = kept.challenge

    def get_redirect_uri(self) -> str:
        """Where the code was sent."""
        return self.kept.redirect_uri


class CodeGrant(AuthorizationCodeGrant):
    """Checks what is asked at ``/authorize``, and what a code is presented with at ``/token``."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    request: OAuthRequest  # pyright: ignore[reportIncompatibleVariableOverride]  (the only kind we make)

    @classmethod
    def check_authorization_endpoint(cls, request: OAuthRequest) -> bool:
        """Every request there is this grant's, so that what it lacks is told where it came from."""
        return True

    @staticmethod
    def validate_no_multiple_request_parameter(request: OAuthRequest) -> None:
        """Checked with the rest."""

    @staticmethod
    def validate_authorization_redirect_uri(request: OAuthRequest, client: RegisteredClient) -> str:
        """Where to answer.

        Raises:
            RedirectRefused: the client did not register it.
        """
        redirect_uri = request.asked.values["redirect_uri"]
        if not client.check_redirect_uri(redirect_uri):
            raise RedirectRefused
        return redirect_uri

    def query_authorization_code(self, code: str, client: RegisteredClient) -> KeptCode | None:
        """The code, if it was issued to this client."""
        kept = self._issuing.code(digest(code))
        return KeptCode(kept) if kept is not None and kept.client == client.get_client_id() else None

    def create_token_response(self) -> tuple[int, dict[str, object], Any]:
        """Tokens: the code is used and they are kept in one step, so that of two requests one gets them."""
        presented: Any = self.request.authorization_code
        issued = self._issuing.redeem(presented.kept)
        return 200, issued, self.TOKEN_RESPONSE_HEADER

    @property
    def _issuing(self) -> Issuing:
        return self.server.issuing


class Bindings(CodeChallenge):
    """What a request to ``/authorize`` must say beyond RFC 6749, and what a code is bound to."""

    def __init__(self, resources: frozenset[str]) -> None:
        """Require PKCE of every client; ``resources`` are the spellings of ours."""
        super().__init__(required=True)
        self._resources = resources

    def validate_code_challenge(self, grant: CodeGrant, redirect_uri: str) -> None:
        """Check an authorization request whose client and redirect are good; what it lacks is told there."""
        asked = grant.request.asked
        check_once(asked)
        response_type = asked.values.get("response_type")
        if response_type is None:
            raise InvalidRequestError("response_type is missing.")
        if response_type != "code":
            raise UnsupportedResponseTypeError(None, "The only response type is code.")
        if asked.values.get("code_challenge_method") != "S256":
            raise InvalidRequestError("PKCE with code_challenge_method=S256 is required.")
        if not _CHALLENGE.fullmatch(asked.values.get("code_challenge", "")):
            raise InvalidRequestError("code_challenge must have 43 to 128 unreserved characters.")
        check_resource(asked, self._resources)

    def validate_code_verifier(self, grant: CodeGrant, result: Any) -> None:
        """Check that a code is redeemed by who asked for it, for what it was issued for."""
        check_resource(grant.request.asked, self._resources)
        super().validate_code_verifier(grant, result)


def check_answerable(asked: Asked) -> None:
    """Refuse what does not say once, and only once, whom to answer and where.

    Raises:
        ConnectionInvalid: there is nobody to answer.
    """
    named = {"client_id", "redirect_uri"}
    if named & asked.repeated or not named <= asked.values.keys():
        raise ConnectionInvalid


def check_once(asked: Asked) -> None:
    """Refuse a parameter that was given twice (RFC 6749 sections 3.1 and 3.2).

    Raises:
        InvalidRequestError: one was.
        InvalidTarget: that one is ``resource``, with different values: only one of them can be ours.
    """
    if asked.repeated == frozenset({"resource"}) and len(set(asked.resources)) > 1:
        raise InvalidTarget
    if asked.repeated:
        raise InvalidRequestError("A parameter is given more than once.")


def check_resource(asked: Asked, resources: frozenset[str]) -> None:
    """Refuse a resource that is not ours (RFC 8707); none named means ours.

    Raises:
        InvalidTarget: it is another's.
    """
    if any(_written(resource) not in resources for resource in asked.resources):
        raise InvalidTarget


def _written(resource: str) -> str:
    """As we write it: scheme and host say the same in capitals (RFC 3986 section 6.2.2.1)."""
    scheme, separator, rest = resource.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}{separator}{host.lower()}{slash}{path}"
