"""The eight tools, in the order they are listed."""

from __future__ import annotations

from service.tools import (
    mem_context_pack,
    mem_correct,
    mem_gates,
    mem_path,
    mem_profile,
    mem_recall,
    mem_remember,
    mem_retract,
)
from service.tools.tool import Tool

TOOLS: tuple[Tool, ...] = (
    mem_profile.TOOL,
    mem_context_pack.TOOL,
    mem_recall.TOOL,
    mem_path.TOOL,
    mem_remember.TOOL,
    mem_correct.TOOL,
    mem_retract.TOOL,
    mem_gates.TOOL,
)
