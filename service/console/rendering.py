"""Pages from templates: every value escaped, every string from the catalogue, every header that guards a page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

_FOLDER = Path(__file__).with_name("templates")


def rendered(template: str, status: int, values: Mapping[str, object]) -> Response:
    """A page with its headers. ``form_action`` among the values adds a source that forms may lead to."""
    body = _environment().get_template(template).render(values)
    return HTMLResponse(body, status, headers=page_headers(str(values.get("form_action", ""))))


def hidden_field(name: str, value: str) -> Markup:
    """A field of a form that nobody sees."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(name, value)


def page_headers(form_action: str = "") -> dict[str, str]:
    """What every page is sent with.

    A form's answer may redirect only where ``form-action`` allows (Chromium checks redirects too), so that the
    consent page names the client's address there.
    """
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        f"form-action 'self'{' ' + form_action if form_action else ''}; base-uri 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cache-Control": "no-store",
        "Vary": "Cookie, Accept-Language",
    }


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
