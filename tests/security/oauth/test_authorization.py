"""The authorization endpoint, codes and consent against clients that are not what they say, and against replay."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest

from policies.errors import ConnectionGone, GrantNameTaken, InvalidArgument, MnemoError, StoreUnavailable
from tests.support.browser_forms import shown
from tests.support.house import House
from tests.support.near_misses import NEAR_MISSES
from tests.support.oauth import (
    REDIRECT,
    OAuthClient,
    Owner,
    answer_of,
    metadata,
    posted,
    verifier_and_challenge,
)

GOOD_CHALLENGE = verifier_and_challenge()[1]


def is_page(answer: httpx2.Response, code: str) -> None:
    """An error told to the person, and nothing sent anywhere."""
    assert answer.status_code == 400, answer.headers
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "Location" not in answer.headers
    assert f"<code>{code}</code>" in answer.text
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def sent_back(answer: httpx2.Response, error: str, *, state: str | None = "a state/+=&é") -> None:
    """An error told to the client, at its redirect, with ``state`` and ``iss``."""
    assert answer.status_code == 303, answer.text
    location = answer.headers["Location"]
    assert location.startswith(REDIRECT + "?")
    told = answer_of(location)
    assert told["error"] == error
    assert told.get("state") == state
    assert told["iss"] == str(answer.url.copy_with(raw_path=b"")).rstrip("/")
    assert "code" not in told


def known(client: OAuthClient) -> OAuthClient:
    """A client that the owner let in: any other is told an error by a redirect on this machine alone."""
    client.registered().connected()
    return client


@pytest.mark.parametrize(("registered", "presented"), NEAR_MISSES)
def test_a_redirect_that_is_nearly_the_registered_one_is_refused_on_a_page(
    client: OAuthClient, registered: str, presented: str
) -> None:
    """RFC 9700 section 4.1.3: redirect URIs are compared exactly. RFC 8252 section 7.3: but for a loopback port."""
    client.registration = metadata(redirect_uris=[registered])
    is_page(client.registered().authorizing(redirect_uri=presented), "connection.redirect")


@pytest.mark.parametrize(
    "client_id", ["", "client-unknown", "javascript:alert(1)", "\x00", "é" * 50, "<script>"]
)
def test_an_unknown_client_is_told_on_a_page(client: OAuthClient, client_id: str) -> None:
    """RFC 6749 section 4.1.2.1: the user agent is not sent to an unverified redirect."""
    client.registered()
    code = "connection.client_unknown" if client_id else "connection.invalid"
    answer = client.authorizing(client_id=client_id)
    is_page(answer, code)
    assert "<script>" not in answer.text


@pytest.mark.parametrize("missing", ["client_id", "redirect_uri"])
def test_without_a_client_or_a_redirect_there_is_nobody_to_answer(client: OAuthClient, missing: str) -> None:
    """RFC 6749 section 4.1.2.1."""
    is_page(client.registered().authorizing(**{missing: None}), "connection.invalid")


def test_the_redirect_of_another_client_is_no_redirect_of_this_one(http: httpx2.Client, owner: Owner) -> None:
    """RFC 6819 section 4.2.4: open redirectors."""
    honest = OAuthClient(http, owner, metadata(redirect_uris=["https://a.example/cb"])).registered()
    other = OAuthClient(http, owner, metadata(redirect_uris=["https://b.example/cb"])).registered()
    is_page(honest.authorizing(redirect_uri="https://b.example/cb"), "connection.redirect")
    is_page(other.authorizing(redirect_uri="https://a.example/cb"), "connection.redirect")


@pytest.mark.parametrize(
    "changed",
    [
        {"code_challenge": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": "s256"},
        {"code_challenge_method": "S512"},
        {"code_challenge": "a" * 42},
        {"code_challenge": "a" * 129},
        {"code_challenge": "a" * 42 + "="},
        {"code_challenge": "a" * 42 + "+"},
        {"code_challenge": "a" * 43 + "\n"},
        {"code_challenge": "é" * 43},
    ],
)
def test_pkce_with_s256_is_required_of_every_client(client: OAuthClient, changed: dict[str, Any]) -> None:
    """OAuth 2.1 section 7.5.1, RFC 7636 section 4.2."""
    for method in ("none", "client_secret_basic"):
        client.registration = metadata(token_endpoint_auth_method=method)
        sent_back(known(client).authorizing(**changed), "invalid_request")


@pytest.mark.parametrize("length", [43, 128])
def test_a_challenge_of_43_to_128_characters_is_accepted(client: OAuthClient, length: int) -> None:
    """RFC 7636 section 4.2."""
    client.registered().waiting(code_challenge="a" * length)


@pytest.mark.parametrize(
    ("response_type", "error"),
    [
        (None, "invalid_request"),
        ("", "invalid_request"),
        ("token", "unsupported_response_type"),
        ("code token", "unsupported_response_type"),
        ("id_token", "unsupported_response_type"),
        ("CODE", "unsupported_response_type"),
        ('"é<>', "unsupported_response_type"),
    ],
)
def test_the_only_response_type_is_code(client: OAuthClient, response_type: str | None, error: str) -> None:
    """OAuth 2.1 section 4.1: the implicit grant is gone."""
    sent_back(known(client).authorizing(response_type=response_type), error)


FOREIGN = [
    "https://evil.example/mcp",
    "{}",
    "{}/",
    "{}/mcp2",
    "{}/mcp?x",
    "{}/mcp#x",
    "{}/mcp/x",
    "{}/x/../mcp",
    "{}@evil.example/mcp",
    "{}.evil.example/mcp",
    "{}\\@evil.example/mcp",
    "{}//mcp",
    "{}/MCP",
    "{}/mcp%2f",
    "{}/%6dcp",
    "{}/mcp/.",
    "{}/mcp;x",
    "{}/mcp\x00",
    " {}/mcp",
    "{}/mcp https://evil.example",
    "ftp://localhost/mcp",
    "urn:mnemo:store:default",
    "/mcp",
    "mcp",
    "é",
]


@pytest.mark.parametrize("resource", FOREIGN)
def test_a_foreign_resource_is_refused_at_both_endpoints(client: OAuthClient, resource: str) -> None:
    """RFC 8707 section 2: a token is for the resource it names."""
    foreign = resource.format(known(client).owner.address)
    sent_back(client.authorizing(resource=foreign), "invalid_target")
    refused = client.redeeming(client.code(), resource=foreign)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
    refused = client.refreshing("mnemo_r_x", resource=foreign)
    assert refused.json()["error"] == "invalid_target"


def test_our_own_resource_may_be_spelt_in_each_of_its_ways_and_left_out(client: OAuthClient) -> None:
    """RFC 8707 section 2; a client that uses ``/mcp/`` or 127.0.0.1 means the same resource.

    MCP authorization, canonical server URI: scheme and host in capitals are accepted too.
    """
    client.registered()
    port = client.owner.address.rpartition(":")[2]
    spelt = [
        f"http://{name}:{port}{path}" for name in ("localhost", "127.0.0.1") for path in ("/mcp", "/mcp/")
    ]
    for resource in (None, *spelt, f"HTTP://LocalHost:{port}/mcp"):
        given = client.redeeming(client.code(resource=resource), resource=resource)
        assert client.calling(given.json()["access_token"]).status_code == 200


@pytest.mark.parametrize(
    "name", ["state", "scope", "response_type", "code_challenge", "code_challenge_method", "x"]
)
def test_a_parameter_given_twice_is_refused_at_the_redirect(client: OAuthClient, name: str) -> None:
    """RFC 6749 section 3.1."""
    asking = {"x": "y", **known(client).asking()}
    for again in (asking[name], "other"):
        query = urlencode([*asking.items(), (name, again)])
        answer = client.http.get(f"/authorize?{query}")
        told = answer_of(answer.headers["Location"])
        assert (answer.status_code, told["error"]) == (303, "invalid_request")


@pytest.mark.parametrize("name", ["client_id", "redirect_uri"])
def test_a_client_or_redirect_given_twice_is_refused_on_a_page(client: OAuthClient, name: str) -> None:
    """RFC 6749 section 3.1: which of the two would be answered?"""
    asking = client.registered().asking()
    for again in (asking[name], "https://evil.example/cb"):
        for pairs in ([*asking.items(), (name, again)], [(name, again), *asking.items()]):
            is_page(client.http.get(f"/authorize?{urlencode(pairs)}"), "connection.invalid")


def test_two_resources_are_refused_as_one_foreign_one(client: OAuthClient) -> None:
    """RFC 8707 section 2: several may be named, and there is only one."""
    asking = known(client).asking()
    for other, error in (("https://evil.example", "invalid_target"), (asking["resource"], "invalid_request")):
        query = urlencode([*asking.items(), ("resource", other)])
        told = answer_of(client.http.get(f"/authorize?{query}").headers["Location"])
        assert told["error"] == error


def test_a_query_adds_nothing_to_a_form_and_takes_nothing_away(client: OAuthClient) -> None:
    """RFC 6749 sections 2.3.1, 3.2 and 4.1.3: what a POST says is in its body. An address is kept in logs."""
    asking = client.registered().asking()
    evil = urlencode({"client_id": "client-x", "redirect_uri": "https://evil.example/cb", "state": "evil"})
    answer = client.http.post(f"/authorize?{evil}", data=asking)
    assert client.owner.sees(answer.headers["Location"]).redirect_uri == REDIRECT
    empty = {"Content-Type": "application/x-www-form-urlencoded"}
    is_page(client.http.post(f"/authorize?{urlencode(asking)}", headers=empty), "connection.invalid")

    code = client.code()
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": REDIRECT,
        "client_id": client.id,
        "code_verifier": client.verifier,
    }
    for name, value in form.items():
        rest = {other: said for other, said in form.items() if other != name}
        refused = client.http.post(f"/token?{urlencode({name: value})}", data=rest)
        assert refused.status_code in (400, 401)
    assert client.http.post(f"/token?{urlencode(form)}", headers=empty).status_code == 400
    given = client.http.post(f"/token?{evil}&grant_type=password&resource=https://evil.example", data=form)
    assert given.status_code == 200
    token = given.json()["access_token"]
    refused = client.http.post(f"/revoke?token={token}", data={"client_id": client.id})
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert client.calling(token).status_code == 200


@pytest.mark.parametrize("path", ["/token", "/revoke"])
def test_a_form_that_says_something_twice_is_refused(client: OAuthClient, path: str) -> None:
    """RFC 6749 section 3.2."""
    tokens = client.connected()
    pairs = [
        ("grant_type", "refresh_token"),
        ("refresh_token", tokens["refresh_token"]),
        ("token", tokens["refresh_token"]),
        ("client_id", client.id),
    ]
    for name, value in pairs:
        refused = posted(client.http, path, [*pairs, (name, value)])
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert client.calling(tokens["access_token"]).status_code == 200


def test_the_answer_carries_state_and_issuer_on_yes_and_on_no(client: OAuthClient) -> None:
    """RFC 6749 section 4.1.2, RFC 9207 section 2: the client can tell whose answer it is."""
    client.registered()
    for answered in (client.owner.approves(client.waiting()), client.owner.denies(client.waiting())):
        told = answer_of(answered)
        assert told["state"] == "a state/+=&é"
        assert told["iss"] == client.owner.address
        assert ("code" in told) != (told.get("error") == "access_denied")
    assert "state" not in answer_of(client.owner.approves(client.waiting(state=None)))


@pytest.mark.parametrize(
    "state",
    [
        "x\r\nSet-Cookie: mnemo=planted\r\n\r\n<script>",
        "\x00\x01\x7f",
        "&code=forged&iss=https://evil.example#fragment",
        "%0d%0aX: y",
        "\u202e\u2028\U0001f6b2\ufeff",
        " ",
        "+",
    ],
    ids=ascii,
)
def test_a_state_comes_back_as_it_was_and_is_never_more_than_a_state(client: OAuthClient, state: str) -> None:
    """CWE-113, response splitting, and RFC 6749 section 4.1.2: the exact value, on yes, on no and on an error."""
    answer = known(client).authorizing(state=state, response_type="token")
    yes, no = (
        client.owner.approves(client.waiting(state=state)),
        client.owner.denies(client.waiting(state=state)),
    )
    for location in (answer.headers["Location"], yes, no):
        assert location.isascii()
        assert location.isprintable()
        assert " " not in location
        assert "#" not in location
        told = answer_of(location)
        assert (told["state"], told["iss"]) == (state, client.owner.address)
        assert told.get("code", "") != "forged"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "x"])
def test_a_page_that_refuses_repeats_nothing_of_what_it_refuses(client: OAuthClient, name: str) -> None:
    """CWE-79, CWE-451: what a person reads there is ours alone, and an attacker's words are no markup."""
    words = "\"'><img src=x onerror=alert(1)> evil\u202e"
    answer = client.registered().authorizing(**{"redirect_uri": "https://evil.example/cb", name: words})
    assert answer.status_code == 400
    read = shown(answer).text
    assert "Mnemo" in read
    for word in ("onerror", "evil", "img"):
        assert word not in read
    for word in ("onerror=", "<img src=x", "\u202e"):
        assert word not in answer.text


def test_a_post_is_answered_by_a_get_and_no_referrer_follows(client: OAuthClient) -> None:
    """RFC 9700 section 4.12 (307 redirects), section 4.2.4 (Referer)."""
    asking = client.registered().asking()
    for answer in (client.http.get("/authorize", params=asking), client.http.post("/authorize", data=asking)):
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/consent/")
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in answer.headers


def test_the_owner_is_asked_every_time_and_shown_who_asks_for_what(client: OAuthClient) -> None:
    """RFC 6819 section 5.2.4.1: no consent is taken for granted; RFC 7591 section 5: nor is a name."""
    client.registration = metadata(client_name="Claude\u202e \n<b>Official</b>\u200b")
    client.connected()
    again = client.owner.sees(client.waiting(scope="work-context private-full nonsense"))
    assert again.client_name == "Claude <b>Official</b>"
    assert again.client_host is None
    assert (again.redirect_host, again.is_loopback) == ("localhost:3118", True)
    assert again.scopes == ("work-context", "private-full")
    assert [grant.client for grant in again.held] == [client.id]


def test_a_code_is_good_for_a_minute(client: OAuthClient, served_house: House) -> None:
    """RFC 6749 section 4.1.2: at most ten minutes; here one."""
    client.registered()
    code = client.code(name="in time")
    served_house.clock.advance(59)
    assert client.redeeming(code).status_code == 200
    code = client.code(name="too late")
    served_house.clock.advance(60)
    refused = client.redeeming(code)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")


def test_a_code_that_is_replayed_ends_its_grant(client: OAuthClient) -> None:
    """RFC 6749 section 4.1.2, OAuth 2.1 section 4.1.3: somebody else has it."""
    client.registered()
    code = client.code()
    tokens = client.redeeming(code).json()
    assert client.calling(tokens["access_token"]).status_code == 200
    refused = client.redeeming(code)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert client.calling(tokens["access_token"]).status_code == 401
    assert client.refreshing(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_of_many_uses_of_a_code_at_once_one_gets_tokens_and_the_rest_end_them(client: OAuthClient) -> None:
    """RFC 6749 section 10.5: a code is used up atomically."""
    client.registered()
    code = client.code()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(client.redeeming, [code] * 8))
    assert sorted(answer.status_code for answer in answers) == [200, *[400] * 7]
    tokens = next(answer.json() for answer in answers if answer.status_code == 200)
    assert client.calling(tokens["access_token"]).status_code == 401


@pytest.mark.parametrize(
    "changed",
    [
        {"redirect_uri": "http://localhost:3119/callback"},
        {"redirect_uri": "http://localhost:3118/callback/"},
        {"redirect_uri": None},
        {"redirect_uri": ""},
        {"code_verifier": "a" * 43},
        {"code_verifier": GOOD_CHALLENGE},
        {"code_verifier": None},
        {"code_verifier": ""},
        {"code_verifier": "short"},
        {"code_verifier": "é" * 43},
        {"code": "mnemo_c_x"},
        {"code": "é\x00"},
        {"code": None},
    ],
)
def test_a_code_is_good_only_with_what_it_was_issued_for(
    client: OAuthClient, changed: dict[str, Any]
) -> None:
    """RFC 6749 section 4.1.3, RFC 7636 section 4.6. What is refused does not use the code up."""
    client.registered()
    code = client.code()
    refused = client.redeeming(**{"code": code, **changed})
    assert refused.status_code == 400
    assert refused.json()["error"] in ("invalid_grant", "invalid_request")
    assert client.redeeming(code).status_code == 200


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_secret_takes_the_place_of_no_verifier(http: httpx2.Client, owner: Owner, method: str) -> None:
    """RFC 9700 section 2.1.1: a code that was injected into an honest client is caught by PKCE alone."""
    client = OAuthClient(http, owner, metadata(token_endpoint_auth_method=method)).registered()
    code = client.code()
    for verifier in (None, "", "a" * 43):
        refused = client.redeeming(code, code_verifier=verifier)
        assert refused.status_code == 400
        assert refused.json()["error"] in ("invalid_grant", "invalid_request")
    assert client.redeeming(code).status_code == 200


def test_a_code_whose_grant_was_revoked_meanwhile_is_worth_nothing(
    client: OAuthClient, served_house: House
) -> None:
    """RFC 7009 section 2.1: the owner who takes a yes back at once does not wait for the code to expire."""
    client.registered()
    code = client.code()
    served_house.store.grants.revoke_all(served_house.clock.now())
    refused = client.redeeming(code)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")


def test_who_presents_a_used_code_without_its_verifier_ends_nothing(
    client: OAuthClient, http: httpx2.Client
) -> None:
    """RFC 9700 section 4.5: a code that leaked after its use must not be a way to cut its client off."""
    client.registered()
    code = client.code()
    tokens = client.redeeming(code).json()
    stranger = OAuthClient(http, client.owner).registered()
    for refused in (
        stranger.redeeming(code),
        client.redeeming(code, code_verifier="a" * 43),
        client.redeeming(code, redirect_uri="http://localhost:3119/callback"),
    ):
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert client.calling(tokens["access_token"]).status_code == 200


def test_a_code_of_one_client_is_nothing_to_another(client: OAuthClient, http: httpx2.Client) -> None:
    """RFC 6749 section 4.1.3, RFC 9700 section 4.5: code injection."""
    client.registered()
    code = client.code()
    other = OAuthClient(http, client.owner).registered()
    other.verifier = client.verifier
    refused = other.redeeming(code)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert client.redeeming(code).status_code == 200


def test_a_request_is_answered_once(client: OAuthClient) -> None:
    """RFC 6749 section 10.5: a consent that is submitted twice, or in two windows, gives one code."""
    waiting = client.registered().waiting()

    def answered(number: int) -> str | None:
        try:
            return client.owner.approves(waiting, f"tool {number}")
        except ConnectionGone:
            return None

    assert client.owner.sees(waiting).client_id == client.id
    with ThreadPoolExecutor(4) as pool:
        codes = [where for where in pool.map(answered, range(4)) if where is not None]
    assert len(codes) == 1
    with pytest.raises(ConnectionGone):
        client.owner.approves(waiting, "late")
    with pytest.raises(ConnectionGone):
        client.owner.denies(waiting)


def test_an_answer_that_is_refused_leaves_the_request_waiting(client: OAuthClient) -> None:
    """RFC 6749 section 4.1.1: the client is answered once, by what the owner could choose and by nothing else."""
    waiting = client.registered().waiting()
    client.owner.house.grant("taken")
    for arguments, error in (
        ({"name": "taken"}, GrantNameTaken),
        ({"name": "\n"}, InvalidArgument),
        ({"name": "fine", "scope": "root"}, InvalidArgument),
        ({"name": "fine", "domains": ["nowhere"]}, MnemoError),
        ({"name": "fine", "days": 0}, InvalidArgument),
    ):
        with pytest.raises(error):
            client.owner.approves(waiting, **arguments)  # pyright: ignore[reportArgumentType]
    assert answer_of(client.owner.approves(waiting, "fine"))["code"]


def test_a_request_that_waits_too_long_is_over(client: OAuthClient, served_house: House) -> None:
    """RFC 9700 section 4.16: a consent page that was left open is no standing yes. Ten minutes, and no code."""
    waiting = client.registered().waiting()
    served_house.clock.advance(599)
    client.owner.sees(waiting)
    served_house.clock.advance(1)
    assert client.owner.consent.pending(waiting.rpartition("/")[2]) is None
    with pytest.raises(ConnectionGone):
        client.owner.denies(waiting)


def test_a_new_grant_may_take_the_place_of_the_old_one(client: OAuthClient) -> None:
    """RFC 6819 section 5.1.5.3: tokens that are not needed any more are not left behind, good for a thief."""
    client.registration = metadata(client_name="One of a kind")
    tokens = client.connected(name="the tool")
    waiting = client.waiting()
    (old,) = client.owner.sees(waiting).held
    assert client.owner.sees(waiting).suggested_name != old.name
    with pytest.raises(GrantNameTaken):
        client.owner.approves(waiting, old.name)
    code = answer_of(client.owner.approves(waiting, old.name, replaces=old.id))["code"]
    assert client.calling(tokens["access_token"]).status_code == 401
    assert client.calling(client.redeeming(code).json()["access_token"]).status_code == 200


def test_a_yes_that_cannot_be_kept_loses_nothing(client: OAuthClient, served_house: House) -> None:
    """CWE-460: the grant was ended that was to be replaced, and the request was gone, when the store failed then."""
    tokens = client.connected()
    waiting = client.waiting()
    (old,) = [one for one in served_house.grants().listed() if one.client == client.id]
    with closing(
        sqlite3.connect(served_house.settings.store_dir / "kv.sqlite3", isolation_level=None)
    ) as kept:
        kept.execute(
            "CREATE TRIGGER full BEFORE INSERT ON codes BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        try:
            with pytest.raises(StoreUnavailable):
                client.owner.approves(waiting, old.name, replaces=old.id)
        finally:
            kept.execute("DROP TRIGGER full")
    assert client.calling(tokens["access_token"]).status_code == 200
    assert "code=" in client.owner.approves(waiting, old.name, replaces=old.id)
    assert client.calling(tokens["access_token"]).status_code == 401


@pytest.mark.parametrize(
    "there",
    [
        "https://evil.example/cb",
        "cursor://anysphere.cursor-mcp/oauth/callback",
    ],
)
def test_a_stranger_is_told_no_error_by_a_redirect(client: OAuthClient, there: str) -> None:
    """RFC 9700 section 4.11.2: who registers by themselves would have this service send anybody to their page, or
    into a program by its own scheme."""
    client.registration, client.redirect_uri = metadata(redirect_uris=[there]), there
    client.registered()
    wrong: list[dict[str, Any]] = [
        {"response_type": "token"},
        {"code_challenge": None},
        {"resource": "https://other.example/mcp"},
    ]
    for changed in wrong:
        is_page(client.authorizing(**changed), "connection.invalid")
    assert answer_of(client.owner.denies(client.waiting()))["error"] == "access_denied"
    is_page(client.authorizing(response_type="token"), "connection.invalid")
    tokens = client.connected()
    for changed in wrong:
        location = client.authorizing(**changed).headers["Location"]
        assert location.startswith(f"{there}?error=")
        assert (answer_of(location)["state"], answer_of(location)["iss"]) == (
            "a state/+=&é",
            client.owner.address,
        )
    assert client.revoking(tokens["refresh_token"]).status_code == 200
    is_page(client.authorizing(response_type="token"), "connection.invalid")


def test_a_stranger_on_the_owners_machine_is_told_its_error(client: OAuthClient) -> None:
    """RFC 6749 section 4.1.2.1, RFC 8252 section 7.3: a program that waits on loopback should not wait for nothing."""
    for there in ("http://localhost:33418/callback", "http://127.0.0.1/callback", "http://[::1]:8080/"):
        client.registration, client.redirect_uri = metadata(redirect_uris=[there]), there
        told = answer_of(client.registered().authorizing(response_type="token").headers["Location"])
        assert (told["error"], told["state"]) == ("unsupported_response_type", "a state/+=&é")
        assert told["iss"] == client.owner.address


DEEP_LINKS = [
    "vscode:mcp/install?%7B%22name%22%3A%22x%22%2C%22command%22%3A%22sh%22%7D",
    "cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=e30=",
    "cursor://anysphere.cursor-mcp/oauth/callback?x=y",
    "cursor://anysphere.cursor-mcp/oauth/callback/",
    "cursor://anysphere.cursor-mcp/oauth/../mcp/install",
    "vscode://vscode.git/clone?url=https://evil.example/x.git",
    "vscode://saoudrizwan.claude-dev/task?prompt=x",
    "vscode://saoudrizwan.claude-dev/mcp-auth/callback/..",
    "vscode://saoudrizwan.claude-dev/mcp-auth/callback/a/b",
    "vscode://saoudrizwan.claude-dev/mcp-auth/callback/%2e%2e",
    "claude://claude.ai/new?q=read%20my%20memory",
    "claude://claude.ai/mcp-auth-callback/../new?q=x",
    "raycast://extensions/evil/x/run?arguments=%7B%7D",
    "raycast://oauth?package_name=x&launchType=y",
    "warp://action/new_tab?path=/",
    "windsurf://codeium.windsurf/mcp/install?name=x",
    "zed://extension/x",
]


@pytest.mark.parametrize("link", DEEP_LINKS)
def test_what_a_program_opens_besides_its_callback_is_no_redirect(
    client: OAuthClient, served_house: House, link: str
) -> None:
    """RFC 8252 section 8.4, CWE-601, CWE-939: a program's scheme installs, clones, asks and runs; anybody registered
    such an address, and was sent there by an error or by the owner's no."""
    answer = client.http.post("/register", json=metadata(redirect_uris=[link]))
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")
    client.registered()
    kept = served_house.store.oauth.client(client.id)
    assert kept is not None
    served_house.store.oauth.put_client(replace(kept, redirect_uris=(link,)))
    is_page(client.authorizing(redirect_uri=link), "connection.redirect")


def test_a_flood_of_requests_from_one_address_is_slowed(client: OAuthClient) -> None:
    """RFC 6819 section 4.4.1.11: each request that waits is kept."""
    asking = client.registered().asking()
    statuses = [client.http.get("/authorize", params=asking).status_code for _ in range(61)]
    assert statuses == [303] * 60 + [429]
    answer = client.http.get("/authorize", params=asking)
    assert answer.headers["Retry-After"] == "1"
    assert "<code>rate.limited</code>" in answer.text


@pytest.mark.parametrize(
    "asked",
    [
        "x" * 20_000,
        "&".join(f"p{number}=x" for number in range(100)),
        "client_id=%ff%fe&redirect_uri=",
        "client_id[]=x&redirect_uri[$ne]=x",
        f"client_id={'x' * 5000}&redirect_uri=y",
        "=&&&==",
        "%",
    ],
)
def test_garbage_is_told_on_a_page_too(http: httpx2.Client, asked: str) -> None:
    """RFC 6749 section 4.1.2.1, CWE-20: nobody can be answered, and nothing fails."""
    is_page(http.get(f"/authorize?{asked}"), "connection.invalid")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    if len(asked) < 16_384:
        is_page(http.post("/authorize", content=asked, headers=form), "connection.invalid")
    is_page(http.post("/authorize", json={"client_id": "x"}), "connection.invalid")


def test_a_state_as_long_as_clients_make_them_comes_back_whole(client: OAuthClient) -> None:
    """RFC 6749 section 4.1.2: the exact value; CWE-770: one that is kept for a stranger has a bound."""
    state = "s" * 4096
    client.registered()
    assert answer_of(client.owner.approves(client.waiting(state=state)))["state"] == state
    is_page(client.authorizing(state=state + "s"), "connection.invalid")


def test_a_tool_that_registered_anew_is_taken_for_the_one_it_was_and_no_other_is(
    http: httpx2.Client, owner: Owner
) -> None:
    """RFC 7591 section 5: what the owner is offered to replace; a name, which anybody may claim, is not enough."""
    editor = metadata(client_name="An editor", redirect_uris=["http://localhost:1/cb"])
    OAuthClient(http, owner, editor, "http://localhost:1/cb").connected(name="the editor")

    def held(**changed: Any) -> list[str]:
        registration = {**editor, **changed}
        again = OAuthClient(http, owner, registration, registration["redirect_uris"][0]).registered()
        return [grant.name for grant in owner.sees(again.waiting()).held]

    assert held() == ["the editor"]
    for more in (
        ["https://evil.example/cb", "http://localhost:1/cb"],
        ["http://localhost:1/cb", "http://localhost:1/x"],
    ):
        assert held(redirect_uris=more) == []
    assert held(redirect_uris=["http://localhost:2/cb"]) == ["the editor"]
    assert held(redirect_uris=["https://evil.example/cb"]) == []
    assert held(client_name="Another editor") == []
