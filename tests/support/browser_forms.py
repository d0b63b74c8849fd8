"""A browser without a screen: keeps cookies, reads forms as they are served, sends them filled."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from types import TracebackType
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx2

REDIRECTS_MAX = 5
ANSWER_S_MAX = 30.0


@dataclass(slots=True)
class Form:
    """A form as a page has it."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """What would be sent if nobody touched it, buttons aside."""
    data: dict[str, str] = field(default_factory=dict[str, str])
    """Its ``data-`` attributes."""
    buttons: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Name and value of each button that has a name."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that a browser shows."""

    url: str
    response: httpx2.Response
    forms: list[Form]
    text: str
    """What a person reads: white space made one."""
    links: list[str]

    @property
    def status(self) -> int:
        """Its HTTP status."""
        return self.response.status_code

    @property
    def html(self) -> str:
        """As it was sent."""
        return self.response.text

    def form(self, action: str, press: str = "") -> Form:
        """The first form that is sent to a path; with a button of a value, where one is given."""
        found = [form for form in self.forms if form.action == action]
        found = [form for form in found if not press or press in dict(form.buttons).values()]
        if not found:
            raise AssertionError(
                f"no form to {action} {press} among {[form.action for form in self.forms]}: {self.text}"
            )
        return found[0]


class Browser:
    """One browser; a context manager."""

    def __init__(self, base: str, language: str = "en") -> None:
        self.base = base
        self.http = httpx2.Client(
            base_url=base,
            trust_env=False,
            # A page waits for the curator, longer than the client does by default.
            timeout=ANSWER_S_MAX,
            headers={"Accept-Language": language, "Accept": "text/html"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.http.close()

    def get(self, path: str) -> Shown:
        """Open a page and follow where it leads on this host."""
        return self._followed(self.http.get(path))

    def send(self, page: Shown, action: str, press: str = "", /, **fields: str | list[str]) -> Shown:
        """Fill a form of a page and send it; ``fields`` win over what the page had filled in.

        ``press`` is the value of the button to send it with.
        """
        return self._followed(self.sent(page, action, press, **fields))

    def sent(
        self, page: Shown, action: str, press: str = "", /, **fields: str | list[str]
    ) -> httpx2.Response:
        """The same, without following the answer."""
        form = page.form(action, press)
        pressed = {name: [value] for name, value in form.buttons if value == press}
        given = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
        return self.http.post(urljoin(page.url, form.action), data={**form.fields, **pressed, **given})

    def sign_in(self, passphrase: str) -> Shown:
        """Sign in by passphrase."""
        return self.send(self.get("/sign-in"), "/sign-in", passphrase=passphrase)

    def _followed(self, response: httpx2.Response) -> Shown:
        for _ in range(REDIRECTS_MAX):
            where = urljoin(str(response.url), response.headers.get("location", ""))
            if not response.has_redirect_location or urlsplit(where).netloc != urlsplit(self.base).netloc:
                break
            response = self.http.get(where)
        return shown(response)


def shown(response: httpx2.Response) -> Shown:
    """A response, read as a page."""
    reader = _Reader()
    reader.feed(response.text)
    text = " ".join(" ".join(reader.words).split())
    return Shown(str(response.url), response, reader.forms, text, reader.links)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.words: list[str] = []
        self.links: list[str] = []
        self._form: Form | None = None
        self._select: str | None = None
        self._area: tuple[str, list[str]] | None = None
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag in ("script", "style", "title"):
            self._unread += 1
        elif tag == "a" and "href" in known:
            self.links.append(known["href"])
        elif tag == "form":
            data = {name[5:]: value for name, value in known.items() if name.startswith("data-")}
            self._form = Form(known.get("action", ""), data=data)
            self.forms.append(self._form)
        elif self._form is not None:
            self._field(tag, known)

    def _field(self, tag: str, known: dict[str, str]) -> None:
        form, name = self._form, known.get("name", "")
        if form is None:
            return
        if tag == "input" and name:
            is_choice = known.get("type") in ("checkbox", "radio")
            if not is_choice or "checked" in known:
                form.fields.setdefault(name, []).append(known.get("value", "on" if is_choice else ""))
        elif tag == "button" and name:
            form.buttons.append((name, known.get("value", "")))
        elif tag == "select" and name:
            self._select = name
        elif tag == "option" and self._select and ("selected" in known or self._select not in form.fields):
            form.fields[self._select] = [known.get("value", "")]
        elif tag == "textarea" and name:
            self._area = (name, [])

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "title"):
            self._unread -= 1
        elif tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea" and self._area is not None and self._form is not None:
            name, words = self._area
            self._form.fields[name] = ["".join(words).removeprefix("\n")]
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area[1].append(data)
        elif not self._unread:
            self.words.append(data)
