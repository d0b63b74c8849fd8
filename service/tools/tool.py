"""What a tool is: its name, its schemas, what it needs of a grant, and the function that answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from mcp_types import Tool as ToolListing
from mcp_types import ToolAnnotations

from policies.parameters import parameters
from service.arguments import ArgumentCheck
from service.calls import Answer, Call, check_mode
from service.tools.schemas import Schema


@dataclass(frozen=True)
class Tool:
    """One of the eight."""

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    answer: Callable[[Call], Answer]
    reads: bool = False
    """Serves memories: refused to a grant that may only propose."""
    proposes: bool = False
    """Adds to the inbox: refused to a grant that may only read."""

    @cached_property
    def check(self) -> ArgumentCheck:
        """The check of its arguments."""
        return ArgumentCheck(self.input_schema, parameters().limits.json_depth)

    def serve(self, call: Call) -> Answer:
        """Answer a call whose arguments are as they came.

        Raises:
            MnemoError: what is wrong with the call, or with the world.
        """
        check_mode(call.grant, reads=self.reads, proposes=self.proposes)
        return self.answer(replace(call, arguments=self.check.checked(call.arguments)))

    @property
    def listing(self) -> ToolListing:
        """The tool as it is listed, to every grant alike."""
        return ToolListing(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.input_schema,
            output_schema=self.output_schema,
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=not self.proposes,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )
