from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from policies import submission
from policies.errors import (
    DomainUnknown,
    EntityUnknown,
    IntervalReversed,
    InvalidArgument,
    InvalidDate,
    MnemoError,
    NaiveDateTime,
    NothingSaid,
)
from policies.parameters import parameters
from policies.terms import Level
from tests.support.memories import registered, registry

PARIS = ZoneInfo("Europe/Paris")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"statement": "Tea."},
        {"statement": "42"},
        {"statement": "茶"},
        {"said_at": "2026-01-01", "effective": "2026-01", "domains": ["work", "health"]},
        {"valid_from": "2026-01", "valid_to": "2026-01"},
        {"valid_from": "0001", "valid_to": "9999-12-31"},
        {"valid_from": "2026-01-01T10:00:00Z", "valid_to": "2027"},
    ],
)
def test_what_a_careful_tool_says_passes(said: dict[str, Any]) -> None:
    submission.check(said, PARIS, parameters())


@pytest.mark.parametrize(
    ("said", "error", "field"),
    [
        ({"statement": "?!"}, NothingSaid, "statement"),
        ({"statement": "\u200b\u2060"}, NothingSaid, "statement"),
        ({"said_at": "2026-01-01T10:00"}, NaiveDateTime, "said_at"),
        ({"said_at": "2026-01"}, InvalidDate, "said_at"),
        ({"effective": "soon"}, InvalidDate, "effective"),
        ({"effective": "0001-01-01"}, InvalidDate, "effective"),
        ({"valid_from": "2026-02-30"}, InvalidDate, "valid_from"),
        ({"valid_from": "0001-01-01T00:00:00+14:00"}, InvalidDate, "valid_from"),
        ({"valid_from": "9999-12-31T23:59:59-12:00"}, InvalidDate, "valid_from"),
        ({"valid_to": "0001-01-01"}, InvalidDate, "valid_to"),
        ({"valid_to": "9999"}, InvalidDate, "valid_to"),
        ({"valid_to": "2026-01-01 10:00"}, NaiveDateTime, "valid_to"),
        ({"valid_from": "2026-02-01", "valid_to": "2026-02-01"}, IntervalReversed, "valid_to"),
        ({"domains": ["work", "astrology"]}, DomainUnknown, "domains"),
        ({"anchors": ["Paul", "\u200b"]}, InvalidArgument, "anchors"),
        (
            {"relation": {"subject": "Paul", "predicate": "knows", "object": "*"}},
            InvalidArgument,
            "relation.object",
        ),
    ],
)
def test_what_can_be_refused_at_once_is(said: dict[str, Any], error: type[MnemoError], field: str) -> None:
    with pytest.raises(error) as raised:
        submission.check(said, PARIS, parameters())
    assert raised.value.field == field


def test_names_are_anybodys_and_ids_must_be_in_scope() -> None:
    scope = registry(registered("paul"), registered("doctor", level=Level.S3)).within(Level.S1)
    said = {
        "anchors": ["Nobody At All", "ent:paul"],
        "relation": {"subject": "ent:paul", "predicate": "knows", "object": "doctor"},
    }
    ids = submission.entity_ids(said)
    assert ids == [("anchors", "ent:paul"), ("relation.subject", "ent:paul")]
    submission.check_ids(ids, scope)
    for hidden in ("ent:doctor", "ent:nobody", "ent:"):
        with pytest.raises(EntityUnknown) as raised:
            submission.check_ids(submission.entity_ids({"anchors": [hidden]}), scope)
        assert raised.value.field == "anchors"


def test_secrets_are_taken_out_of_every_text_and_nothing_else_changes() -> None:
    card = "4111 1111 1111 1111"
    said = {
        "id": "mem:x",
        "statement": f"My card is {card}.",
        "tags": ["money", card],
        "relation": {"subject": "a", "predicate": "pays with", "object": card},
        "said_at": "2026-01-01",
        "number": 3,
    }
    kept, found = submission.without_secrets(said)
    assert found
    assert card not in str(kept)
    assert kept | {"statement": "", "tags": [], "relation": {}} == {
        **said,
        "statement": "",
        "tags": [],
        "relation": {},
    }
    assert submission.without_secrets({"statement": "Tea."}) == ({"statement": "Tea."}, False)
