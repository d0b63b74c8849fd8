"""``mem_retract``: propose that a memory be withdrawn; a request in words gives candidates to confirm."""

from __future__ import annotations

from typing import Any, cast

from policies.errors import InvalidArgument
from policies.parameters import parameters
from service.calls import Answer, Call
from service.reading import RecallArguments
from service.rendering import item_lines
from service.tools import schemas
from service.tools.proposing import submit
from service.tools.tool import Tool


def answer(call: Call) -> Answer:
    """Submit the retraction of an id and give its receipt, or the candidates that a request means.

    Raises:
        InvalidArgument: neither an id nor a request, or both.
        UnknownId: the caller is served nothing under this id.
    """
    if ("id" in call.arguments) == ("request" in call.arguments):
        raise InvalidArgument(field="id", problem="one_of", allowed=["id", "request"])
    if "request" in call.arguments:
        return _candidates(call, call.arguments["request"])
    call.reading.memory(call.view, call.arguments["id"])
    return submit(call, "retract")


def _candidates(call: Call, request: str) -> Answer:
    found = call.reading.recall(call.view, RecallArguments(query=request))
    items = cast("list[dict[str, Any]]", found["items"])
    head = call.in_language(
        en="Nothing is withdrawn yet. Confirm with the owner which of these, then call again with its id:",
        fr="Rien n'est encore retiré. Confirmez avec le propriétaire lequel, puis rappelez avec son id :",
    )
    text = f"{head}\n{item_lines(items, call.language)}"
    return Answer({"candidates": items}, text, tuple(item["id"] for item in items), found["verdict"])


TOOL = Tool(
    name="mem_retract",
    title="Propose a retraction",
    description=(
        "Propose that a memory be withdrawn, by its `id`. When the owner asks in words what to forget, pass "
        "them as `request`: you get candidates, to be confirmed with the owner and then retracted by id. A "
        "retraction is a proposal: it awaits curation, and nothing is deleted."
    ),
    input_schema=schemas.arguments(
        {
            "id": schemas.text("The mem: id of the memory, as it was served."),
            "request": schemas.text("What to withdraw, in words.", parameters().limits.query_characters),
            "words": schemas.WORDS,
            "said_at": schemas.SAID_AT,
            "reason": schemas.REASON,
            "idempotency_key": schemas.IDEMPOTENCY_KEY,
        }
    ),
    output_schema={"type": "object", "oneOf": [schemas.RECEIPT, schemas.CANDIDATES]},
    answer=answer,
    reads=True,
    proposes=True,
)
