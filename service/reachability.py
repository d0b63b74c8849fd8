"""Whether clients can reach the service at its public address, seen from this machine as a client sees it."""

from __future__ import annotations

import ssl
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import cast
from urllib.parse import urlsplit

import httpx2

from cypher.console_urls import console_address
from cypher.settings import Settings, is_loopback
from policies.errors import (
    AddressCertificate,
    AddressClock,
    AddressNotOurs,
    AddressRedirects,
    AddressStripsAuthorization,
    AddressUnanswered,
    ProxyUnknown,
)
from policies.ports import Clock
from service.addresses import Addresses, addresses_of

TIMEOUT_S = 5.0
SKEW_S_MAX = 60
FOUND_CHARACTERS_MAX = 200

WELL_KNOWN = "/.well-known/oauth-protected-resource"
_NO_TOKEN = "mnemo-doctor"  # noqa: S105  (not a token: that it is refused as one shows that it arrived)


class Reachability:
    """The public address of a service, put to the test."""

    def __init__(self, settings: Settings, clock: Clock, trust: ssl.SSLContext | None = None) -> None:
        """Look at the address of the settings; ``trust`` are the certificates trusted, None for the system's."""
        self._addresses: Addresses = addresses_of(replace(settings, public_url=console_address(settings)))
        self._is_told_of_proxies = bool(settings.trusted_proxies)
        self._clock = clock
        self._trust = trust or ssl.create_default_context()

    @property
    def is_of_this_machine(self) -> bool:
        """Whether nobody but this machine is meant to reach it: it may well not be served at the moment."""
        return is_loopback(urlsplit(self._addresses.public_url).hostname or "")

    def answers(self) -> None:
        """See that somebody answers.

        Raises:
            AddressUnanswered: nobody does.
            AddressCertificate: somebody does, whose certificate is not valid.
        """
        with self._client() as http:
            http.get("/healthz")

    def is_ours(self) -> None:
        """See that the resource's metadata is there, both where it is looked for, and names the very address.

        Raises:
            AddressNotOurs: it does not.
            AddressRedirects: the way there leads elsewhere.
        """
        resource = self._addresses.resource
        with self._client() as http:
            for path in (f"{WELL_KNOWN}/mcp", WELL_KNOWN):
                url = f"{self._addresses.public_url}{path}"
                answer = http.get(path)
                self._refuse_redirect(url, answer)
                found = _member(answer, "resource")
                if found != resource:
                    raise AddressNotOurs(url=url, found=_shown(found or f"HTTP {answer.status_code}"))

    def passes_calls(self) -> None:
        """See that a call arrives as it was sent, with its Authorization header.

        Raises:
            AddressRedirects: it is sent elsewhere.
            AddressStripsAuthorization: it arrives without the header, or something before asks for another.
            AddressNotOurs: something else answers.
        """
        resource = self._addresses.resource
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        headers = {
            "Authorization": f"Bearer {_NO_TOKEN}",
            "Accept": "application/json, text/event-stream",
        }
        with self._client() as http:
            answer = http.post("/mcp", json=ping, headers=headers)
        self._refuse_redirect(resource, answer)
        if answer.status_code == 429:
            return  # it arrived, with too many others
        if answer.status_code != 401:
            raise AddressNotOurs(url=resource, found=f"HTTP {answer.status_code}")
        if 'error="invalid_token"' not in answer.headers.get("www-authenticate", ""):
            raise AddressStripsAuthorization(url=resource)

    def keeps_time(self) -> None:
        """See that what answers tells the time that it is here.

        Raises:
            AddressClock: it does not.
        """
        with self._client() as http:
            told = http.get("/healthz").headers.get("date")
        try:
            there = parsedate_to_datetime(told or "").timestamp()
        except ValueError:
            return  # it tells none
        seconds = round(abs(self._clock.now() / 1_000_000 - there))
        if seconds > SKEW_S_MAX:
            raise AddressClock(url=self._addresses.public_url, seconds=seconds)

    def is_told_of_proxies(self) -> None:
        """See that the service knows what is before it: it serves no https itself, so something is.

        Raises:
            ProxyUnknown: it does not.
        """
        if not self._is_told_of_proxies:
            raise ProxyUnknown(url=self._addresses.public_url)

    def _refuse_redirect(self, url: str, answer: httpx2.Response) -> None:
        if answer.is_redirect:
            raise AddressRedirects(url=url, found=_shown(answer.headers.get("location", "")))

    @contextmanager
    def _client(self) -> Generator[httpx2.Client]:
        url = self._addresses.public_url
        try:
            with httpx2.Client(
                base_url=url, verify=self._trust, timeout=TIMEOUT_S, follow_redirects=False, trust_env=False
            ) as http:
                yield http
        except httpx2.HTTPError as fault:
            if _is_of_certificate(fault):
                raise AddressCertificate(url=url) from fault
            raise AddressUnanswered(url=url) from fault


def _member(answer: httpx2.Response, name: str) -> str | None:
    """A text of a JSON object; None when it is none."""
    try:
        found: object = answer.json() if answer.status_code == 200 else None
    except ValueError:
        return None
    value = cast("dict[str, object]", found).get(name) if isinstance(found, dict) else None
    return value if isinstance(value, str) else None


def _shown(found: str) -> str:
    """What another server said, bounded and without what a terminal would obey."""
    return "".join(c for c in found[:FOUND_CHARACTERS_MAX] if c.isprintable())


def _is_of_certificate(fault: BaseException) -> bool:
    """Whether a certificate is the cause, however deep the library hid it."""
    cause: BaseException | None = fault
    for _ in range(8):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = None if cause is None else cause.__cause__ or cause.__context__
    return "CERTIFICATE_VERIFY_FAILED" in str(fault)
