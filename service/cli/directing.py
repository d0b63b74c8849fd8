"""One directive of the owner from the command line: submitted, waited for, told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from cypher.cli import ask_for_passkey, show_outcome, terminal, tr
from cypher.owner import OwnerSession
from policies.reasons import NEEDS_PASSKEY

Wait = Annotated[
    bool,
    typer.Option(
        "--wait",
        help=tr(
            "Where your passkey must confirm it, wait until it did.",
            "S'il y faut votre clé d'accès, attendre qu'elle confirme.",
        ),
    ),
]


def direct(verb: str, payload: Mapping[str, object], *, wait: bool = False) -> None:
    """Submit a directive without its absent arguments, and end with 4 when it was not carried out.

    Args:
        verb: what it does.
        payload: its arguments; those that are None are left out.
        wait: where a passkey must confirm it, wait until that is settled.

    Raises:
        MnemoError: the payload is not whole, or nobody takes it up.
    """
    settings = terminal().settings()
    given = {name: value for name, value in payload.items() if value is not None}
    with OwnerSession(settings) as session:
        outcome = session.direct(verb, given)
        if wait and outcome.reason == NEEDS_PASSKEY:
            ask_for_passkey(outcome, settings)
            outcome = session.settled(outcome.proposal)
    show_outcome(outcome, settings, action=verb)
