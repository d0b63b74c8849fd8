"""JSON files of other programs, changed by the character: comments, order and spacing stay as they are.

Reads JSON as editors write it: comments, commas before a closing bracket, a byte order mark. A change is a list
of insertions, so that taking them out again gives back the very text that was there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

DEPTH_MAX = 100

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_PLAIN_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"[-+.\w]+")
_REST_OF_LINE = re.compile(r"(?:[ \t]|/\*(?:(?!\*/)[^\n])*\*/)*(?://[^\n\r]*)?(?=\r?\n)")


class NotJson(ValueError):
    """The text is not JSON, not even with comments; or not of the shape that was looked for."""


@dataclass(slots=True)
class Node:
    """A value and where it stands, ``text[start:end]``."""

    start: int
    end: int
    value: object
    items: list[Item] = field(default_factory=list["Item"])
    """Of an object or a list, in order."""


@dataclass(slots=True)
class Item:
    """A member of an object or an element of a list."""

    key: str | None
    start: int
    """Of the key, or of an element."""
    node: Node
    comma: int | None = None
    """Where the comma after it stands."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to put in front of the character at ``at``."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What puts a value in; ``made`` are the paths of the containers that it had to make, outermost first."""

    insertions: tuple[Insertion, ...]
    made: tuple[tuple[str, ...], ...] = ()


def parse(text: str) -> Node:
    """The value of a whole text; an empty text is an empty object that stands at its end.

    Raises:
        NotJson: it is none.
    """
    start = _skip(text, 0)
    if start == len(text):
        return Node(start, start, {})
    node = _node(text, start, 0)
    if _skip(text, node.end) != len(text):
        raise NotJson("more than one value")
    return node


def value_at(text: str, path: Sequence[str]) -> object:
    """The value at a path of keys, None when there is none.

    Raises:
        NotJson: the text is no JSON.
    """
    found: object = parse(text).value
    for key in path:
        found = cast("dict[str, object]", found).get(key) if isinstance(found, dict) else None
    return found


def put_member(text: str, path: Sequence[str], key: str, value: object) -> Change:
    """Add a member, which must not be there, to the object at a path, making the objects on the way.

    Raises:
        NotJson: the text is no JSON, or something on the way is no object.
    """
    return _put(text, path, (key, value), {})


def put_element(text: str, path: Sequence[str], value: object) -> Change:
    """Append an element to the list at a path, making what is missing on the way.

    Raises:
        NotJson: the text is no JSON, or something on the way is no object, or its end no list.
    """
    return _put(text, path, (None, value), [])


def applied(text: str, insertions: Sequence[Insertion]) -> tuple[str, list[tuple[int, int]]]:
    """The text with the insertions in it, and where each of them stands in the result."""
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    taken = length = 0
    for one in sorted(insertions, key=lambda one: one.at):
        kept = text[taken : one.at]
        parts += [kept, one.text]
        length += len(kept) + len(one.text)
        spans.append((length - len(one.text), length))
        taken = one.at
    return "".join([*parts, text[taken:]]), spans


def without(text: str, path: Sequence[str], chosen: Callable[[str | None, object], bool]) -> str:
    """The text without the chosen members or elements of the container at a path.

    What stands around them stays: comments, spacing, order.

    Raises:
        NotJson: the text is no JSON.
    """
    while True:
        container = _reached(text, path)
        items = [] if container is None else container.items
        index = next((i for i, one in enumerate(items) if chosen(one.key, one.node.value)), None)
        if index is None:
            return text
        text = _cut(text, items, index)


def _cut(text: str, items: Sequence[Item], index: int) -> str:
    item = items[index]
    start, end = item.start, item.node.end
    while start and text[start - 1] in " \t\r\n":
        start -= 1
    is_first_inside = text[start - 1 : start] in ("{", "[")
    spans: list[tuple[int, int]] = []
    if item.comma is not None and not text[end : item.comma].strip():
        end = item.comma + 1
    elif item.comma is not None:
        spans = [(item.comma, item.comma + 1)]  # a comment between the value and its comma stays
    elif index:
        before = cast("int", items[index - 1].comma)
        spans = [(before, before + 1)]
    elif is_first_inside:
        end = _plain(text, end)  # it was alone: the spacing was its own
    if not is_first_inside and _LINE_END.match(text, end) is None:
        # Something follows on the line: the end of the line before may end a comment there.
        start = max(start, text.rfind("\n", 0, item.start) + 1)
    for a, b in sorted([*spans, (start, end)], reverse=True):
        text = text[:a] + text[b:]
    return text


def _put(text: str, path: Sequence[str], entry: tuple[str | None, object], leaf: object) -> Change:
    """Insert at the deepest container of the path that exists; what is missing comes with the entry."""
    reached, depth = parse(text), 0
    is_blank = reached.start == reached.end
    while depth < len(path) and (below := _member(reached, path[depth])) is not None:
        reached, depth = below, depth + 1
    missing = list(path[depth:])
    wanted = dict if missing else type(leaf)
    if not isinstance(reached.value, wanted):
        raise NotJson(f"no {wanted.__name__}")
    key, value = entry
    for name in reversed(missing):
        value = [value] if key is None else {key: value}
        key = name
    made = tuple(tuple(path[: depth + 1 + level]) for level in range(len(missing)))
    if is_blank:
        whole = json.dumps({key: value}, ensure_ascii=False, indent=2) + "\n"
        return Change((Insertion(len(text), whole),), made)
    return Change(_insertions(text, reached, key, value), made)


def _insertions(text: str, container: Node, key: str | None, value: object) -> tuple[Insertion, ...]:
    """How a value joins a container, in the way of what stands there."""
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_at(text, container.start)
    if not container.items:
        if "\n" not in text and text.strip() != "{}":
            return (Insertion(container.start + 1, _written(key, value, None, "")),)
        at = _line_end(text, container.start + 1)
        unit = _unit(text)
        entry = newline + outer + unit + _written(key, value, unit, outer + unit, newline)
        # What was closed on the line that opened it is now closed on a line of its own.
        tail = "" if "\n" in text[at : container.end] else newline + outer
        return (Insertion(at, entry + tail),)
    last = container.items[-1]
    if "\n" not in text[container.start : last.start]:
        comma = () if last.comma is not None else (Insertion(last.node.end, ","),)
        at = last.node.end if last.comma is None else last.comma + 1
        return (*comma, Insertion(at, " " + _written(key, value, None, "")))
    indent = _indent_at(text, last.start)
    unit = indent.removeprefix(outer) or _unit(text)
    entry = newline + indent + _written(key, value, unit, indent, newline)
    if last.comma is not None:
        return (Insertion(_line_end(text, last.comma + 1), entry),)
    return (Insertion(last.node.end, ","), Insertion(_line_end(text, last.node.end), entry))


def _written(key: str | None, value: object, unit: str | None, indent: str, newline: str = "\n") -> str:
    body = json.dumps(value, ensure_ascii=False, indent=unit)
    lines = body.split("\n")
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    return name + (newline + indent).join(lines)


def _line_end(text: str, position: int) -> int:
    """Past a comment that stands on the rest of the line, which is about what is before it."""
    found = _REST_OF_LINE.match(text, position)
    return position if found is None else found.end()


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """What one more level is indented by."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _reached(text: str, path: Sequence[str]) -> Node | None:
    node: Node | None = parse(text)
    for key in path:
        node = None if node is None else _member(node, key)
    return node


def _member(node: Node, key: str) -> Node | None:
    found = [item.node for item in node.items if item.key == key]
    if len(found) > 1:
        raise NotJson("the same key twice")
    return found[0] if found else None


def _node(text: str, start: int, depth: int) -> Node:
    if depth > DEPTH_MAX:
        raise NotJson("too deep")
    opening = text[start : start + 1]
    if opening in ("{", "["):
        return _container(text, start, depth)
    found = (_STRING if opening == '"' else _WORD).match(text, start)
    if found is None:
        raise NotJson(f"at {start}")
    try:
        return Node(start, found.end(), json.loads(found.group(), parse_constant=_refuse))
    except ValueError as fault:
        raise NotJson(f"at {start}") from fault


def _container(text: str, start: int, depth: int) -> Node:
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    node = Node(start, start, {} if is_object else [])
    at = _skip(text, start + 1)
    while text[at : at + 1] != closing:
        if node.items and node.items[-1].comma is None:
            raise NotJson(f"at {at}")
        begun, key = at, None
        if is_object:
            name = _node(text, at, depth + 1)
            if not isinstance(name.value, str):
                raise NotJson(f"at {at}")
            key, at = name.value, _skip(text, name.end)
            if text[at : at + 1] != ":":
                raise NotJson(f"at {at}")
            at = _skip(text, at + 1)
        item = Item(key, begun, _node(text, at, depth + 1))
        node.items.append(item)
        at = _skip(text, item.node.end)
        if text[at : at + 1] == ",":
            item.comma, at = at, _skip(text, at + 1)
    node.end = at + 1
    if is_object:
        node.value = {cast("str", item.key): item.node.value for item in node.items}
    else:
        node.value = [item.node.value for item in node.items]
    return node


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return position if found is None else found.end()


def _plain(text: str, position: int) -> int:
    """Past blanks, up to a comment."""
    found = _PLAIN_SPACE.match(text, position)
    return position if found is None else found.end()


def _refuse(constant: str) -> object:
    raise ValueError(constant)
