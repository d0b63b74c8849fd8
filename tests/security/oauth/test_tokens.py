"""Access and refresh tokens: random, kept as digests, bound, and dead as soon as the owner or a replay says so."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from policies.terms import GrantId, Level
from service.secrets import digest
from service.stores.protocol import Token
from tests.support.connecting import called
from tests.support.house import House
from tests.support.oauth import OAuthClient, Owner, metadata, posted

DAY_S = 86_400
SECRET = re.compile(r"(mnemo_(?:[rc]_)?)?[A-Za-z0-9_-]{43}")


def refused(answer: httpx2.Response, error: str = "invalid_grant", status: int = 400) -> None:
    assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Pragma"] == "no-cache"
    if status == 401:
        assert answer.headers["WWW-Authenticate"] == 'Basic realm="mnemo"'


def lives(client: OAuthClient, tokens: dict[str, Any]) -> bool:
    """Whether an access token is served."""
    status = client.calling(tokens["access_token"]).status_code
    assert status in (200, 401)
    return status == 200


def counters(house: House) -> int:
    """How many counters the store keeps."""
    with closing(sqlite3.connect(house.settings.store_dir / "kv.sqlite3")) as kept:
        return kept.execute("SELECT count(*) FROM rates").fetchone()[0]


def grant_of(house: House, tokens: dict[str, Any]) -> GrantId:
    found = house.store.grants.bearer(digest(tokens["access_token"]))
    assert found is not None
    return found[1].id


def test_tokens_are_256_random_bits_and_never_the_same(client: OAuthClient) -> None:
    """RFC 6749 section 10.10: not to be guessed."""
    issued = [client.connected() for _ in range(4)]
    secrets = [tokens[name] for tokens in issued for name in ("access_token", "refresh_token")]
    assert all(SECRET.fullmatch(secret) for secret in secrets)
    assert len(set(secrets)) == len(secrets)


def everything_in(home: Path) -> Iterator[bytes]:
    """What each file of a home holds: the stores', the engine's, their logs."""
    for path in home.rglob("*"):
        with suppress(FileNotFoundError):  # the engine goes on working
            if path.is_file():
                yield path.read_bytes()


def test_no_secret_is_in_a_dump_or_in_a_log(
    client: OAuthClient, served_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """RFC 6819 section 5.1.4.1.3, OWASP ASVS 7.1.1: a copied store and a copied log give nothing away."""
    caplog.set_level(logging.DEBUG)
    client.registration = metadata(token_endpoint_auth_method="client_secret_post")
    waiting = client.registered().waiting()
    code = client.owner.approves(waiting).partition("code=")[2].partition("&")[0]
    tokens = client.redeeming(code).json()
    again = client.refreshed(tokens["refresh_token"])
    assert called(client.owner.address, again["access_token"], "mem_profile").status_code == 200
    client.redeeming(code)
    client.refreshing(tokens["refresh_token"])
    client.calling(again["access_token"])
    secrets = [
        waiting.rpartition("/")[2],
        code,
        client.secret,
        client.told["registration_access_token"],
        client.verifier,
        *(issued[name] for issued in (tokens, again) for name in ("access_token", "refresh_token")),
    ]
    dump = b"".join(everything_in(served_house.settings.home))
    assert digest(code).encode() in dump
    ours = [record for record in caplog.records if not record.name.startswith(("httpx2", "httpcore2"))]
    logged = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in ours)
    assert "presented again" in logged
    for secret in secrets:
        assert isinstance(secret, str)
        assert len(secret) >= 43
        assert secret.encode() not in dump
        assert secret not in logged


def test_a_token_response_is_kept_by_nobody(client: OAuthClient) -> None:
    """RFC 6749 section 5.1."""
    client.registered()
    answer = client.redeeming(client.code())
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Pragma"] == "no-cache"
    assert answer.headers["Content-Type"] == "application/json"
    assert set(answer.json()) == {"access_token", "token_type", "expires_in", "refresh_token", "scope"}


def test_revoking_acts_on_the_next_call(client: OAuthClient, served_house: House) -> None:
    """RFC 7009 section 2.1; the owner's own revocation acts the same."""
    ways: list[Callable[[dict[str, Any]], object]] = [
        lambda tokens: client.revoking(tokens["access_token"]),
        lambda tokens: client.revoking(tokens["refresh_token"]),
        lambda tokens: client.revoking(tokens["refresh_token"], token_type_hint="access_token"),
        lambda tokens: client.revoking(tokens["access_token"], token_type_hint="nonsense"),
        lambda tokens: served_house.store.grants.revoke(
            grant_of(served_house, tokens), served_house.clock.now()
        ),
        lambda _: served_house.store.grants.revoke_all(served_house.clock.now()),
    ]
    for revoke in ways:
        tokens = client.connected()
        assert lives(client, tokens)
        revoke(tokens)
        assert not lives(client, tokens)
        refused(client.refreshing(tokens["refresh_token"]))


def test_revoking_what_is_unknown_or_revoked_is_success(client: OAuthClient) -> None:
    """RFC 7009 section 2.2: there is nothing more to do. Section 2.1: an unknown hint is no error."""
    tokens = client.connected()
    for token in ("unknown", tokens["access_token"], tokens["access_token"], "é\x00"):
        answer = client.revoking(token, token_type_hint="whatever")
        assert (answer.status_code, answer.json()) == (200, {})


def test_a_client_revokes_its_own_tokens_alone(client: OAuthClient, http: httpx2.Client) -> None:
    """RFC 7009 section 2.1."""
    tokens = client.connected()
    other = OAuthClient(http, client.owner).registered()
    refused(other.revoking(tokens["access_token"]))
    refused(other.revoking(tokens["refresh_token"]))
    refused(client.revoking(tokens["access_token"], client_id="client-unknown"), "invalid_client", 401)
    refused(client.revoking(tokens["access_token"], client_id=None), "invalid_client", 401)
    refused(client.revoking("", client_id=client.id), "invalid_request")
    granted = client.owner.house.grant("of the command line")
    refused(other.revoking(granted.token))
    assert lives(client, tokens)


def test_an_access_token_lasts_an_hour(client: OAuthClient, served_house: House) -> None:
    """RFC 9700 section 2.2: short-lived."""
    tokens = client.connected()
    assert tokens["expires_in"] == 3600
    served_house.clock.advance(3599)
    assert lives(client, tokens)
    served_house.clock.advance(1)
    assert not lives(client, tokens)
    assert lives(client, client.refreshed(tokens["refresh_token"]))


def test_a_refresh_token_lasts_ninety_days_from_each_use(client: OAuthClient, served_house: House) -> None:
    """RFC 9700 section 4.14.2: it expires when it is not used."""
    tokens = client.connected()
    for _ in range(2):
        served_house.clock.advance(90 * DAY_S - 1)
        tokens = client.refreshed(tokens["refresh_token"])
    served_house.clock.advance(90 * DAY_S)
    refused(client.refreshing(tokens["refresh_token"]))


def test_nothing_outlasts_the_grant(client: OAuthClient, served_house: House) -> None:
    """RFC 6749 section 1.5: no token outlives what was granted. The owner's own end wins over every lifetime."""
    waiting = client.registered().waiting()
    code = client.owner.approves(waiting, days=1).partition("code=")[2].partition("&")[0]
    tokens = client.redeeming(code).json()
    served_house.clock.advance(DAY_S - 1800)
    tokens = client.refreshed(tokens["refresh_token"])
    assert tokens["expires_in"] == 1800
    served_house.clock.advance(1800)
    assert not lives(client, tokens)
    refused(client.refreshing(tokens["refresh_token"]))


def test_the_audience_is_checked_on_each_call(client: OAuthClient, served_house: House) -> None:
    """RFC 8707 section 2, RFC 9068 section 4: a token for another resource is none here."""
    tokens = client.connected()
    grant = grant_of(served_house, tokens)
    for number, audience in enumerate(
        ("https://evil.example/mcp", f"{client.owner.address}/other", "urn:mnemo:store:other", "", "nonsense")
    ):
        name = GrantId(f"{grant}{number}")
        held = served_house.store.grants.grant(grant)
        assert held is not None
        kept = Token(digest(f"token {number}"), name, audience, None)
        served_house.store.grants.add(replace(held, id=name, name=f"other {number}"), kept)
        assert client.calling(f"token {number}").status_code == 401
    assert lives(client, tokens)


def test_a_refresh_gives_what_the_grant_has_now_and_never_more(
    client: OAuthClient, served_house: House
) -> None:
    """RFC 6749 section 6: never more than was granted. A scope that the owner lowers acts at once."""
    tokens = client.connected("work-context")
    for asked in ("private-full", "work-context private-full", "nonsense", "", "third-party"):
        answer = client.refreshing(tokens["refresh_token"], scope=asked)
        assert answer.status_code == 200, answer.text
        tokens = answer.json()
        assert tokens["scope"] == "work-context"
    held = served_house.store.grants.grant(grant_of(served_house, tokens))
    assert held is not None
    served_house.store.grants.update(held, replace(held, scope="third-party", level=Level.S0))
    found = served_house.grants().bearer(tokens["access_token"])
    assert found is not None
    assert found[0].level is Level.S0
    assert client.refreshed(tokens["refresh_token"])["scope"] == "third-party"


def test_a_lost_response_is_survived_and_the_twin_that_is_used_first_stays(client: OAuthClient) -> None:
    """Parallel refresh, a failure of public servers: the parent is good until a successor is used."""
    first = client.connected()
    twins = [client.refreshed(first["refresh_token"]) for _ in range(3)]
    assert all(lives(client, tokens) for tokens in (first, *twins))
    kept = client.refreshed(twins[1]["refresh_token"])
    assert lives(client, kept)
    assert lives(client, client.refreshed(kept["refresh_token"]))


@pytest.mark.parametrize("late", ["the parent", "a twin", "the grandparent"])
def test_a_superseded_token_presented_again_ends_the_grant(client: OAuthClient, late: str) -> None:
    """RFC 9700 section 4.14.2: reuse of a rotated refresh token is theft."""
    grandparent = client.connected()
    parent = client.refreshed(grandparent["refresh_token"])
    one, other = (client.refreshed(parent["refresh_token"]) for _ in range(2))
    newest = client.refreshed(one["refresh_token"])
    assert lives(client, newest)
    superseded = {"the parent": parent, "a twin": other, "the grandparent": grandparent}[late]
    refused(client.refreshing(superseded["refresh_token"]))
    assert not lives(client, newest)
    refused(client.refreshing(newest["refresh_token"]))


def test_a_twin_withdrawn_by_age_before_any_was_used_is_refused_and_no_more(
    client: OAuthClient, served_house: House
) -> None:
    """RFC 9700 section 4.14.2 and parallel refresh: what no thief can have used is no sign of a theft."""
    first = client.connected()
    old = client.refreshed(first["refresh_token"])
    served_house.clock.advance(31)
    # Age alone withdraws none: what withdraws it is the next use of its parent.
    young = client.refreshed(first["refresh_token"])
    refused(client.refreshing(old["refresh_token"]))
    assert lives(client, client.refreshed(young["refresh_token"]))


def test_age_alone_withdraws_no_twin(client: OAuthClient, served_house: House) -> None:
    """Parallel refresh, a failure of public servers: a client that sleeps for a day finds its token good."""
    first = client.connected()
    only = client.refreshed(first["refresh_token"])
    served_house.clock.advance(DAY_S)
    assert lives(client, client.refreshed(only["refresh_token"]))


def test_many_refreshes_at_once_all_succeed_and_one_line_goes_on(client: OAuthClient) -> None:
    """Parallel refresh, a failure of public servers: several windows of one assistant wake up together."""
    first = client.connected()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(client.refreshing, [first["refresh_token"]] * 20))
    assert [answer.status_code for answer in answers] == [200] * 20
    kept = client.refreshed(answers[3].json()["refresh_token"])
    assert lives(client, kept)
    refused(client.refreshing(answers[5].json()["refresh_token"]))
    assert not lives(client, kept)


def test_a_refresh_token_is_its_clients_alone(client: OAuthClient, http: httpx2.Client) -> None:
    """RFC 6749 section 10.4. Somebody else's attempt does not use it up, nor end anything."""
    tokens = client.connected()
    other = OAuthClient(http, client.owner).registered()
    refused(other.refreshing(tokens["refresh_token"]))
    refused(client.refreshing(tokens["refresh_token"], client_id=None), "invalid_client", 401)
    assert lives(client, client.refreshed(tokens["refresh_token"]))


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_client_with_a_secret_must_show_it(http: httpx2.Client, owner: Owner, method: str) -> None:
    """RFC 6749 section 2.3.1: it may use its header or its form, and not both at once."""
    client = OAuthClient(http, owner, metadata(token_endpoint_auth_method=method)).registered()
    code = client.code()
    for secret in (None, "", "wrong", client.secret and client.secret + "x"):
        refused(client.redeeming(code, client_secret=secret), "invalid_client", 401)
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "code_verifier": client.verifier,
    }
    for basic in (("x", "y"), (client.id, "wrong"), (client.id, "")):
        refused(http.post("/token", data=form, auth=basic), "invalid_client", 401)
    for header in ("Basic", "Basic é", "Basic !!!", "Basic /w==", "Basic eA=="):
        headers: Any = {"Authorization": header.encode("latin-1")}
        refused(http.post("/token", data=form, headers=headers), "invalid_client", 401)
    both = {**form, "client_secret": str(client.secret)}
    refused(http.post("/token", data=both, auth=(client.id, str(client.secret))), "invalid_request")
    other = {**form, "client_id": "client-other"}
    refused(http.post("/token", data=other, auth=(client.id, str(client.secret))), "invalid_request")
    assert http.post("/token", data=form, auth=(client.id, str(client.secret))).status_code == 200


def test_who_proves_to_be_another_client_gets_nothing_of_this_ones(http: httpx2.Client, owner: Owner) -> None:
    """RFC 6749 sections 2.3.1 and 10.4: who authenticates is whose token it must be, whatever the form says."""
    registration = metadata(token_endpoint_auth_method="client_secret_basic")
    victim, thief = (OAuthClient(http, owner, registration).registered() for _ in range(2))
    tokens, code = victim.connected(), victim.code()
    proof = (thief.id, str(thief.secret))
    redeeming = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": victim.redirect_uri,
        "code_verifier": victim.verifier,
    }
    refreshing = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    for path, form in (
        ("/token", redeeming),
        ("/token", refreshing),
        ("/revoke", {"token": tokens["access_token"]}),
        ("/revoke", {"token": tokens["refresh_token"]}),
    ):
        refused(http.post(path, data=form, auth=proof))
        refused(http.post(path, data={**form, "client_id": victim.id}, auth=proof), "invalid_request")
        both = {**form, "client_id": victim.id, "client_secret": str(victim.secret)}
        refused(http.post(path, data=both, auth=proof), "invalid_request")
        mixed = {**form, "client_id": victim.id, "client_secret": str(thief.secret)}
        refused(http.post(path, data=mixed), "invalid_client", 401)
    assert lives(victim, tokens)
    assert victim.redeeming(code).status_code == 200
    assert lives(victim, victim.refreshed(tokens["refresh_token"]))


def test_a_public_client_that_shows_a_secret_is_not_who_it_says(client: OAuthClient) -> None:
    """RFC 6749 section 2.3: it registered none."""
    client.registered()
    refused(client.redeeming(client.code(), client_secret="anything"), "invalid_client", 401)


@pytest.mark.parametrize(
    "grant_type",
    [
        *("password", "client_credentials", "implicit", "", 'é"<>\\', "code", "Authorization_Code"),
        *("refresh_token ", "authorization_code\x00", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
        *("urn:ietf:params:oauth:grant-type:token-exchange", "urn:ietf:params:oauth:grant-type:device_code"),
    ],
)
def test_no_other_grant_type_is_served(client: OAuthClient, grant_type: str) -> None:
    """OAuth 2.1 section 10: the password grant is gone; RFC 6749 section 5.2."""
    client.registered()
    answer = client.redeeming("x", grant_type=grant_type)
    refused(answer, "unsupported_grant_type" if grant_type else "invalid_request")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"{}",
        b"grant_type",
        b"=&=&",
        b"&".join(b"p%d=x" % n for n in range(100)),
        b"a=" + b"x" * 9000,
        b"grant_type=refresh_token&refresh_token=%00&client_id=%00",
        b"grant_type=authorization_code&code=%ED%A0%80&client_id=%ED%A0%80&code_verifier=%00",
        b"token=%00%0d%0a&token_type_hint=%00%22%3C&client_id=%FF",
        b"client_id[]=x&client_id[$ne]=&grant_type[]=refresh_token",
    ],
)
@pytest.mark.parametrize("path", ["/token", "/revoke"])
def test_whatever_is_sent_is_refused_as_the_standard_says(
    http: httpx2.Client, path: str, body: bytes
) -> None:
    """RFC 6749 section 5.2; a client's own words are never repeated, nor do they become a fault."""
    for kind in (
        "application/x-www-form-urlencoded",
        "application/json",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded; charset=utf-16",
        "application/x-www-form-urlencoded\t;boundary=",
        "",
    ):
        answer = http.post(path, content=body, headers={"Content-Type": kind})
        assert answer.status_code in (400, 401), answer.text
        assert answer.json()["error"] in ("invalid_request", "invalid_client")
        assert set(answer.json()) <= {"error", "error_description"}


def test_what_is_wrong_is_told_in_words_of_ours(client: OAuthClient) -> None:
    """RFC 6749 section 5.2; a library's words tell which one it is."""
    code = client.registered().code()
    wrong: list[tuple[dict[str, Any], str]] = [
        (
            {"redirect_uri": "http://localhost:3118/other"},
            "redirect_uri is not the one that the code was asked with.",
        ),
        (
            {"code_verifier": "a" * 43},
            "code_verifier does not belong to the code_challenge that the code was asked with.",
        ),
        ({"code_verifier": "short"}, "code_verifier must have 43 to 128 unreserved characters."),
        ({"code_verifier": None}, "code_verifier is missing."),
        ({"grant_type": "password"}, "grant_type must be authorization_code or refresh_token."),
    ]
    for changed, told in wrong:
        assert client.redeeming(code, **changed).json()["error_description"] == told
    assert client.redeeming("").json()["error_description"] == "code is missing."
    for refused in (client.redeeming("another"), client.refreshing("nonsense")):
        assert refused.json()["error_description"] == "It is not valid, or no longer."


def test_a_token_in_an_address_is_no_token(client: OAuthClient) -> None:
    """RFC 6750 section 2.3, OAuth 2.1 section 5.1: addresses end up in logs."""
    tokens = client.connected()
    answer = client.http.post(f"/mcp?access_token={tokens['access_token']}", json={})
    assert answer.status_code == 401
    answer = posted(client.http, "/mcp", [("access_token", tokens["access_token"])])
    assert answer.status_code == 401


def test_a_code_or_refresh_token_is_no_access_token(client: OAuthClient) -> None:
    """RFC 6750 section 5.2: each is good for one thing."""
    client.registered()
    code = client.code()
    assert client.calling(code).status_code == 401
    tokens = client.redeeming(code).json()
    assert client.calling(tokens["refresh_token"]).status_code == 401
    refused(client.refreshing(tokens["access_token"]))


def test_guessing_is_slowed_and_what_is_right_is_never_refused_for_it(client: OAuthClient) -> None:
    """RFC 6749 section 10.10; and nobody is locked out by others behind the same address."""
    tokens = client.connected()
    answers = [client.refreshing(f"mnemo_r_{number}") for number in range(62)]
    assert [answer.status_code for answer in answers] == [400] * 60 + [429] * 2
    # RFC 6749 section 5.2: the error is a word, whatever it is; programs choke on anything else.
    assert answers[-1].json()["error"] == "temporarily_unavailable"
    assert answers[-1].json()["error_description"].isascii()
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert client.calling("nonsense").status_code == 429
    assert lives(client, client.refreshed(tokens["refresh_token"]))


def test_a_client_that_refreshes_in_circles_is_slowed(client: OAuthClient, served_house: House) -> None:
    """CWE-770: each use of a refresh token keeps two more, for ninety days, and each successor began a new count."""
    first = client.connected()
    statuses = [client.refreshing(first["refresh_token"]).status_code for _ in range(30)]
    latest = first
    for _ in range(30):
        latest = client.refreshed(latest["refresh_token"])
    answers = [client.refreshing(latest["refresh_token"]) for _ in range(2)]
    assert statuses + [answer.status_code for answer in answers] == [200] * 30 + [429] * 2
    assert answers[-1].json()["error"] == "temporarily_unavailable"
    assert int(answers[-1].headers["Retry-After"]) >= 1
    served_house.clock.advance(7)
    statuses = [client.refreshing(latest["refresh_token"]).status_code for _ in range(2)]
    assert statuses == [200, 429], "in the long run, ten a minute"
    other = OAuthClient(client.http, client.owner)
    assert lives(other, other.refreshed(other.connected()["refresh_token"])), "each grant by itself"


def test_who_guesses_leaves_no_counter_for_each_guess(client: OAuthClient, served_house: House) -> None:
    """CWE-770: a counter for every refresh token that anybody invents, even where the answer was 429."""
    client.refreshing("mnemo_r_first")
    before = counters(served_house)
    statuses = {client.refreshing(f"mnemo_r_{number}").status_code for number in range(100)}
    assert statuses == {401, 429}
    assert counters(served_house) <= before


def test_what_was_never_used_is_swept_and_what_was_is_known_again(
    client: OAuthClient, served_house: House
) -> None:
    """RFC 6749 section 4.1.2: a code that is replayed after a sweep still ends its grant."""
    client.registered()
    unused = client.code(name="never used")
    used = client.code(name="used")
    tokens = client.redeeming(used).json()
    served_house.clock.advance(61)
    served_house.store.oauth.sweep(served_house.clock.now())
    assert served_house.store.grants.named("never used") is None
    assert served_house.store.oauth.code(digest(unused)) is None
    assert lives(client, tokens)
    refused(client.redeeming(used))
    assert not lives(client, tokens)
