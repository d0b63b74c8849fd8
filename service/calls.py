"""One call from end to end: who may, what is asked, the answer, its log entry; only then the answer leaves.

All that an assistant can reach goes through ``Calls.serve``: tools, resources, prompts and completions alike.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from zoneinfo import ZoneInfo

import anyio.to_thread

from cypher.inbox import Inbox
from cypher.reader import Reader
from cypher.schedule import Nightly
from cypher.service_log import ServiceLogEntry
from policies.entries import canonical
from policies.errors import GrantMode, MnemoError
from policies.parameters import Parameters
from policies.ports import Clock, IdFactory
from policies.terms import Grant, Instant, MemoryId, View
from service.audit_log import AuditLog
from service.cursors import Cursors
from service.grants import view_of
from service.ledger import Ledger
from service.metrics import Metrics
from service.reading import Reading

log = logging.getLogger("mnemo.calls")

Language = Literal["fr", "en"]


@dataclass(frozen=True, slots=True)
class House:
    """What every call needs and none changes."""

    ledger: Ledger
    cursors: Cursors
    clock: Clock
    ids: IdFactory
    parameters: Parameters
    zone: ZoneInfo
    handle: str
    """The owner's: what follows ``needs_``."""
    owner: str
    language: Language
    """The owner's: that of answers to a grant without its own."""
    nightly: Nightly
    """When the curator runs by itself."""
    address: str
    """Of the owner's console."""
    digest_key: bytes
    """Keys the digests of arguments, so that they cannot be guessed from the log."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call is answered."""

    structured: Mapping[str, Any]
    text: str
    """The same, readable."""
    served: tuple[str, ...] = ()
    """The ids of what was served, for the log."""
    verdict: str = "served"


@dataclass(frozen=True, slots=True)
class Call:
    """One call that is allowed and whose arguments are checked."""

    name: str
    grant: Grant
    view: View
    language: Language
    arguments: dict[str, Any]
    house: House

    @property
    def reading(self) -> Reading:
        """The reading side. Raises ``LedgerUnavailable`` while the engine does not answer."""
        return self.house.ledger.current().reading

    @property
    def inbox(self) -> Inbox:
        """Where proposals go. Raises ``LedgerUnavailable``."""
        return self.house.ledger.current().inbox

    @property
    def reader(self) -> Reader:
        """The ledger. What it gives must be checked against the view. Raises ``LedgerUnavailable``."""
        return self.house.ledger.current().reader

    def cursor_state(self) -> dict[str, Any] | None:
        """What the cursor among the arguments stands for; None without one. Raises ``CursorInvalid``."""
        cursor = self.arguments.get("cursor")
        if cursor is None:
            return None
        return self.house.cursors.read(cursor, self.grant.id, self.name, self.arguments)

    def next_cursor(self, state: Mapping[str, Any] | None) -> str | None:
        """The cursor of the page that ``state`` begins; None for no more pages."""
        if state is None:
            return None
        return self.house.cursors.make(state, self.grant.id, self.name, self.arguments)

    def in_language(self, *, fr: str, en: str) -> str:
        """The sentence in the caller's language."""
        return fr if self.language == "fr" else en


def keyed_digest(key: bytes, value: object) -> str:
    """A digest that says nothing without the key, hexadecimal."""
    return hmac.new(key, canonical(value).encode(), hashlib.sha256).hexdigest()


def check_mode(grant: Grant, *, reads: bool, proposes: bool) -> None:
    """Refuse what the owner did not allow this grant.

    Raises:
        GrantMode: it reads and may not, or proposes and may not.
    """
    if (reads and not grant.may_read) or (proposes and not grant.may_propose):
        raise GrantMode


class Calls:
    """Serves calls, each logged before its answer leaves."""

    def __init__(self, house: House, audit_log: AuditLog[ServiceLogEntry], metrics: Metrics) -> None:
        self.house = house
        self._audit_log = audit_log
        self._metrics = metrics

    def language_of(self, grant: Grant, asked: object = None) -> Language:
        """The language of an answer: asked for, else the grant's, else the owner's."""
        for language in (asked, grant.language):
            if language in ("fr", "en"):
                return language
        return self.house.language

    async def serve(
        self, name: str, grant: Grant, arguments: Mapping[str, object], work: Callable[[Call], Answer]
    ) -> Answer:
        """Do the work of one call and log it.

        Args:
            name: of the tool, or the method of what is no tool.
            grant: whose call it is.
            arguments: as they came, for the digest; the work checks them.
            work: makes the answer; run in a worker thread.

        Raises:
            MnemoError: what the work raised, or that the log cannot be written; nothing is served then.
        """
        started_ns = time.monotonic_ns()
        language = self.language_of(grant, arguments.get("lang"))
        call = Call(
            name,
            grant,
            view_of(grant, language, self.house.parameters),
            language,
            dict(arguments),
            self.house,
        )
        answer, error = await anyio.to_thread.run_sync(_done, work, call)
        duration_us = (time.monotonic_ns() - started_ns) // 1_000
        try:
            await self._audit_log.write(self._entry(call, answer, error, duration_us))
        except MnemoError as unwritten:
            answer, error = None, unwritten
        self._metrics.count_call(name, "ok" if error is None else error.code, duration_us)
        if answer is None:
            raise error or MnemoError()
        return answer

    def _entry(
        self, call: Call, answer: Answer | None, error: MnemoError | None, duration_us: int
    ) -> ServiceLogEntry:
        domains = call.view.domains
        served = () if answer is None else answer.served
        verdict = MnemoError.code if answer is None else answer.verdict
        return ServiceLogEntry(
            id=self.house.ids.new("log"),
            at=Instant(self.house.clock.now()),
            grant=call.grant.id,
            tool=call.name,
            view=canonical(
                {"level": call.view.level.name, "domains": None if domains is None else sorted(domains)}
            ),
            arguments=keyed_digest(self.house.digest_key, _digestible(call.arguments)),
            served=tuple(MemoryId(one) for one in served),
            verdict=verdict if error is None else error.code,
            duration_us=duration_us,
        )


def _done(work: Callable[[Call], Answer], call: Call) -> tuple[Answer | None, MnemoError | None]:
    try:
        return work(call), None
    except MnemoError as error:
        return None, error
    except Exception as fault:  # noqa: BLE001  (the root of a call: nothing of a fault may reach a client)
        # The message of an exception may quote a memory: only its type and place are logged.
        place = traceback.extract_tb(fault.__traceback__)[-1]
        log.error("%s: %s at %s:%s", call.name, type(fault).__name__, place.filename, place.lineno)  # noqa: TRY400
        return None, MnemoError()


def _digestible(arguments: Mapping[str, object]) -> str:
    # Unchecked arguments may hold what canonical JSON refuses: they are digested by their Python form.
    return repr(sorted(arguments.items())).encode("utf-8", "backslashreplace").decode()
