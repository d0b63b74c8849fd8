"""Fixtures of the conformance suite that ask the client something: within the call, or by an answer that wants more.

A server without sessions cannot ask within a call (2025-11-25); those tools are here so that the suite finds out
by trying. From 2026-07-28 on a call may be answered with what it still needs, which needs no session.
"""

from __future__ import annotations

import json
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)

_DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_ENUMS = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First Choice"}]}},
}


def register(fixtures: MCPServer) -> None:
    """Add them to a server."""
    _within(fixtures)
    _one_round(fixtures)
    _more_rounds(fixtures)


def _within(fixtures: MCPServer) -> None:
    """Ask while the call waits."""

    async def ask(ctx: Context, message: str, **properties: dict[str, Any]) -> str:
        schema = {"type": "object", "properties": properties}
        answer = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
        return f"User response: action={answer.action}, content={json.dumps(answer.content or {})}"

    @fixtures.tool()
    async def test_sampling(prompt: str, ctx: Context) -> str:
        """Has the client's model answer."""
        answer = await ctx.session.create_message(  # pyright: ignore[reportDeprecated]
            messages=[SamplingMessage(role="user", content=_text(prompt))],
            max_tokens=100,
            related_request_id=ctx.request_id,
        )
        return f"LLM response: {answer.content.text if isinstance(answer.content, TextContent) else '?'}"

    @fixtures.tool()
    async def test_elicitation(message: str, ctx: Context) -> str:
        """Asks the person."""
        return await ask(ctx, message, response={"type": "string"})

    @fixtures.tool()
    async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        """Asks with answers filled in."""
        return await ask(ctx, "Please provide user information", **_DEFAULTS)

    @fixtures.tool()
    async def test_elicitation_sep1330_enums(ctx: Context) -> str:
        """Asks for choices."""
        return await ask(ctx, "Please select", **_ENUMS)


def _one_round(fixtures: MCPServer) -> None:
    """Answer at once with one question, or several."""

    @fixtures.tool()
    async def test_input_required_result_elicitation(ctx: Context) -> str | InputRequiredResult:
        """Asks for a name."""
        if (name := _said(ctx, "user_name", "name")) is not None:
            return f"Hello, {name}!"
        return InputRequiredResult(input_requests={"user_name": _question("What is your name?", "name")})

    @fixtures.tool()
    async def test_input_required_result_sampling(ctx: Context) -> str | InputRequiredResult:
        """Asks the client's model."""
        answer = (ctx.input_responses or {}).get("capital_question")
        if isinstance(answer, CreateMessageResult):
            return f"Model said: {answer.content.text if isinstance(answer.content, TextContent) else '?'}"
        asked = _sampled("What is the capital of France?")
        return InputRequiredResult(input_requests={"capital_question": asked})

    @fixtures.tool()
    async def test_input_required_result_list_roots(ctx: Context) -> str | InputRequiredResult:
        """Asks for the client's roots."""
        answer = (ctx.input_responses or {}).get("client_roots")
        if isinstance(answer, ListRootsResult):
            return f"Client exposed {len(answer.roots)} root(s)."
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})

    @fixtures.tool()
    async def test_input_required_result_multiple_inputs(ctx: Context) -> str | InputRequiredResult:
        """Asks all three."""
        requests: dict[str, InputRequest] = {
            "user_name": _question("What is your name?", "name"),
            "greeting": _sampled("Generate a greeting"),
            "client_roots": ListRootsRequest(),
        }
        if requests.keys() <= (ctx.input_responses or {}).keys():
            return "All inputs received."
        return InputRequiredResult(input_requests=requests, request_state="multiple-inputs")

    @fixtures.tool()
    async def test_input_required_result_capabilities(ctx: Context) -> InputRequiredResult:
        """Asks only what the client says it can answer."""
        can = ctx.client_capabilities
        requests: dict[str, InputRequest] = {}
        if can is None or can.sampling is not None:
            requests["sample"] = _sampled("Say hello")
        if can is None or can.elicitation is not None:
            requests["ask"] = _question("What is your name?", "name")
        return InputRequiredResult(input_requests=requests, request_state="capability-gated")

    @fixtures.prompt()
    async def test_input_required_result_prompt(ctx: Context) -> list[UserMessage] | InputRequiredResult:
        """A prompt that needs an answer."""
        if (text := _said(ctx, "user_context", "context")) is not None:
            return [UserMessage(_text(f"Use the following context: {text}"))]
        asked = _question("What context should the prompt use?", "context")
        return InputRequiredResult(input_requests={"user_context": asked})


def _more_rounds(fixtures: MCPServer) -> None:
    """Answer with a state that the client must bring back as it was."""
    confirm = _question("Please confirm", "ok", "boolean")

    @fixtures.tool()
    async def test_input_required_result_request_state(ctx: Context) -> str | InputRequiredResult:
        """Wants its state back."""
        if "confirm" in (ctx.input_responses or {}) and ctx.request_state == "a state":
            return "state-ok: confirmation received"
        return InputRequiredResult(input_requests={"confirm": confirm}, request_state="a state")

    @fixtures.tool()
    async def test_input_required_result_tampered_state(ctx: Context) -> str | InputRequiredResult:
        """Wants its state back as it was: the SDK sees to that."""
        if ctx.request_state is None:
            return InputRequiredResult(input_requests={"confirm": confirm}, request_state="round-1")
        return f"state-ok: {ctx.request_state}"

    @fixtures.tool()
    async def test_input_required_result_multi_round(ctx: Context) -> str | InputRequiredResult:
        """Asks twice, one after the other."""
        state = json.loads(ctx.request_state or "{}")
        colour, name = _said(ctx, "step2", "color"), _said(ctx, "step1", "name")
        if "name" in state and colour is not None:
            return f"{state['name']} likes {colour}."
        if state and name is not None:
            asked = _question("Step 2: What is your favorite color?", "color")
            return InputRequiredResult(
                input_requests={"step2": asked}, request_state=json.dumps({"round": 2, "name": name})
            )
        asked = _question("Step 1: What is your name?", "name")
        return InputRequiredResult(input_requests={"step1": asked}, request_state=json.dumps({"round": 1}))


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _question(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _sampled(prompt: str) -> CreateMessageRequest:
    messages = [SamplingMessage(role="user", content=_text(prompt))]
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=messages, max_tokens=50))


def _said(ctx: Context, name: str, field: str) -> object:
    """What the client answered to a question of ours; None before it did."""
    answer = (ctx.input_responses or {}).get(name)
    return (answer.content or {}).get(field) if isinstance(answer, ElicitResult) else None
