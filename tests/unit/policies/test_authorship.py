"""A MAC of the curator's is right for one purpose, one key and one text (G9)."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from policies.authorship import Purpose, is_authentic, mac

KEY = b"m" * 32
SAID = "é \ud800"
RIGHT = mac(KEY, Purpose.ENTRY, SAID)


def test_what_was_said_is_authentic() -> None:
    assert is_authentic(KEY, Purpose.ENTRY, SAID, RIGHT)


@pytest.mark.parametrize(
    ("key", "purpose", "said", "given"),
    [
        (b"o" * 32, Purpose.ENTRY, SAID, RIGHT),
        (KEY, Purpose.DECISION, SAID, RIGHT),
        (KEY, Purpose.LAST_ENTRY, SAID, RIGHT),
        (KEY, Purpose.ENTRY, "é", RIGHT),
        (KEY, Purpose.ENTRY, SAID, ""),
        (KEY, Purpose.ENTRY, SAID, "\ud800"),
        (KEY, Purpose.ENTRY, SAID, RIGHT.upper()),
        (
            KEY,
            Purpose.ENTRY,
            SAID,
            hmac.new(KEY, SAID.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest(),
        ),
    ],
)
def test_anything_else_is_not(key: bytes, purpose: Purpose, said: str, given: str) -> None:
    assert not is_authentic(key, purpose, said, given)
