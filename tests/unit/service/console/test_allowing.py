"""What a form allows a tool, and what counts as allowing more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.errors import InvalidArgument
from policies.parameters import parameters
from policies.terms import Grant, GrantId, Instant, Level
from service.console.allowing import Allowance, allowance, days, is_wider, mode_of
from service.console.fresh import Chosen

END = Instant(1_000)
GRANT = Grant(
    GrantId("grant:x"), "Claude", "assistant-standard", Level.S1, domains=("work", "food"), may_propose=False,
    expires_at=END,
)  # fmt: skip
SAME = Allowance("Claude", "assistant-standard", ("food", "work"), "read")


@pytest.mark.parametrize(
    ("wanted", "until"),
    [
        (SAME, END),
        (replace(SAME, name="Other"), END),
        (replace(SAME, scope="third-party"), END),
        (replace(SAME, domains=("work",)), END),
        (SAME, Instant(999)),
    ],
    ids=str,
)
def test_less_or_as_much_is_no_wider(wanted: Allowance, until: Instant | None) -> None:
    assert not is_wider(GRANT, wanted, until, parameters())


@pytest.mark.parametrize(
    ("wanted", "until"),
    [
        (replace(SAME, scope="work-context"), END),
        (replace(SAME, scope="private-full"), END),
        (replace(SAME, domains=None), END),
        (replace(SAME, domains=("work", "health")), END),
        (replace(SAME, domains=("health",)), END),
        (replace(SAME, mode="both"), END),
        (replace(SAME, mode="propose"), END),
        (SAME, Instant(1_001)),
        (SAME, None),
    ],
    ids=str,
)
def test_anything_that_was_not_allowed_before_is_wider(wanted: Allowance, until: Instant | None) -> None:
    assert is_wider(GRANT, wanted, until, parameters())


def test_a_scope_of_the_same_level_that_looks_back_is_wider() -> None:
    known = parameters()
    backward = replace(known.scopes["assistant-standard"], name="archivist", history=True)
    widened = replace(known, scopes={**known.scopes, "archivist": backward})
    assert is_wider(GRANT, replace(SAME, scope="archivist"), END, widened)
    assert not is_wider(replace(GRANT, scope="archivist"), replace(SAME, scope="archivist"), END, widened)


def test_what_has_no_limit_cannot_be_wider() -> None:
    free = Grant(GrantId("grant:y"), "Free", "private-full", Level.S3)
    assert not is_wider(free, Allowance("Free", "private-full", None, "both"), None, parameters())
    assert mode_of(free) == "both"
    assert mode_of(replace(free, may_propose=False)) == "read"
    assert mode_of(replace(free, may_read=False)) == "propose"


def chosen(**values: str) -> Chosen:
    given = {"name": " A  tool ", "scope": "third-party", "limit": "all", "mode": "both", **values}
    return Chosen({field: [value] for field, value in given.items() if value})


def allowed(form: Chosen) -> Allowance:
    return allowance(form, parameters())


def test_a_form_is_read_as_it_is_meant() -> None:
    assert allowed(chosen()) == Allowance("A tool", "third-party", None, "both")
    assert allowed(chosen(domains="work")).domains is None, "ticks count only where the limit is chosen"
    assert allowed(chosen(limit="some", domains="work", mode="propose")) == Allowance(
        "A tool", "third-party", ("work",), "propose"
    )


@pytest.mark.parametrize(
    "wrong",
    [{"scope": "everything"}, {"limit": "some"}, {"limit": ""}, {"mode": ""}, {"mode": "write"}],
    ids=str,
)
def test_a_form_that_says_nothing_clear_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InvalidArgument):
        allowed(chosen(**wrong))


def test_days_are_a_number_or_no_end() -> None:
    assert days(chosen()) is None
    assert days(chosen(days="30")) == 30
    for wrong in ("x", "-1", "1.5", "٣", "9" * 40):
        with pytest.raises(InvalidArgument):
            days(chosen(days=wrong))
