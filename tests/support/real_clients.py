"""How real assistants register and ask to connect, gathered from their sources, documents and bug reports.

Either they register (``registration``), or the address of a document is their id (``document``, at ``published``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BOTH = ["authorization_code", "refresh_token"]


@dataclass(frozen=True)
class RealClient:
    """One assistant, as it presents itself."""

    name: str
    redirect_uri: str
    """Where it is called back this time."""
    registration: Mapping[str, Any] | None = None
    document: Mapping[str, Any] | None = None
    published: tuple[str, str] = ("", "")
    """Host and path of its document."""
    asks: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What it sends to the authorization endpoint otherwise than a plain client; None: it leaves that out."""
    uses_basic: bool = False


REAL_CLIENTS = [
    RealClient(
        "Claude on the web, registered",
        "https://claude.ai/api/mcp/auth_callback",
        registration={
            "client_name": "Claude",
            "client_uri": "https://claude.ai",
            "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
            "grant_types": BOTH,
            "response_types": ["code"],
            "scope": " offline_access",
            "token_endpoint_auth_method": "client_secret_post",
        },
        asks={"scope": " offline_access"},
    ),
    RealClient(
        "Claude on the web, by its document",
        "https://claude.com/api/mcp/auth_callback",
        document={
            "client_name": "Claude",
            "client_uri": "https://claude.ai",
            "logo_uri": "https://claude.ai/images/claude_app_icon.png",
            "redirect_uris": [
                "https://claude.ai/api/mcp/auth_callback",
                "https://claude.com/api/mcp/auth_callback",
            ],
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        },
        published=("claude.ai", "/oauth/mcp-oauth-client-metadata"),
        asks={"scope": "assistant-standard offline_access"},
    ),
    RealClient(
        "Claude Code, registered",
        "http://localhost:3118/callback",
        registration={
            "client_name": "Claude Code (mnemo)",
            "redirect_uris": ["http://localhost:3118/callback"],
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        },
    ),
    RealClient(
        "Claude Code, by its document without a port",
        "http://localhost:58135/callback",
        document={
            "client_name": "Claude Code",
            "client_uri": "https://claude.ai",
            "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        },
        published=("claude.ai", "/oauth/claude-code-client-metadata"),
    ),
    RealClient(
        "ChatGPT, registered",
        "https://chatgpt.com/connector/oauth/AbC-12_xyz",
        registration={
            "client_name": "ChatGPT",
            "redirect_uris": ["https://chatgpt.com/connector/oauth/AbC-12_xyz"],
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_basic",
        },
        asks={"scope": ""},
        uses_basic=True,
    ),
    RealClient(
        "ChatGPT, by its document that prefers private_key_jwt",
        "https://chatgpt.com/connector_platform_oauth_redirect",
        document={
            "client_name": "ChatGPT",
            "client_uri": "https://chatgpt.com/",
            "logo_uri": "https://persistent.oaistatic.com/sonic/misc/openai-logo.png",
            "redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"],
            "token_endpoint_auth_method": "private_key_jwt",
            "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
            "token_endpoint_auth_signing_alg": "RS256",
            "jwks_uri": "https://chatgpt.com/oauth/jwks.json",
            "grant_types": BOTH,
            "response_types": ["code"],
        },
        published=("chatgpt.com", "/oauth/client.json"),
        asks={"scope": None},
    ),
    RealClient(
        "Cursor",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        registration={
            "client_name": "Cursor",
            "redirect_uris": [
                "cursor://anysphere.cursor-mcp/oauth/callback",
                "https://www.cursor.com/agents/mcp/oauth/callback",
                "http://localhost:8787/callback",
            ],
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        },
    ),
    RealClient(
        "VS Code, registered",
        "http://127.0.0.1:59656/",
        registration={
            "client_name": "Visual Studio Code",
            "client_uri": "https://code.visualstudio.com",
            "grant_types": [*BOTH, "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code"],
            "redirect_uris": [
                "https://insiders.vscode.dev/redirect",
                "https://vscode.dev/redirect",
                "http://127.0.0.1/",
                "http://127.0.0.1:33418/",
            ],
            "scope": "assistant-standard",
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        },
    ),
    RealClient(
        "VS Code, by its document",
        "https://vscode.dev/redirect",
        document={
            "client_name": "Visual Studio Code",
            "client_uri": "https://code.visualstudio.com",
            "redirect_uris": ["http://127.0.0.1:33418/", "http://127.0.0.1/", "https://vscode.dev/redirect"],
            "grant_types": [*BOTH, "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        },
        published=("vscode.dev", "/oauth/client-metadata.json"),
    ),
    RealClient(
        "The Inspector in a browser",
        "http://localhost:6274/oauth/callback",
        registration={
            "client_name": "MCP Inspector",
            "client_uri": "https://github.com/modelcontextprotocol/inspector",
            "redirect_uris": [
                "http://localhost:6274/oauth/callback",
                "http://localhost:6274/oauth/callback/debug",
            ],
            "token_endpoint_auth_method": "none",
            "grant_types": BOTH,
            "response_types": ["code"],
            "scope": "",
        },
        asks={"scope": "third-party assistant-standard work-context private-full"},
    ),
    RealClient(
        "mcp-remote",
        "http://localhost:14358/oauth/callback",
        registration={
            "redirect_uris": ["http://localhost:14358/oauth/callback"],
            "token_endpoint_auth_method": "none",
            "grant_types": BOTH,
            "response_types": ["code"],
            "client_name": "MCP CLI Proxy",
            "client_uri": "https://github.com/modelcontextprotocol/mcp-cli",
            "software_id": "2e6dc280-f3c3-4e01-99a7-8181dbd1d23d",
            "software_version": "0.1.38",
            "scope": "openid email profile",
        },
        asks={"scope": "openid email profile"},
    ),
    RealClient(
        "Codex",
        "http://127.0.0.1:37819/callback/9f2c",
        registration={
            "client_name": "Codex",
            "redirect_uris": ["http://127.0.0.1:37819/callback/9f2c"],
            "grant_types": BOTH,
            "token_endpoint_auth_method": "none",
            "response_types": ["code"],
            "application_type": "native",
        },
    ),
    RealClient(
        "Gemini CLI",
        "http://localhost:7777/oauth/callback",
        registration={
            "client_name": "Gemini CLI MCP Client",
            "redirect_uris": ["http://localhost:7777/oauth/callback"],
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "scope": "",
        },
        asks={"scope": None},
    ),
    RealClient(
        "Zed",
        "http://127.0.0.1:41234/callback",
        document={
            "client_name": "Zed",
            "client_uri": "https://zed.dev",
            "redirect_uris": ["http://127.0.0.1/callback", "http://127.0.0.1:27523/callback"],
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        },
        published=("zed.dev", "/oauth/client-metadata.json"),
    ),
    RealClient(
        "opencode",
        "http://127.0.0.1:19876/mcp/oauth/callback",
        registration={
            "redirect_uris": ["http://127.0.0.1:19876/mcp/oauth/callback"],
            "client_name": "OpenCode",
            "client_uri": "https://opencode.ai",
            "grant_types": BOTH,
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        },
    ),
    RealClient(
        "Raycast",
        "com.raycast:/oauth?package_name=Extension",
        registration={
            "client_name": "Raycast",
            "redirect_uris": ["com.raycast:/oauth?package_name=Extension"],
            "token_endpoint_auth_method": "none",
        },
    ),
    RealClient(
        "A client that says as little as it may",
        "https://client.example/cb?tenant=a",
        registration={"redirect_uris": ["https://client.example/cb?tenant=a"]},
        asks={"scope": None, "state": None, "resource": None},
        uses_basic=True,
    ),
]
