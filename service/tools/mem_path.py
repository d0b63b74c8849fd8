"""``mem_path``: how two entities are tied, over the relations that the caller may be served."""

from __future__ import annotations

from typing import Any, cast

from policies.parameters import parameters
from service.calls import Answer, Call
from service.reading import PathArguments
from service.rendering import edge_line, word
from service.tools import schemas
from service.tools.tool import Tool

_LIMITS = parameters().limits


def answer(call: Call) -> Answer:
    """Find a path, under the caller's view."""
    asked = call.arguments
    found = call.reading.path(
        call.view,
        PathArguments(
            source=asked["source"],
            target=asked["target"],
            max_hops=asked.get("max_hops", _LIMITS.path_hops_default),
        ),
    )
    hops = cast("list[dict[str, Any]]", found["hops"])
    text = "\n".join(edge_line(hop) for hop in hops) or word("no_path", call.language)
    verdict = "found" if found["found"] else "not_found"
    return Answer(found, text, tuple(hop["memory"] for hop in hops), verdict)


TOOL = Tool(
    name="mem_path",
    title="How two entities are tied",
    description=(
        "Find the shortest chain of relations between two entities of the owner's life. Each hop carries the "
        "mem: id of the memory that asserts it."
    ),
    input_schema=schemas.arguments(
        {
            "source": schemas.text("Where to start: an ent: id, a name or an alias."),
            "target": schemas.text("Where to end: an ent: id, a name or an alias."),
            "max_hops": schemas.whole(
                "Longest chain looked for.", 1, _LIMITS.path_hops_max, _LIMITS.path_hops_default
            ),
        },
        required=("source", "target"),
    ),
    output_schema=schemas.PATH_RESULT,
    answer=answer,
    reads=True,
)
