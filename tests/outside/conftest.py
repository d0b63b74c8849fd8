from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.console import Served, open_served
from tests.support.service_fixtures import OpenEngine


@pytest.fixture(scope="module")
def served(open_engine: OpenEngine) -> Iterator[Served]:
    """A service with its owner's passphrase chosen; a module's tests share it."""
    settings, engine = open_engine("arcadedb")
    with open_served(settings, engine) as served:
        yield served
