"""The overview: what waits for the owner, and what there is."""

from __future__ import annotations

from starlette.responses import Response

from service.console.site import Page
from service.console.visit import Visit


def home(visit: Visit) -> Response:
    """The overview."""
    return visit.page("home.html")


PAGES = (Page("/", get=home),)
