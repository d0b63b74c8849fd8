"""What a language model is asked for and how its answer is read: typed, closed, nothing taken on trust."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from curator.classify import Question
from policies import moments
from policies.classification import Classification
from policies.errors import InvalidDate, NaiveDateTime
from policies.language.findings import Health, Importance, Instruction
from policies.terms import EntityType, Kind, Level, Moment

PROMPT = (Path(__file__).parent / "prompts" / "classify.md").read_text("utf-8")
ANSWER_TOKENS_MAX = 1_000
ANSWER_SECONDS_MAX = 30.0


class Name(BaseModel):
    """A name that the model sees in the text."""

    model_config = ConfigDict(extra="forbid")

    surface: str
    type: EntityType


class Answer(BaseModel):
    """The fields of the prompt, one by one. Field order is the order in which a model fills them."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["fact", "preference", "decision", "change", "failure", "event", "rule", "insight"]
    level: Literal["S0", "S1", "S2", "S3"]
    domains: list[str]
    health: Literal["none", "stated", "inferred"]
    importance: Literal["none", "declared", "derived"]
    instruction: Literal["none", "rule", "disguised"]
    valid_from: str | None
    valid_to: str | None
    names: list[Name]
    sure: bool


def question_as_data(question: Question, domains: tuple[str, ...]) -> str:
    """The user's turn: one JSON object, in which no text can pass for an instruction or end its own fence."""
    return json.dumps(
        {"statement": question.statement, "said_on": question.said_on, "domains": list(domains)},
        ensure_ascii=False,
    )


def classification_of(answer: Answer, domains: tuple[str, ...], zone: ZoneInfo) -> Classification:
    """What of the answer can be used: unknown domains and dates that do not parse are left out."""
    return Classification(
        kind=Kind(answer.kind),
        level=Level[answer.level],
        domains=tuple(domain for domain in answer.domains if domain in domains),
        health=Health(answer.health),
        importance=Importance(answer.importance),
        instruction=Instruction(answer.instruction),
        valid_from=_date(moments.parse_start, answer.valid_from, zone),
        valid_to=_date(moments.parse_end, answer.valid_to, zone),
        names=tuple((name.surface, name.type) for name in answer.names),
        understood=answer.sure,
    )


def _date(parse: Callable[[str, ZoneInfo], Moment], text: str | None, zone: ZoneInfo) -> Moment | None:
    if text is None:
        return None
    try:
        return parse(text, zone)
    except (InvalidDate, NaiveDateTime):
        return None
