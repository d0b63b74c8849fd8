"""The conformance suite of the protocol's authors, for a server: our transport, the suite's fixtures behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bearer_proxy import bearer_proxy
from tests.support.clocks import TickingClock
from tests.support.conformance_server import fixture_server
from tests.support.console import NOW
from tests.support.house import open_house, web_server
from tests.support.outside import FOLDER, checks, ran
from tests.support.service_fixtures import OpenEngine

ERAS = ("2026-07-28", "2025-11-25")


@pytest.fixture(scope="module")
def fixtures(open_engine: OpenEngine) -> Iterator[tuple[str, str]]:
    """A service with the suite's fixtures behind its transport: its own address, and a proxy's that bears a token."""
    settings, engine = open_engine("arcadedb")
    with open_house(settings, engine) as house:
        # The suite asks more in a minute than a tool may.
        house.clock = TickingClock(NOW)
        token = house.grant("conformance").token
        with (
            web_server(house, build=lambda _calls, _caller: fixture_server()) as address,
            bearer_proxy(address, token) as proxied,
        ):
            yield address, proxied


@pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")
@pytest.mark.parametrize("era", ERAS)
def test_the_transport_conforms(fixtures: tuple[str, str], tmp_path: Path, era: str) -> None:
    done = ran(
        "conformance", "server", "--url", f"{fixtures[1]}/mcp", "--requirements", era,
        "--expected-failures", str(FOLDER / f"expected-failures.{era}.yml"), "--output-dir", str(tmp_path),
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("era", ERAS)
def test_another_hosts_name_is_refused_without_a_token_too(
    fixtures: tuple[str, str], tmp_path: Path, era: str
) -> None:
    """The rebinding scenario, straight at the service. Its other half needs a token: it is in the test above."""
    ran(
        "conformance", "server", "--url", f"{fixtures[0]}/mcp", "--scenario", "dns-rebinding-protection",
        "--spec-version", era, "--output-dir", str(tmp_path), cwd=tmp_path,
    )  # fmt: skip
    assert checks(tmp_path)["localhost-host-rebinding-rejected"] == "SUCCESS"
