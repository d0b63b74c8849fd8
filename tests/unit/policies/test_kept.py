"""Kept decisions: what the graph gives back is taken only as the curator sealed it, for the same proposal."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from policies.kept import seal, unseal
from policies.terms import ProposalId

KEY, ONE, OTHER = b"m" * 32, ProposalId("prop:one"), ProposalId("prop:other")
DECISION = '{"a": "é"}'
KEPT = seal(KEY, ONE, DECISION)
BY_THE_KEY_ITSELF = hmac.new(KEY, f"{ONE}\n{DECISION}".encode(), hashlib.sha256).hexdigest()


def test_a_decision_comes_back_as_it_was_kept() -> None:
    assert unseal(KEY, ONE, KEPT) == DECISION


@pytest.mark.parametrize(
    ("proposal", "kept"),
    [
        (ONE, DECISION),
        (ONE, ""),
        (ONE, "\ud800 é"),
        (ONE, KEPT + " "),
        (ONE, KEPT.replace("é", "e")),
        (OTHER, KEPT),
        (ONE, seal(b"o" * 32, ONE, DECISION)),
        (ONE, f"{BY_THE_KEY_ITSELF} {DECISION}"),
    ],
)
def test_what_was_not_kept_so_is_none(proposal: ProposalId, kept: str) -> None:
    assert unseal(KEY, proposal, kept) is None
