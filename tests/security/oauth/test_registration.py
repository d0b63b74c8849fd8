"""Registration is open to everybody: what it takes in, for how long, and how often."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import httpx2
import pytest

from policies.parameters import parameters
from policies.terms import Instant
from service.secrets import digest
from tests.support.document_server import DocumentServer, document_server
from tests.support.house import House, web_server
from tests.support.oauth import OAuthClient, metadata
from tests.support.waiting import eventually

DAY_S = 86_400


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocumentServer]:
    with document_server(tmp_path_factory.mktemp("documents")) as server:
        yield server


@pytest.fixture(scope="module")
def service(served_house: House, documents: DocumentServer) -> Iterator[str]:
    """Behind a proxy that is believed, so that tests can come from many addresses."""
    behind = replace(
        served_house, settings=replace(served_house.settings, trusted_proxies=(ip_network("127.0.0.1/32"),))
    )
    with web_server(behind, fetch=documents.fetcher(seconds_max=1)) as address:
        yield address


def refused(answer: httpx2.Response, error: str) -> None:
    assert (answer.status_code, answer.json()["error"]) == (400, error), answer.text
    assert set(answer.json()) == {"error", "error_description"}
    assert answer.headers["Cache-Control"] == "no-store"


HOSTILE = [
    "javascript:alert(1)",
    "javascript://claude.ai/%0aalert(1)",
    "JAVASCRIPT:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://claude.ai/x",
    "http://evil.example/cb",
    "http://192.168.1.2/cb",
    "http://localhost.evil.example/cb",
    "https://claude.ai@evil.example/cb",
    "https://claude.ai/cb#fragment",
    "https://*.evil.example/cb",
    "https://evil.example/c b",
    "https://evil.example\\@claude.ai/cb",
    "unknown-scheme://callback",
    "//evil.example/cb",
    "/cb",
    "",
    7,
    None,
    ["https://claude.ai/cb"],
    {"uri": "https://claude.ai/cb"},
]


@pytest.mark.parametrize("uri", HOSTILE)
def test_a_redirect_that_could_be_misused_is_refused_alone_and_among_good_ones(
    http: httpx2.Client, uri: object
) -> None:
    """RFC 7591 section 5, RFC 8252 section 8.4; ``javascript:`` redirects were registered by public servers."""
    for uris in ([uri], ["https://good.example/cb", uri]):
        refused(http.post("/register", json=metadata(redirect_uris=uris)), "invalid_redirect_uri")


@pytest.mark.parametrize(
    "uris", [None, [], "https://good.example/cb", {}, 7, [f"https://good.example/{n}" for n in range(11)]]
)
def test_one_to_ten_redirects_are_needed(http: httpx2.Client, uris: object) -> None:
    """RFC 7591 section 2."""
    refused(http.post("/register", json=metadata(redirect_uris=uris)), "invalid_redirect_uri")


def test_ten_redirects_are_accepted(http: httpx2.Client) -> None:
    """RFC 7591 section 2; Cursor sends three at once, VS Code four."""
    uris = [f"https://good.example/{number}" for number in range(10)]
    assert http.post("/register", json=metadata(redirect_uris=uris)).json()["redirect_uris"] == uris


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"[{}]",
        b"null",
        b"7",
        b'"text"',
        b"{",
        b"\xff\xfe",
        b'{"client_name": "\\ud800", "redirect_uris": ["https://good.example/cb"]}',
        b"[" * 9000,
        b'{"a":' * 2500,
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"redirect_uris": ["https://good.example/cb"], "a": NaN}',
        b'{"redirect_uris": ["https://good.example/cb"], "a": [{"b": -Infinity}]}',
        b'\xef\xbb\xbf{"redirect_uris": ["https://good.example/cb"]}',
        b'{"redirect_uris": ["https://good.example/cb"]} {}',
        b'{"redirect_uris": ["https://good.example/cb"], "client_name": "a\x00b"}',
        b"redirect_uris=https://good.example/cb",
    ],
)
def test_what_is_no_json_object_is_refused(http: httpx2.Client, body: bytes) -> None:
    """RFC 7591 section 3.2.2; an array made public servers fail."""
    answer = http.post("/register", content=body, headers={"Content-Type": "application/json"})
    refused(answer, "invalid_client_metadata")


@pytest.mark.parametrize(
    "changed",
    [
        {"client_name": 7},
        {"client_name": ["x"]},
        {"client_uri": 7},
        {"logo_uri": {}},
        {"scope": ["a"]},
        {"software_id": 7},
        {"token_endpoint_auth_method": 7},
        {"token_endpoint_auth_method": ["none"]},
        {"grant_types": "authorization_code"},
        {"grant_types": [7]},
        {"grant_types": []},
        {"grant_types": ["implicit"]},
        {"grant_types": ["client_credentials"]},
        {"response_types": ["token"]},
        {"response_types": "code"},
        {"application_type": "desktop"},
        {"application_type": []},
    ],
)
def test_metadata_of_a_wrong_kind_is_refused(http: httpx2.Client, changed: dict[str, Any]) -> None:
    """RFC 7591 section 3.2.2."""
    refused(http.post("/register", json=metadata(**changed)), "invalid_client_metadata")


def test_metadata_that_is_said_twice_is_registered_as_it_was_checked(http: httpx2.Client) -> None:
    """RFC 8259 section 4: what is said twice is read in different ways; what is checked here is what is kept."""
    good, evil = '"redirect_uris": ["https://good.example/cb"]', '"redirect_uris": ["javascript:alert(1)"]'
    refused(http.post("/register", content=f"{{{good}, {evil}}}"), "invalid_redirect_uri")
    told = http.post("/register", content=f"{{{evil}, {good}}}").json()
    assert told["redirect_uris"] == ["https://good.example/cb"]


def test_what_the_server_decides_is_not_for_a_client_to_say(client: OAuthClient, http: httpx2.Client) -> None:
    """RFC 7591 section 3.2.1: who registers under another's id would be called back in its place."""
    victim = client.registered().told
    claimed = {
        "client_id": client.id,
        "client_secret": "chosen",
        "client_secret_expires_at": 9_999_999_999,
        "client_id_issued_at": 0,
        "registration_access_token": "chosen",
        "registration_client_uri": "https://evil.example/register",
        "expires_at": 1,
        "used": True,
    }
    evil = ["https://evil.example/cb"]
    for method in ("none", "client_secret_post"):
        said = {**metadata(redirect_uris=evil, token_endpoint_auth_method=method), **claimed}
        told = http.post("/register", json=said).json()
        assert told["client_id"] != client.id
        assert all(told.get(name) != value for name, value in claimed.items())
    own = {"Authorization": f"Bearer {victim['registration_access_token']}"}
    assert http.get(victim["registration_client_uri"], headers=own).json() == victim
    assert "connection.redirect" in client.authorizing(redirect_uri=evil[0]).text


def test_no_address_that_a_stranger_names_is_fetched(client: OAuthClient, documents: DocumentServer) -> None:
    """OWASP, server-side request forgery; RFC 7591 section 5, RFC 9101 section 10.4: only a client's id is fetched."""
    before = len(documents.asked)
    named = documents.publish("client.example", "/named.json", DOCUMENT)
    of_metadata = ("client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri", "sector_identifier_uri")
    client.registration = metadata(**dict.fromkeys(of_metadata, named), initiate_login_uri=named)
    client.registered().waiting(request_uri=named, registration=named, claims=named)
    client.connected()
    assert len(documents.asked) == before


def test_what_is_not_known_or_cannot_be_used_is_left_out_and_the_client_told(http: httpx2.Client) -> None:
    """RFC 7591 section 2: unknown metadata is ignored; section 3.2.1: what was registered is told back."""
    answer = http.post(
        "/register",
        json=metadata(
            client_name="  A\u202e \x00\n client\u200b " + "x" * 200,
            client_uri="javascript:alert(1)",
            logo_uri="",
            tos_uri=None,
            policy_uri="https://good.example/policy",
            grant_types=["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
            response_types=["code", "token"],
            token_endpoint_auth_method="private_key_jwt",
            application_type="native",
            jwks={"keys": [{"d": "private"}]},
            jwks_uri=7,
            contacts="somebody",
            software_statement="x",
            redirect_uris=["https://good.example/cb", "https://good.example/cb"],
            **{"x-unknown": {"deep": [1]}, "client_name#fr": "Un client"},
        ),
    )
    told = answer.json()
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    assert told["client_name"] == "A client " + "x" * 91
    assert told["redirect_uris"] == ["https://good.example/cb"]
    assert told["grant_types"] == ["authorization_code", "refresh_token"]
    assert told["response_types"] == ["code"]
    assert told["token_endpoint_auth_method"] == "none"
    assert (told["application_type"], told["policy_uri"]) == ("native", "https://good.example/policy")
    assert set(told) == {
        *("client_id", "client_name", "redirect_uris", "grant_types", "response_types"),
        *("token_endpoint_auth_method", "application_type", "policy_uri", "client_id_issued_at"),
        *("registration_client_uri", "registration_access_token"),
    }


@pytest.mark.parametrize(
    ("method", "registered"),
    [
        ("none", "none"),
        ("client_secret_basic", "client_secret_basic"),
        ("client_secret_post", "client_secret_post"),
        (None, "client_secret_basic"),
        ("private_key_jwt", "none"),
        ("tls_client_auth", "none"),
    ],
)
def test_a_secret_is_made_for_those_who_use_one_and_for_nobody_else(
    http: httpx2.Client, method: str | None, registered: str
) -> None:
    """RFC 7591 section 3.2.1: a public client has nothing to keep."""
    told = http.post("/register", json=metadata(token_endpoint_auth_method=method)).json()
    assert told["token_endpoint_auth_method"] == registered
    has_secret = registered != "none"
    assert ("client_secret" in told) == ("client_secret_expires_at" in told) == has_secret


def test_a_body_is_read_up_to_sixteen_kilobytes(http: httpx2.Client) -> None:
    """RFC 7591 section 5, CWE-770: what a stranger leaves here is small."""
    whole = json.dumps(metadata()).encode()
    fits, too_large = (whole + b" " * (16_384 + extra - len(whole)) for extra in (0, 1))
    assert http.post("/register", content=fits).status_code == 201
    assert http.post("/register", content=too_large).status_code == 413
    told = http.post("/register", json=metadata()).json()
    bearer = {"Authorization": f"Bearer {told['registration_access_token']}"}
    assert http.put(told["registration_client_uri"], content=too_large, headers=bearer).status_code == 413


def test_a_flood_of_registrations_is_slowed_by_address_and_overall(
    http: httpx2.Client, served_house: House
) -> None:
    """RFC 7591 section 5: an open endpoint is rate-limited."""

    def registering(address: str) -> int:
        return http.post("/register", json=metadata(), headers={"X-Forwarded-For": address}).status_code

    assert [registering("198.51.100.7") for _ in range(12)] == [201] * 10 + [429] * 2
    assert registering("198.51.100.8") == 201
    # A subscriber has many addresses of IPv6: they count as one.
    assert [registering(f"2001:db8::{n}") for n in range(1, 13)] == [201] * 10 + [429] * 2
    assert [registering(f"203.0.113.{n}") for n in range(1, 12)] == [201] * 9 + [429] * 2
    answer = http.post("/register", json=metadata(), headers={"X-Forwarded-For": "203.0.113.99"})
    assert int(answer.headers["Retry-After"]) >= 1
    assert answer.json()["error"] == "temporarily_unavailable"
    served_house.clock.advance(60)
    assert registering("198.51.100.7") == 201


def test_a_client_that_nobody_grants_anything_is_forgotten_after_a_day(
    client: OAuthClient, served_house: House
) -> None:
    """RFC 7591 section 5: what floods leave behind goes away by itself; what was used stays."""
    used = OAuthClient(client.http, client.owner).registered()
    tokens = used.connected()
    client.registered()
    served_house.clock.advance(DAY_S - 700)
    client.waiting()
    served_house.clock.advance(700)
    # On the way out already, it may no longer ask.
    assert "connection.client_unknown" in client.authorizing().text
    served_house.store.oauth.sweep(served_house.clock.now())
    assert served_house.store.oauth.client(client.id) is None
    gone = client.redeeming("mnemo_c_x")
    assert (gone.status_code, gone.json()["error"]) == (401, "invalid_client")
    assert used.refreshing(tokens["refresh_token"]).status_code == 200
    used.waiting()


def test_the_service_forgets_by_itself_what_nobody_used(client: OAuthClient, served_house: House) -> None:
    """RFC 7591 section 5: clients, requests, codes and the grants that wait for them, without anybody's asking."""
    client.registered()
    asked, code = client.waiting(), client.code(name="never redeemed")
    served_house.clock.advance(DAY_S)
    store = served_house.store
    assert store.oauth.client(client.id) is not None
    with web_server(served_house):
        eventually(lambda: store.oauth.client(client.id) is None)
    assert store.oauth.code(digest(code)) is None
    assert store.grants.named("never redeemed") is None
    # As of before it expired, it would be found if it were there.
    assert store.oauth.request(digest(asked.rpartition("/")[2]), Instant(0)) is None


def test_a_registration_is_managed_by_its_own_token_alone(client: OAuthClient, http: httpx2.Client) -> None:
    """RFC 7592 section 2: to anybody else it is as if it did not exist."""
    client.registered()
    other = OAuthClient(http, client.owner).registered()
    uri, token = client.told["registration_client_uri"], client.told["registration_access_token"]
    assert uri == f"{client.owner.address}/register/{client.id}"
    for header in (
        None,
        "",
        "Bearer",
        "Bearer x",
        f"Basic {token}",
        f"Bearer {other.told['registration_access_token']}",
    ):
        headers = {} if header is None else {"Authorization": header}
        for method in ("GET", "PUT", "DELETE"):
            answer = http.request(method, uri, headers=headers)
            assert (answer.status_code, answer.json()["error"]) == (401, "invalid_token")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    unknown = http.get("/register/client-unknown", headers={"Authorization": f"Bearer {token}"})
    assert (unknown.status_code, unknown.json()["error"]) == (401, "invalid_token")
    read = http.get(uri, headers={"Authorization": f"Bearer {token}"})
    assert (read.status_code, read.json()) == (200, client.told)
    assert read.headers["Cache-Control"] == "no-store"
    assert other.connected()["refresh_token"], "nobody changed or removed the other either"


def test_a_registration_is_changed_no_oftener_than_it_is_made(http: httpx2.Client) -> None:
    """RFC 7591 section 5, CWE-770: whoever registered could write to the store without end by PUT and DELETE."""
    told = http.post("/register", json=metadata()).json()
    uri, bearer = (
        told["registration_client_uri"],
        {"Authorization": f"Bearer {told['registration_access_token']}"},
    )
    body = metadata(client_id=told["client_id"])

    def changing(address: str, method: str = "PUT") -> httpx2.Response:
        return http.request(method, uri, json=body, headers={**bearer, "X-Forwarded-For": address})

    assert [changing("198.51.100.7").status_code for _ in range(11)] == [200] * 10 + [429]
    assert changing("198.51.100.7", "DELETE").json()["error"] == "temporarily_unavailable"
    assert changing("198.51.100.8").status_code == 200
    assert changing("198.51.100.7", "GET").status_code == 200
    assert http.post("/register", json=metadata()).status_code == 201


def test_a_registration_is_replaced_as_a_whole(
    client: OAuthClient, http: httpx2.Client, served_house: House
) -> None:
    """RFC 7592 section 2.2."""
    client.registered()
    uri = client.told["registration_client_uri"]
    bearer = {"Authorization": f"Bearer {client.told['registration_access_token']}"}
    new = metadata(client_name="Another", redirect_uris=["https://other.example/cb"])

    def put(**changed: Any) -> httpx2.Response:
        body = {**new, "client_id": client.id, **changed}
        return http.put(uri, json={k: v for k, v in body.items() if v is not None}, headers=bearer)

    for changed in (
        {"client_id": None},
        {"client_id": "client-other"},
        {"client_secret": "x"},
        {"registration_access_token": "x"},
        {"registration_client_uri": uri},
        {"client_secret_expires_at": 0},
        {"client_id_issued_at": 0},
    ):
        refused(put(**changed), "invalid_request")
    refused(put(redirect_uris=["javascript:x"]), "invalid_redirect_uri")
    refused(http.put(uri, content=b"[]", headers=bearer), "invalid_client_metadata")

    served_house.clock.advance(60)
    told = put().json()
    assert (told["client_name"], told["redirect_uris"]) == ("Another", ["https://other.example/cb"])
    assert "connection.redirect" in client.authorizing().text
    client.redirect_uri = "https://other.example/cb"
    client.waiting()
    secret = put(token_endpoint_auth_method="client_secret_post").json()["client_secret"]
    assert (
        "client_secret"
        not in put(token_endpoint_auth_method="client_secret_basic", client_secret=secret).json()
    )
    client.secret = secret
    assert client.connected()["scope"] == "assistant-standard"
    assert put().json()["token_endpoint_auth_method"] == "none"


def test_a_registration_that_is_removed_takes_its_grants_along(
    client: OAuthClient, http: httpx2.Client
) -> None:
    """RFC 7592 section 2.3."""
    tokens = client.connected()
    code, waiting = client.code(), client.waiting()
    uri = client.told["registration_client_uri"]
    bearer = {"Authorization": f"Bearer {client.told['registration_access_token']}"}
    answer = http.delete(uri, headers=bearer)
    assert (answer.status_code, answer.content) == (204, b"")
    assert client.calling(tokens["access_token"]).status_code == 401
    assert client.refreshing(tokens["refresh_token"]).status_code == 401
    assert client.redeeming(code).status_code == 401
    assert client.owner.consent.pending(waiting.rpartition("/")[2]) is None
    assert http.get(uri, headers=bearer).status_code == 401
    assert "connection.client_unknown" in client.authorizing().text


# Metadata documents.

DOCUMENT = {
    "client_name": "A document",
    "redirect_uris": ["http://localhost/callback"],
    "token_endpoint_auth_method": "none",
}


@pytest.fixture
def documented(client: OAuthClient, documents: DocumentServer) -> OAuthClient:
    """A client whose id is the address of a document that nobody has read yet."""
    path = f"/oauth/{secrets.token_hex(4)}.json"
    client.id = documents.publish("client.example", path, DOCUMENT)
    return client


def asked_for(documents: DocumentServer, client: OAuthClient) -> int:
    """How often a client's document was fetched."""
    return sum(
        f"https://{where}".replace("client.example", f"client.example:{documents.port}") == client.id
        for where, _ in documents.asked
    )


def test_a_client_known_by_its_document_is_shown_with_its_host(documented: OAuthClient) -> None:
    """Draft of client-ID metadata documents, section 6.5: the host is what can be trusted of it."""
    shown = documented.owner.sees(documented.waiting())
    assert (shown.client_name, shown.client_host) == ("A document", documented.id.split("/")[2])
    assert documented.redeeming(documented.code()).status_code == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "https://claude.ai/oauth/other"},
        {"client_id": None},
        {"client_secret": "x"},
        {"redirect_uris": None},
        {"redirect_uris": []},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": "http://localhost/callback"},
        {"grant_types": ["implicit"]},
        {"client_name": 7},
    ],
)
def test_a_document_that_is_not_as_it_must_be_is_told_on_a_page(
    documented: OAuthClient, documents: DocumentServer, changed: dict[str, Any]
) -> None:
    """Draft of client-ID metadata documents, section 4.1."""
    path = "/" + documented.id.split("/", 3)[3]
    documents.publish("client.example", path, {**DOCUMENT, **changed})
    answer = documented.authorizing()
    assert (answer.status_code, "Location" in answer.headers) == (400, False)
    assert "<code>connection.document</code>" in answer.text


@pytest.mark.parametrize(
    "client_id",
    [
        "https://client.example/not-that-port",
        "https://unknown.example/c.json",
        "https://127.0.0.1/c.json",
        "https://[::1]/c.json",
        "https://localhost/c.json",
        "https://169.254.169.254/latest/meta-data",
        "https://client.example",
        "https://user@client.example/c.json",
        "https://",
    ],
)
def test_an_address_within_is_never_asked(
    documented: OAuthClient, documents: DocumentServer, client_id: str
) -> None:
    """OWASP: server-side request forgery. An address is refused before anything is connected to."""
    before = len(documents.asked)
    answer = documented.authorizing(client_id=client_id)
    assert "<code>connection.document</code>" in answer.text
    assert len(documents.asked) == before


@pytest.mark.parametrize(
    "said",
    [
        {"status": 302, "headers": {"Location": "http://127.0.0.1/", "Content-Type": "application/json"}},
        {"headers": {"Content-Type": "text/html"}},
        {"body": b'{"x": "' + b"x" * 5200 + b'"}'},
        {"body": b"[]"},
        {"body": b"x" * 300, "pause_s": 0.02},
    ],
)
def test_an_answer_that_is_no_small_document_is_told_on_a_page(
    documented: OAuthClient, documents: DocumentServer, said: dict[str, Any]
) -> None:
    """Draft of client-ID metadata documents, section 6.6: small, JSON, in time, and where it says it is."""
    path = "/" + documented.id.split("/", 3)[3]
    documents.publish("client.example", path, DOCUMENT, **said)
    assert "<code>connection.document</code>" in documented.authorizing().text


def test_a_document_is_kept_for_a_day_at_most_and_for_as_long_as_it_says(
    documented: OAuthClient, documents: DocumentServer, served_house: House
) -> None:
    """Draft of client-ID metadata documents, section 4.4: its server says for how long, and a day is the most."""
    documented.waiting()
    served_house.clock.advance(DAY_S - 900)
    documented.waiting()
    assert asked_for(documents, documented) == 1
    served_house.clock.advance(900)
    path = "/" + documented.id.split("/", 3)[3]
    kind = {"Content-Type": "application/json", "Cache-Control": "max-age=1800"}
    documents.publish("client.example", path, {**DOCUMENT, "client_name": "Renamed"}, headers=kind)
    assert documented.owner.sees(documented.waiting()).client_name == "Renamed"
    served_house.clock.advance(1800)
    kind = {"Content-Type": "application/json", "Cache-Control": "max-age=864000, immutable"}
    documents.publish("client.example", path, DOCUMENT, headers=kind)
    documented.waiting()
    assert asked_for(documents, documented) == 3
    served_house.clock.advance(DAY_S - 900)
    documented.waiting()
    assert asked_for(documents, documented) == 3
    served_house.clock.advance(900)
    documented.waiting()
    assert asked_for(documents, documented) == 4


def test_the_service_itself_reads_five_kilobytes_for_five_seconds_and_keeps_them_for_a_day() -> None:
    """Draft of client-ID metadata documents, section 6.6: what the tests above shorten is this where it is served."""
    bounds = parameters().connecting
    assert (bounds.document_bytes, bounds.document_timeout_seconds) == (5120, 5)
    assert bounds.document_seconds == DAY_S


def test_tokens_need_no_document(
    documented: OAuthClient, documents: DocumentServer, served_house: House
) -> None:
    """OWASP, server-side request forgery: ``/token`` fetches for nobody. A host that is down ends no connection."""
    tokens = documented.connected()
    fetched = len(documents.asked)
    documents.published.clear()
    served_house.clock.advance(3 * DAY_S)
    served_house.store.oauth.sweep(served_house.clock.now())
    tokens = documented.refreshed(tokens["refresh_token"])
    assert documented.calling(tokens["access_token"]).status_code == 200
    stranger = documented.refreshing("x", client_id="https://unknown.example/c.json")
    assert (stranger.status_code, stranger.json()["error"]) == (401, "invalid_client")
    assert len(documents.asked) == fetched
    assert "<code>connection.document</code>" in documented.authorizing().text


def test_nothing_of_the_asker_goes_along_to_a_documents_server(
    documented: OAuthClient, documents: DocumentServer
) -> None:
    """MCP, token passthrough: a bearer is never passed on."""
    tokens = documented.connected()
    path = f"/oauth/{secrets.token_hex(4)}.json"
    other = documents.publish("client.example", path, DOCUMENT)
    headers = {"Authorization": f"Bearer {tokens['access_token']}", "Cookie": "mnemo_session=x"}
    documented.http.get("/authorize", params=documented.asking(client_id=other), headers=headers)
    where, sent = documents.asked[-1]
    assert where.endswith(path)
    assert not {"authorization", "cookie", "x-forwarded-for", "referer"} & sent.keys()


def test_nobody_makes_the_service_fetch_much(documented: OAuthClient, documents: DocumentServer) -> None:
    """Draft of client-ID metadata documents, section 6.5: it must not serve to flood others."""
    before = len(documents.asked)
    statuses = [
        documented.authorizing(client_id=documents.address("client.example", f"/none/{number}")).status_code
        for number in range(12)
    ]
    assert statuses == [400] * 10 + [429] * 2
    assert len(documents.asked) == before + 10
    assert documented.authorizing().status_code == 429
