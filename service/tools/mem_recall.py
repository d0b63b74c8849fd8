"""``mem_recall``: answer a question with memories, each with its citation and why it is there."""

from __future__ import annotations

from typing import Any, cast

from policies.parameters import parameters
from service.calls import Answer, Call
from service.reading import RecallArguments
from service.rendering import item_lines, page, verdict_line
from service.tools import schemas
from service.tools.tool import Tool


def answer(call: Call) -> Answer:
    """Recall, under the caller's view."""
    asked = call.arguments
    found = call.reading.recall(
        call.view,
        RecallArguments(
            query=asked["query"],
            about=tuple(asked.get("about", ())),
            domains=tuple(asked.get("domains", ())),
            kinds=tuple(asked.get("kinds", ())),
            valid_at=asked.get("valid_at"),
            known_at=asked.get("known_at"),
            ids=tuple(asked.get("ids", ())),
            limit=asked.get("limit", parameters().budget.page_items),
            cursor=call.cursor_state(),
        ),
    )
    items = cast("list[dict[str, Any]]", found["items"])
    structured = {**found, "next_cursor": call.next_cursor(found["next_cursor"])}
    text = page(
        [verdict_line(found["verdict"], call.language, found["best"]), item_lines(items, call.language)],
        structured["next_cursor"],
        call.language,
        notices=found["notices"],
    )
    return Answer(structured, text, tuple(item["id"] for item in items), found["verdict"])


_BUDGET = parameters().budget

TOOL = Tool(
    name="mem_recall",
    title="Recall",
    description=(
        "Answer a question from the owner's memory: what is true now, or what was true at a date "
        "(`valid_at`). Each item carries its mem: id to cite, its provenance, confidence and validity. The "
        "verdict says how sure the match is; `unknown` means that the memory does not know. `ids` fetches "
        "memories you were given; `query` may then be empty."
    ),
    input_schema=schemas.arguments(
        {
            "query": schemas.text(
                "The question, in any language; empty only with ids.",
                parameters().limits.query_characters,
                least=0,
            ),
            "about": schemas.ABOUT,
            "domains": schemas.DOMAINS,
            "kinds": {
                "type": "array",
                "items": {"type": "string", "enum": list(schemas.PROPOSABLE_KINDS)},
                "maxItems": len(schemas.PROPOSABLE_KINDS),
                "description": "Only memories of these kinds.",
            },
            "valid_at": schemas.text(
                f"What was true then: {schemas.DATE}; a month or year asks for any overlap."
            ),
            "known_at": schemas.text(
                f"What Mnemo believed then: {schemas.DATE}. Only for the owner and private-full."
            ),
            "ids": schemas.texts("Memories to fetch by their mem: ids."),
            "limit": schemas.whole("Most items of a page.", 1, _BUDGET.page_items, _BUDGET.page_items),
            "cursor": schemas.CURSOR,
        },
        required=("query",),
    ),
    output_schema=schemas.RECALL_RESULT,
    answer=answer,
    reads=True,
)
