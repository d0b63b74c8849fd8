"""What concerns a store as a whole: that it answers, what it says when it cannot, and what lies in it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import redis

from cypher.runtime import SystemClock
from policies.errors import StoreUnavailable
from policies.parameters import parameters
from policies.terms import GrantId, Instant
from service.grants import Grants, store_audience
from service.secrets import CODE_PREFIX, REFRESH_PREFIX, TOKEN_PREFIX, digest, new_secret
from service.stores.protocol import Credential, Rate, Redeemed, RefreshToken, Store, Token
from service.stores.redis import RedisStore
from service.stores.sqlite import SqliteStore
from tests.contract.stores.made import (
    DAY,
    HOUR,
    MINUTE,
    NOW,
    RESOURCE,
    SECOND,
    Connection,
    after,
    client,
    code,
    grant,
    request,
    session,
    token,
)
from tests.support.clocks import CountingIds, SetClock
from tests.support.components import absent
from tests.support.redis_server import redis_binary, running_redis

GRANT = GrantId("grant:1")

CALLS: dict[str, Callable[[Store], object]] = {
    "ping": lambda store: store.ping(),
    "add": lambda store: store.grants.add(grant(1), token(1)),
    "update": lambda store: store.grants.update(grant(1), grant(1)),
    "grants": lambda store: store.grants.grants(),
    "grant": lambda store: store.grants.grant(GRANT),
    "named": lambda store: store.grants.named("tool 1"),
    "bearer": lambda store: store.grants.bearer("a"),
    "revoke": lambda store: store.grants.revoke(GRANT, NOW),
    "revoke_all": lambda store: store.grants.revoke_all(NOW),
    "charge": lambda store: store.rates.charge(GRANT, "reads", Rate(1, 1), NOW),
    "take": lambda store: store.rates.take("a", Rate(1, 1), NOW),
    "forgive": lambda store: store.rates.forgive("a"),
    "put_client": lambda store: store.oauth.put_client(client(1)),
    "client": lambda store: store.oauth.client("client-1"),
    "clients_of": lambda store: store.oauth.clients_of(["client-1"]),
    "remove_client": lambda store: store.oauth.remove_client("client-1"),
    "put_request": lambda store: store.oauth.put_request(request(1)),
    "request": lambda store: store.oauth.request("request 1", NOW),
    "take_request": lambda store: store.oauth.take_request("request 1", NOW),
    "code": lambda store: store.oauth.code("code 1"),
    "redeem": lambda store: Connection(store).redeem("code 1"),
    "refresh_token": lambda store: store.oauth.refresh_token("a"),
    "rotate": lambda store: Connection(store).rotate("a"),
    "revoke_token": lambda store: store.oauth.revoke_token("a", NOW),
    "sweep": lambda store: store.oauth.sweep(NOW),
    "credential": lambda store: store.console.credential(),
    "set_credential": lambda store: store.console.set_credential(None, Credential("a", None, NOW)),
    "put_session": lambda store: store.console.put_session(session(1)),
    "session": lambda store: store.console.session("session 1", NOW),
    "sessions": lambda store: store.console.sessions(NOW),
    "end_session": lambda store: store.console.end_session("session 1"),
    "end_sessions": lambda store: store.console.end_sessions(),
    "put_link": lambda store: store.console.put_link("a", "setup", NOW),
    "link": lambda store: store.console.link("a", NOW),
    "take_link": lambda store: store.console.take_link("a", NOW),
    "remember": lambda store: store.console.remember("a", "b", NOW),
    "recall": lambda store: store.console.recall("a", NOW),
    "reset": lambda store: store.console.reset("a", NOW),
}


def refusing(store: Store) -> list[str]:
    """Which calls say that the store is unavailable. Anything else that one raises is a failure."""
    refused: list[str] = []
    for name, call in CALLS.items():
        try:
            call(store)
        except StoreUnavailable:
            refused.append(name)
    return refused


def test_every_call_answers(store: Store) -> None:
    assert refusing(store) == []


def test_every_call_says_that_a_closed_file_is_unavailable(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "kv.sqlite3")
    store.close()
    assert refusing(store) == list(CALLS)


@pytest.mark.parametrize("content", ["directory", "something else"])
def test_a_file_that_is_no_store_is_unavailable(tmp_path: Path, content: str) -> None:
    path = tmp_path / "kv.sqlite3"
    if content == "directory":
        path.mkdir()
    else:
        path.write_text("not a database, " * 100)
    with pytest.raises(StoreUnavailable):
        SqliteStore(path)


@pytest.mark.redis
def test_every_call_says_that_a_redis_which_stopped_is_unavailable(tmp_path: Path) -> None:
    if redis_binary() is None:
        absent("redis", "no redis-server on this machine: the Redis store was not tested")
    with running_redis(tmp_path) as url:
        store = RedisStore(url, "default")
        store.ping()
    assert refusing(store) == list(CALLS)
    store.close()


@pytest.mark.redis
def test_connections_and_scripts_that_redis_dropped_are_made_anew(redis_url: str) -> None:
    store = RedisStore(redis_url, "dropped")
    store.rates.take("a", Rate(1, 1), NOW)
    with raw(redis_url) as server:
        server.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        server.execute_command("SCRIPT", "FLUSH")
    assert store.rates.take("a", Rate(1, 1), NOW) > 0
    store.close()


def test_what_was_kept_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "kv.sqlite3"
    first = SqliteStore(path)
    refresh = Connection(first).connect()
    first.oauth.put_client(client(1))
    first.close()
    second = SqliteStore(path)
    assert second.oauth.client("client-1") == client(1)
    assert second.oauth.refresh_token(refresh) is not None
    assert second.grants.grants() == [grant(1)]
    second.close()


@pytest.mark.redis
def test_stores_that_share_a_redis_do_not_see_each_other(redis_url: str) -> None:
    one, other = RedisStore(redis_url, "one"), RedisStore(redis_url, "other")
    for number, store in enumerate((one, other)):
        store.console.set_credential(None, Credential(f"of {number}", None, NOW))
    Connection(one).connect()
    one.oauth.put_client(client(1))
    assert other.grants.grants() == []
    assert (other.oauth.client("client-1"), other.grants.bearer("access 1.0")) == (None, None)
    assert other.grants.revoke_all(NOW) == 0
    kept = one.console.credential()
    assert kept is not None
    assert kept.passphrase == "of 0"
    one.close()
    other.close()


def test_a_file_that_is_no_store_is_let_go_of_once_it_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def watched(*where: Any, **how: Any) -> sqlite3.Connection:
        opened.append(connect(*where, **how))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", watched)
    path = tmp_path / "kv.sqlite3"
    path.write_bytes(b"not a database " * 100)
    with pytest.raises(StoreUnavailable):
        SqliteStore(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def furnish(store: Store) -> tuple[list[str], list[str]]:
    """Let one of every secret pass through a store; gives them, and the digests that it must keep."""
    grants = Grants(store, parameters(), SetClock(NOW), CountingIds(), store_audience("default"))
    given = grants.grant("claude", "third-party").token
    secret_code, access, refresh, next_access, next_refresh = (
        new_secret(prefix)
        for prefix in (CODE_PREFIX, TOKEN_PREFIX, REFRESH_PREFIX, TOKEN_PREFIX, REFRESH_PREFIX)
    )
    client_secret, registration, handle, cookie, link, challenge = (new_secret() for _ in range(6))
    store.oauth.put_client(client(1, secret=digest(client_secret), registration_token=digest(registration)))
    store.oauth.put_request(request(1, digest=digest(handle)))
    made = grants.admit(
        "chatgpt",
        "third-party",
        client="client-1",
        code=lambda grant: code(1, grant=grant, digest=digest(secret_code)),
    )

    def tokens(access: str, refresh: str) -> tuple[Token, RefreshToken]:
        ends = after(DAY)
        kept = RefreshToken(digest(refresh), made.id, "client-1", RESOURCE, NOW, ends)
        return Token(digest(access), made.id, RESOURCE, after(HOUR)), kept

    assert store.oauth.redeem(digest(secret_code), *tokens(access, refresh), NOW) is Redeemed.DONE
    assert store.oauth.rotate(digest(refresh), *tokens(next_access, next_refresh), NOW) is Redeemed.DONE
    assert grants.bearer(access) is not None
    store.console.set_credential(
        None, Credential("$argon2id$v=19$m=65536,t=3,p=4$salt$hash", "encrypted", NOW)
    )
    store.console.put_session(session(1, digest=digest(cookie)))
    store.console.put_link(digest(link), "setup", after(HOUR))
    store.console.remember(digest(challenge), "half-done", after(HOUR))
    store.rates.take("203.0.113.7", Rate(1, 1), NOW)
    store.rates.charge(made.id, "reads", Rate(1, 1), NOW)
    secrets = [
        *(given, secret_code, access, refresh, next_access, next_refresh),
        *(client_secret, registration, handle, cookie, link, challenge),
    ]
    return secrets, [digest(secret) for secret in secrets]


def check_dump(dump: str, secrets: list[str], digests: list[str]) -> None:
    assert len(set(secrets)) == 12
    for secret in secrets:
        assert secret not in dump
        assert re.sub(r"^mnemo_(r_|c_)?", "", secret) not in dump
    for kept in digests:
        assert kept in dump


def test_no_secret_is_in_the_file_only_digests(tmp_path: Path) -> None:
    """RFC 6819 section 5.1.4.1.3: a stolen copy of the store opens nothing."""
    path = tmp_path / "kv.sqlite3"
    store = SqliteStore(path)
    secrets, digests = furnish(store)
    with sqlite3.connect(path) as kept:
        check_dump("\n".join(kept.iterdump()), secrets, digests)
    kept.close()
    for file in tmp_path.iterdir():
        raw_bytes = file.read_bytes()
        assert file.stat().st_mode & 0o077 == 0
        assert not any(secret.encode() in raw_bytes for secret in secrets)
    store.close()


@pytest.mark.redis
def test_no_secret_is_in_redis_only_digests(redis_url: str) -> None:
    """RFC 6819 section 5.1.4.1.3: a stolen copy of the store opens nothing."""
    store = RedisStore(redis_url, "dumped")
    secrets, digests = furnish(store)
    with raw(redis_url) as server:
        dump = {key: dumped(server, key) for key in server.scan_iter("{mnemo:dumped}:*", count=1_000)}
    check_dump(str(dump), secrets, digests)
    store.close()


@pytest.mark.redis
def test_every_key_of_redis_is_one_of_the_documented_kinds_and_what_ends_expires(redis_url: str) -> None:
    from service.stores.redis import connection

    table = re.findall(r"^``([a-z]+)[^`]*`` +\w+ +(.*)$", connection.__doc__ or "", re.MULTILINE)
    expires = {kind: "expires" in told for kind, told in table}
    store = RedisStore(redis_url, "documented")
    furnish(store)
    grants = Grants(store, parameters(), SetClock(NOW), CountingIds("more"), store_audience("default"))
    grants.admit("waiting", "third-party", client="client-1", code=lambda grant: code(2, grant=grant))
    store.oauth.put_client(client(2))
    seen: set[str] = set()
    with raw(redis_url) as server:
        for key in server.scan_iter("{mnemo:documented}:*", count=1_000):
            kind = key.removeprefix("{mnemo:documented}:").split(":")[0]
            seen.add(kind)
            ends = expires[kind] and not (kind == "token" and server.hget(key, "expires_at") is None)
            assert (server.ttl(key) > 0) is ends, key
    assert seen == set(expires)
    store.close()


@pytest.mark.redis
def test_a_clock_behind_that_of_redis_loses_nothing(redis_url: str) -> None:
    """Whether something is over is told by the caller's clock."""
    store = RedisStore(redis_url, "behind")
    long_ago = Instant(1_000_000_000_000_000)
    store.oauth.put_request(request(1, expires_at=Instant(long_ago + 1)))
    store.console.remember("handle", "value", Instant(long_ago + 1))
    assert store.oauth.take_request("request 1", long_ago) is not None
    assert store.console.recall("handle", long_ago) == "value"
    store.close()


@pytest.mark.redis
def test_a_used_code_stays_in_redis_for_the_day_that_it_must_be_known_again(redis_url: str) -> None:
    store = RedisStore(redis_url, "replayed")
    connection = Connection(store)
    now = SystemClock().now()  # by which Redis, too, tells the time
    store.grants.add(grant(1), code(2, expires_at=Instant(now + MINUTE)))
    with raw(redis_url) as server:
        key = "{mnemo:replayed}:code:code 2"
        assert server.ttl(key) < DAY // SECOND
        assert connection.redeem("code 2", now)[0] is Redeemed.DONE
        assert server.ttl(key) >= DAY // SECOND
    store.close()


@pytest.mark.redis
def test_refresh_tokens_that_redis_let_go_of_are_not_missed_and_stay_gone(redis_url: str) -> None:
    store = RedisStore(redis_url, "gone")
    connection = Connection(store)
    first = connection.connect()
    twin = connection.successor(first)
    used = connection.successor(first)
    lost = connection.successor(used)
    with raw(redis_url) as server:
        for digest in (first, twin, lost):
            server.delete(f"{{mnemo:gone}}:refresh:{digest}")
        found = connection.successor(used, after(HOUR))
        connection.successor(found, after(HOUR))
        for digest in (first, twin, lost):
            assert connection.rotate(digest)[0] is Redeemed.UNKNOWN
            assert server.exists(f"{{mnemo:gone}}:refresh:{digest}") == 0
    assert not connection.is_revoked()
    store.close()


@pytest.mark.redis
def test_redis_keeps_no_trace_of_access_tokens_that_ended(redis_url: str) -> None:
    store = RedisStore(redis_url, "traceless")
    connection = Connection(store)
    refresh = connection.connect()
    for hour in range(1, 5):
        refresh = connection.successor(refresh, after(hour * HOUR))
    with raw(redis_url) as server:
        assert server.zrange("{mnemo:traceless}:tokens:grant:1", 0, -1) == ["access 1.4"]
    store.close()


def raw(url: str) -> Any:
    """A client of the server itself. The library types little of it."""
    return redis.Redis.from_url(url, decode_responses=True)  # pyright: ignore[reportUnknownMemberType]


def dumped(server: Any, key: str) -> object:
    """What a key holds."""
    match cast("str", server.type(key)):
        case "hash":
            return server.hgetall(key)
        case "zset":
            return server.zrange(key, 0, -1, withscores=True)
        case "set":
            return server.smembers(key)
        case _:
            return server.get(key)
