"""What the pages of one store's console may use, and how it submits what the owner decides."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from cypher.browsing import Browsing
from cypher.directing import Directing
from cypher.inbox import Inbox
from cypher.keys import read_key
from cypher.reader import Reader
from cypher.service_log import ServiceLog
from cypher.settings import Settings
from policies.directives import Verb
from policies.parameters import Parameters
from policies.ports import Clock, IdFactory
from policies.terms import OutcomeRecord, ProposalId
from service.addresses import Addresses
from service.console.proofs import Proofs
from service.console.sessions import Sessions
from service.console.signing import Signing
from service.console.tallying import Tally
from service.grants import Grants
from service.ledger import Ledger
from service.oauth.consent import Consent
from service.reading import Reading
from service.stores.protocol import Store

DECIDED_S_MAX = 6.0
"""How long a page waits for the curator; what was submitted stays in the inbox."""
_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class House:
    """One store's, as its web process holds it. Sign-in works before the ledger is open; the rest waits for it."""

    settings: Settings
    parameters: Parameters
    clock: Clock
    ids: IdFactory
    addresses: Addresses
    store: Store
    ledger: Ledger
    grants: Grants
    sessions: Sessions
    signing: Signing
    proofs: Proofs
    consent: Consent
    tally: Tally
    """What each scope would show."""

    @property
    def reader(self) -> Reader:
        """The ledger, to be read."""
        return self.ledger.current().reader

    @property
    def browsing(self) -> Browsing:
        """The way through the memories, page by page."""
        return self.ledger.current().browsing

    @property
    def inbox(self) -> Inbox:
        """Proposals, reviews, runs."""
        return self.ledger.current().inbox

    @property
    def service_log(self) -> ServiceLog:
        """Who read what."""
        return self.ledger.current().service_log

    @property
    def reading(self) -> Reading:
        """Recall, profile and path, in any view."""
        return self.ledger.current().reading

    def direct(
        self, verb: Verb, payload: Mapping[str, object], language: str
    ) -> tuple[ProposalId, OutcomeRecord | None]:
        """Submit a directive and wait a few seconds for what becomes of it; None: it is still in the inbox.

        Raises:
            MnemoError: of category ``incorrect``: the payload is not whole. Nothing was submitted.
        """
        directing = Directing(
            self.inbox,
            self.reader,
            key=read_key(self.settings.keys_dir, "owner"),
            clock=self.clock,
            ids=self.ids,
            zone=self.settings.zone,
            language=language,
        )
        submitted = directing.submit(verb, directing.checked(verb, payload))
        deadline = time.monotonic() + DECIDED_S_MAX
        while time.monotonic() < deadline:
            decided = directing.decided([submitted])
            if decided:
                return submitted, decided[submitted]
            time.sleep(_POLL_S)
        return submitted, None
