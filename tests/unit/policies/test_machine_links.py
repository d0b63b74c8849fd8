"""Machine links: only the machine's key makes one, and it ends."""

from __future__ import annotations

import pytest

from policies.errors import DirectiveRefused
from policies.machine_links import LinkPurpose, bind, mint_link, read_bound
from policies.terms import Instant
from tests.support.memories import at

KEY = b"m" * 32
TOKEN = mint_link(KEY, LinkPurpose.PASSKEY, "nonce", at(60))
PASSKEY = ("credential", "public-key")


def read(token: str, at_: Instant, *, key: bytes = KEY) -> str:
    """The nonce of a token that is bound to a passkey."""
    return read_bound(key, bind(token, *PASSKEY), *PASSKEY, at_)


def test_a_link_gives_its_nonce_until_it_expires() -> None:
    assert read(TOKEN, at(59)) == "nonce"
    with pytest.raises(DirectiveRefused):
        read(TOKEN, at(60))


def test_a_link_that_sets_up_enrols_a_first_passkey_too() -> None:
    assert read(mint_link(KEY, LinkPurpose.SETUP, "n", at(60)), at(0)) == "n"


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "é",
        "\ud800",
        TOKEN[:-1],
        TOKEN + "0",
        TOKEN.replace("nonce", "other"),
        TOKEN.replace(str(at(60)), str(at(600))),
        TOKEN.replace("passkey", "setup"),
        mint_link(b"o" * 32, LinkPurpose.PASSKEY, "nonce", at(60)),
    ],
)
def test_a_link_that_the_machine_did_not_make_is_refused(token: str) -> None:
    with pytest.raises(DirectiveRefused) as refused:
        read(token, at(0))
    assert refused.value.details["problem"] == "passkey.link"


@pytest.mark.parametrize(
    "passkey", [("thief", "public-key"), ("credential", "thiefs"), ("credential|public", "key")]
)
def test_a_link_bound_to_one_passkey_enrols_no_other(passkey: tuple[str, str]) -> None:
    bound = bind(TOKEN, *PASSKEY)
    assert TOKEN.rpartition(".")[2] not in bound, "the token is not in it"
    for tried in (bound, bind(bound, *passkey), TOKEN):
        with pytest.raises(DirectiveRefused) as refused:
            read_bound(KEY, tried, *passkey, at(0))
        assert refused.value.details["problem"] == "passkey.link"
