"""A Neo4j server by its address: what is told when the address, the account or the server is not right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cypher.engine import connect
from cypher.engine.neo4j import ServerConnection
from cypher.graph import Graph
from cypher.settings import Settings
from cypher.statement import statement
from policies.errors import SettingInvalid


@pytest.fixture
def server(settings: Settings) -> Settings:
    if settings.graph_url is None:
        pytest.skip("the embedded engine has no address to give")
    return settings


def test_database_is_named_and_named_to_the_driver(server: Settings) -> None:
    assert server.graph_url is not None
    connection = ServerConnection(server.graph_url, server.graph_user, server.graph_password_file)
    assert connection.database == "neo4j"
    assert Graph(connection).read(statement("find_store"))[0]["name"] == server.store
    connection.close()


def test_wrong_password_is_a_setting_to_correct(server: Settings, tmp_path: Path) -> None:
    wrong = tmp_path / "password"
    wrong.write_text("not the password\n", "utf-8")
    with pytest.raises(SettingInvalid) as caught:
        connect(replace(server, graph_password_file=wrong))
    assert caught.value.details["setting"] == "MNEMO_GRAPH_PASSWORD_FILE"


def test_missing_password_file_is_a_setting_to_correct(server: Settings, tmp_path: Path) -> None:
    with pytest.raises(SettingInvalid) as caught:
        connect(replace(server, graph_password_file=tmp_path / "nowhere"))
    assert caught.value.details["setting"] == "MNEMO_GRAPH_PASSWORD_FILE"


def test_no_password_file_where_one_is_asked_for_is_a_setting_to_correct(server: Settings) -> None:
    with pytest.raises(SettingInvalid) as caught:
        connect(replace(server, graph_password_file=None))
    assert caught.value.details["setting"] == "MNEMO_GRAPH_PASSWORD_FILE"
