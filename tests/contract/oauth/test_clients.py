"""Every assistant that must connect goes all the way: a URL and nothing else, to a served memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from service.tools import TOOLS
from tests.support.document_server import DocumentServer, document_server
from tests.support.house import House, web_server
from tests.support.oauth import LIST, OAuthClient, Owner, answer_of
from tests.support.real_clients import REAL_CLIENTS, RealClient

RECALL: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "mem_recall", "arguments": {"query": "a red bike"}},
}
ACCEPTS = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocumentServer]:
    with document_server(tmp_path_factory.mktemp("documents")) as server:
        yield server


@pytest.fixture(scope="module")
def service(served_house: House, documents: DocumentServer) -> Iterator[str]:
    with web_server(served_house, fetch=documents.fetcher()) as address:
        yield address


def challenge_of(answer: httpx2.Response) -> dict[str, str]:
    """The parameters of a WWW-Authenticate header."""
    kind, _, rest = answer.headers["WWW-Authenticate"].partition(" ")
    assert kind == "Bearer"
    return {name: value.strip('"') for name, _, value in (part.partition("=") for part in rest.split(", "))}


@pytest.mark.parametrize("real", REAL_CLIENTS, ids=lambda real: real.name)
def test_an_assistant_connects_by_itself(
    real: RealClient, http: httpx2.Client, owner: Owner, service: str, documents: DocumentServer
) -> None:
    # It knows the address of the MCP endpoint and nothing else.
    refused = http.post(f"{service}/mcp", json=LIST, headers=ACCEPTS)
    assert refused.status_code == 401
    challenge = challenge_of(refused)
    assert challenge["scope"] == "assistant-standard"
    resource = http.get(challenge["resource_metadata"]).json()
    assert resource["resource"] == f"{service}/mcp"
    issuer = resource["authorization_servers"][0]
    server = http.get(f"{issuer}/.well-known/oauth-authorization-server").json()
    assert server["issuer"] == issuer

    client = OAuthClient(http, owner, real.registration or {}, real.redirect_uri)
    if real.document is not None:
        assert server["client_id_metadata_document_supported"]
        assert "none" in server["token_endpoint_auth_methods_supported"]
        client.id = documents.publish(*real.published, real.document)
    else:
        client.registered()
        for uri in (real.registration or {})["redirect_uris"]:
            assert uri in client.told["redirect_uris"]

    asking = client.asking(**{"scope": challenge["scope"], "resource": resource["resource"], **real.asks})
    begun = http.get(server["authorization_endpoint"], params=asking)
    assert begun.status_code == 303, begun.text
    shown = owner.sees(begun.headers["Location"])
    assert shown.redirect_uri == real.redirect_uri
    back = owner.approves(begun.headers["Location"], scope="assistant-standard")
    assert back.startswith(real.redirect_uri)
    answer = answer_of(back)
    assert answer["iss"] == issuer
    assert answer.get("state") == asking.get("state")

    basic: Any = httpx2.BasicAuth(client.id, client.secret or "") if real.uses_basic else None
    form = {
        "grant_type": "authorization_code",
        "code": answer["code"],
        "redirect_uri": real.redirect_uri,
        "code_verifier": client.verifier,
        **({"resource": asking["resource"]} if "resource" in asking else {}),
        **({} if basic else {"client_id": client.id}),
        **({"client_secret": client.secret} if client.secret and not basic else {}),
    }
    given = http.post(server["token_endpoint"], data=form, auth=basic)
    assert given.status_code == 200, given.text
    tokens = given.json()
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 3600)
    assert tokens["scope"] == "assistant-standard"

    for token in (tokens, refreshed(http, server, client, tokens, basic)):
        bearer = {**ACCEPTS, "Authorization": f"Bearer {token['access_token']}"}
        listed = http.post(resource["resource"], json=LIST, headers=bearer)
        assert [tool["name"] for tool in result_of(listed)["tools"]] == [tool.name for tool in TOOLS]
        served = http.post(resource["resource"], json=RECALL, headers=bearer)
        assert result_of(served)["structuredContent"]["items"][0]["id"] == "mem:bike"


def refreshed(
    http: httpx2.Client,
    server: dict[str, Any],
    client: OAuthClient,
    tokens: dict[str, Any],
    basic: Any,
) -> dict[str, Any]:
    form = {
        "grant_type": "refresh_token",
        "refresh_token": tokens["refresh_token"],
        **({} if basic else {"client_id": client.id}),
        **({"client_secret": client.secret} if client.secret and not basic else {}),
    }
    answer = http.post(server["token_endpoint"], data=form, auth=basic)
    assert answer.status_code == 200, answer.text
    assert answer.json()["refresh_token"] != tokens["refresh_token"]
    return answer.json()


def result_of(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return json.loads(lines[-1])["result"]


def test_twelve_and_more_are_tried() -> None:
    assert len(REAL_CLIENTS) >= 12
    assert len({real.name for real in REAL_CLIENTS}) == len(REAL_CLIENTS)
