"""The prompt ``mnemo``: tells an assistant to consult before it answers, to propose after, and to cite."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import cast

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from policies.errors import InvalidArgument, ToolUnknown, UnknownArgument
from service.arguments import shown_field
from service.calls import Answer, Call

NAME = "mnemo"
ASKED = "prompts/get"
"""Which prompt is asked for, among the arguments of the call."""
LANGUAGES = ("fr", "en")


def listing(language: str) -> Prompt:
    """The prompt as it is listed."""
    words = _words()[language]
    lang = PromptArgument(name="lang", description=" | ".join(LANGUAGES), required=False)
    return Prompt(name=NAME, title=words["title"], description=words["description"], arguments=[lang])


def guidance(language: str, owner: str) -> str:
    """The prompt's text."""
    return _words()[language]["text"].strip().format(owner=owner)


def summary(language: str, server: str) -> str:
    """When it is of use, in a line; ``server`` is the name that the client knows the service by."""
    return _words()[language]["summary"].format(server=server)


def reminder(language: str, server: str) -> str:
    """What it comes to, in a few lines."""
    return _words()[language]["reminder"].format(server=server)


def serve(call: Call) -> Answer:
    """Answer ``prompts/get``.

    Raises:
        ToolUnknown: there is no such prompt.
        UnknownArgument: the prompt has no such argument.
        InvalidArgument: the language is not one of ours.
    """
    if call.arguments[ASKED] != NAME:
        raise ToolUnknown
    for name in call.arguments.keys() - {ASKED, "lang"}:
        raise UnknownArgument(field=shown_field(name))
    if call.arguments.get("lang") not in (None, *LANGUAGES):
        raise InvalidArgument(field="lang", problem="choice", allowed=list(LANGUAGES))
    text = guidance(call.language, call.house.owner)
    return Answer({"description": _words()[call.language]["description"]}, text)


def result(answer: Answer) -> GetPromptResult:
    """The answer as the protocol has it."""
    message = PromptMessage(role="user", content=TextContent(text=answer.text))
    return GetPromptResult(description=cast("str", answer.structured["description"]), messages=[message])


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
