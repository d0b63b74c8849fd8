"""What a test needs that may not be on this machine: it then skips and says so, unless it must be there.

``MNEMO_REQUIRE`` names, with commas, the components without which the suite fails: ``neo4j``, ``redis``,
``chromium``, ``node``.
"""

from __future__ import annotations

import os
from typing import Literal, NoReturn

import pytest

Component = Literal["neo4j", "redis", "chromium", "node"]


def absent(component: Component, why: str) -> NoReturn:
    """Skip the test, or fail it where the component is required."""
    required = os.environ.get("MNEMO_REQUIRE", "").replace(" ", "").split(",")
    if component in required:
        pytest.fail(f"{component} is required by MNEMO_REQUIRE: {why}", pytrace=False)
    pytest.skip(why)
