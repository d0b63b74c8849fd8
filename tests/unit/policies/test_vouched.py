"""The machine's word: no first passkey and no reset comes into the ledger without it, and each is given once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.decision import PasskeyChange, PasskeyOp
from policies.terms import ProposalId
from policies.vouched import vouch, without_word
from tests.support.memories import at

KEY = b"m" * 32
FIRST = PasskeyChange(PasskeyOp.ENROL, "laptop", public_key="k", name="laptop", rp_id="localhost", link="n1")
LATER = replace(FIRST, credential="phone", link=None)
RESET = PasskeyChange(PasskeyOp.RESET, proposal=ProposalId("prop:r"))
WITHDRAWN = PasskeyChange(PasskeyOp.WITHDRAW, "laptop")


def found(*changes: PasskeyChange) -> list[int]:
    return [seq for seq, _ in without_word(KEY, [(n, at(n), one) for n, one in enumerate(changes, start=1)])]


def test_what_the_machine_vouched_for_is_sound_and_later_passkeys_need_no_word() -> None:
    again = vouch(KEY, replace(FIRST, link="n2"))
    assert found(vouch(KEY, FIRST), LATER, WITHDRAWN, vouch(KEY, RESET), again) == []


@pytest.mark.parametrize(
    "change",
    [
        FIRST,
        vouch(b"o" * 32, FIRST),
        replace(vouch(KEY, FIRST), credential="thief"),
        replace(vouch(KEY, FIRST), public_key="thiefs"),
        replace(vouch(KEY, FIRST), link="n2"),
        replace(FIRST, word="\ud800"),
        replace(vouch(KEY, FIRST), op=PasskeyOp.RESET),
        RESET,
    ],
)
def test_what_the_machine_did_not_vouch_for_is_found(change: PasskeyChange) -> None:
    assert found(change) == [1]


def test_a_word_that_serves_again_is_found() -> None:
    reset = vouch(KEY, RESET)
    assert found(vouch(KEY, FIRST), reset, vouch(KEY, replace(FIRST, link="n2")), reset) == [4]


def test_an_entry_that_breaks_a_rule_changes_nothing() -> None:
    assert found(WITHDRAWN, vouch(KEY, FIRST)) == []
