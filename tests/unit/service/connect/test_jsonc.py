"""Other programs' JSON is changed by the character, and changed back to the very text."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.connect.jsonc import Change, NotJson, applied, parse, put_element, put_member, value_at, without

ENTRY = {"type": "http", "url": "http://localhost:8765/mcp"}
PATH = ["mcpServers"]


def undone(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def is_ours(key: str | None, _value: object) -> bool:
    return key == "mnemo"


FILES = [
    "",
    "\n",
    "{}",
    "{}\n",
    "{\n}\n",
    '{"mcpServers":{}}',
    '{"mcpServers": {"other": {"command": "x"}}, "more": 1}',
    '{\n  "numStartups": 4,\n  "mcpServers": {}\n}\n',
    '{\n\t"mcpServers": {\n\t\t"other": {"command": "x"}\n\t}\n}',
    '{\r\n    "mcpServers": {\r\n        "other": {}\r\n    },\r\n    "z": [1, 2]\r\n}\r\n',
    '\ufeff{\n  "a": 1\n}\n',
    '// Mine.\n{\n  "mcpServers": {\n    // "off": {},\n    "other": {}, // the other\n  },\n}\n',
    '{\n  "mcpServers": {\n    "other": {} // the other\n    /* none yet */\n  }\n}\n',
    '{\n  "mcpServers": { // nothing yet\n  }\n}\n',
    '{\n  "mcpServers": { /* nothing yet */ }\n}\n',
    '{ "a": 1,\n  "b": "}//" }\n',
    '{"mcpServers": {\n  "c": null,/*a*/ },/*b*/\n"z": 1}',
]


@pytest.mark.parametrize("text", FILES)
def test_an_entry_is_put_in_and_taken_out_to_the_character(text: str) -> None:
    before: Any = parse(text).value
    changed, spans = applied(text, put_member(text, PATH, "mnemo", ENTRY).insertions)
    after: Any = parse(changed).value
    assert after["mcpServers"].pop("mnemo") == ENTRY
    assert after == {**before, "mcpServers": before.get("mcpServers", {})}
    assert undone(changed, spans) == text
    assert all(comment in changed for comment in ("// Mine.", "/* none yet */") if comment in text)


@pytest.mark.parametrize("text", FILES)
def test_an_entry_is_taken_out_of_a_file_that_was_written_anew_since(text: str) -> None:
    changed, _ = applied(text, put_member(text, PATH, "mnemo", ENTRY).insertions)
    for anew in (changed, changed.replace("\n", "\r\n") if "\r" not in changed else changed):
        left = without(anew, PATH, is_ours)
        before: Any = parse(text).value
        assert parse(left).value == {**before, "mcpServers": before.get("mcpServers", {})}
        assert "mnemo" not in left


def test_a_line_comment_keeps_to_what_it_tells_of() -> None:
    text = '{\n  "mcpServers": {\n    "other": {} // the other\n  }\n}\n'
    changed, _ = applied(text, put_member(text, PATH, "mnemo", 1).insertions)
    assert changed == '{\n  "mcpServers": {\n    "other": {}, // the other\n    "mnemo": 1\n  }\n}\n'
    assert without(changed, PATH, is_ours) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"mnemo": 1}', "{}"),
        ('{"mnemo": 1, "b": 2}', '{ "b": 2}'),
        ('{"a": 1, "mnemo": 2}', '{"a": 1}'),
        ('{\n  "a": 1,\n  "mnemo": {"x": [1]},\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 2\n}'),
        ('{\n  "a": 1, // a\n  "mnemo": 1, "b": 2\n}', '{\n  "a": 1, // a\n "b": 2\n}'),
        ('{ // all\n  "mnemo": 1 }', "{ // all\n }"),
        ('{\n  "a": 1,\n  // ours\n  "mnemo": 1 /* old */,\n}', '{\n  "a": 1,\n  // ours\n /* old */\n}'),
        ('{"mnemo": 1, "mnemo": 2}', "{}"),
    ],
)
def test_only_the_entry_goes(text: str, left: str) -> None:
    assert without(text, [], is_ours) == left
    parse(left)


def test_a_list_gets_an_element_and_loses_it() -> None:
    path = ["hooks", "UserPromptSubmit"]
    for text in (
        "{}\n",
        '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
        '{"hooks": {"UserPromptSubmit": [{"hooks": []}]}}',
    ):
        change = put_element(text, path, {"ours": True})
        changed, spans = applied(text, change.insertions)
        found = value_at(changed, path)
        assert isinstance(found, list)
        assert found[-1] == {"ours": True}
        assert undone(changed, spans) == text
        left = without(changed, path, lambda _key, value: value == {"ours": True})
        assert value_at(left, path) == (value_at(text, path) or [])


def test_what_had_to_be_made_on_the_way_is_told() -> None:
    assert put_element("{}", ["hooks", "Stop"], 1).made == (("hooks",), ("hooks", "Stop"))
    assert put_member('{"hooks": {}}', ["hooks"], "x", 1).made == ()
    assert isinstance(put_member("", PATH, "x", 1), Change)


@pytest.mark.parametrize(
    "text",
    [
        "{", "}", "[1 2]", '{"a" 1}', '{"a": }', "{a: 1}", "{'a': 1}", '{"a": 1} {}', '{"a": NaN}', '{"a": 01}',
        '{"a": "\n"}', "/* open", "nul", "[" * 5_000, '{"a": 1,, "b": 2}', '{,}',
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        parse(text)


def test_a_file_of_another_shape_is_refused() -> None:
    for text in (
        "[]",
        "1",
        '{"mcpServers": []}',
        '{"mcpServers": {}, "mcpServers": {}}',
        '{"mcpServers": null}',
    ):
        with pytest.raises(NotJson):
            put_member(text, PATH, "mnemo", ENTRY)
    with pytest.raises(NotJson):
        put_element('{"hooks": {}}', ["hooks"], 1)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4), JSON, max_size=4)


@given(
    value=OBJECTS,
    servers=st.none() | OBJECTS,
    indent=st.sampled_from([None, 0, 1, 4, "\t"]),
    separators=st.sampled_from([None, (",", ":"), (" , ", " : ")]),
)
def test_any_file_comes_back_as_it_was(value: Any, servers: Any, indent: Any, separators: Any) -> None:
    whole = value if servers is None else {**value, "mcpServers": servers}
    whole.pop("mcpServers", None) if servers is None else servers.pop("mnemo", None)
    text = json.dumps(whole, indent=indent, separators=separators)
    assert parse(text).value == whole
    changed, spans = applied(text, put_member(text, PATH, "mnemo", ENTRY).insertions)
    expected: dict[str, Any] = {**whole, "mcpServers": {**(servers or {}), "mnemo": ENTRY}}
    assert json.loads(changed) == expected
    assert undone(changed, spans) == text
    assert json.loads(without(changed, PATH, is_ours)) == {**whole, "mcpServers": servers or {}}


TRIVIA = st.lists(st.sampled_from([" ", "\n", "\r\n  ", "\t", "/*c*/", "/*c\n*/", "//c\n"]), max_size=2).map(
    "".join
)
LEAVES = st.sampled_from(["1", "null", '"//"', '"/*x*/"', '"}"'])


def spelled(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Objects and lists of what is within, as a person might have typed them."""
    member = st.tuples(TRIVIA, st.sampled_from(["a", "b", "mcpServers"]), TRIVIA, TRIVIA, inner, TRIVIA)
    element = st.tuples(TRIVIA, inner, TRIVIA).map("".join)

    def an_object(members: list[tuple[str, ...]], end: str) -> str:
        named = {one[1]: f'{one[0]}"{one[1]}"{one[2]}:{one[3]}{one[4]}{one[5]}' for one in members}
        return "{" + ",".join(named.values()) + end + "}"

    return st.builds(an_object, st.lists(member, max_size=3), TRIVIA) | st.lists(element, max_size=3).map(
        lambda elements: "[" + ",".join(elements) + "]"
    )


@given(text=st.tuples(TRIVIA, spelled(st.recursive(LEAVES, spelled, max_leaves=6)), TRIVIA).map("".join))
def test_however_a_file_is_typed_nothing_else_changes_and_no_comment_is_lost(text: str) -> None:
    found = parse(text).value
    if not isinstance(found, dict):
        return
    before = cast("dict[str, Any]", found)
    if not isinstance(before.get("mcpServers", {}), dict):
        return
    changed, spans = applied(text, put_member(text, PATH, "mnemo", ENTRY).insertions)
    after: Any = parse(changed).value
    assert after == {**before, "mcpServers": {**before.get("mcpServers", {}), "mnemo": ENTRY}}
    assert undone(changed, spans) == text
    left = without(changed, PATH, is_ours)
    assert parse(left).value == {**before, "mcpServers": before.get("mcpServers", {})}
    for comment in ("/*c", "//c"):
        assert changed.count(comment) == left.count(comment) == text.count(comment)
