"""The console as routes: finds the session, guards every form, shows every error as a page.

A page's file lists its ``PAGES``; here each becomes a route. What a page raises is told on it: a form that was
refused is shown again with what was typed, so that nothing is lost.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import anyio.to_thread
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from policies.errors import DirectiveRefused, FormRefused, MnemoError, PageUnknown
from service.console import fresh
from service.console.house import House
from service.console.reasons import told_failure
from service.console.strings import LANGUAGES, Strings, preferred
from service.console.visit import Refused, Visit
from service.failures import http_status

LANGUAGE_COOKIE = "mnemo_lang"
_FIELDS_MAX = 300

log = logging.getLogger("mnemo.console")

View = Callable[[Visit], Response]


@dataclass(frozen=True, slots=True)
class Page:
    """One address of the console."""

    path: str
    get: View | None = None
    post: View | None = None
    is_open: bool = False
    """Whether it is for somebody who has not signed in."""
    keeps: bool = False
    """Whether what is typed there is kept while the owner signs in again: not what is a secret."""


class Site:
    """Serves the pages of one store's console."""

    def __init__(self, house: House) -> None:
        self._house = house

    def routes(self, pages: Sequence[Page]) -> list[Route]:
        """The routes of some pages."""
        return [self._route(page) for page in pages]

    async def unknown(self, request: Request, fault: Exception) -> Response:
        """What there is no page for (404), and what a page does not answer to (405)."""
        if isinstance(fault, HTTPException) and fault.status_code != 404:
            return Response(status_code=fault.status_code, headers=fault.headers)
        visit = self._visit(request)
        return await anyio.to_thread.run_sync(lambda: self._bound(visit, self._failed(visit, PageUnknown())))

    def failed(self, request: Request, error: MnemoError) -> Response:
        """An error as a page, for what is no page of the console but is seen by a person."""
        return self._failed(self._visit(request), error)

    def _route(self, page: Page) -> Route:
        async def serve(request: Request) -> Response:
            form = await _form(request) if request.method == "POST" else FormData()
            return await anyio.to_thread.run_sync(lambda: self._serve(page, self._visit(request, form)))

        methods = [name for name, view in (("GET", page.get), ("POST", page.post)) if view is not None]
        return Route(page.path, serve, methods=methods)

    def _visit(self, request: Request, form: FormData | None = None) -> Visit:
        house = self._house
        secret = house.sessions.secret_of(request)
        chosen = request.cookies.get(LANGUAGE_COOKIE)
        language = chosen if chosen in LANGUAGES else preferred(request.headers.get("accept-language", ""))
        return Visit(
            house=house,
            request=request,
            form=FormData() if form is None else form,
            secret=secret,
            session=None,
            t=Strings(language or house.settings.facts.lang, house.settings.zone),
        )

    def _serve(self, page: Page, visit: Visit) -> Response:
        """One request, in a worker thread."""
        try:
            visit = replace(visit, session=self._house.sessions.find(visit.secret))
            response = self._guarded(page, visit)
        except (MnemoError, Refused) as error:
            response = self._failed(visit, error)
        except Exception as fault:  # noqa: BLE001  (a root: nothing of a fault may reach the browser)
            # Its message may quote a memory: only what it is and where it happened is logged.
            frame = traceback.extract_tb(fault.__traceback__)[-1]
            place = f"{frame.filename}:{frame.lineno}"
            log.error("%s %s: %s at %s", visit.request.method, page.path, type(fault).__name__, place)  # noqa: TRY400
            response = self._failed(visit, MnemoError())
        return self._bound(visit, response)

    def _bound(self, visit: Visit, response: Response) -> Response:
        """A page with the cookie that its forms are bound to, for a visitor who does not have it."""
        held = visit.request.cookies.get(self._house.sessions.cookie)
        if held != visit.secret and not _sets_cookie(response, visit):
            self._house.sessions.keep(response, visit.secret)
        return response

    def _guarded(self, page: Page, visit: Visit) -> Response:
        if visit.session is None and not page.is_open:
            return self._sign_in_first(page, visit)
        if visit.request.method != "POST":
            return self._shown(page, visit)
        if not self._is_of_a_page(visit):
            raise FormRefused
        try:
            return _view(page.post)(visit)
        except (MnemoError, Refused) as error:
            is_ours = isinstance(error, MnemoError) and error.category in ("unavailable", "fault")
            if page.get is None or is_ours:
                raise
            again = replace(visit, failure=_failure(error, visit.t))
            response = page.get(again)
            response.status_code = _status(error)
            return response

    def _is_of_a_page(self, visit: Visit) -> bool:
        """Whether what was posted comes from a page that was shown to this visitor (RFC 9700: no forged request)."""
        sent = visit.form.get("form_token") or visit.request.headers.get("x-form-token", "")
        return self._house.sessions.is_form_token(visit.secret, visit.request.url.path, str(sent))

    def _shown(self, page: Page, visit: Visit) -> Response:
        """The page; with what was typed into it, if the owner comes back to it from a sign-in."""
        typed = fresh.typed(visit) if page.keeps else None
        if typed is not None:
            over = {"message": visit.t("signing.over"), "remedy": visit.t("signing.over_remedy")}
            visit = replace(visit, form=typed, failure=over)
        return _view(page.get)(visit)

    def _sign_in_first(self, page: Page, visit: Visit) -> Response:
        """To the sign-in, and from there back to where the visitor wanted to go."""
        if page.keeps and visit.request.method == "POST" and self._is_of_a_page(visit):
            return fresh.sign_in_again(visit)
        url = visit.request.url
        wanted = url.path + (f"?{url.query}" if url.query else "")
        query = {} if visit.request.method != "GET" or wanted == "/" else {"next": wanted}
        return RedirectResponse(f"/sign-in?{urlencode(query)}" if query else "/sign-in", 303)

    def _failed(self, visit: Visit, error: MnemoError | Refused) -> Response:
        """An error as a page."""
        failure = _failure(error, visit.t)
        response = visit.page("error.html", _status(error), problem=failure)
        if isinstance(error, MnemoError) and error.retry_after_s is not None:
            response.headers["Retry-After"] = str(error.retry_after_s)
        return response


async def _form(request: Request) -> FormData:
    """What was posted; empty for what is no form, is beyond all measure, or in no encoding of ours."""
    try:
        form = await request.form(max_files=0, max_fields=_FIELDS_MAX)
        for name, value in form.multi_items():
            f"{name}{value}".encode()
    except (HTTPException, LookupError, UnicodeError):
        return FormData()
    return form


def _view(view: View | None) -> View:
    if view is None:
        raise PageUnknown
    return view


def _status(error: MnemoError | Refused) -> int:
    return http_status(DirectiveRefused() if isinstance(error, Refused) else error)


def _failure(error: MnemoError | Refused, t: Strings) -> dict[str, object]:
    if not isinstance(error, Refused):
        return told_failure(error, t)
    said = {"message": error.explanation, "remedy": "", "outcome": error.outcome}
    return told_failure(DirectiveRefused(), t) | said


def _sets_cookie(response: Response, visit: Visit) -> bool:
    name = f"{visit.house.sessions.cookie}="
    return any(value.startswith(name) for value in response.headers.getlist("set-cookie"))
