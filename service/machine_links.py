"""The one-time links that commands print: to set the console up, to begin anew, to enrol a first passkey.

Only this machine can make one (``cypher.machine``), and the web process does not import this.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from cypher.console_urls import console_address, passkey_url, setup_url
from cypher.machine import new_link
from cypher.settings import Settings
from policies.machine_links import LinkPurpose
from policies.moments import SECOND_US
from policies.ports import Clock
from policies.terms import Instant
from service.secrets import digest
from service.stores import open_store

SETUP_S = 24 * 3_600
PASSKEY_S = 3_600


@dataclass(frozen=True, slots=True)
class Link:
    """A link for the owner's eyes."""

    url: str
    expires_at: Instant


def first_run_link(settings: Settings, clock: Clock) -> Link | None:
    """The link by which the owner chooses a passphrase; None where they have one. It ends the links before it.

    Args:
        settings: of the store, with the port that it is served on.
        clock: tells when the link ends.

    Raises:
        StoreUnavailable: the store of sign-ins does not answer.
    """
    with closing(open_store(settings)) as store:
        if store.console.credential() is not None:
            return None
        token, expires_at = _token(settings, LinkPurpose.SETUP, clock, SETUP_S)
        store.console.put_link(digest(token), LinkPurpose.SETUP.value, expires_at)
    return Link(setup_url(settings.address, token), expires_at)


def reset_link(settings: Settings, clock: Clock) -> tuple[Link, int]:
    """Forget how the owner signs in, end all sessions; the link to choose anew, and how many sessions ended.

    Raises:
        StoreUnavailable: the store of sign-ins does not answer.
    """
    token, expires_at = _token(settings, LinkPurpose.SETUP, clock, SETUP_S)
    with closing(open_store(settings)) as store:
        ended = store.console.reset(digest(token), expires_at)
    return Link(setup_url(console_address(settings), token), expires_at), ended


def passkey_link(settings: Settings, clock: Clock) -> Link:
    """The link by which the owner, signed in, enrols a first passkey. The curator alone says whether it is good."""
    token, expires_at = _token(settings, LinkPurpose.PASSKEY, clock, PASSKEY_S)
    return Link(passkey_url(console_address(settings), token), expires_at)


def _token(settings: Settings, purpose: LinkPurpose, clock: Clock, seconds: int) -> tuple[str, Instant]:
    expires_at = Instant(clock.now() + seconds * SECOND_US)
    return new_link(settings.keys_dir, purpose, expires_at), expires_at
