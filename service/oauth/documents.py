"""Clients that are known by their metadata document: the address of a document is the client's id.

A document is fetched when its client asks to connect, and kept for a day at most. The token endpoint never fetches:
who comes there was asked about minutes ago, or holds what the owner granted.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from urllib.parse import urlsplit

from authlib.oauth2.rfc6749 import OAuth2Error

from policies.errors import ClientDocumentRefused, RateLimited
from policies.parameters import Parameters
from policies.ports import Clock
from policies.terms import Instant
from service.counting import Counting
from service.oauth.asking import json_object
from service.oauth.client_metadata import checked
from service.oauth.fetching import Fetched
from service.stores.protocol import Client, OAuthStore

log = logging.getLogger("mnemo.oauth")

Fetch = Callable[[str], Fetched]

_AT_ONCE = 16
"""Of all hosts together: fewer than the threads that serve requests."""
_AT_ONCE_OF_HOST = 2
_SECOND_US = 1_000_000
_BETWEEN_US = 60 * _SECOND_US
"""What may pass between seeing to a client here and looking it up, so that it is still known long enough then."""


class Documents:
    """Keeps the clients of metadata documents in the store."""

    def __init__(
        self, store: OAuthStore, clock: Clock, counting: Counting, parameters: Parameters, fetch: Fetch
    ) -> None:
        self._store = store
        self._clock = clock
        self._counting = counting
        self._parameters = parameters
        self._fetch = fetch
        self._under_way: Counter[str] = Counter()
        self._lock = threading.Lock()

    def refresh(self, client_id: str, address: str) -> None:
        """See to it that the store has the document's client as it is now.

        Args:
            client_id: the address of the document.
            address: who asks, to be counted.

        Raises:
            ClientDocumentRefused: it cannot be fetched in time, or is not as it must be.
            RateLimited: too many were fetched for the same caller, or for everybody.
        """
        bounds = self._parameters.connecting
        needed_us = bounds.pending_us + _BETWEEN_US
        kept = self._store.client(client_id)
        known_until = None if kept is None else kept.expires_at
        if known_until is not None and known_until > self._clock.now() + needed_us:
            return
        self._counting.take(
            "documents", address, bounds.documents_per_minute, bounds.documents_of_all_per_minute
        )
        fetched = self._fetched(client_id)
        document = json_object(fetched.body)
        if document is None or document.get("client_id") != client_id or "client_secret" in document:
            raise ClientDocumentRefused("what it says of itself")
        try:
            metadata = checked(document, self._parameters)
        except OAuth2Error as error:
            raise ClientDocumentRefused(str(error.error)) from error
        allowed_s = bounds.document_seconds if fetched.keep_seconds is None else fetched.keep_seconds
        keep_us = max(min(allowed_s, bounds.document_seconds) * _SECOND_US, needed_us)
        now = self._clock.now()
        self._store.put_client(
            Client(
                id=client_id,
                name=metadata.name,
                redirect_uris=metadata.redirect_uris,
                created_at=now if kept is None else kept.created_at,
                expires_at=Instant(now + keep_us),
                # Whatever method it prefers: a secret it cannot have, and ``none`` is what is offered to it.
                auth_method="none",
                metadata=metadata.others,
            )
        )

    def _fetched(self, client_id: str) -> Fetched:
        """Within the time allowed, whatever server and resolver do."""
        begun: Future[Fetched] = Future()

        def fetch() -> None:
            try:
                begun.set_result(self._fetch(client_id))
            except BaseException as fault:  # noqa: BLE001  (raised again where it is waited for)
                begun.set_exception(fault)

        with self._place(urlsplit(client_id).hostname or ""):
            # A thread for each: a resolver that hangs ends with its own limit, and meanwhile holds nobody's place.
            # They are few, since every fetch is counted before.
            threading.Thread(target=fetch, name="document", daemon=True).start()
            try:
                return begun.result(self._parameters.connecting.document_timeout_seconds)
            except TimeoutError as fault:
                raise ClientDocumentRefused("too slow") from fault
            except ClientDocumentRefused as error:
                log.info("a client's metadata document was refused: %s", error)
                raise

    @contextmanager
    def _place(self, host: str) -> Generator[None]:
        """A place among those that fetch now.

        Raises:
            RateLimited: there is none: too many fetch from the same host, or altogether.
        """
        with self._lock:
            if self._under_way[host] >= _AT_ONCE_OF_HOST or self._under_way.total() >= _AT_ONCE:
                raise RateLimited(retry_after_s=self._parameters.connecting.document_timeout_seconds)
            self._under_way[host] += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way[host] -= 1
                self._under_way += Counter()  # forgets the hosts that have none left
