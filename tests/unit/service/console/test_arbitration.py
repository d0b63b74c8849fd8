"""Which answers an arbitration is offered: only such as can be carried out."""

from __future__ import annotations

import pytest

from cypher.inbox import ProposalView
from policies.directives import Ruling
from policies.lifecycle import InboxState
from policies.reasons import reason_codes
from policies.terms import GrantId, Outcome, OutcomeRecord, Proposal, ProposalId
from service.console.arbitration import Subject, offers, subject_of
from service.console.strings import catalogue
from tests.support.memories import at

PROPOSAL = ProposalId("prop:one")


def waiting(action: str, reason: str, **payload: object) -> ProposalView:
    proposal = Proposal(PROPOSAL, action, payload, at(0), GrantId("grant:a"))
    return ProposalView(
        proposal, InboxState.NEEDS_OWNER, OutcomeRecord(PROPOSAL, Outcome.NEEDS_OWNER, reason, at(1))
    )


def offered(view: ProposalView) -> list[str]:
    assert view.outcome is not None
    return [offer.key for offer in offers(view, subject_of(view.outcome))]


@pytest.mark.parametrize(
    ("view", "keys"),
    [
        (waiting("remember", "conflict"), ["stands", "replace", "then", "both", "drop"]),
        (waiting("correct", "authority.weaker"), ["stands", "replace", "then", "both", "drop"]),
        (
            waiting("correct", "failure.owner_only", change="succession"),
            ["stands", "as_proposed", "then", "both", "drop"],
        ),
        # The text tells itself since when: a date of the owner's would not be heard.
        (waiting("remember", "authority.weaker"), ["stands", "as_proposed", "both", "drop"]),
        (waiting("retract", "target.superseded"), ["spare", "take_back"]),
        (waiting("remember", "health.stated"), ["refuse"]),
        (waiting("declare", "directive.passkey"), []),
        (waiting("remember", "time.unsure"), ["keep", "refuse"]),
    ],
)
def test_what_cannot_be_carried_out_is_not_offered(view: ProposalView, keys: list[str]) -> None:
    assert offered(view) == keys


@pytest.mark.parametrize("reason", sorted(reason_codes()))
def test_whatever_waits_can_be_refused_but_what_waits_for_a_passkey(reason: str) -> None:
    view = waiting("remember", reason)
    assert view.outcome is not None
    found = offers(view, subject_of(view.outcome))
    refusing = {Ruling.REJECT, Ruling.KEEP_OLD}
    if subject_of(view.outcome) is not Subject.PASSKEY:
        assert refusing & {offer.ruling for offer in found}


def test_every_subject_and_offer_is_told_in_words() -> None:
    keys = catalogue()["en"].keys()
    for subject in Subject:
        assert f"arbitrations.about.{subject}" in keys
        assert subject is Subject.PASSKEY or {
            f"arbitrations.title.{subject}",
            f"arbitrations.means.{subject}",
        } <= set(keys)
        for offer in offers(waiting("correct", "conflict"), subject):
            assert {f"arbitrations.offer.{offer.key}", f"arbitrations.does.{offer.key}"} <= set(keys)
