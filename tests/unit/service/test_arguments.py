from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policies.errors import (
    ArgumentTooDeep,
    ArgumentTooLong,
    InvalidArgument,
    MissingArgument,
    MnemoError,
    UnknownArgument,
    UnsafeText,
)
from service.arguments import ArgumentCheck

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 10},
        "limit": {"type": "integer", "minimum": 1, "maximum": 12},
        "about": {"type": "array", "items": {"type": "string", "maxLength": 5}, "maxItems": 2},
        "lang": {"type": "string", "enum": ["fr", "en"]},
        "relation": {
            "type": "object",
            "properties": {"subject": {"type": "string"}},
            "required": ["subject"],
            "additionalProperties": False,
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
CHECK = ArgumentCheck(SCHEMA, 8)


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


def test_what_fits_passes_unchanged_and_null_counts_as_absent() -> None:
    given_arguments = {"query": "é" * 10, "limit": 12, "about": ["a"], "lang": None}
    assert CHECK.checked(given_arguments) == {"query": "é" * 10, "limit": 12, "about": ["a"]}


def test_a_whole_number_may_be_written_with_a_point() -> None:
    checked = CHECK.checked({"query": "a", "limit": 3.0})
    assert checked["limit"] == 3
    assert isinstance(checked["limit"], int)


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({}, MissingArgument, "query"),
        ({"query": None}, MissingArgument, "query"),
        ({"query": "a", "q": 1}, UnknownArgument, "q"),
        ({"q": 1}, UnknownArgument, "q"),
        ({"query": 7}, InvalidArgument, "query"),
        ({"query": ""}, InvalidArgument, "query"),
        ({"query": "a" * 11}, ArgumentTooLong, "query"),
        ({"query": "a", "limit": 0}, InvalidArgument, "limit"),
        ({"query": "a", "limit": 13}, InvalidArgument, "limit"),
        ({"query": "a", "limit": 1.5}, InvalidArgument, "limit"),
        ({"query": "a", "limit": float("nan")}, InvalidArgument, "limit"),
        ({"query": "a", "limit": float("inf")}, InvalidArgument, "limit"),
        ({"query": "a", "limit": True}, InvalidArgument, "limit"),
        ({"query": "a", "lang": "de"}, InvalidArgument, "lang"),
        ({"query": "a", "about": "a"}, InvalidArgument, "about"),
        ({"query": "a", "about": ["a", 3]}, InvalidArgument, "about.1"),
        ({"query": "a", "about": ["a", "b", "c"]}, InvalidArgument, "about"),
        ({"query": "a", "about": ["abcdef"]}, ArgumentTooLong, "about.0"),
        ({"query": "a", "relation": {}}, MissingArgument, "relation.subject"),
        ({"query": "a", "relation": {"subject": "b", "x": 1}}, UnknownArgument, "relation.x"),
        ({"query": "a\x00"}, UnsafeText, "query"),
        ({"query": "a\ud800"}, UnsafeText, "query"),
        ({"query": "\u202ea"}, UnsafeText, "query"),
        ({"query": "a", "relation": {"\u2066": 1}}, UnsafeText, "relation"),
        ({"query": "a", "about": nested(8)}, ArgumentTooDeep, "about"),
        ({"query": "a", "about": nested(20_000)}, ArgumentTooDeep, "about"),
    ],
)
def test_what_does_not_fit_is_refused_by_our_own_name(
    arguments: dict[str, Any], error: type[MnemoError], field: str
) -> None:
    with pytest.raises(MnemoError) as raised:
        CHECK.checked(arguments)
    assert type(raised.value) is error
    assert raised.value.field == field


def test_an_unknown_name_is_repeated_short_and_printable() -> None:
    with pytest.raises(UnknownArgument) as raised:
        CHECK.checked({"\ud800\x1b[31m" + "x" * 500: 1})
    assert raised.value.field is not None
    assert len(raised.value.field) == 64
    assert raised.value.field.isprintable()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["query", "limit", "about", "lang", "relation", "other"]), JSON))
def test_whatever_comes_either_passes_or_is_refused_by_name(arguments: dict[str, Any]) -> None:
    checked: dict[str, Any] = {"query": "refused"}
    category = "incorrect"
    try:
        checked = CHECK.checked(arguments)
    except MnemoError as error:
        category = error.category
    assert category == "incorrect"
    assert checked["query"]
