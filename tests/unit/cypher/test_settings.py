"""Where settings come from, which wins, and what is refused."""

from __future__ import annotations

import tomllib
from ipaddress import ip_network
from pathlib import Path

import pytest

from cypher.keys import create_keys
from cypher.settings import (
    StoreFacts,
    active_store,
    checked_graph_url,
    checked_kv_url,
    checked_zone,
    default_home,
    load_settings,
    read_store_facts,
    store_dir,
    write_store_facts,
)
from policies.errors import SettingInvalid, StoreInvalid
from policies.terms import Level

FACTS = StoreFacts(owner='Zoé "la grande"\x7f\n家', handle="zoe", timezone="Europe/Paris", lang="fr")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a store, and an environment that says nothing."""
    for name in ("MNEMO_HOME", "MNEMO_STORE", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    directory = store_dir(tmp_path, "default")
    directory.mkdir(parents=True)
    create_keys(directory / "keys")
    write_store_facts(directory, FACTS)
    return tmp_path


def test_facts_of_a_store_are_read_as_they_were_written(home: Path) -> None:
    assert read_store_facts(home, "default") == FACTS
    assert (store_dir(home, "default") / "store.toml").stat().st_mode & 0o777 == 0o600


def test_defaults_serve_this_machine_alone_with_rules_alone(home: Path) -> None:
    settings = load_settings(home)
    assert (settings.store, settings.host, settings.port) == ("default", "127.0.0.1", 8765)
    assert (settings.graph_url, settings.kv_url, settings.public_url) == (None, None, None)
    assert (settings.classifier, settings.model_key, settings.remote_max_level) == ("rules", None, Level.S2)
    assert settings.facts == FACTS
    assert settings.database == "mnemo_default"


def test_the_command_line_wins_over_the_environment_over_the_file_over_the_store(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "mnemo.toml").write_text('port = 2000\nhost = "::1"\ngraph_url = "bolt://file"\n', "utf-8")
    assert (load_settings(home).port, load_settings(home).graph_url) == (2000, "bolt://file")
    monkeypatch.setenv("MNEMO_PORT", "3000")
    monkeypatch.setenv("MNEMO_GRAPH_URL", "bolt://environment/")
    settings = load_settings(home, port=4000, host=None)
    assert (settings.port, settings.host, settings.graph_url) == (4000, "::1", "bolt://environment")
    assert load_settings(home).port == 3000


def test_a_key_in_the_environment_alone_chooses_no_classifier(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key")
    assert load_settings(home).model_key is None
    monkeypatch.setenv("MNEMO_CLASSIFIER", "anthropic")
    settings = load_settings(home)
    assert settings.model_key is not None
    assert "a-key" not in repr(settings)


def test_a_key_comes_from_its_file_first(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another")
    monkeypatch.setenv("MNEMO_CLASSIFIER", "anthropic")
    file = tmp_path / "model.key"
    monkeypatch.setenv("MNEMO_MODEL_KEY_FILE", str(file))
    with pytest.raises(SettingInvalid):
        load_settings(home)
    file.write_text(" from-the-file\n", "utf-8")
    key = load_settings(home).model_key
    assert key is not None
    assert key.get_secret_value() == "from-the-file"


@pytest.mark.parametrize(
    "written",
    [
        "port = ",
        "port = 0",
        "prot = 8765",
        'classifier = "oracle"',
        'remote_max_level = "S9"',
        'nightly = "every night"',
        'public_url = "ftp://here"',
        'public_url = "https://"',
        'public_url = "http://memory.example"',
        'public_url = "http://192.168.1.10:8765"',
        'public_url = "https://memory.example/mnemo"',
        'public_url = "https://memory.example?secret"',
        'public_url = "https://memory.example?"',
        'public_url = "https://memory.example/#"',
        'public_url = "https://secret@memory.example"',
        'trusted_proxies = "10.0.0.0/33"',
        'trusted_proxies = ["proxy.example"]',
        "trusted_proxies = 10",
        'browser_origins = "https://page.example/path"',
        'metrics_from = "mnemo.example"',
        'browser_origins = "null"',
        'browser_origins = ["*"]',
        'graph_url = "http://here"',
        'graph_url = "bolt://here:99999"',
        'graph_url = "bolt://user:secret@here"',
        'kv_url = "redis://:secret@here"',
        'model_url = "file:///etc/passwd"',
    ],
)
def test_a_wrong_setting_is_named_and_its_value_is_not_repeated(home: Path, written: str) -> None:
    (home / "mnemo.toml").write_text(written, "utf-8")
    with pytest.raises(SettingInvalid) as refused:
        load_settings(home)
    assert written.split()[0] in str(refused.value.details["setting"]).lower() or written == "port = "
    assert "secret" not in str(refused.value.details)


@pytest.mark.parametrize(
    "url", ["http://localhost:9000", "http://127.0.0.1", "http://[::1]:80", "https://memory.example:8443"]
)
def test_a_public_address_is_https_or_of_this_machine(home: Path, url: str) -> None:
    (home / "mnemo.toml").write_text(f'public_url = "{url}/"', "utf-8")
    assert load_settings(home).public_url == url


def test_lists_are_separated_by_commas_in_the_environment_and_lists_in_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (load_settings(home).trusted_proxies, load_settings(home).browser_origins) == ((), ())
    (home / "mnemo.toml").write_text('trusted_proxies = ["::1", "10.1.2.3/8"]\n', "utf-8")
    assert load_settings(home).trusted_proxies == (ip_network("::1"), ip_network("10.0.0.0/8"))
    monkeypatch.setenv("MNEMO_TRUSTED_PROXIES", " 127.0.0.1 , ")
    monkeypatch.setenv("MNEMO_BROWSER_ORIGINS", "https://Page.example/,app://notes.example")
    settings = load_settings(home)
    assert settings.trusted_proxies == (ip_network("127.0.0.1"),)
    assert settings.browser_origins == ("https://page.example", "app://notes.example")
    monkeypatch.setenv("MNEMO_METRICS_FROM", "10.0.0.0/8, fd00::1")
    assert load_settings(home).metrics_from == (ip_network("10.0.0.0/8"), ip_network("fd00::1"))


def test_a_file_that_is_no_text_is_told(home: Path) -> None:
    (home / "mnemo.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingInvalid):
        load_settings(home)
    (store_dir(home, "default") / "store.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(StoreInvalid):
        load_settings(home)


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "x" * 41, "-x", "é", "x y"])
def test_a_store_is_named_so_that_it_can_be_a_folder_and_a_database(home: Path, name: str) -> None:
    with pytest.raises(StoreInvalid):
        store_dir(home, name)


def test_the_store_is_the_environments_else_the_active_one_else_the_default(home: Path) -> None:
    assert active_store(home, {}) == "default"
    (home / "active").write_text("work\n", "utf-8")
    assert active_store(home, {}) == "work"
    assert active_store(home, {"MNEMO_STORE": "other"}) == "other"


def test_a_store_that_does_not_exist_or_is_damaged_is_refused(home: Path) -> None:
    with pytest.raises(StoreInvalid) as absent:
        load_settings(home, "elsewhere")
    assert absent.value.details["problem"] == "absent"
    for damage in ("owner = ", 'owner = "X"', 'colour = "blue"'):
        (store_dir(home, "default") / "store.toml").write_text(damage, "utf-8")
        with pytest.raises(StoreInvalid) as damaged:
            load_settings(home)
        assert damaged.value.details["problem"] == "damaged"


def test_the_home_is_the_environments_else_the_platforms() -> None:
    assert default_home({"MNEMO_HOME": "/somewhere/else"}) == Path("/somewhere/else")
    assert default_home({}).name == "mnemo"


def test_addresses_and_zones_are_checked() -> None:
    assert checked_graph_url(None) is None
    assert checked_graph_url("neo4j+s://graph.example:7687/") == "neo4j+s://graph.example:7687"
    assert checked_kv_url("rediss://kv.example/0") == "rediss://kv.example/0"
    assert checked_zone("Asia/Tokyo") == "Asia/Tokyo"
    for zone in ("Mars/Olympus", "../etc/passwd", ""):
        with pytest.raises(SettingInvalid):
            checked_zone(zone)


def test_what_is_written_is_toml(home: Path) -> None:
    text = (store_dir(home, "default") / "store.toml").read_text("utf-8")
    assert tomllib.loads(text)["owner"] == FACTS.owner
