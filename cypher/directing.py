"""Submitting the owner's directives: checked, drafted, proved, put into the inbox; and what became of them.

What the command line and the console share. Deciding is the curator's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from zoneinfo import ZoneInfo

from cypher.inbox import Inbox
from cypher.reader import Reader
from policies import moments
from policies.directives import Verb, covered, prove, validated
from policies.lifecycle import InboxState
from policies.ports import Clock, IdFactory
from policies.terms import OutcomeRecord, Proposal, ProposalId

DATES = {
    "valid_from": moments.parse_start,
    "valid_to": moments.parse_end,
    "effective": moments.parse_turn,
    "from": moments.parse_turn,
}
"""The arguments of directives that are dates, and how each is read."""
PAGE = 200
"""Most directives looked for at once."""


class Directing:
    """The owner's way into the inbox of one store. May be shared by threads."""

    def __init__(
        self,
        inbox: Inbox,
        reader: Reader,
        *,
        key: bytes,
        clock: Clock,
        ids: IdFactory,
        zone: ZoneInfo,
        language: str,
    ) -> None:
        """Submit into ``inbox``, with proofs by the home's ``owner`` key; dates are read in ``zone``."""
        self._inbox = inbox
        self._reader = reader
        self._key = key
        self._clock = clock
        self._ids = ids
        self._zone = zone
        self._language = language

    def checked(self, verb: Verb, payload: Mapping[str, object]) -> dict[str, object]:
        """The payload, whole, with dates that can be read.

        Raises:
            MnemoError: of category ``incorrect``: it is not (see ``policies.directives.validated``).
        """
        given = validated(verb, payload)
        for name, read in DATES.items():
            if name in given:
                read(str(given[name]), self._zone, field=name)
        return given

    def submit(self, verb: Verb, payload: dict[str, object]) -> ProposalId:
        """Put a directive with a checked payload into the inbox; once it returns, it is safe on disk."""
        draft = Proposal(
            id=ProposalId(self._ids.new("prop")),
            action=verb.value,
            payload=payload,
            submitted_at=self._clock.now(),
            grant=None,
            language=self._language,
        )
        proof = prove(self._key, draft)
        digest = hashlib.sha256(covered(draft)).hexdigest()
        return self._inbox.submit(replace(draft, proof=proof), key=None, digest=digest)

    def decided(self, submitted: Collection[ProposalId]) -> dict[ProposalId, OutcomeRecord]:
        """The outcomes of those that are decided by now, and whose effect every reader sees.

        One that met an error and is retried is not decided.
        """
        views = self._inbox.view(ids=list(submitted)[:PAGE], limit=PAGE)
        recorded = [view for view in views if view.outcome_seq and view.state is not InboxState.RETRYING]
        # Only then: what is recorded is published a moment later, and whoever asked looks at once.
        published = self._reader.head().seq if recorded else 0
        return {
            view.proposal.id: view.outcome
            for view in recorded
            if view.outcome is not None and (view.outcome_seq or 0) <= published
        }
