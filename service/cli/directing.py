"""One directive of the owner from the command line: submitted, waited for, told."""

from __future__ import annotations

from collections.abc import Mapping

from cypher.cli import show_outcome, terminal
from cypher.owner import OwnerSession


def direct(verb: str, payload: Mapping[str, object]) -> None:
    """Submit a directive without its absent arguments, and end with 4 when it was not carried out.

    Raises:
        MnemoError: the payload is not whole, or nobody takes it up.
    """
    settings = terminal().settings()
    given = {name: value for name, value in payload.items() if value is not None}
    with OwnerSession(settings) as session:
        outcome = session.direct(verb, given)
    show_outcome(outcome, settings)
