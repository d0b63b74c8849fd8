"""The owner signs in again, because what they ask for wants it or their session is over, and finds the form filled in.

What was typed is kept on the server meanwhile, under a secret that only the address to come back to holds, and sealed
by it. A link cannot fill such a form in: only a page that the owner was shown put it there.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlencode, urlsplit

from cryptography.fernet import Fernet
from starlette.datastructures import FormData
from starlette.responses import Response

from policies.terms import Instant
from service.console.visit import Visit
from service.secrets import digest, new_secret

KEPT_US = 10 * 60_000_000
KEPT = "kept"
"""The parameter of the query that names what was kept when something wanted a fresh sign-in."""
TYPED = "typed"
"""The same, when a session was over."""
_VALUE_CHARACTERS = 200
_VALUES_MAX = 100


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen in a form, by field."""

    values: Mapping[str, Sequence[str]]

    def one(self, field: str) -> str:
        """The value of a field; empty when it has none."""
        given = self.every(field)
        return given[0] if given else ""

    def every(self, field: str) -> Sequence[str]:
        """All values of a field that may be given several times."""
        return self.values.get(field, ())


def posted(visit: Visit, fields: Sequence[str]) -> Chosen:
    """What the form of this visit says."""
    return Chosen({field: visit.fields(field)[:_VALUES_MAX] for field in fields})


def sign_in_first(visit: Visit, path: str, chosen: Chosen | None = None) -> Response:
    """Ask for a fresh sign-in, and come back to ``path`` with what was chosen, if anything was."""
    if chosen is None:
        return visit.to("/sign-in", fresh="1", next=path)
    values = {field: [value[:_VALUE_CHARACTERS] for value in given] for field, given in chosen.values.items()}
    return visit.to("/sign-in", fresh="1", next=_keep(visit, KEPT, path, values))


def kept(visit: Visit) -> Chosen | None:
    """What was chosen before the sign-in that this visit comes from, told once; None: it comes from none."""
    values = _recalled(visit, KEPT)
    return None if values is None else Chosen(values)


def sign_in_again(visit: Visit) -> Response:
    """Ask for a sign-in where a session is over, and come back to the page with all that was typed into it."""
    typed = {field: visit.fields(field) for field in visit.form if field != "form_token"}
    return visit.to("/sign-in", next=_keep(visit, TYPED, visit.request.url.path, typed))


def typed(visit: Visit) -> FormData | None:
    """What was typed before a session was over, told once; None: nothing was."""
    values = _recalled(visit, TYPED)
    if values is None:
        return None
    return FormData([(field, value) for field, given in values.items() for value in given])


def holds_typed(path: str) -> bool:
    """Whether a path leads to a page with what was typed before a session was over."""
    return f"{TYPED}=" in urlsplit(path).query


def _keep(visit: Visit, parameter: str, path: str, values: Mapping[str, Sequence[str]]) -> str:
    """Keep values for a page; its address, by which they are found again."""
    secret = new_secret()
    sealed = _seal(secret).encrypt(json.dumps(values).encode()).decode()
    until = Instant(visit.house.clock.now() + KEPT_US)
    visit.house.store.console.remember(_key(path, secret), sealed, until)
    return f"{path}?{urlencode({parameter: secret})}"


def _recalled(visit: Visit, parameter: str) -> dict[str, list[str]] | None:
    secret = visit.query(parameter)
    if not secret:
        return None
    key = _key(visit.request.url.path, secret)
    sealed = visit.house.store.console.recall(key, visit.house.clock.now())
    return None if sealed is None else json.loads(_seal(secret).decrypt(sealed.encode()))


def _key(path: str, secret: str) -> str:
    return digest(f"{path} {secret}")


def _seal(secret: str) -> Fernet:
    """What the store alone, or a copy of it, cannot open: what is typed may be a memory."""
    return Fernet(urlsafe_b64encode(sha256(f"what was typed {secret}".encode()).digest()))
