"""Resources: a memory or an entity by its address, the list of entities, and completion; same view, log."""

from __future__ import annotations

import json
from typing import Any, cast
from urllib.parse import quote, unquote

from mcp_types import (
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from policies.errors import UnknownId
from service import prompts
from service.calls import Answer, Call, check_mode
from service.reading import ProfileArguments
from service.rendering import edge_line, item_line, item_lines

MEMORY, ENTITY = "mnemo://memory/", "mnemo://entity/"
JSON_TYPE, TEXT_TYPE = "application/json", "text/plain"
URI_CHARACTERS_MAX = 200


def templates(language: str) -> list[ResourceTemplate]:
    """The addresses that can be read."""
    french = language == "fr"
    return [
        ResourceTemplate(
            name="memory",
            uri_template=f"{MEMORY}{{id}}",
            title="Un souvenir" if french else "A memory",
            description="Un souvenir par son identifiant mem:." if french else "A memory by its mem: id.",
        ),
        ResourceTemplate(
            name="entity",
            uri_template=f"{ENTITY}{{id}}",
            title="Une entité" if french else "An entity",
            description="Une entité par son identifiant ent: ou son nom, et ce qui la concerne."
            if french
            else "An entity by its ent: id or its name, and what is known about it.",
        ),
    ]


def serve_list(call: Call) -> Answer:
    """Answer ``resources/list``: the entities of the view, a page at a time."""
    check_mode(call.grant, reads=True, proposes=False)
    found = call.reading.profile(
        call.view,
        ProfileArguments(scope=call.grant.scope, section="entities", cursor=call.cursor_state()),
    )
    listing = {"entities": found["entities"], "next_cursor": call.next_cursor(found["next_cursor"])}
    return Answer(listing, "", tuple(entity["id"] for entity in found["entities"]))


def listed(answer: Answer) -> ListResourcesResult:
    """The list as the protocol has it."""
    entities = cast("list[dict[str, str]]", answer.structured["entities"])
    return ListResourcesResult(
        resources=[
            Resource(
                uri=f"{ENTITY}{quote(entity['id'], safe=':')}", name=entity["name"], title=entity["name"]
            )
            for entity in entities
        ],
        next_cursor=cast("str | None", answer.structured["next_cursor"]),
    )


def serve_read(call: Call) -> Answer:
    """Answer ``resources/read``.

    Raises:
        GrantMode: the grant may only propose.
        UnknownId: nothing in view answers to the address, or it is none of ours.
    """
    check_mode(call.grant, reads=True, proposes=False)
    uri = cast("str", call.arguments["uri"])
    if len(uri) <= URI_CHARACTERS_MAX:
        if uri.startswith(MEMORY):
            item = call.reading.memory(call.view, unquote(uri.removeprefix(MEMORY)))
            return Answer(item, item_line(item, call.language), (item["id"],))
        if uri.startswith(ENTITY):
            return _entity(call, unquote(uri.removeprefix(ENTITY)))
    raise UnknownId(field="uri")


def contents(uri: str, answer: Answer) -> ReadResourceResult:
    """What was read, as data and as readable text."""
    data = json.dumps(answer.structured, ensure_ascii=False)
    return ReadResourceResult(
        contents=[
            TextResourceContents(uri=uri, mime_type=JSON_TYPE, text=data),
            TextResourceContents(uri=uri, mime_type=TEXT_TYPE, text=answer.text),
        ]
    )


def serve_completion(call: Call) -> Answer:
    """Answer ``completion/complete``: names of the view's entities, and the languages of the prompt."""
    ref = cast("dict[str, Any]", call.arguments["ref"])
    prefix = str(call.arguments["value"])[:URI_CHARACTERS_MAX]
    values: list[str] = []
    if ref.get("name") == prompts.NAME and call.arguments["name"] == "lang":
        values = [language for language in prompts.LANGUAGES if language.startswith(prefix)]
    elif ref.get("uri") == f"{ENTITY}{{id}}" and call.arguments["name"] == "id":
        check_mode(call.grant, reads=True, proposes=False)
        values = call.reading.complete(call.view, prefix)
    return Answer({"values": values, "total": len(values), "hasMore": False}, "")


def _entity(call: Call, named: str) -> Answer:
    # Completion gives names: one that means a single entity in scope is as good as its id.
    meant = call.reader.registry().named(named, level=call.view.level)
    found = call.reading.entity(call.view, meant[0].id if len(meant) == 1 else named)
    parts = [f"{found['name']} ({found['type']}) {found['id']}"]
    parts += [", ".join(found["aliases"])] if found["aliases"] else []
    parts += [edge_line(edge) for edge in found["relations"]]
    parts.append(item_lines(found["items"], call.language))
    served = (*(item["id"] for item in found["items"]), *(edge["memory"] for edge in found["relations"]))
    return Answer(found, "\n".join(parts), (found["id"], *served))
