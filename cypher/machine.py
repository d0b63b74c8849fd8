"""Proof that the owner is at this machine: links that only it can make, and its word that they begin anew.

For commands and the curator. The web process never imports this: whoever takes it over holds the ``owner`` key, and
must not be able to enrol a first passkey, nor to withdraw them all.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from cypher.keys import read_key
from policies.machine_links import LinkPurpose, mint_link
from policies.terms import Instant


def machine_key(keys_dir: Path) -> bytes:
    """The store's ``machine`` key.

    Raises:
        StoreInvalid: it is missing or damaged.
    """
    return read_key(keys_dir, "machine")


def new_link(keys_dir: Path, purpose: LinkPurpose, expires_at: Instant) -> str:
    """The token of a new machine link, to be kept by its digest (``service.secrets``) and shown once.

    Raises:
        StoreInvalid: the ``machine`` key is missing or damaged.
    """
    return mint_link(machine_key(keys_dir), purpose, secrets.token_urlsafe(16), expires_at)
