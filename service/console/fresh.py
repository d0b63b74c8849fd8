"""What asks for a fresh sign-in: the owner signs in again and finds the form as it was filled in.

What was chosen is kept on the server meanwhile, under a secret. A link cannot fill such a form in: only the owner's
own session put it there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from policies.terms import Instant
from service.console.visit import Visit
from service.secrets import digest, new_secret

KEPT_US = 10 * 60_000_000
KEPT = "kept"
"""The parameter of the query that names what was kept."""
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
    secret = new_secret()
    values = {field: [value[:_VALUE_CHARACTERS] for value in given] for field, given in chosen.values.items()}
    until = Instant(visit.house.clock.now() + KEPT_US)
    visit.house.store.console.remember(_key(path, secret), json.dumps(values), until)
    return visit.to("/sign-in", fresh="1", next=f"{path}?{urlencode({KEPT: secret})}")


def kept(visit: Visit) -> Chosen | None:
    """What was chosen before the sign-in that this visit comes from, told once; None: it comes from none."""
    secret = visit.query(KEPT)
    if not secret:
        return None
    key = _key(visit.request.url.path, secret)
    values = visit.house.store.console.recall(key, visit.house.clock.now())
    return None if values is None else Chosen(json.loads(values))


def _key(path: str, secret: str) -> str:
    return digest(f"{path} {secret}")
