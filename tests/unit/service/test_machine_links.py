"""The links that commands print: made on this machine, kept as digests, ended by the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cypher.console_urls import note_port
from cypher.machine import machine_key
from cypher.settings import Settings
from policies.machine_links import bind, read_bound
from policies.terms import Instant
from service.machine_links import PASSKEY_S, SETUP_S, first_run_link, passkey_link, reset_link
from service.secrets import digest
from service.stores import open_store
from service.stores.protocol import ConsoleStore, Credential, Session
from tests.support.clocks import SetClock
from tests.support.graphs import make_settings
from tests.support.memories import at

CLOCK = SetClock(at(0))
CREDENTIAL = Credential("$argon2id$…", None, at(0))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_settings(tmp_path)


@pytest.fixture
def console(settings: Settings) -> Iterator[ConsoleStore]:
    with closing(open_store(settings)) as store:
        yield store.console


def token_of(url: str) -> str:
    return url.rpartition("/")[2]


def test_a_first_run_gives_a_link_that_sets_up_and_a_machine_made_it(
    settings: Settings, console: ConsoleStore
) -> None:
    link = first_run_link(settings, CLOCK)
    assert link is not None
    assert link.url.startswith("http://localhost:8765/setup/")
    token = token_of(link.url)
    assert console.link(digest(token), at(SETUP_S - 1)) == "setup"
    assert console.link(digest(token), at(SETUP_S)) is None
    bound = bind(token, "credential", "key")
    assert read_bound(machine_key(settings.keys_dir), bound, "credential", "key", at(0))
    assert len(link.url) < 140, "it is copied by hand from a terminal"


def test_the_next_start_ends_the_link_before(settings: Settings, console: ConsoleStore) -> None:
    first, second = first_run_link(settings, CLOCK), first_run_link(settings, CLOCK)
    assert first is not None
    assert second is not None
    assert console.link(digest(token_of(first.url)), at(1)) is None
    assert console.link(digest(token_of(second.url)), at(1)) == "setup"


def test_an_owner_who_can_sign_in_gets_no_link(settings: Settings, console: ConsoleStore) -> None:
    console.set_credential(None, CREDENTIAL)
    assert first_run_link(settings, CLOCK) is None


def test_a_reset_ends_every_session_and_the_passphrase(settings: Settings, console: ConsoleStore) -> None:
    console.set_credential(None, CREDENTIAL)
    for name in ("one", "two"):
        console.put_session(
            Session(digest(name), at(0), at(0), at(0), Instant(at(9_999)), "passphrase", "Firefox")
        )
    note_port(settings)
    link, ended = reset_link(settings, CLOCK)
    assert ended == 2
    assert console.credential() is None
    assert console.sessions(at(1)) == []
    assert console.link(digest(token_of(link.url)), at(1)) == "setup"


def test_a_link_for_a_passkey_is_for_the_curator_to_judge(settings: Settings) -> None:
    link = passkey_link(settings, CLOCK)
    assert link.url.startswith("http://localhost:8765/passkey/")
    assert link.expires_at == at(PASSKEY_S)
    bound = bind(token_of(link.url), "credential", "key")
    assert read_bound(machine_key(settings.keys_dir), bound, "credential", "key", at(PASSKEY_S - 1))
