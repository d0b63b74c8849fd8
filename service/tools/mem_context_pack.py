"""``mem_context_pack``: the little an assistant should know before it works on a topic, within a budget."""

from __future__ import annotations

from typing import Any, cast

from policies.parameters import parameters
from service.calls import Answer, Call
from service.reading import PackArguments
from service.rendering import page, verdict_line
from service.tools import schemas
from service.tools.tool import Tool

_BUDGET = parameters().budget


def answer(call: Call) -> Answer:
    """Gather a pack, under the caller's view."""
    asked = call.arguments
    found = call.reading.context_pack(
        call.view,
        PackArguments(
            topic=asked["topic"],
            about=tuple(asked.get("about", ())),
            domains=tuple(asked.get("domains", ())),
            max_tokens=asked.get("max_tokens", _BUDGET.pack_tokens_default),
        ),
    )
    items = cast("list[dict[str, Any]]", found["items"])
    text = page(
        [verdict_line(found["verdict"], call.language), found["context_prompt"]],
        None,
        call.language,
        notices=found["notices"],
    )
    return Answer(found, text, tuple(item["id"] for item in items), found["verdict"])


TOOL = Tool(
    name="mem_context_pack",
    title="Context for a topic",
    description=(
        "Gather what you should know of the owner before you work on a topic: their rules, the facts that "
        "matter most, and how the entities are tied, within `max_tokens`. `context_prompt` is ready to be "
        "read as it is; each line carries the mem: id to cite."
    ),
    input_schema=schemas.arguments(
        {
            "topic": schemas.text("What you are about to work on.", parameters().limits.query_characters),
            "about": schemas.ABOUT,
            "domains": schemas.DOMAINS,
            "max_tokens": schemas.whole(
                "Budget of context_prompt, in tokens of three bytes.",
                _BUDGET.pack_tokens_min,
                _BUDGET.pack_tokens_max,
                _BUDGET.pack_tokens_default,
            ),
        },
        required=("topic",),
    ),
    output_schema=schemas.PACK_RESULT,
    answer=answer,
    reads=True,
)
