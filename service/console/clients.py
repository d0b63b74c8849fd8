"""How a client is shown: what it says of itself is made harmless to read, and told apart from what is known.

A name is escaped by the templates like everything else. Here it loses what could make it read as something that
it is not: characters that draw nothing or turn the direction of the text, heaps of accents, length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from policies.folding import fold
from policies.terms import Grant
from service.stores.protocol import Client, OAuthStore

NAME_CHARACTERS = 60
_ACCENTS_MAX = 2
_UNDRAWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "COPTIC", "CHEROKEE"})
"""Alphabets that have letters of the same look."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A client as a page shows it."""

    name: str
    """What it calls itself, made harmless; empty when it gave no name that can be read."""
    host: str | None
    """Whose metadata document names it: the one thing about it that was verified."""


def shown_name(name: str) -> str:
    """What a client calls itself, on one line, without what draws nothing, cut to a length.

    Args:
        name: as the client gave it.
    """
    kept: list[str] = []
    accents = 0
    for character in unicodedata.normalize("NFC", name[: NAME_CHARACTERS * 20]):
        category = unicodedata.category(character)
        accents = accents + 1 if category in ("Mn", "Me") else 0
        if category in _UNDRAWN or accents > _ACCENTS_MAX:
            kept.append(" " if category in ("Cc", "Zl", "Zp") else "")
        else:
            kept.append(character)
    plain = " ".join("".join(kept).split())
    return plain if len(plain) <= NAME_CHARACTERS else plain[: NAME_CHARACTERS - 1].rstrip() + "…"


def mixes_alphabets(name: str) -> bool:
    """Whether a word of the name has letters of several alphabets that look alike (UTS 39, mixed scripts)."""
    return any(len(_alphabets(word)) > 1 for word in name.split())


def is_alike(name: str, other: str) -> bool:
    """Whether two names look the same to a person in a hurry."""
    return bool(fold(name)) and fold(name) == fold(other)


def shown(client: Client) -> Shown:
    """A client as a page shows it."""
    host = urlsplit(client.id).netloc if client.registration_token is None else None
    return Shown(shown_name(client.name), host)


def by_grant(grants: Iterable[Grant], clients: OAuthStore) -> Mapping[str, Shown]:
    """What is known of the client of each grant, by the client's id. One that was forgotten has no entry."""
    found = clients.clients_of({grant.client for grant in grants})
    return {client.id: shown(client) for client in found.values()}


def _alphabets(word: str) -> frozenset[str]:
    names = (unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha())
    return _ALIKE.intersection(names)
