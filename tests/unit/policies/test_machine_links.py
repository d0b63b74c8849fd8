"""Machine links: only the machine's key makes one, and it ends."""

from __future__ import annotations

import pytest

from policies.errors import DirectiveRefused
from policies.machine_links import LinkPurpose, mint_link, read_link
from tests.support.memories import at

KEY = b"m" * 32
TOKEN = mint_link(KEY, LinkPurpose.PASSKEY, "nonce", at(60))


def test_a_link_gives_its_nonce_until_it_expires() -> None:
    assert read_link(KEY, TOKEN, at(59)) == "nonce"
    with pytest.raises(DirectiveRefused):
        read_link(KEY, TOKEN, at(60))


def test_a_link_that_sets_up_enrols_a_first_passkey_too() -> None:
    assert read_link(KEY, mint_link(KEY, LinkPurpose.SETUP, "n", at(60)), at(0)) == "n"


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
        read_link(KEY, token, at(0))
    assert refused.value.details["problem"] == "passkey.link"
