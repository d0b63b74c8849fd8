"""What an endpoint refuses (RFC 6749 section 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2).

Descriptions are sentences of ours, in plain ASCII: nothing that a client sent is ever repeated in one, and no words
of a library's are told.
"""

# Authlib ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from authlib.oauth2.rfc6749 import OAuth2Error

_GONE = "It is not valid, or no longer."
_VERIFIER_FORM = "code_verifier must have 43 to 128 unreserved characters."

REASONS = {
    "Missing 'code' in request.": "code is missing.",
    "Invalid 'code' in request.": _GONE,
    "Invalid 'redirect_uri' in request.": "redirect_uri is not the one that the code was asked with.",
    "There is no 'user' for this code.": _GONE,
    "Missing 'refresh_token' in request.": "refresh_token is missing.",
    "There is no 'user' for this token.": _GONE,
    "Missing 'code_challenge'": "code_challenge is missing.",
    "Multiple 'code_challenge' in request.": "code_challenge is given more than once.",
    "Invalid 'code_challenge'": "code_challenge must have 43 to 128 unreserved characters.",
    "Unsupported 'code_challenge_method'": "PKCE with code_challenge_method=S256 is required.",
    "Multiple 'code_challenge_method' in request.": "code_challenge_method is given more than once.",
    "The authorization request had no 'code_challenge', but a 'code_verifier' was provided.": _GONE,
    "Missing 'code_verifier'": "code_verifier is missing.",
    "Invalid 'code_verifier'": _VERIFIER_FORM,
    "Code challenge failed.": "code_verifier does not belong to the code_challenge that the code was asked with.",
    "Missing 'client_id' parameter.": "client_id is missing.",
    "The client does not exist on this server.": "The client is not known here.",
    "Missing 'redirect_uri' in request.": "redirect_uri is missing.",
}
"""What a client is told for what Authlib says of a request."""

_ERRORS = {
    "invalid_grant": _GONE,
    "invalid_request": "Something is missing, or not as it must be.",
    "invalid_scope": "The scope cannot be used.",
    "unauthorized_client": "This client may not do that.",
    "unsupported_grant_type": "grant_type must be authorization_code or refresh_token.",
    "unsupported_response_type": "The only response type is code.",
    "unsupported_token_type": "There are access tokens and refresh tokens.",
}
"""The same where Authlib says nothing."""


_UNABLE = {
    408: ("invalid_request", "The request did not come to its end in time."),
    413: ("invalid_request", "The request is too large."),
    429: ("temporarily_unavailable", "Too much was asked. Try again later."),
    500: ("server_error", "It went wrong here."),
    503: ("temporarily_unavailable", "It cannot be answered now. Try again later."),
}


def unable(status: int) -> dict[str, object] | None:
    """What a program is told where an endpoint cannot answer: in OAuth's shape, since it reads no other.

    None for any other status: that the request came to another host, or from another's page, is said as everywhere.
    """
    told = _UNABLE.get(status)
    return None if told is None else {"error": told[0], "error_description": told[1]}


def description(error: OAuth2Error) -> str | None:
    """The sentence that tells an error to its client."""
    said = str(error.description or "")
    return REASONS.get(said, said) or _ERRORS.get(str(error.error))


class InvalidTarget(OAuth2Error):
    """A token is asked for another resource than this one (RFC 8707)."""

    error = "invalid_target"
    description = "The only resource here is the MCP endpoint."


class Unauthenticated(OAuth2Error):
    """The client is unknown, or does not prove to be itself. Always 401: a client then registers anew."""

    error = "invalid_client"
    description = "The client is not known here, or did not authenticate as it registered."
    status_code = 401

    def get_headers(self) -> list[tuple[str, str]]:
        """With the challenge that a 401 must carry."""
        return [*super().get_headers(), ("WWW-Authenticate", 'Basic realm="mnemo"')]


class RegistrationTokenRefused(OAuth2Error):
    """No such registration, or not its token: one and the same (RFC 7592 section 2)."""

    error = "invalid_token"
    description = "This registration access token is good for nothing here."
    status_code = 401

    def get_headers(self) -> list[tuple[str, str]]:
        """With the challenge that a 401 must carry."""
        return [*super().get_headers(), ("WWW-Authenticate", 'Bearer realm="mnemo", error="invalid_token"')]
