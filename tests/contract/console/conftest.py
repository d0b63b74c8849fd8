from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.browser_forms import Browser
from tests.support.console import Console, open_console
from tests.support.service_fixtures import OpenEngine


@pytest.fixture(scope="module")
def console(open_engine: OpenEngine) -> Iterator[Console]:
    """The console of an empty store, shared by the tests of a file."""
    settings, engine = open_engine("arcadedb")
    with open_console(settings, engine) as console:
        yield console


@pytest.fixture
def browser(console: Console) -> Iterator[Browser]:
    """The owner's, signed in."""
    with console.owners() as browser:
        yield browser
