"""Schemathesis on the OAuth endpoints: whatever is sent, nothing fails, and every answer is in a form that is told."""

# Schemathesis is half typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.console import Served
from tests.support.oauth import REDIRECT, metadata
from tests.support.outside import FOLDER

EXAMPLES = 20
CHECKED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
_document: Any = schemathesis.openapi.from_path(FOLDER / "openapi.yaml")
OPERATIONS: dict[str, Any] = {
    operation.label: operation for operation in (found.ok() for found in _document.get_all_operations())
}
READING = [label for label in OPERATIONS if "/.well-known/" not in label]
"""Operations that are given something, which may be right or wrong."""


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """A connection that knows of no proxy."""
    with requests.Session() as session:
        session.trust_env = False
        yield session


def holds_for(
    case: Any, served: Served, session: requests.Session, headers: dict[str, str] | None = None
) -> None:
    # A minute passes: what is looked for is behind the limits per minute.
    served.house.clock.advance(61)
    case.call_and_validate(
        served.address, session=session, headers=headers, checks=CHECKED, allow_redirects=False, timeout=30
    )


@pytest.mark.parametrize("label", [label for label in OPERATIONS if label not in READING])
def test_metadata_is_as_told(served: Served, session: requests.Session, label: str) -> None:
    holds_for(OPERATIONS[label].Case(), served, session)


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("label", READING)
def test_nothing_fails(served: Served, session: requests.Session, label: str, mode: GenerationMode) -> None:
    client = session.post(f"{served.address}/register", json=metadata(), timeout=30).json()
    known = {
        "client_id": client["client_id"],
        "redirect_uri": REDIRECT,
        "response_type": "code",
        "resource": f"{served.address}/mcp",
    }

    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )  # fmt: skip
    @given(
        case=OPERATIONS[label].as_strategy(generation_mode=mode),
        said=st.sets(st.sampled_from(sorted(known))),
        is_managed=st.booleans(),
    )
    def holds(case: Any, said: set[str], is_managed: bool) -> None:
        # Some of what a registered client would say takes the place of what was made up: it gets further so.
        for part in (case.query, case.body, case.path_parameters):
            for name in said if isinstance(part, dict) else ():
                if name in part:
                    part[name] = known[name]
        token = {"Authorization": f"Bearer {client['registration_access_token']}"}
        holds_for(case, served, session, token if is_managed else None)

    holds()
