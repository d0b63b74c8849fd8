"""A small registry and a reading of it, for every test of reading."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from policies.terms import EntityType, Level
from service.reading import Reading
from tests.support.ledger import MemoryLedger
from tests.support.memories import registered
from tests.support.reading import reading


@pytest.fixture
def ledger() -> MemoryLedger:
    """An owner, three people (two named Paul), an organisation, and a person above every scope but one."""
    ledger = MemoryLedger()
    ledger.register(
        registered("owner", owner=True),
        registered("Marie Leroy", aliases=("Mimi",)),
        registered("Paul Durand"),
        registered("Paul Martin"),
        registered("Initech", EntityType.ORGANISATION),
        registered("Zoltan Kovacs", level=Level.S3),
    )
    return ledger


@pytest.fixture
def read(ledger: MemoryLedger, tmp_path: Path) -> Iterator[Reading]:
    """A reading of the ledger."""
    made = reading(ledger, tmp_path)
    yield made
    made.close()
