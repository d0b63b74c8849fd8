"""Failures that public servers have had with the assistants that must connect: each is a test here.

The consent page's redirect under a Content-Security-Policy is driven in a browser, where the console is tested.
"""

from __future__ import annotations

import json

import httpx2
import pytest

from tests.support.house import House, web_server
from tests.support.oauth import LIST, OAuthClient, Owner, answer_of, metadata

ACCEPTS = {"Accept": "application/json, text/event-stream"}
AT = "/.well-known/oauth-protected-resource"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_the_resource_is_told_exactly_as_the_client_spelt_it(service: str, name: str, path: str) -> None:
    """Resource metadata that differs from the URL by a slash, a path or a name (RFC 9728 section 3.3)."""
    base = f"http://{name}:{service.rpartition(':')[2]}"
    with httpx2.Client(trust_env=False) as http:
        challenge = http.post(f"{base}{path}", json=LIST, headers=ACCEPTS).headers["WWW-Authenticate"]
        at = challenge.partition('resource_metadata="')[2].partition('"')[0]
        assert at == f"{base}{AT}{path}"
        assert http.get(at).json()["resource"] == f"{base}{path}"
        assert http.get(f"{base}{AT}").json()["resource"] == f"{base}/mcp"


def test_no_spelling_of_the_endpoint_is_redirected(client: OAuthClient) -> None:
    """``/mcp`` to ``/mcp/`` redirects: clients drop the body or the token on the way."""
    token = client.connected()["access_token"]
    for path in ("/mcp", "/mcp/"):
        assert client.calling(token, path).status_code == 200
        assert client.http.post(path, json=LIST).status_code == 401


def test_a_loopback_port_that_was_not_registered_is_used_all_the_same(client: OAuthClient) -> None:
    """Loopback port mismatch (RFC 8252 section 7.3), for documents without a port and for registrations with one."""
    client.registration = metadata(redirect_uris=["http://127.0.0.1:33418/"])
    client.redirect_uri = "http://127.0.0.1:59656/"
    assert client.connected()["scope"] == "assistant-standard"


def test_a_custom_scheme_is_accepted_with_its_neighbours(client: OAuthClient) -> None:
    """Custom scheme refused: one refused redirect ended the whole registration."""
    uris = [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
    ]
    client.registration = metadata(redirect_uris=uris)
    client.registered()
    for uri in uris:
        client.redirect_uri = uri
        assert client.owner.approves(client.waiting()).startswith(f"{uri}?code=")


@pytest.mark.parametrize(
    "scope", [None, "", " ", " offline_access", "openid email profile", "nonsense", "é", "*"]
)
def test_any_scope_may_be_asked_and_a_refresh_token_comes_with_each(
    client: OAuthClient, scope: str | None
) -> None:
    """Unknown or empty scope refused as ``invalid_scope``; no refresh token unless ``offline_access`` was asked."""
    client.registration = metadata(grant_types=None, response_types=None, scope=scope)
    code = answer_of(client.owner.approves(client.registered().waiting(scope=scope)))["code"]
    tokens = client.redeeming(code).json()
    assert tokens["refresh_token"]
    assert client.refreshed(tokens["refresh_token"])["refresh_token"]


def test_offline_access_is_named_nowhere(http: httpx2.Client) -> None:
    """A client that sees it asks for it, and a server that then ignores it confuses it."""
    for path in ("/.well-known/oauth-authorization-server", AT, f"{AT}/mcp"):
        assert "offline_access" not in http.get(path).text
    assert "offline_access" not in http.post("/mcp", json=LIST).headers["WWW-Authenticate"]


@pytest.mark.parametrize(
    "path",
    [
        f"{before}/.well-known/{name}{after}"
        for name in ("oauth-authorization-server", "openid-configuration")
        for before, after in (("", ""), ("", "/mcp"), ("", "/mcp/"), ("/mcp", ""))
    ],
)
def test_the_server_is_described_wherever_it_is_looked_for(
    http: httpx2.Client, service: str, path: str
) -> None:
    """``none`` not advertised; issuer compared with and without a trailing slash; ``openid-configuration`` probed."""
    answer = http.get(path, headers={"Origin": "http://localhost:6274", "MCP-Protocol-Version": "2026-07-28"})
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    told = answer.json()
    assert told["issuer"] == service
    assert not told["issuer"].endswith("/")
    assert told["token_endpoint_auth_methods_supported"] == [
        "none",
        "client_secret_basic",
        "client_secret_post",
    ]
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["response_types_supported"] == ["code"]
    assert told["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert told["scopes_supported"] == ["third-party", "assistant-standard", "work-context", "private-full"]
    assert told["authorization_response_iss_parameter_supported"] is True
    assert told["client_id_metadata_document_supported"] is True


def test_the_issuer_is_the_same_everywhere(client: OAuthClient, service: str) -> None:
    """Issuer compared with and without a trailing slash (RFC 8414 section 3.3, RFC 9207 section 2.4)."""
    client.registered()
    told = answer_of(client.owner.approves(client.waiting()))["iss"]
    server = client.http.get("/.well-known/oauth-authorization-server").json()["issuer"]
    resource = client.http.get(f"{AT}/mcp").json()["authorization_servers"]
    assert told == server == service
    assert resource == [service]


def test_a_stale_client_is_told_so_by_401(client: OAuthClient, served_house: House) -> None:
    """A stale client answered 400 tries for ever; 401 ``invalid_client`` makes it register anew."""
    tokens = client.connected()
    served_house.store.oauth.remove_client(client.id)
    for answer in (client.refreshing(tokens["refresh_token"]), client.redeeming("mnemo_c_x")):
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
    client.registered()
    assert client.connected()["scope"] == "assistant-standard"


def test_the_inspector_in_a_browser_can_read_everything_it_needs(client: OAuthClient) -> None:
    """CORS: every endpoint, errors too, with ``WWW-Authenticate`` exposed and the protocol's headers allowed."""
    origin = {"Origin": "http://localhost:6274"}
    asked = ("authorization", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version")
    ask = {
        **origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": ",".join(asked),
    }
    for path in ("/mcp", "/mcp/", "/register", "/token", "/revoke", f"{AT}/mcp"):
        answer = client.http.options(path, headers=ask)
        assert answer.status_code == 204
        assert answer.headers["Access-Control-Allow-Origin"] in ("*", origin["Origin"])
        allowed = answer.headers["Access-Control-Allow-Headers"].lower()
        assert all(name in allowed for name in asked)
    token = client.connected()["access_token"]
    refused = client.http.post("/mcp", json=LIST, headers=origin)
    served = client.calling(token, **origin)
    for answer, status in ((refused, 401), (served, 200), (client.http.post("/token", headers=origin), 400)):
        assert answer.status_code == status
        assert answer.headers["Access-Control-Allow-Origin"] in ("*", origin["Origin"])
        assert "WWW-Authenticate" in answer.headers["Access-Control-Expose-Headers"]


def test_a_tool_of_a_low_scope_is_served_less_and_never_403(client: OAuthClient) -> None:
    """Step-up 403 ignored: clients do not come back for more, so results are filtered instead."""
    token = client.connected("third-party")["access_token"]
    for name, arguments in (
        ("mem_recall", {"query": "a red bike"}),
        ("mem_recall", {"query": "x", "known_at": "2020"}),
        ("mem_profile", {}),
    ):
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        bearer = {**ACCEPTS, "Authorization": f"Bearer {token}"}
        assert client.http.post("/mcp", json=call, headers=bearer).status_code == 200


def test_registrations_and_tokens_outlive_a_restart(client: OAuthClient, served_house: House) -> None:
    """Registrations lost at restart: the client keeps an id that nobody knows."""
    tokens = client.connected()
    waiting = client.waiting(resource=None)
    with (
        web_server(served_house) as address,
        httpx2.Client(base_url=address, trust_env=False, timeout=30) as again,
    ):
        later = OAuthClient(again, Owner(served_house, address), client.registration)
        later.id, later.verifier = client.id, client.verifier
        code = answer_of(later.owner.approves(waiting))["code"]
        assert later.redeeming(code, resource=None).status_code == 200
        assert later.refreshed(tokens["refresh_token"])["scope"] == "assistant-standard"
        later.waiting()


def test_a_client_that_registers_twice_in_two_seconds_works_with_either(
    http: httpx2.Client, owner: Owner, served_house: House
) -> None:
    """A client that registers twice in two seconds, and then uses the one or the other."""
    first = OAuthClient(http, owner, metadata(client_name="Twice")).registered()
    served_house.clock.advance(2)
    second = OAuthClient(http, owner, metadata(client_name="Twice")).registered()
    assert first.id != second.id
    tokens = [client.connected() for client in (second, first)]
    assert all(first.calling(given["access_token"]).status_code == 200 for given in tokens)


def test_a_call_before_anything_else_is_told_where_to_begin(http: httpx2.Client) -> None:
    """A 401 without ``resource_metadata`` or ``scope`` leaves a client to guess."""
    for method in ("GET", "POST", "DELETE"):
        answer = http.request(method, "/mcp")
        assert answer.status_code == 401
        assert 'scope="assistant-standard"' in answer.headers["WWW-Authenticate"]
        assert f"{AT}/mcp" in answer.headers["WWW-Authenticate"]
        assert "error=" not in answer.headers["WWW-Authenticate"]
        assert isinstance(answer.json()["error"], dict)
    answer = http.post("/mcp", content=json.dumps(LIST), headers={"Authorization": "Bearer stale"})
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
