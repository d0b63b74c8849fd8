from __future__ import annotations

import pytest

from policies.terms import Grant, GrantId, Level
from service.grants import NAME
from service.oauth.consent import free_name


def living(*names: str) -> list[Grant]:
    return [Grant(GrantId(f"grant:{name}"), name, "third-party", Level.S0) for name in names]


@pytest.mark.parametrize(
    ("wanted", "taken", "given"),
    [
        ("Claude", (), "Claude"),
        ("Claude", ("Claude",), "Claude 2"),
        ("Claude", ("Claude", "Claude 2", "Claude 4"), "Claude 3"),
        ("Claude Code (mnemo)", (), "Claude Code mnemo"),
        ("Éditeur d'œuvres", (), "Éditeur d œuvres"),
        ("  <b>x</b>  ", (), "b x b"),
        ("...hidden", (), "hidden"),
        ("cli", (), "cli 2"),
        ("\u202e\u200b", (), "assistant"),
        ("", ("assistant",), "assistant 2"),
        ("localhost:3118", (), "localhost:3118"),
        ("x" * 100, (), "x" * 60),
        ("x" * 100, ("x" * 60,), "x" * 56 + " 2"),
    ],
)
def test_a_name_is_suggested_that_is_like_the_clients_and_free(
    wanted: str, taken: tuple[str, ...], given: str
) -> None:
    assert free_name(wanted, living(*taken)) == given
    assert NAME.fullmatch(given)
