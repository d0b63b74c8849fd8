"""The JSON schemas that the tools share: what arguments are checked against, not only documentation."""

from __future__ import annotations

from typing import Any

from policies.parameters import parameters
from policies.terms import Kind, Level, Provenance

Schema = dict[str, Any]

_LIMITS = parameters().limits
_BUDGET = parameters().budget

PROPOSABLE_KINDS = tuple(kind.value for kind in Kind if kind not in (Kind.RETRACTION, Kind.CLOSURE))
DATE = "an ISO date as precise as known (2021, 2021-03, 2021-03-05) or an instant with its offset"


def text(description: str, characters: int = _LIMITS.label_characters, *, least: int = 1) -> Schema:
    """A text of ``least`` to ``characters`` characters."""
    return {"type": "string", "minLength": least, "maxLength": characters, "description": description}


def texts(description: str, elements: int = _LIMITS.list_items) -> Schema:
    """A list of short texts."""
    items = {"type": "string", "minLength": 1, "maxLength": _LIMITS.label_characters}
    return {"type": "array", "items": items, "maxItems": elements, "description": description}


def choice(description: str, *allowed: str) -> Schema:
    """One of some words."""
    return {"type": "string", "enum": list(allowed), "description": description}


def whole(description: str, least: int, most: int, default: int) -> Schema:
    """A whole number within bounds."""
    return {
        "type": "integer",
        "minimum": least,
        "maximum": most,
        "default": default,
        "description": description,
    }


LANG = choice("Language of the words of the answer; default: the grant's, else the owner's.", "fr", "en")
CURSOR = text("`next_cursor` of the previous page, with the same arguments.", 2_000)
ABOUT = texts("What it is about: entities (an ent: id, a name or an alias) or domain ids.")
DOMAINS = texts("Only memories of these domains (ids).")
WORDS = text("The owner's own words, verbatim, that this rests on.", _LIMITS.words_characters)
SAID_AT = text(f"When the owner said it: {DATE}. Relative dates are read from it.")
CONVERSATION = text(
    "Your own opaque key of the conversation; private to this grant.", _LIMITS.conversation_characters
)
REASON = text("Why, in a sentence.", _LIMITS.words_characters)
IDEMPOTENCY_KEY = text("Repeat a call safely: the same key and arguments give the same proposal.")


def arguments(properties: dict[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    """The input schema of a tool; every tool takes ``lang``, none takes what it does not declare."""
    return {
        "type": "object",
        "properties": {**properties, "lang": LANG},
        "required": list(required),
        "additionalProperties": False,
    }


def _object(properties: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_STRING: Schema = {"type": "string"}
_STRING_OR_NULL: Schema = {"type": ["string", "null"]}
_ENTITY = _object({"id": _STRING, "name": _STRING})
_EDGE = _object({"source": _ENTITY, "type": _STRING, "target": _ENTITY, "memory": _STRING})


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


ITEM = _object(
    {
        "id": {**_STRING, "description": "Cite this."},
        "text": _STRING,
        "kind": {"enum": [kind.value for kind in Kind]},
        "provenance": {"enum": [provenance.value for provenance in Provenance]},
        "confidence": {"type": "number"},
        "sensitivity": {"enum": [level.name for level in Level]},
        "valid_from": _STRING_OR_NULL,
        "valid_to": {**_STRING_OR_NULL, "description": "Exclusive end."},
        "recorded_at": _STRING,
        "status": {"enum": ["current", "announced", "closed", "superseded", "retracted"]},
        "anchors": _list(_ENTITY),
        "domains": _list(_STRING),
        "event": _STRING_OR_NULL,
        "evidence": _maybe(
            _object(
                {
                    "words": _STRING,
                    "speaker": _STRING,
                    "source": {
                        **_STRING,
                        "description": "owner, your own name or another assistant; private-full is told its name.",
                    },
                    "said_at": _STRING_OR_NULL,
                }
            )
        ),
        "why": _object(
            {
                "relevance": {"type": "number"},
                "parts": {"type": "object", "additionalProperties": {"type": "number"}},
                "path": _list(_EDGE),
            }
        ),
    }
)
VERDICT: Schema = {"enum": ["certain", "vague", "unknown"]}

PROFILE_RESULT = _object(
    {
        "scope": _STRING,
        "owner": _maybe(_ENTITY),
        "budgets": {"type": "object"},
        "domains": _list(_object({"id": _STRING, "label": _STRING, "count": {"type": "integer"}})),
        "entities": _list(_object({"id": _STRING, "name": _STRING, "type": _STRING})),
        "rules": _list(ITEM),
        "usage": _STRING_OR_NULL,
        "next_cursor": _STRING_OR_NULL,
    }
)
PACK_RESULT = _object(
    {
        "verdict": VERDICT,
        "items": _list(ITEM),
        "relations": _list(_EDGE),
        "tokens": {"type": "integer"},
        "context_prompt": _STRING,
        "notices": _list(_STRING),
    }
)
RECALL_RESULT = _object(
    {
        "verdict": VERDICT,
        "best": {"type": ["number", "null"]},
        "items": _list(ITEM),
        "notices": _list(_STRING),
        "next_cursor": _STRING_OR_NULL,
    }
)
PATH_RESULT = _object({"found": {"type": "boolean"}, "hops": _list(_EDGE)})
RECEIPT = _object(
    {
        "proposal": _STRING,
        "status": {"const": "proposed"},
        "message": _STRING,
        "next_run": _STRING_OR_NULL,
    }
)
CANDIDATES = _object({"candidates": _list(ITEM)})
OUTCOME = _object(
    {
        "proposal": _STRING,
        "outcome": _STRING_OR_NULL,
        "reason": _STRING_OR_NULL,
        "explanation": _STRING_OR_NULL,
        "memory": _STRING_OR_NULL,
        "url": _STRING_OR_NULL,
        "decided_at": _STRING_OR_NULL,
    }
)
REVIEW = _object(
    {
        "name": _STRING,
        "type": _STRING_OR_NULL,
        "opened_at": _STRING,
        "closed_at": _STRING_OR_NULL,
        "entity": _maybe(_ENTITY),
        "proposals": _list(_STRING),
    }
)
GATES_RESULT = _object(
    {
        "view": {"enum": ["outcomes", "arbitrations", "duplicates", "anchor_reviews"]},
        "items": _list({"anyOf": [OUTCOME, REVIEW]}),
        "next_cursor": _STRING_OR_NULL,
    }
)
