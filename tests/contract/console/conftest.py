from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.browser_forms import Browser
from tests.support.console import Console, Served, open_console, open_served
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


@pytest.fixture(scope="module")
def served(open_engine: OpenEngine) -> Iterator[Served]:
    """A console without a curator: its tests commit what they need themselves."""
    settings, engine = open_engine("arcadedb")
    with open_served(settings, engine) as served:
        yield served


@pytest.fixture(scope="module")
def owner(served: Served) -> Iterator[Browser]:
    """The owner's browser there, signed in once for all tests of a file."""
    with served.owners() as browser:
        yield browser
