"""G15. Tokens are bound to audience and grant; revoking one ends its access at once and leaves others alone."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from policies.errors import SettingInvalid
from policies.terms import GrantId, Instant
from service.grants import store_audience
from service.stores.protocol import Token
from service.supervisor import check_bind
from tests.support.asking import answered, connected, http_client, item_ids
from tests.support.house import House, web_server
from tests.support.service_fixtures import anyio_backend, furnished, house, web

__all__ = ["anyio_backend", "furnished", "house", "web"]

pytestmark = pytest.mark.anyio

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def status(address: str, token: str) -> int:
    async with http_client(address, token) as http:
        return (await http.post("", json=LIST)).status_code


async def test_revoking_ends_a_tools_access_on_its_next_call_and_no_other_tools(
    web: str, house: House
) -> None:
    one, other = house.grant("one"), house.grant("other")
    async with http_client(web, one.token) as http:
        assert (await http.post("", json=LIST)).status_code == 200
        house.grants().revoke("one")
        assert (await http.post("", json=LIST)).status_code == 401
    assert await status(web, other.token) == 200


async def test_a_token_is_good_on_any_host_and_port_across_restarts_until_its_days_are_over(
    house: House,
) -> None:
    granted = house.grants().grant("claude", "third-party", days=1)
    with web_server(house) as first:
        assert await status(first, granted.token) == 200
        assert await status(first.replace("localhost", "127.0.0.1"), granted.token) == 200
    with web_server(house) as second:
        assert second != first
        assert await status(second, granted.token) == 200
        house.clock.advance(86_400)
        assert await status(second, granted.token) == 401


async def test_a_token_of_another_audience_is_refused(web: str, house: House) -> None:
    """Whether it is another store's, or was issued for another resource."""
    for number, audience in enumerate(
        (store_audience("other"), "https://elsewhere.example/mcp", f"{web}/mcp/other", "", "mnemo")
    ):
        secret = f"mnemo_{number}"
        grant = replace(house.grant(f"tool {number}").grant, id=GrantId(f"grant:{number}"), name=f"n{number}")
        house.store.grants.add(
            grant, Token(hashlib.sha256(secret.encode()).hexdigest(), grant.id, audience, None)
        )
        assert await status(web, secret) == 401


async def test_a_token_issued_for_this_resource_is_good(web: str, house: House) -> None:
    grant = replace(house.grant("a").grant, id=GrantId("grant:b"), name="b")
    digest = hashlib.sha256(b"issued").hexdigest()
    house.store.grants.add(
        grant, Token(digest, grant.id, f"{web}/mcp", Instant(house.clock.now() + 10_000_000))
    )
    assert await status(web, "issued") == 200
    house.clock.advance(10)
    assert await status(web, "issued") == 401


async def test_each_token_is_served_its_own_grants_view_even_on_one_server(furnished: House) -> None:
    low, high = furnished.grant("low", "third-party"), furnished.grant("high", "private-full")
    ids = ["mem:bike", "mem:job", "mem:pay", "mem:clinic"]
    with web_server(furnished) as address:
        for _ in range(2):
            async with connected(address, low.token) as client:
                assert item_ids(await answered(client, "mem_recall", query="", ids=ids)) == ["mem:bike"]
            async with connected(address, high.token) as client:
                assert set(item_ids(await answered(client, "mem_recall", query="", ids=ids))) == set(ids)


def test_a_token_is_nowhere_in_the_home_and_what_is_there_is_the_owners_alone(house: House) -> None:
    granted = house.grant()
    secret = granted.token.encode()
    for file in house.settings.store_dir.rglob("*"):
        if file.is_file():
            assert secret not in file.read_bytes()
    database = house.settings.store_dir / "kv.sqlite3"
    assert database.stat().st_mode & 0o077 == 0
    with sqlite3.connect(database) as kept:
        assert granted.token not in "\n".join(kept.iterdump())
    kept.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "memory.example"])
def test_listening_to_the_world_without_https_is_refused(house: House, host: str) -> None:
    for public_url in (None, "http://memory.example"):
        with pytest.raises(SettingInvalid):
            check_bind(replace(house.settings, host=host, public_url=public_url))
    check_bind(replace(house.settings, host=host, public_url="https://memory.example"))


def test_the_web_process_refuses_it_by_itself_too(house: House) -> None:
    settings = house.settings
    command = [sys.executable, "-m", "service", "--home", str(settings.home), "--host", "0.0.0.0"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "MNEMO_PUBLIC_URL" in ended.stderr
