"""One home for each module, with a living service on the embedded engine: commands then take seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cypher.cli import ExitCode
from tests.support.commands import Mnemo, Serving

OWNER = "Zoé Martin"
ENTITIES = """
{"name": "Alice Durand", "type": "person", "aliases": ["Ali"]}
{"name": "Paul Durand", "type": "person"}
{"name": "Paul Petit", "type": "person"}
{"name": "Acme", "type": "organization"}
{"name": "Globex", "type": "organisation", "level": null}
{"name": "Lyon", "type": "place"}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A path with what paths may have."""
    return tmp_path_factory.mktemp("e2e") / "la mémoire de Zoé" / "家"


@pytest.fixture(scope="module")
def begun(home: Path) -> Mnemo:
    """The command on a store that was begun, and no process running."""
    mnemo = Mnemo(home)
    mnemo.ends(ExitCode.DONE, "init", "--owner", OWNER, "--timezone", "Europe/Paris")
    return mnemo


@pytest.fixture(scope="module")
def serving(begun: Mnemo) -> Iterator[Serving]:
    """The store's service, its registry filled."""
    with begun.serving() as serving:
        file = begun.home / "entities.jsonl"
        file.write_text(ENTITIES, "utf-8")
        assert begun.answers("entities", "import", str(file))["registered"] == 6
        yield serving


@pytest.fixture
def mnemo(serving: Serving) -> Mnemo:
    """The command, beside a living service."""
    return serving.mnemo
