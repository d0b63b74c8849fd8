"""Walking what comes in as JSON: its texts are safe, its nesting is bounded, and nothing of it is passed over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from policies.errors import ArgumentTooDeep, UnsafeText
from policies.text import unsafe_character


class NoText:
    """What stands for the name of a part that is no text, which JSON does not have."""


def leaves(field: str, value: object, deepest: int) -> Iterator[object]:
    """All parts of an argument that are neither texts, objects nor lists, level by level.

    Texts, names of parts among them, are looked at on the way. The walk must be gone to its end.

    Args:
        field: the argument, for the errors.
        value: what was given for it.
        deepest: how many levels there may be, the argument's own value being on the second.

    Raises:
        UnsafeText: a text holds a character that is refused.
        ArgumentTooDeep: there are more levels.
    """
    # Breadth first, without recursion: what comes in may be nested thousands deep.
    level, depth = [value], 1
    while level:
        depth += 1
        below: list[object] = []
        for one in level:
            if isinstance(one, str):
                refused = unsafe_character(one)
                if refused is not None:
                    raise UnsafeText(field=field, character=refused)
            elif isinstance(one, dict):
                parts = cast("dict[object, object]", one)
                below += [name if isinstance(name, str) else NoText() for name in parts]
                below += parts.values()
            elif isinstance(one, list):
                below += cast("list[object]", one)
            else:
                yield one
        if below and depth > deepest:
            raise ArgumentTooDeep(field=field, limit=deepest)
        level = below
