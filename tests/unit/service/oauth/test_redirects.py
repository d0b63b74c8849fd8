from __future__ import annotations

import pytest

from policies.parameters import parameters
from service.oauth.redirects import answering, is_allowed, is_loopback, is_private, matches, shown_host
from tests.support.near_misses import NEAR_MISSES

CALLBACKS = parameters().private_callbacks


def allowed(uri: str) -> bool:
    return is_allowed(uri, CALLBACKS, parameters().connecting.redirect_uri_characters)


@pytest.mark.parametrize(
    "uri",
    [
        "https://claude.ai/api/mcp/auth_callback",
        "https://chatgpt.com/connector/oauth/Abc-123_x",
        "https://example.com:8443/cb?tenant=a&x=%20",
        "https://[2001:db8::1]/cb",
        "http://localhost/callback",
        "http://localhost:3118/callback",
        "http://127.0.0.1:33418",
        "http://127.0.0.1/",
        "http://[::1]:9000/cb",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "vscode://saoudrizwan.claude-dev/mcp-auth/callback/3fA9",
        "vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/3fA9",
        "claude://claude.ai/mcp-auth-callback/sdk",
        "raycast://oauth?package_name=mcp_server_dust_(dev)",
        "com.raycast:/oauth?package_name=Extension",
        "warp://mcp/oauth2callback",
    ],
)
def test_what_real_clients_register_is_allowed(uri: str) -> None:
    assert allowed(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "callback",
        "/callback",
        "//evil.example/cb",
        "https:",
        "https://",
        "https:///cb",
        "https:evil.example",
        "https://*.example.com/cb",
        "https://exa mple.com/cb",
        "https://example.com/cb#",
        "https://example.com/cb#fragment",
        "https://user@example.com/cb",
        "https://user:pw@example.com/cb",
        "https://claude.ai@evil.example/cb",
        "https://example.com:/cb",
        "https://example.com:0/cb",
        "https://example.com:99999/cb",
        "https://example.com:x/cb",
        "https://example.com\\@evil.example/cb",
        "https://exämple.com/cb",
        "https://example.com/c\nb",
        "https://example.com/c\tb",
        'https://example.com/"onload=x',
        "https://example.com/<script>",
        " https://example.com/cb",
        "HTTPS://example.com/cb",
        "http://example.com/cb",
        "http://192.168.1.2/cb",
        "http://127.0.0.2/cb",
        "http://0.0.0.0/cb",
        "http://LOCALHOST/cb",
        "http://localhost./cb",
        "http://localhost.evil.example/cb",
        "http://127.0.0.1.evil.example/cb",
        "http://localhost@evil.example/cb",
        "http://[::]/cb",
        "http://[::ffff:127.0.0.1]/cb",
        "javascript:alert(1)",
        "javascript://claude.ai/%0aalert(1)",
        "JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://example.com/x",
        "about:blank",
        "ftp://example.com/cb",
        "myapp://callback",
        "urn:ietf:wg:oauth:2.0:oob",
        "cursor://anysphere.cursor-mcp/oauth/callback#x",
        "cursor://anysphere.cursor-mcp:1/oauth/callback",
        "vscode://saoudrizwan.claude-dev/mcp-auth/callback/",
        "com.raycast:oauth?package_name=Extension",
        "cursor:",
        "cursor:/",
        "cursor://",
        "cursor://user@host/cb",
        "cursor://host/cb#x",
        "Cursor://host/cb",
        "https://example.com/" + "a" * 2000,
    ],
)
def test_what_no_client_needs_is_refused(uri: str) -> None:
    assert not allowed(uri)


@pytest.mark.parametrize("uri", ["vscode:mcp", "vscode:mcp/install"])
def test_no_list_of_callbacks_can_allow_an_address_without_an_authority_or_a_root(uri: str) -> None:
    assert not is_allowed(uri, [uri, "vscode:*"], 2000)


@pytest.mark.parametrize("scheme", ["javascript", "data", "vbscript", "file", "http", "blob"])
def test_no_list_of_callbacks_can_allow_what_a_browser_runs(scheme: str) -> None:
    assert not is_allowed(f"{scheme}://somewhere/x", [f"{scheme}://somewhere/x", f"{scheme}:*"], 2000)


@pytest.mark.parametrize(
    ("registered", "presented"),
    [
        ("https://claude.ai/cb", "https://claude.ai/cb"),
        ("http://localhost/callback", "http://localhost:58135/callback"),
        ("http://localhost:3118/callback", "http://localhost:4000/callback"),
        ("http://localhost:3118/callback", "http://localhost/callback"),
        ("http://127.0.0.1:33418", "http://127.0.0.1:59656/"),
        ("http://127.0.0.1/", "http://127.0.0.1:59656"),
        ("http://[::1]/cb?x=1", "http://[::1]:7/cb?x=1"),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-mcp/oauth/callback"),
    ],
)
def test_an_address_is_compared_as_written_but_for_the_port_on_loopback(
    registered: str, presented: str
) -> None:
    assert matches(["https://other.example/", registered], presented)


@pytest.mark.parametrize(("registered", "presented"), NEAR_MISSES)
def test_a_near_miss_is_a_miss(registered: str, presented: str) -> None:
    assert not matches([registered], presented)


def test_an_answer_is_added_to_the_query_that_is_there() -> None:
    assert answering("https://a.example/cb", code="x y", state=None) == "https://a.example/cb?code=x+y"
    assert answering("https://a.example/cb?t=1", code="x") == "https://a.example/cb?t=1&code=x"
    assert answering("https://a.example/cb?", code="x") == "https://a.example/cb?code=x"
    assert answering("com.raycast:/oauth?package_name=E", state="é&") == (
        "com.raycast:/oauth?package_name=E&state=%C3%A9%26"
    )


def test_an_answer_never_breaks_out_of_the_query() -> None:
    assert "\n" not in answering("https://a.example/cb", state="x\r\nSet-Cookie: y#z")
    assert "#" not in answering("https://a.example/cb", state="x\r\nSet-Cookie: y#z")


def test_the_owner_sees_where_an_answer_goes() -> None:
    assert shown_host("https://claude.ai/api/mcp/auth_callback") == "claude.ai"
    assert shown_host("http://localhost:3118/callback") == "localhost:3118"
    assert shown_host("cursor://anysphere.cursor-mcp/oauth/callback") == "cursor:"
    assert [is_loopback(uri) for uri in ("https://claude.ai/cb", "http://localhost/cb", "cursor://a/b")] == [
        False,
        True,
        False,
    ]
    assert [is_private(uri) for uri in ("https://claude.ai/cb", "http://localhost/cb", "cursor://a/b")] == [
        False,
        False,
        True,
    ]
