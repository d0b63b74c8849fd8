"""What an endpoint refuses (RFC 6749 section 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2).

Descriptions are sentences of ours, in plain ASCII: nothing that a client sent is ever repeated in one.
"""

# Authlib ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from authlib.oauth2.rfc6749 import OAuth2Error


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
