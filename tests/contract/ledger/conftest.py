"""A ledger on each engine in turn."""

from __future__ import annotations

import pytest

from cypher.graph import Graph
from tests.support.committing import Ledger


@pytest.fixture
def ledger(graph: Graph) -> Ledger:
    """An empty ledger, with its lease held."""
    return Ledger(graph)
