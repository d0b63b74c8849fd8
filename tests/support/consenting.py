"""The owner at a browser, answering a client that asks to connect: what a script does where a person would."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx2

from tests.support.console import PASSPHRASE, Served


def agreed(served: Served, asked: str) -> str:
    """Open what a client sent the browser to, sign in and say yes.

    Returns:
        Where the browser is sent then: the client's callback, with the answer.
    """
    with served.browser() as browser:
        page = browser.get(asked)
        if urlsplit(page.url).path == "/sign-in":
            page = browser.send(page, "/sign-in", passphrase=PASSPHRASE)
        answer = browser.sent(page, urlsplit(page.url).path, answer="allow")
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def connected(served: Served, asked: str) -> None:
    """The same, and the browser goes there: the client, which listens, has its answer."""
    httpx2.get(agreed(served, asked), trust_env=False, timeout=30).raise_for_status()
