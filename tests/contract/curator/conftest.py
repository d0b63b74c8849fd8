"""A curated store on each engine in turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from cypher.engine import Engine
from tests.support.curated import Curated, curated


@pytest.fixture
def store(tmp_path: Path, engine: Engine) -> Curated:
    """A store with an owner, and nothing else."""
    store = curated(tmp_path, engine)
    store.register("Louis Martin", owner=True)
    return store
