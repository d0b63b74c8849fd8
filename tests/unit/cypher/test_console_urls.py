"""Where the console's pages are, and whom passkeys answer to."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from cypher.console_urls import (
    console_address,
    note_port,
    passkey_url,
    relying_party,
    ruling_url,
    setup_url,
)
from cypher.settings import Settings
from policies.reasons import NEEDS_PASSKEY
from policies.terms import Instant, Outcome, OutcomeRecord, ProposalId
from tests.support.graphs import make_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_settings(tmp_path)


def test_without_a_public_address_the_console_is_on_the_port_that_was_served_last(settings: Settings) -> None:
    assert console_address(settings) == "http://localhost:8765"
    note_port(replace(settings, port=9001))
    assert console_address(settings) == "http://localhost:9001"
    assert stat.S_IMODE((settings.store_dir / "port").stat().st_mode) == 0o600
    (settings.store_dir / "port").write_text("nonsense", "ascii")
    assert console_address(settings) == "http://localhost:8765"


def test_a_public_address_is_the_consoles(settings: Settings) -> None:
    note_port(settings)
    public = replace(settings, public_url="https://memory.example")
    assert console_address(public) == "https://memory.example"


def test_each_page_has_its_address() -> None:
    assert setup_url("https://m.example", "t") == "https://m.example/setup/t"
    assert passkey_url("https://m.example", "t") == "https://m.example/passkey/t"


@pytest.mark.parametrize(
    ("outcome", "reason", "url"),
    [
        (Outcome.NEEDS_OWNER, "conflict", "https://m.example/arbitrations/prop:a"),
        (Outcome.NEEDS_OWNER, NEEDS_PASSKEY, "https://m.example/confirm/prop:a"),
        (Outcome.REJECTED, "conflict", None),
        (Outcome.COMMITTED, "committed", None),
        (Outcome.ERROR, "ledger.unavailable", None),
    ],
)
def test_what_waits_for_the_owner_has_the_page_where_it_is_settled(
    outcome: Outcome, reason: str, url: str | None
) -> None:
    record = OutcomeRecord(ProposalId("prop:a"), outcome, reason, Instant(0))
    assert ruling_url("https://m.example", record) == url


@pytest.mark.parametrize(
    ("public_url", "party", "origins"),
    [
        (None, "localhost", ("http://localhost:8765",)),
        ("http://127.0.0.1:9000", "localhost", ("http://localhost:9000",)),
        ("http://[::1]:9000", "localhost", ("http://localhost:9000",)),
        ("http://localhost", "localhost", ("http://localhost",)),
        ("https://Memory.example", "memory.example", ("https://memory.example",)),
        ("https://memory.example:8443/mnemo", "memory.example", ("https://memory.example:8443",)),
    ],
)
def test_passkeys_answer_to_the_public_host_and_on_loopback_to_localhost(
    settings: Settings, public_url: str | None, party: str, origins: tuple[str, ...]
) -> None:
    found = relying_party(replace(settings, public_url=public_url))
    assert (found.id, found.origins) == (party, origins)


def test_the_curator_knows_the_port_that_only_the_web_process_was_told(settings: Settings) -> None:
    note_port(replace(settings, port=9001))
    assert relying_party(settings).origins == ("http://localhost:8765", "http://localhost:9001")
