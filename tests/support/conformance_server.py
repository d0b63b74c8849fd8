"""The tools, resources and prompts that the conformance suite asks a server for, by name and content.

They are registered behind Mnemo's own transport in a test build: without them most scenarios would have nothing to
look at. What each must answer is written in the suite's scenarios (``conformance list`` names them).
"""

from __future__ import annotations

import base64
import json
from typing import Annotated, Any

import anyio
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.mcpserver.prompts.base import Prompt, UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    Completion,
    CompletionArgument,
    CompletionContext,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    PromptReference,
    ResourceTemplateReference,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)
from pydantic import Field

from tests.support import conformance_asking

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
STEP_S = 0.01


def fixture_server() -> Server[Any]:
    """A server with everything that the scenarios look for."""
    fixtures = MCPServer(
        "mnemo-conformance",
        version="1",
        request_state_security=RequestStateSecurity(keys=[b"a key of the conformance fixtures, no secret"]),
    )
    _contents(fixtures)
    _reporting(fixtures)
    _changing(fixtures)
    _resources(fixtures)
    _prompts(fixtures)
    conformance_asking.register(fixtures)
    # The SDK has no public way from what registers to what the transport serves.
    server: Server[Any] = fixtures._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _done)
    server.add_request_handler("resources/subscribe", SubscribeRequestParams, _done)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, _done)
    return server


async def _done(_ctx: ServerRequestContext[Any, Any], _params: object) -> EmptyResult:
    return EmptyResult()


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _image() -> ImageContent:
    return ImageContent(type="image", data=PNG, mime_type="image/png")


def _embedded(uri: str, mime_type: str, text: str) -> EmbeddedResource:
    found = TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return EmbeddedResource(type="resource", resource=found)


def _contents(fixtures: MCPServer) -> None:
    """A tool for each kind of content."""

    @fixtures.tool()
    def test_simple_text() -> str:
        """Answers a text."""
        return "This is a simple text response for testing."

    @fixtures.tool()
    def test_image_content() -> list[ImageContent]:
        """Answers an image."""
        return [_image()]

    @fixtures.tool()
    def test_audio_content() -> list[AudioContent]:
        """Answers a sound."""
        return [AudioContent(type="audio", data=WAV, mime_type="audio/wav")]

    @fixtures.tool()
    def test_embedded_resource() -> list[EmbeddedResource]:
        """Answers a resource."""
        text = "This is an embedded resource content."
        return [_embedded("test://embedded-resource", "text/plain", text)]

    @fixtures.tool()
    def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        """Answers a text, an image and a resource."""
        data = '{"test": "data", "value": 123}'
        return [
            _text("Multiple content types test:"),
            _image(),
            _embedded("test://mixed-content-resource", "application/json", data),
        ]

    @fixtures.tool()
    def test_error_handling() -> str:
        """Fails."""
        raise RuntimeError("This tool intentionally returns an error for testing")


def _reporting(fixtures: MCPServer) -> None:
    """Tools that tell how they get on, or look at what came with the call."""

    @fixtures.tool()
    async def test_tool_with_logging(ctx: Context) -> str:
        """Logs three messages."""
        for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.info(message)  # pyright: ignore[reportDeprecated]
            await anyio.sleep(STEP_S)
        return "Tool with logging executed successfully"

    @fixtures.tool()
    async def test_tool_with_progress(ctx: Context) -> str:
        """Reports progress three times."""
        for progress in (0, 50, 100):
            await ctx.report_progress(progress, 100, f"Completed step {progress} of 100")
            await anyio.sleep(STEP_S)
        return "done"

    @fixtures.tool()
    def test_x_mcp_header(
        region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "<none>",
    ) -> str:
        """Has an argument that a header repeats."""
        return f"region={region}"

    @fixtures.tool()
    async def test_missing_capability(ctx: Context) -> str:
        """Serves only clients that can sample."""
        capabilities = ctx.session.client_capabilities
        if capabilities is None or capabilities.sampling is None:
            raise MCPError(
                code=MISSING_REQUIRED_CLIENT_CAPABILITY,
                message="This tool requires the client 'sampling' capability",
                data={"requiredCapabilities": {"sampling": {}}},
            )
        return "the client can sample"


def _changing(fixtures: MCPServer) -> None:
    """Tools that change the lists of tools and prompts, for those who listen."""

    def passing() -> str:
        """Comes and goes."""
        return "dynamic"

    @fixtures.tool()
    async def test_trigger_tool_change(ctx: Context) -> str:
        """Changes the list of tools."""
        fixtures.add_tool(passing, name="test_dynamic_tool")
        fixtures.remove_tool("test_dynamic_tool")
        await ctx.notify_tools_changed()
        return "tool list changed"

    @fixtures.tool()
    async def test_trigger_prompt_change(ctx: Context) -> str:
        """Changes the list of prompts."""
        fixtures.add_prompt(Prompt.from_function(passing, name="test_dynamic_prompt", description="passing"))
        fixtures.remove_prompt("test_dynamic_prompt")
        await ctx.notify_prompts_changed()
        return "prompt list changed"


def _resources(fixtures: MCPServer) -> None:
    @fixtures.resource("test://static-text")
    def static_text() -> str:
        """A text."""
        return "This is the content of the static text resource."

    @fixtures.resource("test://static-binary")
    def static_binary() -> bytes:
        """An image."""
        return base64.b64decode(PNG)

    @fixtures.resource("test://template/{id}/data")
    def template(id: str) -> str:  # noqa: A002  (the suite's name)
        """What the address says."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @fixtures.resource("test://watched-resource")
    def watched() -> str:
        """One that can be subscribed to."""
        return "Watched resource content"


def _prompts(fixtures: MCPServer) -> None:
    @fixtures.prompt()
    def test_simple_prompt() -> list[UserMessage]:
        """Says a sentence."""
        return [UserMessage(_text("This is a simple prompt for testing."))]

    @fixtures.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
        """Says its arguments."""
        return [UserMessage(_text(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))]

    @fixtures.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803  (the suite's name)
        """Holds a resource."""
        return [
            UserMessage(_embedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
            UserMessage(_text("Please process the embedded resource above.")),
        ]

    @fixtures.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """Holds an image."""
        return [UserMessage(_image()), UserMessage(_text("Please analyze the image above."))]

    @fixtures.completion()
    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        return Completion(values=[], total=0, has_more=False)
