"""Named statements: one ``.cypher`` file each, and the only place where text becomes a ``LiteralString``.

The file's stem is the statement's name. It opens with comment lines: the purpose in a sentence or two, then
one line ``// $name: what it is`` for each parameter. What is declared must be exactly what the text uses, so
that a caller who forgets one is told here and not by an engine. A statement is read when it is first asked
for: a process that never commits never loads a statement that does (G7).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import LiteralString, cast

from policies.errors import InvariantBroken

STATEMENTS = Path(__file__).parent / "statements"

_DECLARED = re.compile(r"\$(\w+):\s*\S")
_USED = re.compile(r"\$(\w+)")
# What may hold a dollar sign or a semicolon that means nothing: strings, quoted names, comments.
_INERT = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the graph's language."""

    name: str
    """``verb_noun``, the stem of its file."""
    text: LiteralString
    """Without its header."""
    purpose: str
    parameters: frozenset[str]
    """The names it takes: all of them, always."""


def statement(name: str) -> Statement:
    """The statement of that name.

    Raises:
        InvariantBroken: there is none, there are two, or its header and its text disagree.
    """
    return _load(name)


@cache
def statement_files() -> Mapping[str, Path]:
    """Every statement's file by name; nothing is read yet.

    Raises:
        InvariantBroken: two files bear one name.
    """
    files: dict[str, Path] = {}
    for path in sorted(STATEMENTS.rglob("*.cypher")):
        if path.stem in files:
            raise InvariantBroken(f"two statements are named {path.stem}")
        files[path.stem] = path
    return files


def parse_statement(name: str, source: str) -> Statement:
    """A statement from the text of its file.

    Raises:
        InvariantBroken: its name is not ``verb_noun``, its header is missing, or the parameters it declares
            are not those it uses.
    """
    if not _NAME.fullmatch(name):
        raise InvariantBroken(f"{name} is not verb_noun")
    header, body = _split_header(source)
    purpose = " ".join(line for line in header if not line.startswith("$"))
    declared = [_declared(name, line) for line in header if line.startswith("$")]
    used = frozenset(_USED.findall(_INERT.sub("", body)))
    if not purpose or not body:
        raise InvariantBroken(f"{name} lacks a purpose or a text")
    if len(set(declared)) != len(declared) or frozenset(declared) != used:
        raise InvariantBroken(f"{name} declares {sorted(declared)} and uses {sorted(used)}")
    return Statement(name=name, text=_as_literal(body), purpose=purpose, parameters=used)


def parse_script(name: str, source: str) -> tuple[Statement, ...]:
    """The definitions of a migration, in order: each ends with a semicolon at the end of a line.

    Raises:
        InvariantBroken: a definition takes a parameter, or there is none.
    """
    header, body = _split_header(source)
    texts = [text for part in re.split(r";[ \t]*(?:\n|$)", body) if (text := _without_comments(part))]
    if not texts or any("$" in text for text in texts):
        raise InvariantBroken(f"{name} has no definition, or one with a parameter")
    return tuple(
        Statement(f"{name}:{place}", _as_literal(text), " ".join(header), frozenset())
        for place, text in enumerate(texts, start=1)
    )


@cache
def _load(name: str) -> Statement:
    path = statement_files().get(name)
    if path is None:
        raise InvariantBroken(f"no statement is named {name}")
    return parse_statement(name, path.read_text("utf-8"))


def _split_header(source: str) -> tuple[list[str], str]:
    """The comment lines at the top, without their marks, and the rest."""
    lines = source.strip().splitlines()
    size = next((i for i, line in enumerate(lines) if not line.startswith(("//", "--"))), len(lines))
    header = [line.lstrip("/-").strip() for line in lines[:size]]
    return [line for line in header if line], "\n".join(lines[size:]).strip()


def _declared(name: str, line: str) -> str:
    match = _DECLARED.match(line)
    if match is None:
        raise InvariantBroken(f"{name} does not say what {line.split(':')[0]} is")
    return match.group(1)


def _without_comments(part: str) -> str:
    return "\n".join(line for line in part.splitlines() if not line.startswith(("//", "--"))).strip()


def _as_literal(text: str) -> LiteralString:
    return cast("LiteralString", text)
