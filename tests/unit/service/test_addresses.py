from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cypher.settings import Settings, StoreFacts
from policies.terms import Level
from service.addresses import addresses_of

SETTINGS = Settings(
    home=Path("/nowhere"),
    store="default",
    facts=StoreFacts("Louise", "louise", "Europe/Paris", "fr"),
    host="127.0.0.1",
    port=8765,
    public_url=None,
    graph_url=None,
    graph_user="neo4j",
    graph_password_file=None,
    kv_url=None,
    kv_password_file=None,
    classifier="rules",
    model=None,
    model_url=None,
    model_key=None,
    model_local=False,
    remote_max_level=Level.S2,
    nightly="0 3 * * *",
)


def test_while_loopback_every_name_of_the_machine_is_ours_on_that_port_only() -> None:
    own = addresses_of(SETTINGS)
    assert own.public_url == "http://localhost:8765"
    assert own.resource == "http://localhost:8765/mcp"
    assert own.hosts == {"localhost:8765", "127.0.0.1:8765", "[::1]:8765"}
    assert own.origins == {"http://localhost:8765", "http://127.0.0.1:8765", "http://[::1]:8765"}


@pytest.mark.parametrize("url", ["http://127.0.0.1:9000", "http://[::1]:9000/", "http://localhost:9000"])
def test_a_loopback_address_by_any_name_admits_the_others(url: str) -> None:
    own = addresses_of(replace(SETTINGS, public_url=url))
    assert own.hosts == {"localhost:9000", "127.0.0.1:9000", "[::1]:9000"}


def test_a_public_address_admits_itself_alone_with_or_without_its_default_port() -> None:
    own = addresses_of(replace(SETTINGS, public_url="https://Memory.example/"))
    assert own.hosts == {"memory.example", "memory.example:443"}
    assert own.origins == {"https://memory.example", "https://memory.example:443"}
    assert (own.public_url, own.resource) == ("https://memory.example", "https://memory.example/mcp")


def test_a_public_address_on_another_port_needs_it() -> None:
    own = addresses_of(replace(SETTINGS, public_url="https://memory.example:8443"))
    assert own.hosts == {"memory.example:8443"}
    assert own.resource == "https://memory.example:8443/mcp"
