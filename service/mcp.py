"""The MCP server: mounts the eight tools, the prompt and the resources on the SDK's low-level ``Server``.

The low-level server hands us arguments as they came, so that we validate them and our own words reach the
client; it serves both eras of the protocol. What needs a view is asked under the caller's grant and logged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)

from policies.errors import MnemoError, ToolUnknown, UnsafeText
from policies.terms import Grant
from service import prompts, resources
from service.calls import Answer, Call, Calls
from service.failures import in_words, told
from service.limits import OneMessage
from service.middleware import FaultBarrier
from service.tools import TOOLS

Context = ServerRequestContext[Any, Any]
Caller = Callable[[Context], Awaitable[Grant]]
"""Whose request it is. Raises ``GrantRefused``, ``RateLimited`` or ``StoreUnavailable``."""

INSTRUCTIONS = (
    "Mnemo is the owner's memory. Consult it before you answer (mem_profile once, then mem_recall or "
    "mem_context_pack), propose what the owner says that is worth keeping (mem_remember), and cite the "
    "mem: ids you rely on. The prompt `mnemo` says more."
)

# Every result depends on who asks, except the list of tools; none may be kept for somebody else.
_PRIVATE = CacheHint(ttl_ms=0, scope="private")


def build_server(calls: Calls, caller: Caller) -> Server[Any]:
    """The server for the callers that ``caller`` tells.

    Args:
        calls: serves and logs each call.
        caller: the grant of a request; asked on every one, so that a revoked grant ends at once.
    """
    handlers = _Handlers(calls, caller)
    server: Server[Any] = Server(
        "mnemo",
        version=version("mnemo"),
        title="Mnemo",
        instructions=INSTRUCTIONS,
        cache_hints={
            "tools/list": _PRIVATE,
            "prompts/list": _PRIVATE,
            "resources/list": _PRIVATE,
            "resources/templates/list": _PRIVATE,
            "resources/read": _PRIVATE,
        },
        get_tool_input_schema=lambda name: (
            TOOLS_BY_NAME[name].input_schema if name in TOOLS_BY_NAME else None
        ),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_completion=handlers.complete,
    )
    server.middleware.append(FaultBarrier(calls.house.language))
    return server


TOOLS_BY_NAME = {tool.name: tool for tool in TOOLS}
PROPOSING = frozenset(tool.name for tool in TOOLS if tool.proposes)


class _Handlers:
    """One method for each request of the protocol that we serve."""

    def __init__(self, calls: Calls, caller: Caller) -> None:
        self._calls = calls
        self._caller = caller

    async def list_tools(self, ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[tool.listing for tool in TOOLS])

    async def call_tool(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS_BY_NAME.get(params.name)
        if tool is None:
            await self._serve(ctx, "tools/call", {"name": params.name}, _refuse_unknown)
            raise ToolUnknown
        grant = await self._caller(ctx)
        arguments = params.arguments or {}
        work = partial(_refuse_unsafe, unsafe) if (unsafe := _unsafe(ctx)) else tool.serve
        try:
            answer = await self._calls.serve(tool.name, grant, arguments, work)
        except MnemoError as error:
            failure = told(error, self._calls.language_of(grant, arguments.get("lang")))
            return CallToolResult(
                content=[TextContent(text=in_words(failure))],
                structured_content={"error": failure},
                is_error=True,
            )
        return CallToolResult(
            content=[TextContent(text=answer.text)], structured_content=dict(answer.structured)
        )

    async def list_prompts(self, ctx: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        language = self._calls.language_of(await self._caller(ctx))
        return ListPromptsResult(prompts=[prompts.listing(language)])

    async def get_prompt(self, ctx: Context, params: GetPromptRequestParams) -> GetPromptResult:
        asked = {**(params.arguments or {}), prompts.ASKED: params.name}
        answer = await self._serve(ctx, "prompts/get", asked, prompts.serve)
        return prompts.result(answer)

    async def list_resources(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        asked = {} if params is None or params.cursor is None else {"cursor": params.cursor}
        return resources.listed(await self._serve(ctx, "resources/list", asked, resources.serve_list))

    async def list_templates(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        language = self._calls.language_of(await self._caller(ctx))
        return ListResourceTemplatesResult(resource_templates=resources.templates(language))

    async def read_resource(self, ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        answer = await self._serve(ctx, "resources/read", {"uri": str(params.uri)}, resources.serve_read)
        return resources.contents(str(params.uri), answer)

    async def complete(self, ctx: Context, params: CompleteRequestParams) -> CompleteResult:
        asked = {
            "ref": params.ref.model_dump(mode="json"),
            "name": params.argument.name,
            "value": params.argument.value,
        }
        answer = await self._serve(ctx, "completion/complete", asked, resources.serve_completion)
        return CompleteResult(completion=Completion.model_validate(answer.structured))

    async def _serve(
        self, ctx: Context, method: str, asked: Mapping[str, object], work: Callable[[Call], Answer]
    ) -> Answer:
        if unsafe := _unsafe(ctx):
            work = partial(_refuse_unsafe, unsafe)
        return await self._calls.serve(method, await self._caller(ctx), asked, work)


def _unsafe(ctx: Context) -> str | None:
    """The character that the HTTP side had to replace in this request, if any."""
    return None if ctx.request is None else ctx.request.scope.get(OneMessage.UNSAFE)


def _refuse_unsafe(character: str, _call: Call) -> Answer:
    raise UnsafeText(character=character)


def _refuse_unknown(_call: Call) -> Answer:
    raise ToolUnknown
