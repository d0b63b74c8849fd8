"""Redaction is steady: twice is once, and only what is announced or well-formed is touched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from policies.redaction import redact

_pieces = st.sampled_from(
    [
        "password",
        "mot de passe",
        " is ",
        " est ",
        " : ",
        "=",
        '"',
        "hunter2",
        "PIN",
        "1234",
        "api key",
        "4242 4242 4242 4242",
        "FR76 3000 6000 0112 3456 7890 189",
        "Bearer abcdefghij0123456789",
        "https://me:secret@host",
        "[redacted:password]",
        "Paul ",
        " ",
        ", ",
        "the wifi ",
    ]
)


@given(st.lists(_pieces, max_size=12).map("".join))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text


@given(st.text(max_size=200))
def test_what_is_not_redacted_stays_as_it_is(text: str) -> None:
    found = redact(text)
    assert (found.text == text) == (found.kinds == ())


@given(st.integers(0, 10**12 - 1))
def test_no_number_alone_of_up_to_twelve_digits_is_a_secret(number: int) -> None:
    assert redact(f"The invoice {number} is paid").kinds == ()
