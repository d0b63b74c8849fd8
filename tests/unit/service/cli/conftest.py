from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def kept_mask() -> Iterator[None]:
    """The command sets the mask of files that its process makes: not for the tests that come after."""
    mask = os.umask(0o077)
    yield
    os.umask(mask)
