"""One request as a page sees it, and the answers that a page may give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode, urlsplit

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from policies.directives import Verb
from policies.reasons import NEEDS_PASSKEY
from policies.terms import Outcome, OutcomeRecord
from service.console.house import House
from service.console.reasons import told_reason
from service.console.rendering import hidden_field, rendered
from service.console.signing import Guesser
from service.console.strings import Strings
from service.proxies import client_address
from service.secrets import digest
from service.stores.protocol import Session

RECORDED = "{memory}"
"""In a path to go to: the id of the memory that will have been recorded."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of the owner's browser, its form read and its session known. Pages are functions of it."""

    house: House
    request: Request
    form: FormData
    """Empty but for a POST, or for a page shown again because what was posted was refused."""
    secret: str
    """What the visitor's cookie holds."""
    session: Session | None
    t: Strings
    failure: Mapping[str, object] | None = None
    """Why what was posted was refused, when the page is shown again: as ``service.failures.told`` says it."""

    @property
    def language(self) -> str:
        """Of the page."""
        return self.t.language

    @property
    def guesser(self) -> Guesser:
        """Whom a wrong passphrase counts against."""
        device = self.house.sessions.device(self.request)
        name = client_address(self.request.scope) if device is None else digest(device)
        return Guesser(name, device is not None)

    def path(self, name: str) -> str:
        """A parameter of the page's path."""
        return str(self.request.path_params[name])

    def query(self, name: str, default: str = "") -> str:
        """A parameter of the query."""
        return self.request.query_params.get(name, default)

    def field(self, name: str) -> str:
        """A field of the form, without the space around it; empty when it is absent."""
        value = self.form.get(name)
        return value.strip() if isinstance(value, str) else ""

    def fields(self, name: str) -> list[str]:
        """All the values of a field that may be given several times, the empty ones left out."""
        return [value for value in self.form.getlist(name) if isinstance(value, str) and value.strip()]

    def page(self, template: str, status: int = 200, **values: object) -> Response:
        """A page, from a template and what it shows, beside what every page does."""
        every = {
            "t": self.t,
            "language": self.language,
            "visit": self,
            "session": self.session,
            "failure": self.failure,
            "here": self.request.url.path,
            "whole": self._whole,
            "owner": self.house.settings.facts.owner,
            "form_token": self.form_token,
            "done": self.query("done"),
        }
        return rendered(template, status, {**every, **values})

    @property
    def _whole(self) -> str:
        """The path with its query: where the same page is shown again."""
        url = self.request.url
        return f"{url.path}?{url.query}" if url.query else url.path

    def form_token(self, path: str) -> str:
        """The hidden field that a form sent to ``path`` must carry."""
        return hidden_field("form_token", self.house.sessions.form_token(self.secret, path))

    def to(self, path: str, **query: str) -> Response:
        """Send the browser to a page of the console, after a form (RFC 9110 section 15.4.4: always by GET).

        ``done`` is a key of the strings in ``done.toml``: what the next page says was done.
        """
        joint = "&" if "?" in path else "?"
        where = f"{path}{joint}{urlencode(query)}" if query else path
        return RedirectResponse(where, 303)

    @property
    def is_fresh(self) -> bool:
        """Whether the owner signed in a moment ago, as what weighs much asks for."""
        return self.session is not None and self.house.sessions.is_fresh(self.session)

    def direct(self, verb: Verb, payload: Mapping[str, object], *, then: str, done: str) -> Response:
        """Submit a directive and send the owner to what comes of it.

        Args:
            verb: of the directive.
            payload: its arguments; what is None is absent.
            then: the page to go to once it is carried out; ``{memory}`` in it stands for what was recorded.
            done: the key in ``done.toml`` of what that page then says.

        Returns:
            The way to ``then``; to the page that asks for the passkey; to the arbitration that it became; or to
            the directive itself, if the curator has not taken it up yet.

        Raises:
            Refused: it was not carried out; says why.
            MnemoError: of category ``incorrect``: the payload is not whole.
        """
        submitted, outcome = self.house.direct(verb, payload, self.language)
        if outcome is None:
            return self.to(f"/proposals/{submitted}", done="waiting")
        if outcome.outcome in (Outcome.COMMITTED, Outcome.DUPLICATE):
            then = then.replace(RECORDED, outcome.memories[-1]) if outcome.memories else then
            return self.to(then, done=done if outcome.outcome is Outcome.COMMITTED else "duplicate")
        if outcome.reason == NEEDS_PASSKEY:
            # What will be recorded has no id yet: the directive's own page tells it.
            return self.to(
                f"/confirm/{submitted}", next=f"/proposals/{submitted}" if RECORDED in then else then
            )
        if outcome.outcome is Outcome.NEEDS_OWNER:
            return self.to(f"/arbitrations/{submitted}", done="needs_ruling")
        raise Refused(told_reason(outcome.reason, self.t, outcome.details), outcome)


class Refused(Exception):
    """A directive that was not carried out, with the sentence that says why, in the owner's language."""

    def __init__(self, explanation: str, outcome: OutcomeRecord) -> None:
        super().__init__(outcome.reason)
        self.explanation = explanation
        self.outcome = outcome
        """What the curator made of it."""


def known_path(given: str, default: str = "/") -> str:
    """A path of the console to go on to: relative, of this host and nothing else; else the default."""
    try:
        parts = urlsplit(given)
    except ValueError:
        return default
    is_relative = not parts.scheme and not parts.netloc and parts.path.startswith("/")
    if not is_relative or given.startswith("//") or "\\" in given or any(c < " " for c in given):
        return default
    return quote(parts.path, safe="/:%._-~") + (f"?{parts.query}" if parts.query else "")
