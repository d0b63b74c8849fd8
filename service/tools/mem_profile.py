"""``mem_profile``: what a caller may see and how to use it: scope, budgets, domains, entities, rules."""

from __future__ import annotations

from typing import Any, cast

from policies.parameters import parameters
from service.calls import Answer, Call
from service.reading import ProfileArguments
from service.rendering import item_lines, page
from service.tools import schemas
from service.tools.tool import Tool


def answer(call: Call) -> Answer:
    """Tell what the caller's view holds."""
    asked = call.arguments
    found = call.reading.profile(
        call.view,
        ProfileArguments(
            scope=call.grant.scope,
            section=asked.get("section"),
            query=asked.get("query", ""),
            cursor=call.cursor_state(),
        ),
    )
    structured: dict[str, object] = {**found, "next_cursor": call.next_cursor(found["next_cursor"])}
    rules = cast("list[dict[str, Any]]", found["rules"])
    text = page(_parts(call, found), cast("str | None", structured["next_cursor"]), call.language)
    return Answer(structured, text, tuple(rule["id"] for rule in rules))


def _parts(call: Call, found: dict[str, Any]) -> list[str]:
    owner = "" if found["owner"] is None else f" · {found['owner']['name']}"
    parts = [f"{call.grant.scope}{owner}"]
    parts += [f"{domain['id']} ({domain['label']}): {domain['count']}" for domain in found["domains"]]
    parts += [f"{entity['name']} ({entity['type']}) {entity['id']}" for entity in found["entities"]]
    if found["rules"]:
        parts.append(item_lines(found["rules"], call.language))
    if found["usage"]:
        parts.append(found["usage"])
    return parts


TOOL = Tool(
    name="mem_profile",
    title="What this memory holds for you",
    description=(
        "Tell what you may see of the owner's memory: your scope, the domains and how many memories each "
        "has, the entities that have any, the owner's rules, which you follow, and how to use the tools. "
        "Call it once at the beginning. `section` asks for one part alone; `query` filters what is listed."
    ),
    input_schema=schemas.arguments(
        {
            "section": schemas.choice("One part alone.", "domains", "entities", "rules", "usage"),
            "query": schemas.text("Only what bears these words.", parameters().limits.query_characters),
            "cursor": schemas.CURSOR,
        }
    ),
    output_schema=schemas.PROFILE_RESULT,
    answer=answer,
    reads=True,
)
