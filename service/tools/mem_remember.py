"""``mem_remember``: propose something to remember. It waits in the inbox for the curator."""

from __future__ import annotations

from policies.parameters import parameters
from service.calls import Answer, Call
from service.tools import schemas
from service.tools.proposing import submit
from service.tools.tool import Tool


def answer(call: Call) -> Answer:
    """Submit the proposal and give its receipt."""
    return submit(call, "remember")


_RELATION = {
    "type": "object",
    "description": "A tie between two registered entities, where the statement asserts one.",
    "properties": {
        "subject": schemas.text("An ent: id, a name or an alias."),
        "predicate": schemas.text("What ties them, as a verb: works for, lives in, mother of."),
        "object": schemas.text("An ent: id, a name or an alias."),
    },
    "required": ["subject", "predicate", "object"],
    "additionalProperties": False,
}

TOOL = Tool(
    name="mem_remember",
    title="Propose a memory",
    description=(
        "Propose one thing that the owner said and that is worth keeping: a self-contained sentence, in the "
        "owner's language, with their own words in `words`. Propose what was said, never what you infer: no "
        "health or psychology that the owner did not state, no importance that they did not declare. It is a "
        "proposal, not a memory: it awaits curation, and mem_gates says what became of it."
    ),
    input_schema=schemas.arguments(
        {
            "statement": schemas.text(
                "The assertion, one sentence that stands by itself.", parameters().limits.statement_characters
            ),
            "words": schemas.WORDS,
            "said_at": schemas.SAID_AT,
            "conversation": schemas.CONVERSATION,
            "anchors": schemas.texts("Whom or what it is about: ent: ids, names or aliases."),
            "domains": schemas.texts("Life domains it belongs to (ids)."),
            "kind": schemas.choice("What sort of assertion it is.", *schemas.PROPOSABLE_KINDS),
            "relation": _RELATION,
            "valid_from": schemas.text(f"Since when it is true: {schemas.DATE}."),
            "valid_to": schemas.text(
                f"Until when: {schemas.DATE}. A year or month closes after it; a day or instant is the "
                "exclusive end."
            ),
            "event": schemas.text("A key that memories of one event share."),
            "tags": schemas.texts("Words to file it under."),
            "idempotency_key": schemas.IDEMPOTENCY_KEY,
        },
        required=("statement",),
    ),
    output_schema=schemas.RECEIPT,
    answer=answer,
    proposes=True,
)
