from __future__ import annotations

import pytest

from tests.support.asking import answered, connected, http_client
from tests.support.house import LEASE_US, House

pytestmark = pytest.mark.anyio


async def test_it_is_alive_at_once_and_ready_once_a_curator_is(web: str, house: House) -> None:
    async with http_client(web, None, "") as http:
        assert (await http.get("/healthz")).text == "ok\n"
        before = await http.get("/readyz")
        assert before.status_code == 503
        assert before.json() == {"engine": True, "index": True, "store": True, "curator": False}
        house.committer.acquire("test", LEASE_US, house.clock.now())
        assert (await http.get("/readyz")).status_code == 200
        house.clock.at = house.clock.at + 2 * LEASE_US  # pyright: ignore[reportAttributeAccessIssue]
        assert (await http.get("/readyz")).status_code == 503


async def test_metrics_count_calls_and_refusals_and_tell_no_secret(web: str, house: House) -> None:
    granted = house.grant()
    async with connected(web, granted.token) as client:
        await answered(client, "mem_remember", statement="Louise likes barometers.")
    async with http_client(web, "wrong") as http:
        await http.post("", json={})
    async with http_client(web, None, "") as http:
        answer = await http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'mnemo_calls_total{call="mem_remember",result="ok"} 1' in answer.text
    assert 'mnemo_call_seconds_count{call="mem_remember"} 1' in answer.text
    assert 'mnemo_refused_total{status="401"} 1' in answer.text
    assert 'mnemo_ready{part="engine"} 1' in answer.text
    for secret in ("barometers", granted.token, granted.grant.id, granted.grant.name):
        assert secret not in answer.text


async def test_metrics_are_served_to_our_own_hosts_alone(web: str) -> None:
    async with http_client(web, None, "") as http:
        assert (await http.get("/metrics", headers={"Host": "evil.example"})).status_code == 421
        assert (await http.get("/healthz", headers={"Host": "10.1.2.3"})).status_code == 200
