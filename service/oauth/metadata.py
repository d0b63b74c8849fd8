"""What programs read before anything else: the server's metadata (RFC 8414) and the resource's (RFC 9728).

Clients look in several places, with and without the path of the MCP endpoint, and some for the document of OpenID
Connect; all find the same. Both documents are made from the configured address.
"""

# Authlib ships no types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable, Mapping

from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from service.addresses import MCP_PATHS, Addresses
from service.oauth.client_metadata import AUTH_METHODS, GRANT_TYPES

PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource"
_SERVER_PATHS = (
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
)
_HEADERS = {"Cache-Control": "public, max-age=300"}


def metadata_routes(addresses: Addresses, scopes: Iterable[str]) -> list[Route]:
    """Every place where either document is looked for."""
    server = server_metadata(addresses, scopes)

    async def of_server(_request: Request) -> Response:
        return JSONResponse(server, headers=_HEADERS)

    async def of_resource(request: Request) -> Response:
        path = request.url.path.removeprefix(PROTECTED_RESOURCE) or MCP_PATHS[0]
        origin = addresses.seen_as(request.headers.get("host", ""))
        document = resource_metadata(addresses, f"{origin}{path}", scopes)
        return JSONResponse(document, headers={**_HEADERS, "Vary": "Host"})

    return [
        *(Route(f"{place}{path}", of_server) for place in _SERVER_PATHS for path in ("", *MCP_PATHS)),
        *(Route(f"{MCP_PATHS[0]}{place}", of_server) for place in _SERVER_PATHS),
        *(Route(f"{PROTECTED_RESOURCE}{path}", of_resource) for path in ("", *MCP_PATHS)),
    ]


def server_metadata(addresses: Addresses, scopes: Iterable[str]) -> Mapping[str, object]:
    """RFC 8414 section 2. The issuer has no slash at its end: clients compare it as it is written."""
    issuer = addresses.public_url
    document = AuthorizationServerMetadata(
        {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "registration_endpoint": f"{issuer}/register",
            "revocation_endpoint": f"{issuer}/revoke",
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": list(GRANT_TYPES),
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
            "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
            "scopes_supported": list(scopes),
            "authorization_response_iss_parameter_supported": True,
            "client_id_metadata_document_supported": True,
            "protected_resources": [addresses.resource],
        }
    )
    document.validate()
    return document


def resource_metadata(addresses: Addresses, resource: str, scopes: Iterable[str]) -> Mapping[str, object]:
    """RFC 9728 section 2. ``resource`` is spelt as the client spelt it: it must find it equal (section 3.3)."""
    return {
        "resource": resource,
        "authorization_servers": [addresses.public_url],
        "scopes_supported": list(scopes),
        "bearer_methods_supported": ["header"],
        "resource_name": "Mnemo",
    }


def resource_metadata_url(addresses: Addresses, host: str, path: str) -> str:
    """Where the metadata of the MCP endpoint is, for a request that came to ``host`` and ``path``."""
    return f"{addresses.seen_as(host)}{PROTECTED_RESOURCE}{path}"
