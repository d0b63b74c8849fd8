"""What a client says of itself when it registers, or in its metadata document (RFC 7591 section 2).

Strict where it matters (where a client is called back, how it authenticates), lenient elsewhere: what is not known
or cannot be used is left out, and the client is told what was registered. The tools that must connect send much
that is not in the standard.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from authlib.oauth2.rfc7591 import InvalidClientMetadataError, InvalidRedirectURIError

from policies.parameters import Parameters
from service.oauth.redirects import is_allowed
from service.stores.protocol import Client

GRANT_TYPES = ("authorization_code", "refresh_token")
AUTH_METHODS = ("none", "client_secret_basic", "client_secret_post")

_ADDRESSES = ("client_uri", "logo_uri", "tos_uri", "policy_uri")
_TEXTS = ("scope", "software_id", "software_version")
_TEXT_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class ClientMetadata:
    """What is registered of a client."""

    name: str
    redirect_uris: tuple[str, ...]
    auth_method: str
    others: Mapping[str, object]
    """As told back."""


def checked(given: Mapping[str, object], parameters: Parameters) -> ClientMetadata:
    """What of a client's metadata is registered.

    Raises:
        InvalidRedirectURIError: no address to be called back at, too many, or one that is not allowed.
        InvalidClientMetadataError: something else that a client must get right.
    """
    bounds = parameters.connecting
    for name, known in (("grant_types", GRANT_TYPES[:1]), ("response_types", ("code",))):
        listed = given.get(name)
        if listed is not None and not set(known) & set(_texts(listed, name)):
            raise InvalidClientMetadataError(f"{name} must contain {known[0]}.")
    application_type = given.get("application_type")
    if application_type not in (None, "web", "native"):
        raise InvalidClientMetadataError("application_type must be web or native.")
    others: dict[str, object] = {} if application_type is None else {"application_type": application_type}
    for name in _TEXTS:
        if text := _cleaned(_text(given.get(name), name), _TEXT_CHARACTERS):
            others[name] = text
    for name in _ADDRESSES:
        address = _text(given.get(name), name)
        if _is_web_address(address) and len(address) <= bounds.redirect_uri_characters:
            others[name] = address
    return ClientMetadata(
        name=_cleaned(_text(given.get("client_name"), "client_name"), bounds.name_characters),
        redirect_uris=_redirect_uris(given.get("redirect_uris"), parameters),
        auth_method=_auth_method(given.get("token_endpoint_auth_method")),
        others=others,
    )


def told(client: Client) -> dict[str, object]:
    """A client's registration, as told to it."""
    named = {"client_name": client.name} if client.name else {}
    return {
        "client_id": client.id,
        **named,
        "redirect_uris": list(client.redirect_uris),
        "token_endpoint_auth_method": client.auth_method,
        "grant_types": list(GRANT_TYPES),
        "response_types": ["code"],
        **client.metadata,
    }


def _redirect_uris(given: object, parameters: Parameters) -> tuple[str, ...]:
    bounds = parameters.connecting
    if not isinstance(given, list) or not given:
        raise InvalidRedirectURIError("redirect_uris must list at least one address.")
    listed = cast("list[object]", given)
    if len(listed) > bounds.redirect_uris:
        raise InvalidRedirectURIError(f"redirect_uris must list at most {bounds.redirect_uris} addresses.")
    uris: list[str] = []
    for uri in listed:
        if not isinstance(uri, str) or not is_allowed(
            uri, parameters.private_callbacks, bounds.redirect_uri_characters
        ):
            raise InvalidRedirectURIError(
                "A redirect URI must be https, http on the loopback, or the callback of a program that is known here, "
                "without a fragment and without a user name."
            )
        uris.append(uri)
    return tuple(dict.fromkeys(uris))


def _auth_method(given: object) -> str:
    """How the client will authenticate: as it asks where that is possible, else not at all (PKCE remains)."""
    if given is None:
        return "client_secret_basic"
    method = _text(given, "token_endpoint_auth_method")
    return method if method in AUTH_METHODS else "none"


def _texts(given: object, name: str) -> Sequence[str]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in cast("list[object]", given)):
        raise InvalidClientMetadataError(f"{name} must be a list of texts.")
    return cast("list[str]", given)


def _text(given: object, name: str) -> str:
    if given is not None and not isinstance(given, str):
        raise InvalidClientMetadataError(f"{name} must be a text.")
    return given or ""


def _cleaned(text: str, characters: int) -> str:
    """On one line, without characters that show as nothing or turn others around, cut to a length."""
    shown = "".join(c for c in text if c.isspace() or not unicodedata.category(c).startswith("C"))
    return " ".join(shown.split())[:characters].rstrip()


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("https", "http") and bool(parts.netloc) and text.isprintable()
