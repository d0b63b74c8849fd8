"""``mem_correct``: propose that a memory was wrong, or was true until a date and something else is since."""

from __future__ import annotations

from policies.parameters import parameters
from service.calls import Answer, Call
from service.tools import schemas
from service.tools.proposing import submit
from service.tools.tool import Tool


def answer(call: Call) -> Answer:
    """Submit the correction and give its receipt.

    Raises:
        UnknownId: the caller is served nothing under this id.
    """
    call.reading.memory(call.view, call.arguments["id"])
    return submit(call, "correct")


TOOL = Tool(
    name="mem_correct",
    title="Propose a correction",
    description=(
        "Propose that the memory `id` be superseded by `statement`. `change` is `correction` when the memory "
        "was wrong, `succession` when it was true until a date (`effective`) and something else is since. "
        "A proposal like any other: it awaits curation, and contradictions go to the owner."
    ),
    input_schema=schemas.arguments(
        {
            "id": schemas.text("The mem: id of the memory, as it was served."),
            "statement": schemas.text(
                "What is true instead, one sentence that stands by itself.",
                parameters().limits.statement_characters,
            ),
            "change": {
                **schemas.choice("Wrong from the start, or true until a date.", "correction", "succession"),
                "default": "correction",
            },
            "effective": schemas.text(
                f"When the succession took place: {schemas.DATE}; else the day of said_at, else now."
            ),
            "words": schemas.WORDS,
            "said_at": schemas.SAID_AT,
            "conversation": schemas.CONVERSATION,
            "reason": schemas.REASON,
            "idempotency_key": schemas.IDEMPOTENCY_KEY,
        },
        required=("id", "statement"),
    ),
    output_schema=schemas.RECEIPT,
    answer=answer,
    reads=True,
    proposes=True,
)
